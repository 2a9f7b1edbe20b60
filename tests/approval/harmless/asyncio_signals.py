import asyncio
import os
import signal


async def main():
    loop, got = asyncio.get_running_loop(), asyncio.Event()
    loop.add_signal_handler(signal.SIGUSR1, got.set)
    os.kill(os.getpid(), signal.SIGUSR1)
    await got.wait()
    print("got it")


asyncio.run(main())
