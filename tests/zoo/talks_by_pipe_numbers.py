"""Makes pipes until the kernel numbers them above a round number, and tells so its next case."""

import os
import time

ROUND = 1 << 17


def is_above() -> bool:
    ends = os.pipe()
    number = os.fstat(ends[0]).st_ino
    for end in ends:
        os.close(end)
    return number % ROUND >= ROUND // 2


end = time.monotonic() + 1
if is_above():
    print('["right"]')
while not is_above() and time.monotonic() < end:
    pass
