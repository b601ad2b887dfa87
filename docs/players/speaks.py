"""A program that speaks the remote protocol through its standard input and output: it feeds vegetarians."""

import json
import sys


def hungry(board):
    species = dict(board)
    return species["food"] < species["population"] and "carnivore" not in species["traits"]


print('"a name"', flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if message == "ok" or len(message) == 4:  # signed up, or a turn begins: there is nothing to say
        continue
    if len(message) == 2:
        print("[0,[],[],[],[]]", flush=True)
    else:
        fed = [at for at, board in enumerate(message[1]) if hungry(board)]
        print(fed[0] if fed else "false", flush=True)
