"""What a program sees in a sandbox: the system, its interpreter, its own folder, and nothing else.

A view is a plan of mounts, made from an empty root: folders that are shown, and within these what is
hidden again, because it holds cases, answers, or this harness.
"""

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from glob import glob

from harness.running.landlock import with_something_hidden, without
from harness.running.warden import ASIDE, WRITABLE

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store")
ETC = (
    *("alternatives", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "ld.so.preload", "localtime", "timezone"),
    *("nsswitch.conf", "locale.alias", "mime.types", "fonts", "java*", "python3*", "ghc*", "mono", "maven"),
    "ssl/openssl.cnf",  # Node.js does not start if it may not read it
)
NETWORK = ("resolv.conf", "hosts", "services", "protocols", "ssl", "ca-certificates*", "pki", "gai.conf")
DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
LINKS = {"/dev/fd": "/proc/self/fd", "/dev/stdin": "/proc/self/fd/0", "/dev/stdout": "/proc/self/fd/1",
         "/dev/stderr": "/proc/self/fd/2"}  # fmt: skip
MADE = ("/dev", "/etc", "/proc", "/tmp")  # noqa: S108 (what a sandbox has of its own)
PUBLIC = ("/", "/tmp", "/var/tmp", "/run", "/home", "/root", "/opt", "/srv", "/mnt", "/usr", "/usr/local")  # noqa: S108
OWN_PARTS = ("evolution", "harness", "bin", "tests", "test-fixtures", "docs")  # of a checkout


def home_of(program: str) -> str:
    """What belongs to a program: its folder, or the one above if that is a bin/.

    In a folder that is everybody's, or a home directory, only the program itself.
    """
    folder = os.path.dirname(program)
    above = os.path.dirname(folder) if os.path.basename(folder) == "bin" else folder
    user = os.path.expanduser("~")
    public = (*PUBLIC, user, os.path.realpath(user), os.path.join(user, ".local"))
    return next(path for path in (above, folder, program) if path not in public)


def is_below(path: str, folder: str) -> bool:
    """Whether a path leads to a folder, or into it."""
    return path == folder or path.startswith(f"{folder.rstrip('/')}/")


def harness_folders() -> list[str]:
    """Where this harness lies: a checkout as a whole; where it is installed, its packages."""
    import evolution
    import harness

    packages = [os.path.dirname(os.path.realpath(file)) for file in (evolution.__file__, harness.__file__)]
    checkout = os.path.dirname(packages[0])
    return [checkout] if os.path.exists(os.path.join(checkout, "setup.cfg")) else packages


def interpreter_of(program: str) -> str:
    """The interpreter that a program's #! line names; nothing if it is none that can be shown.

    What `env` would find is looked for as it does, but for what is a script itself: that starts something
    which nothing tells here.
    """
    words = _first_line(program)
    if not words:
        return ""
    if os.path.basename(words[0]) != "env":
        return words[0]
    name = next((word for word in words[1:] if not word.startswith("-") and "=" not in word), "")
    found = (os.path.join(folder, name) for folder in os.environ.get("PATH", "").split(":") if folder)
    return next((path for path in found if os.access(path, os.X_OK) and not _first_line(path)), "")


def is_installed(interpreter: str) -> bool:
    """Whether somebody has installed an interpreter for all: it is on the PATH, or beside the one we run on.

    A #! line is written by strangers. It must not be able to name any folder, and have it shown; nor a script
    on the PATH, which is no interpreter, but may be somebody's solution.
    """
    folders = [os.path.realpath(one) for one in os.environ.get("PATH", "").split(":") if one]
    beside = os.path.dirname(os.path.realpath(sys.base_prefix))
    path = os.path.realpath(interpreter)
    own = os.path.basename(beside) == "versions" and is_below(path, beside)
    return own or (os.path.realpath(os.path.dirname(interpreter)) in folders and not _first_line(path))


def _first_line(program: str) -> list[str]:
    """The words of the #! line of a program; none if there is no such line."""
    try:
        with open(program, "rb") as file:
            start = file.read(256)
    except OSError:
        return []
    return os.fsdecode(start[2:].partition(b"\n")[0]).split() if start.startswith(b"#!") else []


def belonging_to(interpreter: str) -> "Iterator[str]":
    """The folders that an interpreter needs: its own, where links lead to, and what a venv is made of."""
    for path in dict.fromkeys((interpreter, os.path.realpath(interpreter))):
        home = home_of(path)
        yield home
        try:
            with open(os.path.join(home, "pyvenv.cfg")) as settings:
                for line in settings:
                    name, _, folder = line.partition("=")
                    if name.strip() == "home":
                        yield home_of(os.path.join(folder.strip(), "python"))
        except (OSError, UnicodeDecodeError):
            continue


def _aside(path: str) -> str:
    """Where something is put at first that is shown at this path."""
    return f"{ASIDE}{path}" if any(is_below(path, folder) for folder in WRITABLE) else path


def odd_files(folder: str) -> "Iterator[str]":
    """The sockets, pipes and devices in a folder: ways out, even if nothing can be written."""
    try:
        with os.scandir(folder) as found:
            entries = list(found)
    except OSError:
        return
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            yield from odd_files(entry.path)
        elif not entry.is_symlink() and not entry.is_file(follow_symlinks=False):
            yield entry.path


class View:
    """What one program sees: where each folder or file comes from, by where it appears; hidden: nowhere."""

    def __init__(
        self,
        program: str,
        home: str,
        tools: "Iterable[str]",
        show: "Sequence[str]",
        hide: "Iterable[str]",
        cases: "Iterable[str]",
        is_own: bool,
        network: bool = False,
    ) -> None:
        """program: the file that a command is about. home: the folder that belongs to it.

        tools: interpreters that it needs. hide: what is never shown, if it lies in what is. cases: files with
        answers, which are hidden with their folders, if the program is not in these as well.
        """
        self._places: dict[str, str] = {}
        self._hidden: set[str] = set()
        self._links: dict[str, str] = {}
        self.home = os.path.realpath(home)
        self.appears = self.home  # where its home is seen, which bwrap can make any path
        self.ours: list[str]  # what we show by our own right, and may be readable by us alone
        for folder in SYSTEM:
            self._show(folder)
        for name in (*ETC, *(NETWORK if network else ())):
            for path in glob(f"/etc/{name}"):
                if os.path.exists(path):
                    self._places[path] = os.path.realpath(path)
        hide = [os.path.realpath(path) for path in hide]
        tools = [tool for tool in tools if not any(is_below(os.path.realpath(tool), path) for path in hide)]
        named = (sys.executable, *(tool for tool in tools if not is_installed(tool)))
        ours = [part for tool in named for part in belonging_to(tool)]
        ours += [*show, *(harness_folders() if is_own else ()), home]
        for path in (*(part for tool in tools for part in belonging_to(tool)), *ours):
            self._show(path)
        self.ours = [path for path in dict.fromkeys(map(os.path.realpath, ours)) if path in self._places]
        own = () if is_own else self._own_parts(program)
        for path in (*hide, *own, os.path.join(self.home, ".git"), *odd_files(self.home)):
            hidden = os.path.realpath(path)
            if self.home != hidden and is_below(self.home, hidden) and self.shows(hidden):
                self._places[self.home] = self.home  # again, in what is hidden around it
                self._hide(hidden)
            elif not is_below(os.path.realpath(program), hidden):  # it must see itself
                self._hide(hidden)
        for file in cases:
            folder = os.path.realpath(os.path.dirname(file))
            within = is_below(os.path.realpath(program), folder) or is_below(self.home, folder)
            self._hide(os.path.realpath(file) if within else folder)
        self.program = program
        self.tools = tools
        self.problem = self._problem(program)

    def _problem(self, program: str) -> str:
        """Why a program cannot be started where it sees only this; nothing if it seems it can."""
        real = os.path.realpath(program)
        if os.path.exists(real) and not self.shows(real):
            told = f"it is a link to {real}, which the sandbox does not show"
            return f"{told}: bring a copy, or --show it"
        named = interpreter_of(real)
        if os.path.exists(named) and not self.shows(os.path.realpath(named)):
            told = f"its #! line names {named}, which the sandbox does not show"
            return f"{told}: --show {os.path.dirname(named)} would"
        return ""

    def _own_parts(self, program: str) -> "Iterator[str]":
        """What of this harness is hidden: all, or what can be if the program is in it."""
        for folder in harness_folders():
            if folder not in self._places:
                yield folder
                continue
            for part in OWN_PARTS:
                if not is_below(program, os.path.join(folder, part)):
                    yield os.path.join(folder, part)

    def _show(self, path: str) -> None:
        if not os.path.lexists(path):
            return
        real = os.path.realpath(path)
        if real != path and not self.shows(path):
            self._links[path] = real
        if not self.shows(real):
            self._places[real] = real

    def _hide(self, path: str) -> None:
        if os.path.exists(path) and path not in self._places and self.shows(path):
            self._hidden.add(path)

    def shows(self, path: str) -> bool:
        """Whether what lies at a path, with all links followed, is seen."""
        nearest = path
        while nearest != "/":
            if nearest in self._hidden:
                return False
            if nearest in self._places:
                return True
            nearest = os.path.dirname(nearest)
        return False

    def arguments(self, writable: bool = False) -> list[str]:
        """The view as bwrap is told it, from the outside in. writable: whether its home is.

        What is shown in folders that can be written to is set aside; the process inside puts it there.
        """
        words: list[str] = []
        for path in sorted({*self._places, *self._hidden}, key=lambda path: path.count("/")):
            if path in self._places:
                bind = "--bind" if writable and path == self.home else "--ro-bind"
                words += [bind, self._places[path], self._seen_at(path)]
            elif os.path.isdir(path):
                words += ["--size", "65536", "--tmpfs", self._seen_at(path)]
            else:
                words += ["--ro-bind", "/dev/null", self._seen_at(path)]
        for path in self._hidden:  # only now: there were mounts to be made in them
            words += ["--remount-ro", self._seen_at(path)] if os.path.isdir(path) else []
        for path, target in {**self._links, **LINKS}.items():
            words += ["--symlink", target, _aside(path)]
        for device in DEVICES:
            words += ["--dev-bind", device, device]
        return words

    def _seen_at(self, path: str) -> str:
        """Where something is put at first that lies at this path."""
        return _aside(f"{self.appears}{path[len(self.home) :]}" if is_below(path, self.home) else path)

    def readable(self) -> "Iterator[str]":
        """What is seen, as real paths with nothing hidden in them."""
        for path in dict.fromkeys(self._places.values()):
            yield from without(path, self._hidden)

    def listed(self) -> "Iterator[str]":
        """Folders that are seen, but not all that is in them."""
        for path in dict.fromkeys(self._places.values()):
            yield from with_something_hidden(path, self._hidden)

    def search_path(self) -> str:
        """PATH as far as it is seen."""
        folders = [*os.environ.get("PATH", "").split(":"), "/usr/local/bin", "/usr/bin", "/bin"]
        return ":".join(dict.fromkeys(one for one in folders if one and self.shows(os.path.realpath(one))))
