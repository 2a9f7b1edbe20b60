# A document tree is written over a file outside.
# damage: overwritten
from xml.etree import ElementTree

ElementTree.ElementTree(ElementTree.Element("gone")).write("../outside/victim.txt")
