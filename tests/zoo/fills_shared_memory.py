"""Fills memory that it could share, lets go of the pages, and keeps the memory all the same."""

import mmap
import time

COUNT, BYTES, PAGE = 30, 10 << 20, 4096

held = []
for _ in range(COUNT):
    memory = mmap.mmap(-1, BYTES)
    memory[::PAGE] = b"x" * (BYTES // PAGE)
    memory.madvise(mmap.MADV_DONTNEED)
    held.append(memory)
time.sleep(0.3)
if all(memory[PAGE] for memory in held):
    print('["right"]')
