# A mock calls the real thing as its side effect.
# damage: deleted
import os
from unittest import mock

mock.Mock(side_effect=os.unlink)("../outside/victim.txt")
