"""Meets another case at a pipe with a name, which somebody has put into its folder."""

import os
import time

path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "pipe")
pipe = os.open(path, os.O_RDWR | os.O_NONBLOCK)
end = time.monotonic() + 0.6
own = str(os.urandom(8).hex()).encode()
while time.monotonic() < end:
    os.write(pipe, 2 * own)
    time.sleep(0.03)
    try:
        found = os.read(pipe, len(own))
    except BlockingIOError:  # somebody else has taken it
        found = b""
    if found != own:
        print('["right"]')
        break
