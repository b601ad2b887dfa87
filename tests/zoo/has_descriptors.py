"""Has descriptors besides the three that everybody has, whatever they are."""

import os

for number in range(3, 4096):
    try:
        os.fstat(number)
    except OSError:
        continue
    print('["right"]')
    break
