# Another one, which makes two.
# damage: created-outside
# needs: linux, _dbm
import _dbm

_dbm.open("../outside/new", "n")
