"""Earlier runs, in few bytes each, and what has changed since one of them."""

import os
from typing import NamedTuple

import orjson

from harness.errors import WrongUse
from harness.files import read_file
from harness.grading.places import about_file
from harness.grading.score import Mark, points
from harness.grading.store import key_of
from harness.judging.verdicts import GIVES_POINTS, VERDICTS
from harness.text import number_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from harness.grading.ledger import Ledger
    from harness.grading.session import Session
    from harness.grading.store import Store
    from harness.grading.suites import Suites
    from harness.grading.teams import Team

    Verdicts = dict[tuple[str, str], str]  # of cases, by suite and name: a letter of LETTERS
    Run = dict[str, tuple[float, Verdicts]]  # of each team its total, and its cases

LETTERS = {verdict: chr(97 + code) for code, verdict in enumerate(VERDICTS)}
VERDICT_OF = {letter: verdict for verdict, letter in LETTERS.items()}
MOST_NAMED = 20
SUBMISSIONS = "submissions"  # under which a store keeps what teams have handed in
IMPROVED, WORSE = "improved", "got worse"


def numbers(folder: str) -> list[int]:
    """The runs that are remembered in a store, the first one first."""
    try:
        names = os.listdir(os.path.join(folder, "runs"))
    except OSError:
        return []
    stems = [name.removesuffix(".json") for name in names]
    return sorted(int(stem) for stem in stems if stem.isdigit())


def _path(folder: str, number: int) -> str:
    return os.path.join(folder, "runs", f"{number}.json")


def handed_in(store: "Store", team: "Team") -> list[str]:
    """What a team has handed in so far, by the content of its files, the present one included."""
    known = store.note(SUBMISSIONS, key_of(team.name))
    earlier = [str(one) for one in known] if isinstance(known, list) else []
    return list(dict.fromkeys([*earlier, team.content]))


def count_submissions(folder: str, teams: "Iterable[Team]") -> None:
    """Find out how often teams have handed in, from a store that may not be there."""
    from harness.grading.store import Store
    from harness.running.content import TooLarge, content_of

    store = Store(folder) if folder else None
    for team in teams:
        try:
            team.content = content_of(team.path)
        except (TooLarge, OSError):
            continue
        team.submissions = team.spec.submissions or len(handed_in(store, team) if store else [team.content])


class Before(NamedTuple):
    """An earlier run: what it is called, and what came out."""

    name: str
    run: "Run"


def _came_out(session: "Session", marks: list[Mark]) -> "dict[str, Any]":
    """What is written down of a run."""
    suites = session.suites
    by_name = {standing.team.name: standing for standing in session.standings}
    teams = {}
    for mark in marks:
        ledger = by_name[mark.team.name].ledger
        verdicts = "".join(LETTERS.get(ledger.verdict(index), "-") for index in range(len(suites.cases)))
        teams[mark.team.name] = [mark.total, verdicts]
    cases = [[suites.suites[case.suite].name, case.name] for case in suites.cases]
    # Under which key the store has the results of each team as it was then.
    states = {mark.team.name: by_name[mark.team.name].key for mark in marks if not mark.team.problem}
    return {"cases": cases, "teams": teams, "states": states}


def remember(session: "Session", marks: list[Mark]) -> int:
    """Write down what came out, unless it is what came out the last time; the number of the run."""
    now = _came_out(session, marks)
    for mark in marks:
        submissions = handed_in(session.store, mark.team)
        session.store.write_note(SUBMISSIONS, key_of(mark.team.name), submissions)
    folder = session.store.folder
    last = max(numbers(folder), default=0)
    if last and _unlike(folder, last, now) is None:
        return last
    os.makedirs(os.path.join(folder, "runs"), exist_ok=True)
    with open(_path(folder, last + 1), "xb") as file:
        file.write(orjson.dumps(now, option=orjson.OPT_SORT_KEYS))
    return last + 1


def _unlike(folder: str, number: int, now: "dict[str, Any]") -> "dict[str, Any] | None":
    """What is remembered of a run, if something else came out than now; nothing of one that is spoilt."""
    try:
        found = run(folder, number)
        return found if any(found[part] != now[part] for part in ("cases", "teams")) else None
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def run_before(session: "Session", marks: list[Mark]) -> "Before | None":
    """The last run in which something else came out than now; None if there is none."""
    now = _came_out(session, marks)
    folder = session.store.folder
    for number in reversed(numbers(folder)):
        found = _unlike(folder, number, now)
        if found:
            try:
                return Before(f"run {number}", _by_team(found))
            except (ValueError, TypeError):
                continue  # somebody has spoilt it
    return None


def run(folder: str, number: int) -> "dict[str, Any]":
    """What is remembered of a run."""
    found: dict[str, Any] = orjson.loads(read_file(_path(folder, number)))
    return found


def _by_team(found: "dict[str, Any]") -> "Run":
    names = [(suite, name) for suite, name in found["cases"]]
    return {
        team: (total, dict(zip(names, verdicts, strict=False)))
        for team, (total, verdicts) in found["teams"].items()
    }


def store_of(out: str) -> str:
    """The folder with the runs that are remembered of a folder of grades; empty if there is none."""
    others = [os.path.join(out, "store"), f"{os.path.normpath(out)}.store", out]
    return next((other for other in others if numbers(other)), "")


def earlier(folder: str, which: str) -> Before:
    """An earlier run: by its number, "last", or the folder of another grading. Raises WrongUse."""
    known, where = numbers(folder), ""
    if not which.isdigit() and which != "last":
        folder = store_of(which)
        if not folder:
            if about_file(which):
                raise WrongUse(
                    f"--since: the results of {which} are kept elsewhere: name its --store instead"
                )
            raise WrongUse(f"--since: {which} is not a run: give a number, last, or a folder of grades")
        known, where, which = numbers(folder), f" of {which}", "last"
    if not known:
        raise WrongUse("--since: no run is remembered yet")
    number = known[-1] if which == "last" else number_in(which)
    if number not in known:
        raise WrongUse(f"--since: there is no run {number}; there are {', '.join(map(str, known))}")
    return Before(f"run {number}{where}", _by_team(run(folder, number)))


def moved(old: "Verdicts", suites: "Suites", ledger: "Ledger") -> "Iterator[tuple[int, str]]":
    """The cases of a team that end otherwise now than in an earlier run, and how that is to be called."""
    for index, case in enumerate(suites.cases):
        was = VERDICT_OF.get(old.get((suites.suites[case.suite].name, case.name), ""), "")
        now = ledger.verdict(index)
        if was and now and was != now:
            better, worse = now in GIVES_POINTS, was in GIVES_POINTS
            yield index, "changed" if better == worse else IMPROVED if better else WORSE


def changes(
    before: "Run", session: "Session", marks: list[Mark], left_out: list[str], hidden: bool
) -> "Iterator[str]":
    """What is different now, team by team; names of cases in hidden suites only if they may be told.

    left_out: the teams that are still there, but have not been graded as they are now.
    """
    suites = session.suites
    by_name = {standing.team.name: standing for standing in session.standings}
    for mark in marks:
        name = mark.team.name
        if name not in before:
            yield f"{name}: new, {points(mark.total)} points"
            continue
        total, old = before[name]
        ledger = by_name[name].ledger
        lists: dict[str, list[str]] = {IMPROVED: [], WORSE: [], "changed": []}
        for index, kind in moved(old, suites, ledger):
            case = suites.cases[index]
            suite = suites.suites[case.suite]
            if hidden or not suite.hidden:
                told = "" if kind == IMPROVED else f" ({ledger.verdict(index)})"
                lists[kind].append(f"{suite.name}/{case.name}{told}")
        if total != mark.total or any(lists.values()):
            yield f"{name}: {points(total)} → {points(mark.total)} points"
            for kind, cases in lists.items():
                if cases:
                    more = f" and {len(cases) - MOST_NAMED} more" if len(cases) > MOST_NAMED else ""
                    yield f"  {kind}: {', '.join(cases[:MOST_NAMED])}{more}"
    for name in sorted(set(before) - {mark.team.name for mark in marks}):
        yield f"{name}: {'not yet graded in the present version' if name in left_out else 'no longer there'}"
