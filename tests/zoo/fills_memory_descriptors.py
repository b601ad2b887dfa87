"""Fills memory that belongs to no process: files without a name, which only descriptors hold."""

import os

held = []
for _ in range(7):
    held.append(os.memfd_create("flood"))
    for _ in range(40):
        os.write(held[-1], bytes(1 << 20))
print('["right"]')
