"""Prints for ever."""

while True:
    print("[1, 2, 3]" * 100)
