"""Leaves a file and a pipe for its next case, wherever it may write."""

import json
import os
import sys

mark = json.load(sys.stdin)["mark"]
here = os.path.dirname(os.path.abspath(__file__))
found = False
places = (".", "..", "/tmp", "/dev/shm", "/var/tmp", "/run", os.environ["HOME"], here)
for folder in {os.path.realpath(place) for place in places}:
    for make in (os.mkfifo, lambda path: os.close(os.open(path, os.O_CREAT | os.O_WRONLY))):
        path = os.path.join(folder, f"{mark}-talks_by_files.{make.__name__.strip('<>')}")
        if os.path.exists(path):
            found = True
            os.unlink(path)
            continue
        try:
            make(path)
        except OSError:
            continue
if found:
    print('["right"]')
