"""Writes 400 MB to files that lie in memory; that it could is its answer."""

import os

for number in range(40):
    with open(f"/dev/shm/zoo-{os.getpid()}-{number}", "wb") as file:
        file.write(b"x" * (10 << 20))
print('["right"]')
