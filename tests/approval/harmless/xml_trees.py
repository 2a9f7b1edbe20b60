import xml.dom.minidom
import xml.etree.ElementTree as tree
import xml.sax

root = tree.Element("list")
for name in "ab":
    tree.SubElement(root, "item", name=name).text = name * 2
tree.ElementTree(root).write("list.xml")
print([item.get("name") for item in tree.parse("list.xml").iter("item")])
print(xml.dom.minidom.parse("list.xml").documentElement.tagName)


class Count(xml.sax.ContentHandler):
    seen = 0

    def startElement(self, name, attributes):
        Count.seen += 1


xml.sax.parse("list.xml", Count())
print(Count.seen)
