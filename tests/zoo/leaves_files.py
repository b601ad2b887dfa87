"""Leaves files where everybody may write."""

import json
import sys

mark = json.load(sys.stdin)["mark"]
for folder in ("/tmp", "/var/tmp", "/dev/shm"):
    try:
        with open(f"{folder}/{mark}-leaves_files", "w") as file:
            file.write("for the next time\n")
    except OSError:
        continue
print('["right"]')
