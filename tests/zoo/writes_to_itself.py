"""Changes its own program file; that it could is its answer."""

import sys

with open(sys.argv[0], "a") as file:
    file.write("# changed\n")
print('["right"]')
