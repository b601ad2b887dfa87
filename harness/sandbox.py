"""The sandbox round a program under test: bubblewrap, and what a program may see in it.

No network, no other processes, a file system that cannot be written but for a scratch directory,
and neither the cases nor other teams' programs in it. Mounts are laid from the outside in: where a
folder with cases lies within the program's folder it is hidden, and the other way round the
program's folder is shown.
"""

import os
import shutil

SCRATCH = "/tmp/scratch"  # noqa: S108 (a name inside the sandbox)
SCRATCH_SIZE = 256 << 20
HIDDEN_ALWAYS = ("/tmp", "/run", "/var/tmp")  # noqa: S108


class SandboxError(Exception):
    """The sandbox was demanded and cannot be had; str() says why."""


def home_of(program: str) -> str:
    """The folder that belongs to a program: its own, or the one above if it lies in a bin/."""
    folder = os.path.dirname(os.path.realpath(program))
    return os.path.dirname(folder) if os.path.basename(folder) == "bin" else folder


def _holds_programs(folder: str, names: set[str]) -> bool:
    return any(os.path.isfile(os.path.join(folder, place, name)) for place in ("", "bin") for name in names)


def neighbours_hidden(home: str, names: set[str]) -> "str | None":
    """The folder that must be hidden because it holds other teams' folders beside this one."""
    parent = os.path.dirname(home)
    if parent in (home, "/"):
        return None
    try:
        beside = [entry.path for entry in os.scandir(parent) if entry.is_dir() and entry.path != home]
    except OSError:
        return None
    return parent if any(_holds_programs(folder, names) for folder in beside) else None


class Sandbox:
    """How to start programs so that they are shut in; the same for all cases of a run."""

    def __init__(self, hide: list[str], names: set[str], masked: list[str]) -> None:
        """Hide these folders, and mask these files; `names` are those of programs."""
        self._bwrap = shutil.which("bwrap") or ""
        self._hide = [os.path.realpath(folder) for folder in hide]
        self._names = names
        self._masked = [os.path.realpath(file) for file in masked]
        self._prefixes: dict[str, list[str]] = {}
        self._views: dict[str, dict[str, list[str]]] = {}

    def command(self, program: str, expected: str) -> list[str]:
        """What to put before the program's own command line, so that it runs shut in.

        Where the expected output lies in a folder that the program must see, the file is masked.
        """
        prefix = self._prefixes.get(program)
        if prefix is None:
            self._views[program] = self._view(program)
            prefix = self._prefixes[program] = self._prefix(self._views[program])
        expected = os.path.realpath(expected)
        if self._visible(expected, self._views[program]):
            return [*prefix, "--ro-bind", "/dev/null", expected, "--"]
        return [*prefix, "--"]

    def _view(self, program: str) -> dict[str, list[str]]:
        """What is laid over which folder: an empty one to hide it, or itself to show it."""
        home = home_of(program)
        view: dict[str, list[str]] = {}
        for folder in HIDDEN_ALWAYS:
            if os.path.isdir(folder) and not os.path.islink(folder):
                view[folder] = ["--size", str(SCRATCH_SIZE), "--tmpfs", folder]
        teams = neighbours_hidden(home, self._names)
        if teams:
            view[teams] = ["--tmpfs", teams]
        for folder in self._hide:
            view[folder] = ["--tmpfs", folder]
        view[home] = ["--ro-bind", home, home]
        return view

    @staticmethod
    def _visible(file: str, view: dict[str, list[str]]) -> bool:
        covering = [folder for folder in view if file.startswith(f"{folder.rstrip('/')}/")]
        return not covering or "--tmpfs" not in view[max(covering, key=len)]

    def _prefix(self, view: dict[str, list[str]]) -> list[str]:
        arguments = [self._bwrap, "--unshare-all", "--die-with-parent", "--new-session"]
        arguments += ["--cap-drop", "ALL", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]
        for folder in sorted(view, key=len):  # from the outside in
            arguments += view[folder]
        for file in self._masked:
            if os.path.exists(file):
                arguments += ["--ro-bind", "/dev/null", file]
        return [*arguments, "--dir", SCRATCH, "--chdir", SCRATCH]


def why_not(program: str) -> "str | None":
    """Why programs cannot be shut in here, tried by starting one that does nothing; None if they can."""
    if not shutil.which("bwrap"):
        return "bwrap (bubblewrap) is not installed"
    import subprocess

    sandbox = Sandbox([], set(), [])
    tried = subprocess.run(
        [*sandbox.command(program, os.devnull), "/bin/true"], capture_output=True, text=True, check=False
    )
    if tried.returncode != 0:
        return f"bwrap does not work here: {tried.stderr.strip() or f'status {tried.returncode}'}"
    return None
