"""Prints bytes that are no text."""

import os

os.write(1, b'["\xff\xfe\xc3("]\n')
