"""Could start programs that have more rights than it: nothing says that it never will."""

import ctypes

PR_GET_NO_NEW_PRIVS = 39
if ctypes.CDLL(None).prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0:
    print('["right"]')
