"""Makes a file of 2 GB without writing it; that it could is its answer."""

with open("big", "wb") as file:
    file.truncate(2 << 30)
print('["right"]')
