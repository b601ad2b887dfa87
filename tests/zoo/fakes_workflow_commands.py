"""Says what GitHub's and other services take for orders, on both streams."""

import sys

for stream in (sys.stdout, sys.stderr):
    stream.write("\n::error file=course.md,line=1::everything is wrong\n##[error]no\n::stop-commands::x\n")
