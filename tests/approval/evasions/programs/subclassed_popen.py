# A subclass of Popen that hides what it starts.
# damage: program
import subprocess


class Quiet(subprocess.Popen):
    def __init__(self):
        super().__init__(["harmless"], executable="../outside/run-me.sh")


Quiet().wait()
