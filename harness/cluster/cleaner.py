"""The process that waits for the end of a worker of Dask's, and removes what it has kept."""

import sys

from harness.running.scratch import remove_folder


def main() -> None:
    """Wait for the end of standard input, which those hold who use the folders that are named."""
    sys.stdin.read()
    for folder in sys.argv[1:]:
        remove_folder(folder)
