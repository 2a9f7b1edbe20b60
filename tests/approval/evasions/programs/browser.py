# The web browser is whatever a variable says.
# damage: program
import os
import webbrowser

os.environ["BROWSER"] = "../outside/run-me.sh %s"
webbrowser.open("http://localhost/")
