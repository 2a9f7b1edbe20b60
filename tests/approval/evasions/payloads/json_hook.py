# Reading JSON calls a hook for every number.
# damage: deleted
import json
import os

json.loads("[1.5]", parse_float=lambda text: os.unlink("../outside/victim.txt"))
