"""Programs under test that are asked many inputs at once; their outcomes come in the order of the inputs.

A `TargetPool` starts the program once per input, on several workers. A `Pipeline` talks to one process of it
through `--stream`, and while that works on some inputs, the next ones can be made.
"""

import select
from collections import deque
from itertools import islice

from harness.running.target import StreamTarget, Target

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from concurrent.futures import Future

    from harness.judging.outcome import Outcome
    from harness.running.limits import Limits
    from harness.running.sandbox import Sandbox

WINDOW = 64  # inputs whose outcomes wait for that of a slow one before them
BATCH = 128  # inputs that are sent to a stream at once
PATIENCE = 1.0  # seconds between two looks at who is overdue


class TargetPool:
    """Several targets of one program."""

    def __init__(
        self,
        path: str,
        jobs: int,
        limits: "Limits | None" = None,
        sandbox: "Sandbox | None" = None,
        environment: "dict[str, str] | None" = None,
        home: str = "",
    ) -> None:
        self._targets = [Target(path, limits, sandbox, environment, home) for _ in range(jobs)]
        self.ahead = jobs  # how many inputs it is worth to ask at once

    def answers(self, inputs: "Sequence[bytes]") -> "list[Outcome]":
        """What the program does with each of these inputs."""
        return list(self.outcomes(inputs))

    def outcomes(self, inputs: "Iterable[bytes]") -> "Iterator[Outcome]":
        """What the program does with each input; the next ones are taken when a target has time."""
        source = iter(inputs)
        idle = self._targets[:]
        busy: dict[Target, list[Outcome]] = {}
        waiting: deque[list[Outcome]] = deque()  # one place for each input, filled when its outcome is there
        while True:
            while idle and len(waiting) < WINDOW and (data := next(source, None)) is not None:
                target = idle.pop()
                target.ask(data)
                busy[target] = []
                waiting.append(busy[target])
            if not waiting:
                return
            while waiting and waiting[0]:
                yield waiting.popleft()[0]
            for target in _ready(busy) if busy else ():
                busy.pop(target).append(target.take())
                idle.append(target)

    def close(self) -> None:
        """End all of them."""
        for target in self._targets:
            target.close()


def _ready(busy: "Iterable[Target]") -> "list[Target]":
    """Those that have an outcome, after waiting for a while if none has."""
    poll = select.poll()
    by_descriptor = {target.fileno(): target for target in busy}
    for descriptor in by_descriptor:
        poll.register(descriptor, select.POLLIN)
    found = [by_descriptor[descriptor] for descriptor, _ in poll.poll(PATIENCE * 1000)]
    for target in () if found else by_descriptor.values():
        target.poke()
    return found


class Pipeline:
    """One process of a program that has `--stream`."""

    def __init__(self, path: str, limits: "Limits | None" = None, sandbox: "Sandbox | None" = None) -> None:
        self._stream = StreamTarget(path, limits, sandbox)
        self.ahead = 16

    def answers(self, inputs: "Sequence[bytes]") -> "list[Outcome]":
        """What the program answers to each of these inputs."""
        return self._stream.answers(inputs)

    def outcomes(self, inputs: "Iterable[bytes]") -> "Iterator[Outcome]":
        """What the program answers to each input; while it works on some, the next ones are taken."""
        from concurrent.futures import ThreadPoolExecutor

        source = iter(inputs)
        asked: deque[Future[list[Outcome]]] = deque()
        pool = ThreadPoolExecutor(1)
        try:
            while batch := list(islice(source, BATCH)):
                asked.append(pool.submit(self._stream.answers, batch))
                if len(asked) > 1:
                    yield from asked.popleft().result()
            while asked:
                yield from asked.popleft().result()
        except BaseException:
            self._stream.give_up()
            raise
        finally:
            pool.shutdown()

    def close(self) -> None:
        """End the process."""
        self._stream.close()
