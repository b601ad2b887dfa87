"""Writes the first half of the right answer and never the second, though it seems to be busy."""

print('["rig', end="", flush=True)
while True:
    pass
