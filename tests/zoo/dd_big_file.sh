#!/bin/sh
# Writes beyond 2 GB of a file, and does not ignore the signal that tells of the limit.
exec dd if=/dev/zero of=big bs=1 count=1 seek=2G
