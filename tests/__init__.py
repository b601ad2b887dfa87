"""All tests. Python may be told to keep no compiled code, which each process would make anew, for seconds."""

import os
import sys

sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
