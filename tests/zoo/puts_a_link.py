"""Puts a link to another place where its working directory was; that it could is its answer."""

import os

scratch = os.environ["TMPDIR"]
os.rmdir(scratch)
os.symlink("/usr", scratch)
print('["right"]')
