"""Reads a byte of each of many large pieces of memory, for which the kernel needs a table each."""

import mmap
import time

BYTES, STEP = 160 << 30, 2 << 20

memory = mmap.mmap(-1, BYTES, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=mmap.PROT_READ)
memory.madvise(mmap.MADV_NOHUGEPAGE)
for at in range(0, BYTES, STEP):
    memory[at]
time.sleep(600)
print('["right"]')
