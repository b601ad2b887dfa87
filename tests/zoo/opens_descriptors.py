"""Opens as many descriptors as it can."""

import os

try:
    for _ in range(100_000):
        os.dup(0)
except OSError:
    pass
os.write(1, b'["right"]')
