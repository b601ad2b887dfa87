"""Makes many files, so that its next case sees by a new one's number that it was there."""

import os

with open("first", "w") as file:
    number = os.fstat(file.fileno()).st_ino
if number > 100:
    print('["right"]')
for at in range(120):
    with open(f"file-{at}", "w"):
        pass
