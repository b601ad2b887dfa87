"""Tells by its path that a case is there."""

import json
import os
import sys

if os.path.exists(json.load(sys.stdin)["cases"]):
    print('["right"]')
