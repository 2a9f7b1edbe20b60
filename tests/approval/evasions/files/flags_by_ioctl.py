# The flags of a file outside, by a descriptor that is open for reading only.
# damage: chmod
# needs: linux
import array
import fcntl
import os

GET_FLAGS, SET_FLAGS, NO_DUMP = 0x80086601, 0x40086602, 0x40
file = os.open("../outside/victim.txt", os.O_RDONLY)
flags = array.array("l", [0])
fcntl.ioctl(file, GET_FLAGS, flags, True)
flags[0] |= NO_DUMP
fcntl.ioctl(file, SET_FLAGS, flags)
