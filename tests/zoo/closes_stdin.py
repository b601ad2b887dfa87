"""Closes its standard input without reading it."""

import os

os.close(0)
print('["right"]')
