"""Leaves a daemon behind that is never the same process for long, so it is hard to catch."""

import os

print('["right"]', flush=True)
if os.fork() == 0:
    while True:
        if os.fork():
            os._exit(0)
        os.setsid()
