# A suspended asynchronous generator is closed by its event loop.
# damage: deleted
import asyncio
import os


async def suspended():
    try:
        yield
    finally:
        os.unlink("../outside/victim.txt")


async def main():
    async for _ in suspended():
        break


asyncio.run(main())
