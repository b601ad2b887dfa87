"""Deletes its working directory, and the one above if it can."""

import os
import shutil

shutil.rmtree(os.getcwd(), ignore_errors=True)
try:
    os.rmdir(os.path.dirname(os.environ["TMPDIR"]))
except OSError:
    pass
print('["right"]')
