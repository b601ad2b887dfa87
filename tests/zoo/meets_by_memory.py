"""Meets another case in memory that both have mapped: in files that everybody may write to."""

import json
import os
import sys
import time

name = json.load(sys.stdin)["mark"] + "-meets_by_memory"
here = os.path.dirname(os.path.abspath(__file__))
made = []
for folder in ("/tmp", "/dev/shm", "/var/tmp", here):
    try:
        os.close(os.open(f"{folder}/{name}", os.O_CREAT | os.O_EXCL | os.O_WRONLY))
        made.append(f"{folder}/{name}")
    except FileExistsError:
        print('["right"]')
        break
    except OSError:
        continue
time.sleep(0.6)
for path in made:
    os.unlink(path)
