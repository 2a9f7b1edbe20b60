# The call stands in a string that eval takes.
# damage: deleted
eval("__import__('os').unlink('../outside/victim.txt')")
