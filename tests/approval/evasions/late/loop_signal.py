# A signal handled by an event loop.
# damage: deleted
# needs: linux
import asyncio
import os
import signal


async def main():
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGUSR1, os.unlink, "../outside/victim.txt")
    os.kill(os.getpid(), signal.SIGUSR1)
    await asyncio.sleep(0.1)


asyncio.run(main())
