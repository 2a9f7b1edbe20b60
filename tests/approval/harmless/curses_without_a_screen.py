import curses
import curses.ascii
import readline
import rlcompleter

print(curses.ascii.isalpha("a"), curses.ascii.unctrl("\x03"), curses.COLOR_RED)
print(rlcompleter.Completer({"value": 1}).complete("val", 0))
readline.parse_and_bind("tab: complete")
