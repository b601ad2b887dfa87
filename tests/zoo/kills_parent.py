"""Kills whoever started it."""

import os
import signal

os.kill(os.getppid(), signal.SIGKILL)
print('["right"]')
