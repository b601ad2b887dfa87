"""Prints a number of a hundred thousand digits."""

print("[" + "9" * 100_000 + "]")
