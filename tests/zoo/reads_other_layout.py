"""Reads the files of a team that is not beside it, but elsewhere in the course."""

import json
import sys

with open(json.load(sys.stdin)["layout"]) as file:
    print(file.read())
