"""Opens the memory of whoever started it."""

import os

os.close(os.open(f"/proc/{os.getppid()}/mem", os.O_RDWR))
print('["right"]')
