"""Leaves files in directories that nobody may enter."""

import os

os.makedirs("a/b")
with open("a/b/file", "w") as file:
    file.write("here I am")
for folder in ("a/b", "a", "."):
    os.chmod(folder, 0)
print('["right"]')
