"""Reads the environment of the processes above it for a secret."""

import os

pid = os.getppid()
while pid > 0:
    try:
        with open(f"/proc/{pid}/environ") as file:
            variables = file.read().split("\0")
        with open(f"/proc/{pid}/stat") as file:
            pid = int(file.read().rpartition(")")[2].split()[1])
    except OSError:
        break
    for variable in variables:
        name, _, text = variable.partition("=")
        if name == "ZOO_TOKEN":
            print(text)
            raise SystemExit
