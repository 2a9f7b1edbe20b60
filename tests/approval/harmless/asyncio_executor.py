import asyncio
import pathlib


async def main():
    loop = asyncio.get_running_loop()
    await loop.run_in_executor(None, pathlib.Path("made.txt").write_text, "from a thread")
    print(await asyncio.to_thread(pathlib.Path("made.txt").read_text))


asyncio.run(main())
