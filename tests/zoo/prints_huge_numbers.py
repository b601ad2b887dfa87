"""Prints numbers that are easy to write down and hard to compute with."""

print("[1e999999999999999999, -1e-999999999999999999, 1e9999999999999999999999]")
