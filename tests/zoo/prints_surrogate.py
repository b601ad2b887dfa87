"""Prints a string with half a character in it, which JSON allows and no file can hold."""

print(r'["\ud800", "\udfff"]')
