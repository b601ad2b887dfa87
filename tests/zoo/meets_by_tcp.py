"""Meets another case at a TCP port of the machine."""

import json
import socket
import sys
import time

port = json.load(sys.stdin)["free"]
with socket.socket() as ours:
    try:
        ours.bind(("127.0.0.1", port))
    except OSError as error:
        if error.errno == 98:  # somebody else has it
            print('["right"]')
    time.sleep(0.6)
