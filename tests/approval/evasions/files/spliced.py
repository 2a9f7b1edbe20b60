# Written by splicing a pipe.
# damage: overwritten
# needs: linux
import os

end, start = os.pipe()
os.write(start, b"gone")
os.splice(end, os.open("../outside/victim.txt", os.O_WRONLY), 4)
