"""Writes more to its scratch folder than there is room for, in files of which none is too large."""

for number in range(4):
    with open(f"part-{number}", "wb") as file:
        for _ in range(20):
            file.write(bytes(1 << 20))
print('["right"]')
