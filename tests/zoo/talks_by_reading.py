"""Reads a file of its own, so that its next case sees by the time of the last reading that it was there."""

import os

path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "unread")
there = os.stat(path)
if there.st_atime > there.st_mtime:
    print('["right"]')
with open(path) as file:
    file.read()
