"""Commands whose standard output, error or input is closed: they do their work all the same.

What is put in the place of a closed stream takes everything and gives nothing.
"""

import io
import os
import sys

from harness import NO_OUTPUT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

DONE = (0, 1)  # statuses of a command that had something to say


class Unheard(io.FileIO):
    """A file that takes everything, and knows whether there was anything."""

    told = False

    def write(self, data: object, /) -> int:
        """Take the bytes."""
        self.told = True
        return len(memoryview(data))  # type: ignore[arg-type]

    def fileno(self) -> int:
        """The descriptor; who asks for it has something to say, past this object."""
        self.told = True
        return super().fileno()


def despite_closed_streams(work: "Callable[[], int]") -> int:
    """Do the work; its exit status, or another one if what it said could not be heard."""
    # Whatever is opened must not take the place of a closed stream.
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(descriptor, True)
    os.close(descriptor)
    sys.stderr = sys.stderr or open(2, "w", closefd=False)  # noqa: SIM115
    if sys.stdout is not None:
        return work()
    unheard = Unheard(1, "w", closefd=False)
    sys.stdout = io.TextIOWrapper(io.BufferedWriter(unheard), "utf-8")
    status = work()
    sys.stdout.flush()
    return NO_OUTPUT if unheard.told and status in DONE else status
