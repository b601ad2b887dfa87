"""Takes far too much memory at once."""

eaten = bytearray(b"x") * (4 << 30)
print('["right"]')
