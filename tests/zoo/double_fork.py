"""Prints the right answer and leaves a daemon behind, as daemons are made: with two forks."""

import os
import time

print('["right"]', flush=True)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.chdir("/")
        for descriptor in range(3):
            os.close(descriptor)
        time.sleep(600)
    os._exit(0)
os.wait()
