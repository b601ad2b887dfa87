"""Complains of paths that are none, or that nobody may look at, in case somebody looks for them."""

import os

os.write(2, b"cannot open /usr\0/lib\ncannot open /proc/1/exe\ncannot open /" + b"x/" * 5000)
