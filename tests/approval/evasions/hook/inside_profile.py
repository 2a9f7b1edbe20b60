# The deed is done inside the profile function of a thread.
# damage: deleted
import os
import threading


def profile(frame, event, argument):
    if os.path.exists("../outside/victim.txt"):
        os.unlink("../outside/victim.txt")


threading.setprofile(profile)
thread = threading.Thread(target=len, args=("",))
thread.start()
thread.join()
