"""The errors that end a command with one line, and their exit statuses.

    HarnessError             70   the harness itself has failed
    └── UserError            65   somebody can put it right: a file that cannot be used
        ├── WrongUse          2   the command line, or what it names, is wrong
        └── Unavailable      69   something that is needed is not there

A command raises them; `harness.cli` turns them into a line and a status, in one place.
"""

from harness import OUR_FAULT, REFUSED, UNAVAILABLE, WRONG_USE


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
