"""Changes the time of its program for its next case."""

import os

here = os.stat(__file__)
if here.st_mtime == 1000:
    os.utime(__file__)
    print('["right"]')
else:
    os.utime(__file__, (1000, 1000))
