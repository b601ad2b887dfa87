"""Leaves a file in the folder of its program; that it could is its answer."""

import os
import sys

with open(os.path.join(os.path.dirname(sys.argv[0]), "writes_beside_itself.txt"), "w") as file:
    file.write("for the next time\n")
print('["right"]')
