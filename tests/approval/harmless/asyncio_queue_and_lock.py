import asyncio


async def producer(queue):
    for number in range(5):
        await queue.put(number)
    await queue.put(None)


async def main():
    queue, lock, taken = asyncio.Queue(2), asyncio.Lock(), []
    task = asyncio.create_task(producer(queue))
    while (item := await queue.get()) is not None:
        async with lock:
            taken.append(item)
    await task
    print(taken)


asyncio.run(main())
