"""Takes far too much memory, as fast as it can: in large pages, where there are any."""

import mmap

PIECE = b"x" * (2 << 20)

eaten = mmap.mmap(-1, 4 << 30)
try:
    eaten.madvise(mmap.MADV_HUGEPAGE)
except (AttributeError, OSError):
    pass
for at in range(0, len(eaten), len(PIECE)):
    eaten[at : at + len(PIECE)] = PIECE
print('["right"]')
