"""Reads the names in a part of its own folder that is hidden from it."""

import json
import os
import sys

if os.listdir(os.path.dirname(json.load(sys.stdin)["own"])):
    print('["right"]')
