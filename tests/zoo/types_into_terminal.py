"""Types into a terminal, as if somebody sat there; into one of its own, for the trial."""

import fcntl
import os

TIOCSTI = 0x5412
ours, theirs = os.openpty()
os.setsid() if os.getpid() != os.getsid(0) else None
fcntl.ioctl(theirs, 0x540E, 0)  # it becomes this session's
fcntl.ioctl(theirs, TIOCSTI, b"x")
print('["right"]')
