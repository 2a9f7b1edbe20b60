# A mailbox outside is emptied.
# damage: deleted
import mailbox

box = mailbox.Maildir("../outside/tree", create=False)
box._paths = {"cur": "../outside/tree", "new": "../outside/tree"}
box._toc = {"a": "a.txt"}
box._refresh = lambda: None
box._lookup = lambda key: "a.txt"
box.remove("a")
