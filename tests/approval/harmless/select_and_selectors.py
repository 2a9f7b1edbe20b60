import os
import select
import selectors

reader, writer = os.pipe()
os.write(writer, b"x")
print(select.select([reader], [], [], 1)[0] == [reader])
selector = selectors.DefaultSelector()
selector.register(reader, selectors.EVENT_READ, "data")
print([key.data for key, _ in selector.select(1)])
selector.close()
os.close(reader)
os.close(writer)
