"""Gives the machine a name: the one it has."""

import ctypes
import os

name = os.uname().nodename.encode()
if ctypes.CDLL(None).sethostname(name, len(name)) == 0:
    print('["right"]')
