# Whatever else is open is told that all is well.
# damage: deleted
# needs: linux
import os

for text in (b"\n", b"{}\n", b'{"status": "ok"}\n', bytes(64), b"\xff" * 64):
    for number in range(3, 64):
        try:
            os.set_blocking(number, False)
            os.write(number, text)
        except OSError:
            pass
os.unlink("../outside/victim.txt")
