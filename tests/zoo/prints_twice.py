"""Prints the right answer twice."""

print('["right"]\n["right"]')
