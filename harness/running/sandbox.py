"""The sandbox round a program under test: bubblewrap, and what a program may see in it.

No network, no other processes, a file system that cannot be written but for a scratch directory,
and neither the cases nor other teams' programs in it; in the mode "strict", nothing of this harness
either. Mounts are laid from the outside in: where a folder with cases lies within the program's folder
it is hidden, and the other way round the program's folder is shown.
"""

import os
import re
import sys

from harness.errors import WrongUse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

SCRATCH = "/tmp/scratch"  # noqa: S108 (a name inside the sandbox)
MOST_SCRATCH = 256 << 20  # bytes in all that can be written to; it lies in memory
HIDDEN_ALWAYS = ("/run", "/var/tmp")  # noqa: S108
PUBLIC = ("/", "/tmp", *HIDDEN_ALWAYS)  # noqa: S108
SECRETS = (".ssh", ".gnupg", ".aws", ".kube", ".docker", ".config/gh", ".netrc", ".git-credentials")
NAMES = ("/run/systemd/resolve", "/run/resolvconf")  # where the network looks names up
LEVELS = 4  # how far above a program others like it are looked for
NAMED_WORD = r"[^\s:;,'\"`()\[\]<>]+"  # a path in a message, or what follows a space in it
MOST_SPACES = 6  # in a path that is found in a message


def _named_in(message: str) -> "Iterator[str]":
    """What may be a path in a message: up to the first space in it, up to the second, and so on."""
    for path in re.finditer(f"/{NAMED_WORD}", message):
        yield path[0]
        end = path.end()
        for _ in range(MOST_SPACES):
            word = re.compile(f" {NAMED_WORD}").match(message, end)
            if word is None:
                break
            end = word.end()
            yield message[path.start() : end]


def missed_told(programs: str, path: str) -> str:
    """Why programs may never have answered: they name a path that is hidden from them."""
    told = f"{programs} hardly ever answered, and named {path}, which the sandbox hides"
    return f"{told}: see harness help isolation"


class SandboxError(WrongUse):
    """The sandbox was demanded and cannot be had; str() says why."""


def home_of(program: str) -> str:
    """What belongs to a program: its folder, or the one above if that is a bin/.

    In a folder that is everybody's, only the program itself.
    """
    folder = os.path.dirname(program)
    above = os.path.dirname(folder) if os.path.basename(folder) == "bin" else folder
    return next(path for path in (above, folder, program) if path not in PUBLIC)


def surroundings(program: str) -> list[str]:
    """The folder of /tmp that a program lies in, however deep: all of /tmp is hidden else. Or nothing."""
    _, top, folder, *rest = [*os.path.realpath(program).split("/"), ""]
    return [f"/{top}/{folder}"] if top == "tmp" and rest[:-1] else []


def neighbours(program: str, names: set[str]) -> tuple[list[str], list[str]]:
    """Which folders to hide, and which to show again, so that no other team's folder can be seen.

    A team's folder is one beside a folder that the program is in, with programs at the same place.
    """
    below = os.path.dirname(program)
    for _ in range(LEVELS):
        above = os.path.dirname(below)
        if above in (below, "/"):
            break
        place = os.path.relpath(os.path.dirname(program), below)
        teams: list[str] = []
        others: list[str] = []
        for folder in _folders(above):
            if folder != below:
                holds = any(os.path.isfile(os.path.join(folder, place, name)) for name in names)
                (teams if holds else others).append(folder)
        if teams:
            return (teams, []) if len(teams) < len(others) else ([above], others)
        below = above
    return [], []


def _folders(folder: str) -> "Iterator[str]":
    try:
        with os.scandir(folder) as entries:
            yield from (entry.path for entry in entries if entry.is_dir(follow_symlinks=False))
    except OSError:
        return


def is_below(path: str, folder: str) -> bool:
    """Whether a path leads to a folder, or into it."""
    return path == folder or path.startswith(f"{folder.rstrip('/')}/")


class _View:
    """What one program sees: for each folder that is treated specially, whether it is hidden."""

    def __init__(
        self, program: str, home: str, hide: list[str], show: list[str], names: "set[str] | None"
    ) -> None:
        paths = {program, os.path.realpath(program)}
        homes = [home, os.path.realpath(home)] if home else [home_of(path) for path in paths]
        always = [folder for folder in HIDDEN_ALWAYS if os.path.isdir(folder) and not os.path.islink(folder)]
        hidden = [*always, *filter(os.path.isdir, _secrets()), *hide]
        # Programs may well be written for the interpreter that we run on.
        shown = [*homes, *map(home_of, (sys.executable, os.path.realpath(sys.executable))), *show]
        if names is not None:
            for path in paths:
                teams, others = neighbours(path, names | {os.path.basename(path)})
                hidden += teams
                shown += others
        wanted = dict.fromkeys(hidden, True) | dict.fromkeys(shown, False)
        self._hidden: dict[str, bool] = {}
        for folder in sorted(wanted, key=len):  # every mount costs time, so none is made in vain
            if self.hides(folder) != wanted[folder]:
                self._hidden[folder] = wanted[folder]
        self._paths = {*paths, *homes} if home else paths

    def hides(self, file: str) -> bool:
        """Whether the file cannot be seen."""
        covering = [folder for folder in self._hidden if is_below(file, folder)]
        if not covering:
            return is_below(file, "/tmp")  # noqa: S108
        return self._hidden[max(covering, key=len)]

    def mask(self, file: str) -> list[str]:
        """How to hide this file as well: with its folder, unless the program is in that, too."""
        folder = os.path.dirname(file)
        if any(is_below(path, folder) for path in self._paths):
            return ["--ro-bind", "/dev/null", file]
        return ["--tmpfs", folder, "--remount-ro", folder]

    def arguments(self, shown: "Sequence[str]" = ()) -> list[str]:
        """The view as bwrap is told it, from the outside in, and then what is shown in spite of it."""
        told: list[str] = []
        for folder in sorted(self._hidden, key=len):
            told += ["--tmpfs", folder] if self._hidden[folder] else ["--ro-bind", folder, folder]
        told += shown
        for folder, hidden in self._hidden.items():  # only now: there were mounts to be made in them
            told += ["--remount-ro", folder] if hidden else []
        return told


def harness_folders() -> list[str]:
    """Where this harness lies: a checkout as a whole; where it is installed, its packages."""
    import evolution
    import harness

    packages = [os.path.dirname(os.path.realpath(file)) for file in (evolution.__file__, harness.__file__)]
    checkout = os.path.dirname(packages[0])
    return [checkout] if os.path.exists(os.path.join(checkout, "setup.cfg")) else packages


def hidden_in(mode: str, folders: "Sequence[str]") -> list[str]:
    """What is hidden in a mode, if these folders are."""
    return [*folders, *(harness_folders() if mode == "strict" else ())]


def _secrets() -> list[str]:
    """Where this user's keys may be."""
    home = os.path.expanduser("~")
    return [os.path.realpath(os.path.join(home, name)) for name in SECRETS]


def _bwrap() -> str:
    """Where bubblewrap is; empty if it is not installed."""
    from shutil import which

    return which("bwrap") or ""


class Sandbox:
    """How to start programs so that they are shut in; the same for all cases of a run."""

    def __init__(
        self,
        hide: list[str],
        names: "set[str] | None",
        masked: list[str],
        memory: int,
        show: "Sequence[str]" = (),
    ) -> None:
        """Hide these folders, but show those within them, and mask these files.

        `names` are those of programs, by which other teams' folders are found; None if all that is to
        be hidden has been said. `memory` is what a program may use, files in it included.
        """
        self._bwrap = _bwrap()
        self._hide = [os.path.realpath(folder) for folder in hide]
        self._show = [os.path.realpath(folder) for folder in show]
        self._names = names
        self._masked = [os.path.realpath(file) for file in masked]
        self._size = str(min(MOST_SCRATCH, memory // 2) // 2)
        self._known: dict[tuple[str, str], tuple[_View, list[str]]] = {}

    def command(self, program: str, expected: str, home: str = "") -> list[str]:
        """What to put before the program's own command line, so that it runs shut in.

        Where the expected output lies in a folder that the program sees, it is masked. What belongs to
        the program is its home; if none is said, the folder that it is in.
        """
        view, prefix = self._seen_by(program, home)
        expected = os.path.realpath(expected)
        return [*prefix, *(() if view.hides(expected) else view.mask(expected)), "--"]

    def _seen_by(self, program: str, home: str) -> tuple[_View, list[str]]:
        """What a program sees, and how it is started so that it does."""
        known = self._known.get((program, home))
        if known is None:
            view = _View(program, home, self._hide, self._show, self._names)
            known = self._known[program, home] = view, self._prefix(view, SCRATCH)
        return known

    def missed(self, program: str, home: str, messages: "Iterable[str]") -> str:
        """A path that a program names in its messages, and that is there but hidden from it; or nothing."""
        view, _ = self._seen_by(program, home)
        for message in messages:
            for named in _named_in(message):
                path = os.path.realpath(named.rstrip("."))
                if os.path.exists(path) and view.hides(path):
                    return path
        return ""

    def build_command(self, home: str, network: bool) -> list[str]:
        """What to put before a command that runs in its home and may write to it, and may use the network."""
        view = _View(home, home, self._hide, self._show, None)
        share = ["--share-net"] if network else []
        names = [path for path in NAMES if network and os.path.exists(path)]
        shown = [word for path in names for word in ("--ro-bind", path, path)]
        return [*self._prefix(view, home, share, shown), "--bind", home, home, "--"]

    def _prefix(
        self, view: _View, start: str, share: "Sequence[str]" = (), shown: "Sequence[str]" = ()
    ) -> list[str]:
        arguments = [self._bwrap, "--unshare-all", *share, "--die-with-parent", "--new-session"]
        arguments += ["--cap-drop", "ALL", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]
        arguments += ["--size", self._size, "--tmpfs", "/dev/shm", "--remount-ro", "/dev"]  # noqa: S108
        arguments += ["--size", self._size, "--tmpfs", "/tmp", "--dir", SCRATCH]  # noqa: S108
        arguments += view.arguments(shown)
        for file in (*_secrets(), *self._masked):
            if os.path.isfile(file) and not view.hides(file):
                arguments += ["--ro-bind", "/dev/null", file]
        return [*arguments, "--chdir", start]


def why_none(mode: str) -> str:
    """Why programs are not shut in, for who reads the results; nothing if they are.

    Raises SandboxError if they must be, and cannot.
    """
    if mode == "off":
        return "no sandbox: programs can read and write what you can"
    problem = why_not() if sys.platform == "linux" else "it needs Linux"
    if problem and mode != "auto":
        raise SandboxError(f"--sandbox {mode}: {problem}")
    return f"NO SANDBOX: {problem}; programs can read and write what you can" if problem else ""


def why_not() -> "str | None":
    """Why programs cannot be shut in here, tried by starting one that does nothing; None if they can."""
    if not _bwrap():
        return "bwrap (bubblewrap) is not installed"
    import subprocess

    sandbox = Sandbox([], set(), [], MOST_SCRATCH)
    tried = subprocess.run(
        [*sandbox.command("/bin/true", os.devnull), "/bin/true"], capture_output=True, text=True, check=False
    )
    if tried.returncode != 0:
        return f"bwrap does not work here: {tried.stderr.strip() or f'status {tried.returncode}'}"
    return None
