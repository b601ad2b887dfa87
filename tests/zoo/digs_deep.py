"""Leaves directories in directories in directories, deeper than a path can be long."""

import os

for _ in range(3000):
    os.mkdir("deeper")
    os.chdir("deeper")
print('["right"]')
