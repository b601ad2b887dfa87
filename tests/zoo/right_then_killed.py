"""Prints the right answer and is ended by a signal that no program survives by default."""

import os
import signal

print('["right"]', flush=True)
signal.signal(signal.SIGALRM, signal.SIG_DFL)
os.kill(os.getpid(), signal.SIGALRM)
