# The event loop's own method for starting a program.
# damage: program
import asyncio


async def main():
    loop = asyncio.get_running_loop()
    transport, protocol = await loop.subprocess_exec(
        asyncio.SubprocessProtocol, "../outside/run-me.sh", stdin=None, stdout=None, stderr=None
    )
    while transport.get_returncode() is None:
        await asyncio.sleep(0.01)
    transport.close()


asyncio.run(main())
