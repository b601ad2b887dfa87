"""The programs as installed commands: one function each, for the package's entry points."""

import sys

from harness.programs.answering import leave, run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn


def _command(program: str) -> "Callable[[], NoReturn]":
    def start() -> "NoReturn":
        leave(run(program, sys.argv[1:]))

    return start


xattack = _command("xattack")
xfeed = _command("xfeed")
xstep = _command("xstep")
xstep4 = _command("xstep4")
xsilly = _command("xsilly")
xstream = _command("xstream")
xmain = _command("xmain")
xserver = _command("xserver")
xclient = _command("xclient")
harness = _command("harness")
