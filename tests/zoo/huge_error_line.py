"""Prints the right answer and one line of 200,000 characters to standard error."""

import sys

sys.stderr.write("x" * 200_000)
print('["right"]')
