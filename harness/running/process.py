"""A program that goes on running beside this one: started, talked to, and gone with all that it started.

How a program is run on one input, to its end, is `harness.running.executor`'s business.
"""

import os
import resource
import select
import signal
import time
from collections.abc import Mapping, Sequence
from typing import Self

from harness.judging.verdicts import CRASHED, TIMEOUT, TOO_MUCH
from harness.running.executor import DEFAULT_SIGNALS
from harness.running.limits import kill

SECRETS = ("TOKEN", "SECRET", "PASSWORD", "PASSWD", "CREDENTIAL", "APIKEY", "API_KEY", "PRIVATE_KEY")
PIECE = 1 << 16
AHEAD = 1 << 20  # bytes that are sent before their answers are waited for
SHORTEST_NAP, LONGEST_NAP = 0.0005, 0.05  # seconds between two looks whether a program has ended


def public_environment() -> dict[str, str]:
    """The environment of this process without what is secret."""
    names = [name for name in os.environ if not any(secret in name.upper() for secret in SECRETS)]
    return {name: os.environ[name] for name in names}


class Process:
    """A running program in a session of its own. It must be closed, or used with `with`."""

    def __init__(
        self,
        words: list[str],
        stdin: int,
        stdout: int,
        stderr: int,
        environment: "Mapping[str, str] | None" = None,
    ) -> None:
        """Start it with these descriptors as its standard ones. Raises OSError."""
        self.pid = os.posix_spawnp(
            words[0],
            words,
            os.environ if environment is None else environment,
            file_actions=[(os.POSIX_SPAWN_DUP2, new, old) for old, new in enumerate((stdin, stdout, stderr))],
            setsid=True,
            setsigmask=(),
            setsigdef=DEFAULT_SIGNALS,
        )
        self.status: int | None = None  # once it is known that it has ended; minus a signal's number

    def __enter__(self) -> "Self":
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()

    def limit(self, what: int, most: int) -> None:
        """Put a resource limit on it, where that can be done from outside."""
        try:
            resource.prlimit(self.pid, what, (most, most))
        except (AttributeError, OSError):
            pass  # not on Linux, or it has ended already

    def wait(self, seconds: float) -> "int | None":
        """Its exit status, if it ends within this time."""
        deadline = time.monotonic() + seconds
        nap = SHORTEST_NAP
        while self.status is None:
            try:
                pid, status = os.waitpid(self.pid, os.WNOHANG)
            except ChildProcessError:  # who ended all children has ended this one as well
                pid, status = self.pid, signal.SIGKILL
            if pid:
                self.status = os.waitstatus_to_exitcode(status)
            elif (left := deadline - time.monotonic()) > 0:
                time.sleep(min(nap, left))
                nap = min(2 * nap, LONGEST_NAP)
            else:
                break
        return self.status

    def kill(self) -> None:
        """Kill it and all of its group."""
        try:
            os.killpg(self.pid, signal.SIGKILL)
        except OSError:
            if self.status is None:
                kill(self.pid)

    def close(self) -> None:
        """End it and all of its group."""
        self.kill()
        self.wait(float("inf"))
        self.kill()  # who was being forked when the signal came


class LineProcess(Process):
    """A program that answers each line that it is given with a line."""

    def __init__(self, words: list[str], stderr: int, environment: "Mapping[str, str] | None" = None) -> None:
        stdin, self._to = os.pipe()
        self._from, stdout = os.pipe()
        try:
            super().__init__(words, stdin, stdout, stderr, environment)
        except OSError:
            self._close_pipes()
            raise
        finally:
            os.close(stdin)
            os.close(stdout)
        os.set_blocking(self._to, False)
        self._heard = b""

    def _close_pipes(self) -> None:
        os.close(self._to)
        os.close(self._from)

    def answers(self, inputs: "Sequence[bytes]", seconds: float, most: int) -> tuple[list[bytes], str]:
        """The lines that answer these inputs, which are sent without waiting in between.

        If they are fewer than the inputs, also the verdict on how that ended. For each there is so much time,
        and so many bytes.
        """
        # A newline is white space within a value, but between values it helps who reads line by line.
        unsent = memoryview(b"".join(data.replace(b"\n", b" ") + b"\n" for data in inputs))
        lines: list[bytes] = []
        poll = select.poll()
        poll.register(self._from, select.POLLIN)
        poll.register(self._to, select.POLLOUT)
        deadline = time.monotonic() + seconds
        while len(lines) < len(inputs):
            ready = poll.poll(max(0.0, deadline - time.monotonic()) * 1000)
            if not ready:
                return lines, TIMEOUT
            for descriptor, _ in ready:
                if descriptor == self._to:
                    unsent = self._send(unsent)
                    if not unsent:
                        poll.unregister(self._to)
                elif not (data := os.read(self._from, PIECE)):
                    return lines, CRASHED
                else:
                    *complete, self._heard = (self._heard + data).split(b"\n")
                    if complete:
                        lines += complete
                        deadline = time.monotonic() + seconds
            if len(self._heard) > most:
                return lines, TOO_MUCH
        return lines[: len(inputs)], ""

    def _send(self, unsent: memoryview) -> memoryview:
        """Send what the pipe takes; what is left. Nothing is left if nobody reads any more."""
        try:
            return unsent[os.write(self._to, unsent[:AHEAD]) :]
        except BlockingIOError:
            return unsent
        except BrokenPipeError:
            return unsent[:0]

    def close(self) -> None:
        """End it and all of its group."""
        self._close_pipes()
        super().close()
