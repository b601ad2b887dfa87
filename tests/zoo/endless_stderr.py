"""Prints the right answer, and complains for ever."""

import sys

print('["right"]', flush=True)
while True:
    sys.stderr.write("it is not my fault\n" * 100)
