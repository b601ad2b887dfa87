"""What comes with the programs: the cases of test-fixtures/ and the pages of docs/.

In a checkout they lie where they are written. An installed harness has them in this package, as the folders
`cases` and `docs`, to which setup.py maps them.
"""

import os
import sys

CASES = "test-fixtures"
GENEROUS = "generous"  # the folder in it of the cases that others need not read
_HERE = os.path.dirname(os.path.abspath(__file__))
_CHECKOUT = os.path.dirname(os.path.dirname(_HERE))


def shipped_cases() -> str:
    """The folder of the cases that come along; there is a folder in it for each program."""
    return _folder("cases", CASES)


def suites_for_others(cases: str) -> tuple[str, ...]:
    """What others' programs are run on of these cases: all, but for our own ones in generous forms."""
    if not os.path.samefile(cases, shipped_cases()):
        return (cases,)
    folders = (entry.path for entry in os.scandir(cases) if entry.is_dir() and entry.name != GENEROUS)
    return tuple(sorted(folders))


def shipped_docs() -> str:
    """The folder of the documentation's pages."""
    return _folder("docs", "docs")


def _folder(installed: str, in_checkout: str) -> str:
    folder = os.path.join(_HERE, installed)
    return folder if os.path.isdir(folder) else os.path.join(_CHECKOUT, in_checkout)


def usual_cases() -> str:
    """The cases that are meant where none are named: test-fixtures if there is one here, else the shipped."""
    return CASES if os.path.isdir(CASES) else shipped_cases()


def own_programs() -> str:
    """The folder of the project's own programs: the checkout's bin, or where they are installed."""
    beside = os.path.dirname(sys.executable)
    for folder in (os.path.join(_CHECKOUT, "bin"), beside):
        if _has_programs(folder):
            return folder
    return next(filter(_has_programs, _script_folders()), beside)


def _has_programs(folder: str) -> bool:
    return os.path.exists(os.path.join(folder, "xattack"))


def _script_folders() -> list[str]:
    """Where an installation puts commands that has no interpreter of its own beside them."""
    import sysconfig

    schemes = (sysconfig.get_default_scheme(), sysconfig.get_preferred_scheme("user"))
    folders = [sysconfig.get_path("scripts", scheme) for scheme in schemes]
    return [os.path.dirname(os.path.abspath(sys.argv[0])), *folders]
