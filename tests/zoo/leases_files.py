"""Takes a lease of its own program: it would be told, and could delay, who opens it."""

import fcntl

with open(__file__) as file:
    fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_RDLCK)
print('["right"]')
