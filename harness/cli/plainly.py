"""Commands of `harness` that start without click when their command line has nothing unusual.

Which ones: those that are made of a table of options (`harness.cli.commandline`) and are waited for.
"""

from importlib import import_module

from harness.cli.commandline import WrongUse, read_plainly
from harness.programs.answering import could_not_write

PLAIN = ("run",)


def run_plainly(arguments: list[str]) -> "int | None":
    """Carry out a plain command line; the exit status, or None if it is not plain."""
    if not arguments or arguments[0] not in PLAIN:
        return None
    name, *rest = arguments
    module = import_module(f"harness.cli.commands.{name}")
    found = read_plainly(module.OPTIONS, rest)
    if found is None:
        return None
    try:
        return int(module.execute(*found))
    except WrongUse as problem:
        from harness.cli.program_options import say_wrong_use

        return say_wrong_use("harness", name, str(problem))
    except OSError as problem:
        return could_not_write("harness", problem)
