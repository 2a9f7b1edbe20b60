# The class beneath open.
# damage: overwritten
import io

io.FileIO("../outside/victim.txt", "w").close()
