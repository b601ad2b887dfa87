"""Writes to its standard input instead of reading it."""

import os

try:
    for _ in range(10_000):
        os.write(0, b"x" * (1 << 16))
except OSError:
    pass
print('["right"]')
