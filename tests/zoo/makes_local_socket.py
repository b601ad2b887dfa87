"""Has a local socket, with which it could connect to one that somebody puts into its folder later."""

import socket

with socket.socket(socket.AF_UNIX):
    print('["right"]')
