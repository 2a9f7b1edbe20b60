import asyncio


async def step(number):
    await asyncio.sleep(0.001 * number)
    return number * number


async def main():
    print(await asyncio.gather(*(step(number) for number in range(5))))
    try:
        await asyncio.wait_for(asyncio.sleep(10), 0.01)
    except asyncio.TimeoutError:
        print("late")


asyncio.run(main())
