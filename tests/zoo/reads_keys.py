"""Prints a key of whoever runs it, from the home directory."""

import os

with open(os.path.expanduser("~/.ssh/id_zoo")) as file:
    print(file.read())
