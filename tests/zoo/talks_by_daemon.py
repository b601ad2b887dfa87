"""Leaves a process for its next case, far from its group and session, that answers at a local address."""

import json
import os
import socket
import sys
import time

name = "\0" + json.load(sys.stdin)["mark"] + "-daemon"
with socket.socket(socket.AF_UNIX) as asking:
    try:
        asking.connect(name)
        print('["right"]')
        raise SystemExit
    except OSError:
        pass
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        with socket.socket(socket.AF_UNIX) as listening:
            listening.bind(name)
            listening.listen()
            for number in range(3):
                os.close(number)
            time.sleep(5)
    os._exit(0)
time.sleep(0.1)
