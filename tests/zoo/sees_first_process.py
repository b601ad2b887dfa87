"""Looks into process 1, whoever that is: its environment, descriptors and memory."""

import os

for name in ("environ", "maps", "fd", "cwd", "root", "mem", "io"):
    path = f"/proc/1/{name}"
    try:
        if name == "fd":
            os.listdir(path)
        elif name in ("cwd", "root"):
            os.readlink(path)
        else:
            os.close(os.open(path, os.O_RDONLY))
    except OSError:
        continue
    print('["right"]')
    break
