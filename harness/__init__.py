"""Test harnesses for the board game Evolution, and the exit statuses of everything that can be started."""

__version__ = "0.1.0"

FAILED = 1  # something was tested, and not all of it passed
WRONG_USE = 2  # the command line, or what it names, is wrong
REFUSED = 65  # the contents of a file, or an input, cannot be used
UNAVAILABLE = 69  # something that is needed is not there: a set-up, a server, an address
OUR_FAULT = 70  # the harness itself has failed
NO_OUTPUT = 74  # what was to be printed or written could not be, or an input could not be read
TOO_FEW = 75  # a server has waited for players, and not enough have come
CUT_OFF = 76  # a client was thrown out of a game, or cut off from it
INTERRUPTED = 130
