"""Prints the right answer over many lines, with empty ones between them."""

print('\n\n  [\n\n\n\t"right"\r\n\n]\n\n\n')
