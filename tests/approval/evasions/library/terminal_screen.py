# What is on a screen is written to a file that C opens.
# damage: overwritten
# needs: linux
import os

descriptor = os.open("../outside/victim.txt", os.O_RDWR)
os.dup2(descriptor, 1)
print("gone", flush=True)
