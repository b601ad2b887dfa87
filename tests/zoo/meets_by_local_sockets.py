"""Meets another case at a local address without a file."""

import json
import socket
import sys
import time

name = "\0" + json.load(sys.stdin)["mark"] + "-meeting"
with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ours:
    try:
        ours.bind(name)
    except OSError as error:
        if error.errno == 98:  # somebody else has it
            print('["right"]')
    time.sleep(0.6)
