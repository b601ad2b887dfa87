"""Does not care for its input, of which there are 10 MB."""

print('["right"]')
