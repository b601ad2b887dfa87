"""Prints the right answer and ends, but a child of it keeps its outputs open."""

import os
import time

print('["right"]', flush=True)
if os.fork() == 0:
    time.sleep(600)
