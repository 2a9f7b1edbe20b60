import sys

seen = []
sys.addaudithook(lambda event, arguments: seen.append(event) if event == "open" else None)
open("audited.txt", "w").close()
sys.audit("my.event", 1, 2)
print("open" in seen)
