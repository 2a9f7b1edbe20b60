# A substitution calls a function for each match.
# damage: deleted
import os
import re

re.sub(r"\S+", lambda match: os.unlink(match[0]) or "", "victim.txt ../outside/victim.txt")
