from multiprocessing import shared_memory

block = shared_memory.SharedMemory(create=True, size=64)
block.buf[:5] = b"hello"
print(bytes(block.buf[:5]))
block.close()
block.unlink()
