"""Says on which processors whoever started it may run: all that it may."""

import os

os.sched_setaffinity(os.getppid(), os.sched_getaffinity(0))
print('["right"]')
