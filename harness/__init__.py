"""The tests' side of the game: the programs, the runner, and everything round them."""

__version__ = "0.1.0"
