"""Prints the right answer and ends with status 3."""

import sys

print('["right"]')
sys.exit(3)
