"""Prints what clears a terminal, renames its window and types on its keyboard."""

import sys

escapes = "\x1b[2J\x1b]0;owned\x07\x1b[6n\x9b31m\x08\x08\r"
print(escapes)
print(escapes, file=sys.stderr)
