"""Shards: one class graded in parts, on machines that need not know of each other, and combined again.

Which shard a team is in follows from the content of its files, so that another team moves nobody. A shard
leaves a store of its own, and beside it a manifest that says what it has graded, and on which terms.
Shards are combined by putting their stores together, if all of them are there and were graded alike.
"""

import os
from dataclasses import replace
from hashlib import blake2b
from typing import NamedTuple

import msgspec

from harness.errors import UserError, WrongUse
from harness.files import read_file, replace_file
from harness.fixtures.dialect import BadDialect, Dialect
from harness.grading.config import Config, limits_told
from harness.grading.schedule import state_key
from harness.grading.store import SHARD, encoded, key_of, version_key
from harness.grading.suites import Suites
from harness.grading.teams import Team, readable
from harness.running.content import TooLarge, content_of, copy_folder
from harness.running.journal import as_recorded
from harness.running.limits import Limits
from harness.running.rungs import is_meant
from harness.running.scratch import remove_folder
from harness.text import number_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from harness.fixtures.cases import Case
    from harness.grading.session import Session

MOST_SHARDS = 10_000
KINDS = ("results", "builds", "own-tests")  # what is taken over of a store
HOME = "{team}"  # stands for the folder that a team's programs are run from
OWN_TESTS, SUITE = "own tests", "suite"  # terms that are hashes
UNFINISHED = "is not finished; the command that grades it continues"


class ShardError(UserError):
    """Shards that cannot be combined; str() says which, and why."""


class Shard(NamedTuple):
    """One part of so many."""

    number: int
    of: int

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"

    def has(self, content: bytes) -> bool:
        """Whether what has this content is in this shard."""
        return int.from_bytes(blake2b(content, digest_size=8).digest(), "big") % self.of == self.number - 1

    def has_case(self, case: "Case") -> bool:
        """Whether a case is in this shard, by what is in its files."""
        content = b""
        for path in filter(None, (case.input, case.expected, case.arguments)):
            try:
                content += read_file(path)
            except OSError:
                content += b"?"
        return self.has(content)

    def teams(self, teams: "Iterable[Team]") -> list[Team]:
        """The teams of this shard."""
        return [team for team in teams if self.has(_content(team).encode())]


def shard_of(text: str) -> Shard:
    """The shard that is written as K/N. Raises WrongUse."""
    number, _, of = text.partition("/")
    if 1 <= number_in(number) <= number_in(of) <= MOST_SHARDS:
        return Shard(int(number), int(of))
    raise WrongUse(f"{readable(text)} is not a shard; write K/N, such as 1/4, with K from 1 to N")


def _content(team: Team) -> str:
    """The hash of a team's files; of one that cannot be read, something else that stays."""
    try:
        return content_of(team.path)
    except (TooLarge, OSError):
        return key_of(team.name)


# What a shard leaves


class Program(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a program of a team was started; its folder is written as {team}."""

    command: list[str]
    problem: str
    dialect: "dict[str, str | bool] | None"


class TeamState(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A team as it was graded. state: a hash of its files, and of what is configured for it."""

    state: str
    programs: dict[str, Program]


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a shard has graded, and on which terms.

    rung: how programs were shut in. told: the same, in words. store: where its store was. files: hashes of
    what is in it.
    """

    shard: str
    complete: bool
    terms: dict[str, str]
    isolation: str
    rung: str
    told: str
    store: str
    teams: dict[str, TeamState]
    files: dict[str, str]


def terms_of(config: Config, suites: Suites, repeat: int) -> dict[str, str]:
    """What must be the same for all shards, by what is said if it is not."""
    own = config.own_tests
    terms = {
        "another version of the harness": version_key(),
        "other limits": limits_told(config).partition(": ")[2],
        "another --repeat": str(repeat),
        f"other {OWN_TESTS}": key_of(own.folders, own.names) if own.points else "none",
    }
    for suite in suites.suites:
        cases = [[case.key, case.name, case.hidden] for case in suites.of(suite)]
        terms[f"another {SUITE} {suite.name}"] = key_of(cases)
    return terms


def begin(session: "Session", shard: Shard, repeat: int) -> None:
    """Write down what is going to be graded; until it is finished, it is not combined."""
    _write(session, shard, repeat, complete=False)


def finish(session: "Session", shard: Shard, repeat: int) -> None:
    """Write down that everything of a shard is graded."""
    _write(session, shard, repeat, complete=True)


def _write(session: "Session", shard: Shard, repeat: int, complete: bool) -> None:
    asked = {case.program for case in session.suites.cases}
    manifest = Manifest(
        str(shard),
        complete,
        terms_of(session.config, session.suites, repeat),
        session.isolation,
        session.rung,
        session.note,
        as_recorded(session.store.folder),
        {team.name: _state(session, team, asked) for team in session.teams} if complete else {},
        dict(_files(session.store.folder)) if complete else {},
    )
    replace_file(os.path.join(session.out, SHARD), encoded(msgspec.to_builtins(manifest)))


def _state(session: "Session", team: Team, asked: set[str]) -> TeamState:
    programs = {}
    for name in asked if not team.problem else ():
        words, problem = team.program(name)
        dialect = team.dialects.get(name)
        told = [word.replace(team.home, HOME) for word in words]
        programs[name] = Program(told, problem, dialect.to_table() if dialect else None)
    return TeamState(_state_key(session.config, team, asked, session.isolation), programs)


def _state_key(config: Config, team: Team, asked: "Iterable[str]", isolation: str) -> str:
    """A hash of all that a team's results depend on, but for what is the same for all teams."""
    limits = Limits(config.timeout, config.memory << 20, config.output << 10)
    told = {name: team.spec.dialects.get(name) or config.dialect.of(name, team.path) for name in asked}
    dialects = {name: dialect.to_table() for name, dialect in told.items() if dialect}
    return key_of(state_key(team, limits, isolation), team.spec.programs, team.spec.environment, dialects)


def _files(store: str) -> "Iterator[tuple[str, str]]":
    """All that is taken over of a store, with hashes: its files, and its folders of what was built."""
    for kind in KINDS:
        folder = os.path.join(store, kind)
        for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
            path = os.path.join(folder, name)
            if os.path.isdir(path) or name.endswith((".json", ".jsonl")):
                yield f"{kind}/{name}", content_of(path)


def see_that_it_is_free(out: str, shard: "Shard | None") -> None:
    """See that a folder is not that of another shard, or of a shard at all. Raises WrongUse."""
    there = _read(os.path.join(out, SHARD)).shard
    if shard is None:
        raise WrongUse(f"--out: {readable(out)} is shard {there} of a class; name another")
    if there != str(shard):
        raise WrongUse(f"--out: {readable(out)} is shard {there}; name another for {shard}")


# Combining


class Part(NamedTuple):
    """A shard that was found in a folder."""

    folder: str
    shard: Shard
    manifest: Manifest

    def __str__(self) -> str:
        return f"{readable(self.folder)} (shard {self.shard})"

    @property
    def store(self) -> str:
        """The folder of its store."""
        return os.path.join(self.folder, "store")


def is_shard(folder: str) -> bool:
    """Whether a folder has been left by a shard."""
    return os.path.isfile(os.path.join(folder, SHARD))


def read_shards(folders: "Sequence[str]") -> list[Part]:
    """The shards in folders, each of which is a shard or holds some; all there are. Raises ShardError."""
    paths = [path for folder in folders for path in _shards_in(folder)]
    parts = [_part(path) for path in dict.fromkeys(map(os.path.normpath, paths))]
    first = parts[0]
    by_number: dict[int, Part] = {}
    for part in parts:
        if part.shard.of != first.shard.of:
            raise ShardError(f"{part} does not belong to {first}: there are not as many of them")
        doubled = by_number.setdefault(part.shard.number, part)
        if doubled is not part:
            raise ShardError(f"{part} is there twice, also in {readable(doubled.folder)}")
    every = (Shard(number + 1, first.shard.of) for number in range(first.shard.of))
    missing = [str(shard) for shard in every if shard.number not in by_number]
    if missing:
        shown = ", ".join(missing[:10]) + (" …" if len(missing) > 10 else "")
        raise ShardError(f"not all of the {first.shard.of} shards are there; missing: {shown}")
    for part in parts:
        if not part.manifest.complete:
            raise ShardError(f"{part} {UNFINISHED}")
    return [by_number[number] for number in sorted(by_number)]


def _shards_in(folder: str) -> list[str]:
    if is_shard(folder):
        return [folder]
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    found = [path for path in (os.path.join(folder, name) for name in names) if is_shard(path)]
    if not found:
        raise ShardError(f"--combine: there is no shard in {readable(folder)}")
    return found


def _part(folder: str) -> Part:
    manifest = _read(os.path.join(folder, SHARD))
    return Part(folder, shard_of(manifest.shard), manifest)


def _read(path: str) -> Manifest:
    try:
        manifest = msgspec.json.decode(read_file(path), type=Manifest)
        shard_of(manifest.shard)
    except OSError as problem:
        raise ShardError(f"{readable(path)}: {problem.strerror}") from None
    except (msgspec.DecodeError, WrongUse) as problem:
        raise ShardError(f"{readable(path)}: {problem}") from None
    return manifest


def check(parts: list[Part], config: Config, suites: Suites, teams: list[Team], repeat: int) -> None:
    """See that all shards were graded as this command would, teams and all. Raises ShardError."""
    _check_terms(parts, terms_of(config, suites, repeat))
    for part in parts:
        if not is_meant(part.manifest.rung, config.sandbox):
            told = f"{part.manifest.told}, not --sandbox {config.sandbox}"
            raise ShardError(f"{part} was graded in another isolation: {readable(told)}")
    _check_teams(parts, config, suites, teams)
    for part in parts:
        _check_files(part)


def _check_terms(parts: list[Part], here: dict[str, str]) -> None:
    first = parts[0]
    for part in parts:
        terms = part.manifest.terms
        for name in dict.fromkeys((*here, *terms)):
            if here.get(name) != terms.get(name):
                is_hash = any(word in name for word in (SUITE, OWN_TESTS))
                said = "" if is_hash else f": {terms.get(name)}, not {here.get(name)}"
                raise ShardError(f"{part} was graded with {readable(f'{name}{said}')}")
        for other in ("isolation", "told"):
            if getattr(part.manifest, other) != getattr(first.manifest, other):
                raise ShardError(
                    f"{part} was graded in another isolation than {first}: "
                    f"{readable(part.manifest.told)}, not {readable(first.manifest.told)}"
                )


def _check_teams(parts: list[Part], config: Config, suites: Suites, teams: list[Team]) -> None:
    isolation = parts[0].manifest.isolation
    asked = {case.program for case in suites.cases}
    for team in teams:
        content = _content(team)
        part = next(part for part in parts if part.shard.has(content.encode()))
        state = part.manifest.teams.get(team.name)
        if state is None:
            raise ShardError(f"team {team.name} is not in {part}: it is new, or has changed since")
        try:
            team.content = content_of(team.path)
        except (TooLarge, OSError):
            team.content = ""  # as in a session
        if state.state != _state_key(config, team, asked, isolation):
            raise ShardError(f"team {team.name}: it is configured otherwise than {part} has graded it")
    names = {team.name for team in teams}
    for part in parts:
        for name in part.manifest.teams:
            if name not in names:
                raise ShardError(f"{part} has graded team {readable(name)}, which is not named here")


def _check_files(part: Part) -> None:
    found = dict(_files(part.store))
    for name, content in part.manifest.files.items():
        if found.get(name) != content:
            state = "has been changed" if name in found else "is missing"
            raise ShardError(f"{part}: {readable(os.path.join(part.store, name))} {state}")


def take_stores(parts: list[Part], store: str) -> None:
    """Put what is in the stores of shards into one; programs have said where they were, which is here now."""
    here = encoded(store)[1:-1]
    for part in parts:
        there = encoded(part.manifest.store)[1:-1]
        for name in part.manifest.files:
            source, target = os.path.join(part.store, name), os.path.join(store, name)
            os.makedirs(os.path.dirname(target), mode=0o700, exist_ok=True)
            if os.path.isdir(source):
                remove_folder(target)
                copy_folder(source, target)
            else:
                replace_file(target, read_file(source).replace(there, here))


def take_programs(parts: list[Part], session: "Session") -> None:
    """Let all programs be what they were where they were run, whatever is installed here."""
    known = {name: state for part in parts for name, state in part.manifest.teams.items()}
    for team in session.teams:
        programs = known[team.name].programs
        try:
            dialects = {
                name: Dialect.from_table(one.dialect)
                for name, one in programs.items()
                if one.dialect is not None
            }
        except BadDialect as problem:
            raise ShardError(f"team {team.name}: {problem}") from None
        team.spec = replace(team.spec, dialects=dialects)
        for name, one in programs.items():
            team.programs[name] = ([word.replace(HOME, team.home) for word in one.command], one.problem)
