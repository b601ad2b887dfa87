"""Makes a file without a name, which leaves no trace in its folder."""

import os

os.close(os.open(".", os.O_TMPFILE | os.O_RDWR))
print('["right"]')
