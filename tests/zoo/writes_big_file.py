"""Writes a file of 2 GB; that it could is its answer."""

with open("big", "wb") as file:
    for _ in range(2048):
        file.write(b"x" * (1 << 20))
print('["right"]')
