"""Prints the right answer and stops, as Ctrl-Z would stop it."""

import os
import signal

print('["right"]', flush=True)
os.kill(os.getpid(), signal.SIGSTOP)
