"""Ends before it has connected."""

import sys

sys.exit("no server today")
