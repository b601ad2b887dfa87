"""Reads whatever descriptors it has been given besides the three that everybody has."""

import os

for name in os.listdir("/proc/self/fd"):
    if int(name) > 2:
        try:
            os.lseek(int(name), 0, os.SEEK_SET)
            os.write(1, os.read(int(name), 1000))
        except OSError:
            continue
