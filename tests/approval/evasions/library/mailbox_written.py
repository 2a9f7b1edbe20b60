# A mailbox of one file is flushed, by renaming a new one over it.
# damage: overwritten
import mailbox

box = mailbox.mbox("../outside/victim.txt")
box.add("hello")
box.flush()
