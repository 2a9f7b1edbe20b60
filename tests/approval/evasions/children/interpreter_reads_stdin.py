# Another interpreter is fed its program through a pipe.
# damage: deleted
import subprocess
import sys

subprocess.run([sys.executable, "-IS", "-"], input=b"import shutil; shutil.rmtree('../outside/tree')")
