"""Teams: found, and named.

A team's name is anything that a folder can be called, so it is made readable here once, and a second form
of it is safe as the name of a file; no two teams have the same of either.
"""

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from glob import glob, has_magic

from harness.errors import WrongUse
from harness.fixtures.cases import Case
from harness.fixtures.dialect import Dialect
from harness.fixtures.executables import on_path, subject, why_not
from harness.grading.config import Build, TeamSpec
from harness.running.content import IGNORED
from harness.running.pool import Job
from harness.running.reader import Reader
from harness.text import cut

LONGEST_SLUG = 60
LONGEST_NAME = 120
RESERVED = {"con", "prn", "aux", "nul"}


class Team:
    """A team: its folder, how its programs are started, and what is known of it.

    home: the folder that its programs are run from, a built copy if it needs building. brought: where what
    it has handed in is read from: a copy, if there is one. content: a hash of that. problem: why nothing of
    it can be run. ready: False if it would have to be built first.
    fault: how the machine or the harness has failed at it, so that it is not graded.
    dialects: what its programs read, by their names; of one that is not there, nothing is known.
    submissions: how often it has handed in, with this time.
    """

    __slots__ = (
        "brought",
        "content",
        "dialects",
        "fault",
        "home",
        "name",
        "path",
        "problem",
        "programs",
        "ready",
        "slug",
        "spec",
        "submissions",
    )

    def __init__(self, name: str, slug: str, path: str, spec: TeamSpec) -> None:
        self.name = name
        self.slug = slug
        self.path = path
        self.spec = spec
        self.home = self.brought = path
        self.submissions = spec.submissions or 1
        self.content = ""
        self.problem = ""
        self.fault = ""
        self.ready = True
        self.programs: dict[str, tuple[list[str], str]] = {}
        self.dialects: dict[str, Dialect] = {}

    @property
    def build(self) -> Build:
        """How it is built."""
        return self.spec.build

    def build_command(self) -> list[str]:
        """The words of its build command, as it is typed in its folder; none if it needs no building."""
        if self.spec.build.command:
            import shlex

            return shlex.split(self.spec.build.command)
        return ["./compile"] if os.path.isfile(self._compiler) and os.access(self._compiler, os.X_OK) else []

    @property
    def _compiler(self) -> str:
        return os.path.join(self.brought, "compile")

    @property
    def has_idle_compile(self) -> bool:
        """Whether there is a compile that was not run, because it is not executable."""
        return os.path.isfile(self._compiler) and not self.build_command()

    def program(self, name: str) -> tuple[list[str], str]:
        """The command line of a program, and why it cannot be started, if so."""
        if name not in self.programs:
            self.programs[name] = self._configured(name) or self._executable(name)
        return self.programs[name]

    def told(self, words: "Sequence[str]") -> list[str]:
        """A command line as somebody would type it: of a copy, that of what was copied."""
        if self.build_command():
            return list(words)
        return [word.replace(self.home, self.path) for word in words]

    def _configured(self, name: str) -> "tuple[list[str], str] | None":
        line = self.spec.programs.get(name)
        if line is None:
            return None
        import shlex

        words = [word.replace("{team}", self.home) for word in shlex.split(line)]
        if not words:
            return [""], f"the command line of {name} is empty"
        if "/" in words[0]:
            words[0] = os.path.normpath(os.path.join(self.home, words[0]))
        else:
            words[0] = on_path(words[0])
        problem = "" if os.access(words[0], os.X_OK) else f"{line}: there is no such program"
        return words, problem

    def _executable(self, name: str) -> tuple[list[str], str]:
        for folder in (self.home, os.path.join(self.home, "bin")):
            path = os.path.join(folder, name)
            if os.path.lexists(path):
                problem = why_not([path])
                return [path], problem.replace(f"{self.home}/", "")
        problem = f"there is no executable {name} in the team's directory"
        elsewhere = _below(self.home, name)
        if elsewhere:
            problem += f", but there is {elsewhere}; a team is the folder that its programs are in"
        return [os.path.join(self.home, name)], problem

    def job(
        self,
        case: "Case",
        program: str,
        tag: int,
        exact: "bool | None" = None,
        arguments: "Sequence[str]" = (),
        stage: int = 0,
    ) -> Job:
        """What has to be done to run one of its programs, with these arguments, on a case."""
        command = [*self.program(program)[0], *arguments]
        dialect = self.dialects.get(program)
        return Job(
            case,
            program,
            command,
            "",
            self.name,
            self.environment(),
            home=self.home,
            tag=tag,
            exact=exact,
            reader=Reader(program, dialect) if dialect else None,
            stage=stage,
        )

    def environment(self) -> "dict[str, str] | None":
        """What its programs find in their environment besides the usual."""
        given = self.spec.environment
        return {name: value.replace("{team}", self.home) for name, value in given.items()} or None


# Finding


def find_teams(specs: "Iterable[TeamSpec]") -> list[Team]:
    """All teams that are configured, in order. Raises WrongUse if a path leads to none.

    Two that were named alike on purpose are an error; folders that are called alike are numbered.
    """
    found: dict[tuple[str, str], TeamSpec] = {}  # who is named twice is there once, the last one counts
    for spec in specs:
        for path in _paths(spec):
            found[path, spec.file] = spec
    names: dict[str, str] = {}
    slugs: set[str] = set()
    teams = []
    for (path, _), spec in found.items():
        name = readable(spec.name or os.path.basename(path))
        if name in names and spec.name:
            raise WrongUse(f"two teams are called {name}: {names[name]} and {path}")
        name = _distinct(name, names, " ({})")
        names[name] = path
        slug = _distinct(slug_of(name), slugs, "-{}")
        slugs.add(slug)
        teams.append(Team(name, slug, path, spec))
    return teams


def move_home(team: Team) -> None:
    """Let a team that stands for a program's file see what `harness run` shows to that."""
    import shlex

    from harness.running.view import home_of

    for line in team.spec.programs.values():
        team.home = home_of(subject(shlex.split(line)))


def see_that_none_is_in_another(teams: "Iterable[Team]") -> None:
    """Raise WrongUse if the directory of a team lies in that of another: they would see each other."""
    by_path = {team.path: team.name for team in teams}
    for path, name in by_path.items():
        above = os.path.dirname(path)
        while above != os.path.dirname(above):
            if above in by_path:
                raise WrongUse(
                    f"team {name} lies within the directory of team {by_path[above]}, {readable(above)}: "
                    "each team needs a directory of its own"
                )
            above = os.path.dirname(above)


def _paths(spec: TeamSpec) -> "Iterator[str]":
    if os.path.isdir(spec.path):
        yield os.path.realpath(spec.path)
        return
    if not has_magic(spec.path):
        state = "is not a directory" if os.path.exists(spec.path) else "does not exist"
        raise WrongUse(f"team {readable(spec.path)} {state}")
    found = [path for path in glob(spec.path) if os.path.isdir(path)]
    never = {*IGNORED, "__pycache__"}
    folders = sorted(os.path.realpath(path) for path in found if os.path.basename(path) not in never)
    if not folders:
        raise WrongUse(f"no directory is called {readable(spec.path)}")
    if spec.name and len(folders) > 1:
        raise WrongUse(f"{len(folders)} directories are called {spec.path}, but team {spec.name} is one")
    yield from folders


def _below(home: str, name: str) -> str:
    """Where a program is in a folder of this folder, for who named the one for the other; else nothing."""
    for pattern in (os.path.join("*", name), os.path.join("*", "bin", name)):
        for found in sorted(glob(pattern, root_dir=home)):
            if os.path.isfile(os.path.join(home, found)):
                return readable(found)
    return ""


def readable(name: str) -> str:
    """The name without anything that could do something where it is shown."""
    text = os.fsencode(name).decode(errors="backslashreplace")
    shown = "".join(one if one.isprintable() else ascii(one)[1:-1] for one in text).strip()
    return cut(shown, LONGEST_NAME) or "(no name)"


def slug_of(name: str) -> str:
    """The name as a file can be called anywhere."""
    slug = re.sub(r"[^A-Za-z0-9._-]+", "_", name)[:LONGEST_SLUG].strip("._-")
    return slug if slug and slug.lower() not in RESERVED else f"team-{slug}".strip("-")


def _distinct(name: str, taken: "Iterable[str]", suffix: str) -> str:
    """The name, with a number if there is one like it; upper and lower case are alike."""
    low = {one.lower() for one in taken}
    number, distinct = 1, name
    while distinct.lower() in low:
        number += 1
        distinct = name + suffix.format(number)
    return distinct
