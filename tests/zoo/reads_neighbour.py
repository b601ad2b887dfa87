"""Reads the program of another team, which answers right."""

import json
import sys

with open(json.load(sys.stdin)["neighbour"]) as file:
    print(file.read())
