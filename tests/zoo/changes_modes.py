"""Lets nobody but itself read its own program, and takes that back."""

import os

before = os.stat(__file__).st_mode
os.chmod(__file__, before & 0o700)
if os.stat(__file__).st_mode != before:
    os.chmod(__file__, before)
    print('["right"]')
