import webbrowser

print(issubclass(webbrowser.Error, Exception), callable(webbrowser.open))
