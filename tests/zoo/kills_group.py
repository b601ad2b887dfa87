"""Kills its process group, and with it, it hopes, whoever started it."""

import os
import signal

os.kill(0, signal.SIGKILL)
