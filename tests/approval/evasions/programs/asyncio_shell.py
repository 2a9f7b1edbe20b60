# A shell command from an event loop.
# damage: program
import asyncio


async def main():
    process = await asyncio.create_subprocess_shell("../outside/run-me.sh")
    await process.wait()


asyncio.run(main())
