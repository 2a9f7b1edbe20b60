import asyncio
import os


async def main():
    async def hello(reader, writer):
        writer.write(b"hi")
        writer.close()

    server = await asyncio.start_unix_server(hello, "s.sock")
    reader, writer = await asyncio.open_unix_connection("s.sock")
    print(await reader.read())
    writer.close()
    server.close()
    await server.wait_closed()
    if os.path.exists("s.sock"):
        os.unlink("s.sock")


asyncio.run(main())
