"""Asks somebody on the network for the answer."""

import json
import socket
import sys

with socket.create_connection(("127.0.0.1", json.load(sys.stdin)["port"]), timeout=1) as connection:
    print(connection.recv(1000).decode())
