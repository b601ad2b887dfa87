"""Reads the report of an earlier run, which shows what was expected."""

import json
import sys

with open(json.load(sys.stdin)["report"]) as file:
    print(file.read())
