"""Looks for control groups, to leave its own."""

import os

if os.listdir("/sys/fs/cgroup"):
    print('["right"]')
