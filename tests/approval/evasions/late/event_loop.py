# A call that an event loop makes later.
# damage: deleted
import asyncio
import os


async def main():
    asyncio.get_running_loop().call_later(0.01, os.unlink, "../outside/victim.txt")
    await asyncio.sleep(0.1)


asyncio.run(main())
