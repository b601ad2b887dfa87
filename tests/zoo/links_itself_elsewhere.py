"""Gives its program a second name in its scratch folder, by which it could be changed."""

import os

os.link(__file__, "other-name")
print('["right"]')
