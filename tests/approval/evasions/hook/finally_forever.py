# Leaving the refused statement starts the next one, over and over.
# damage: deleted
import os

count = 0
while count < 500:
    count += 1
    try:
        os.unlink("../outside/victim.txt")
    finally:
        continue
