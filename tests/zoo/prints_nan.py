"""Prints what Python takes for JSON."""

print("[NaN, Infinity]")
