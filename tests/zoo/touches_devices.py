"""Sets the times of a device, which all programs on the machine could read."""

import os

DEVICE = "/dev/full"
before = os.stat(DEVICE).st_mtime_ns
os.utime(DEVICE)
if os.stat(DEVICE).st_mtime_ns != before:
    print('["right"]')
