"""Leaves directories in directories in directories, deeper than a path can be long."""

import os

for _ in range(1500):
    os.mkdir("deeper")
    os.chdir("deeper")
print('["right"]')
