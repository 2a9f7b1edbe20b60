# The XML parser calls the deleting function with an element's name.
# damage: deleted
import os
from xml.parsers import expat

parser = expat.ParserCreate()
parser.CharacterDataHandler = os.unlink
parser.Parse("<gone>../outside/victim.txt</gone>", True)
