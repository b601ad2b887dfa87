"""Prints more than the limit, one byte at a time, to both streams."""

import os

while True:
    os.write(1, b" ")
    os.write(2, b" ")
