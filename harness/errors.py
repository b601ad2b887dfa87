"""The errors that end a command with one line, and their exit statuses.

    HarnessError             70   the harness itself has failed
    └── UserError            65   somebody can put it right: a file that cannot be used
        ├── WrongUse          2   the command line, or what it names, is wrong
        └── Unavailable      69   something that is needed is not there

A command raises them; `harness.cli.program_options` turns them into a line and a status, in one place.
Every error of this package that a user may meet is one of them.
"""

import errno

from harness import OUR_FAULT, REFUSED, UNAVAILABLE, WRONG_USE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


# Errors of the system that say nothing of what was tried, only that the machine has no more of something.
MACHINE_FAULTS = frozenset(
    (errno.EAGAIN, errno.ENOMEM, errno.ENFILE, errno.EMFILE, errno.ENOSPC, errno.EDQUOT, errno.EIO)
)


def command_to_install(package: str) -> str:
    """What to type to have a package beside this program: uv makes environments without pip."""
    import sys
    from importlib.util import find_spec
    from shlex import quote

    python = quote(sys.executable)
    pip = f"{python} -m pip install" if find_spec("pip") else f"uv pip install --python {python}"
    return f"{pip} {quote(package)}"


class HarnessError(Exception):
    """A fault of the harness itself; str() says which."""

    status = OUR_FAULT


class UserError(HarnessError):
    """Something that whoever typed the command can put right; str() says what and where."""

    status = REFUSED


class WrongUse(UserError):
    """A command line that cannot be carried out."""

    status = WRONG_USE


class Unavailable(UserError):
    """Something that is needed and is not there: a port, an address, a package."""

    status = UNAVAILABLE


def did_you_mean(word: str, known: "Iterable[str]") -> str:
    """The end of a complaint about an unknown word: which known one may be meant. Empty if none is near."""
    from difflib import get_close_matches

    near = get_close_matches(word, list(known), n=1)
    return f"; did you mean {near[0]}?" if near else ""
