"""The queue from which the workers of a run take their tasks, each the next one as soon as it is free.

All workers read from the same pipe, so that no task waits behind a slow one. A task fills a page,
which a reader gets whole whoever else reads. In memory that is shared stands at which task each
worker is, so that the right case is blamed when one dies. A pipe for each worker would need neither, but
costs as little only with so many tasks ahead in each that eight slow programs out of forty, all in one
pipe, take twice as long; with two tasks ahead the runner has to look at every case, which costs 8 % more.
"""

import fcntl
import marshal
import mmap
import os
import sys

from harness.files import read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PAGE = 4096  # bytes; a pipe takes and gives as much in one piece
WAITING = 32  # tasks for each worker that may wait
SIZE = 8  # bytes of a task's number
IDLE = 0


class TaskQueue:
    """The runner's side of the queue."""

    def __init__(self, workers: int, folder: str) -> None:
        """For so many workers; what does not fit on a page is put into the folder."""
        self._taking, self._putting = os.pipe()
        os.set_blocking(self._putting, False)
        self._folder = folder
        self._memory = mmap.mmap(-1, workers * SIZE)
        if sys.platform == "linux":
            try:
                fcntl.fcntl(self._putting, fcntl.F_SETPIPE_SZ, min(1 << 20, workers * WAITING * PAGE))
            except OSError:
                pass  # then less waits

    def place(self, worker: int) -> "Place":
        """The side of one of the workers."""
        return Place(self._taking, memoryview(self._memory)[worker * SIZE : (worker + 1) * SIZE])

    def put(self, number: int, task: "tuple[Any, ...]") -> bool:
        """Offer a task to whoever is free; False if too many wait already."""
        data = marshal.dumps((number, *task))
        if len(data) > PAGE:
            data = marshal.dumps((number, self._put_aside(number, data)))
        try:
            os.write(self._putting, data.ljust(PAGE, b"\0"))
        except BlockingIOError:
            return False
        return True

    def _put_aside(self, number: int, data: bytes) -> str:
        path = os.path.join(self._folder, f"task-{number}")
        with open(path, "wb") as file:
            file.write(data)
        return path

    def close(self) -> None:
        """There will be no more tasks."""
        os.close(self._putting)
        os.close(self._taking)


class Place:
    """A worker's side of the queue."""

    def __init__(self, descriptor: int, at: memoryview) -> None:
        self.descriptor = descriptor
        self._at = at

    @property
    def at(self) -> int:
        """The number of the task that the worker is at; IDLE if it waits for one."""
        return int.from_bytes(self._at, "little")

    @at.setter
    def at(self, number: int) -> None:
        self._at[:] = number.to_bytes(SIZE, "little")

    def take(self) -> "tuple[Any, ...] | None":
        """Wait for the next task, and begin with it; None when there will be no more."""
        self.at = IDLE
        page = os.read(self.descriptor, PAGE)
        if not page:
            return None
        task: tuple[Any, ...] = marshal.loads(page)  # noqa: S302 (from ourselves)
        self.at = task[0]
        return task if len(task) > 2 else _taken_from(task[1])


def _taken_from(path: str) -> "tuple[Any, ...]":
    task: tuple[Any, ...] = marshal.loads(read_file(path))  # noqa: S302
    os.unlink(path)
    return task
