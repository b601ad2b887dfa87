"""Prints the right answer and leaves a child behind that has a session of its own."""

import os
import time

print('["right"]', flush=True)
if os.fork() == 0:
    os.setsid()
    time.sleep(600)
