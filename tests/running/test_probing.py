"""Finding out the dialect of a program, with `harness dialect` and by itself."""

import json
import stat
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from harness.fixtures.dialect import FLAGS, GENEROUS, Dialect
from harness.fixtures.forms import forms_of, growth_of
from harness.inputs.kinds import is_well_formed
from harness.inputs.probes import HUGE_ONES, LONE_STATE, probes, with_number
from harness.judging.outcome import Outcome
from harness.judging.verdicts import NOT_GRADED, TIMEOUT, TOO_MUCH
from harness.programs.answering import PROGRAMS
from harness.programs.reference import reference
from harness.running.probing import probe
from tests.support.helpers import BIN, run

Json = Any

ANSWERS: dict[str, dict[str, Json]] = {
    "xattack": {},
    "xfeed": {"least_players": 1, "equal_ids": True, "empty_hands": True},
    "xstep": {"least_players": 1, "equal_ids": True, "empty_hands": True},
    "xstep4": {"growth": "both", "mixed_labels": True, "least_players": 1, "equal_ids": True},
    "xsilly": {},
}


def outcome(printed: bytes = b"", said: bytes = b"", exit: int = 0) -> Outcome:
    made = Outcome()
    made.stdout, made.stderr, made.exit = printed, said, exit
    return made


class Program:
    """A program that answers by the rules what it reads, and refuses the rest."""

    def __init__(self, name: str, reads: "Callable[[Json], bool]", refusal: Outcome | None = None) -> None:
        self.name = name
        self.starts = 0
        self._reads = reads
        self._refusal = refusal or outcome()

    def __call__(self, inputs: Sequence[bytes]) -> list[Outcome]:
        self.starts += len(inputs)
        return [self._outcome(data) for data in inputs]

    def _outcome(self, data: bytes) -> Outcome:
        answer = reference(self.name, data)
        if answer.refused or not self._reads(json.loads(data)):
            return self._refusal
        return outcome((answer.text or "").encode())


def all_probes(program: str) -> dict[str, Json]:
    growths = ("labelled", "unlabelled") if program == "xstep4" else ("labelled",)
    return {
        f"{growth} {name}": value for growth in growths for name, value in probes(program, growth).items()
    }


@pytest.mark.parametrize("program", PROGRAMS)
def test_each_probe_has_one_generous_form_or_none_and_something_to_answer(program: str) -> None:
    for name, value in all_probes(program).items():
        wrong = next((form for form in FLAGS if form in name), None)
        few = (
            ["fewer than 3 players"] if name.endswith(("1 player", "2 players")) and "step" in program else []
        )
        state = ["a State"] if LONE_STATE in name else [wrong] if wrong else []
        assert list(forms_of(program, value)) == [*state, *(["fewer than 3 players"] if few else [])], name
        assert is_well_formed(program, value), name
        assert reference(program, value).text, name


@pytest.mark.parametrize("program", PROGRAMS)
def test_who_reads_everything_is_found_to_do_so(program: str) -> None:
    asked = Program(program, lambda value: True)
    found = probe(program, asked)
    dialect = found.dialect
    everything = {"empty_fat": True, "fat_without_tissue": True, "states": True, **ANSWERS[program]}
    if program != "xattack":
        everything |= {"equal_cards": True, "bits": 0}
    assert dialect == Dialect(**everything)
    assert found.starts == asked.starts < 30


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("growth", ["labelled", "unlabelled"])
def test_who_reads_the_common_form_only_is_found_to_do_so(program: str, growth: str) -> None:
    def reads(value: Json) -> bool:
        return not forms_of(program, value) and (program != "xstep4" or growth_of(value) in ("", growth))

    asked = Program(program, reads)
    expected = Dialect(growth=growth if program == "xstep4" else "labelled")
    if program == "xfeed":
        expected = expected._replace(least_players=1)  # as everybody
    if program == "xattack":
        assert asked([b"[]"])[0].stdout == b""
    assert probe(program, asked).dialect == expected
    assert asked.starts < 30


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("form", FLAGS)
def test_one_form_that_is_not_read_is_found_alone(program: str, form: str) -> None:
    everything = probe(program, Program(program, lambda value: True)).dialect
    found = probe(program, Program(program, lambda value: form not in forms_of(program, value))).dialect
    left = {name: value for name, value in everything._asdict().items() if name != FLAGS[form]}
    assert found == Dialect(**left)


@pytest.mark.parametrize("program", ["xstep", "xstep4"])
@pytest.mark.parametrize("least", [1, 2, 3])
def test_the_least_number_of_players_is_found(program: str, least: int) -> None:
    def reads(value: Json) -> bool:
        table = value[0] if program == "xstep4" else value
        return len(table) != 3 or len(table[0]) >= least

    assert probe(program, Program(program, reads)).dialect.least_players == least


@pytest.mark.parametrize("program", ["xfeed", "xstep", "xstep4"])
@pytest.mark.parametrize("bits", [31, 53, 63, 0])
def test_numbers_that_do_not_come_back_are_noticed(program: str, bits: int) -> None:
    """The program breaks numbers, as one does that keeps them in so many bits."""

    def broken(value: Json) -> Json:
        if isinstance(value, list):
            return [broken(part) for part in value]
        if type(value) is not int or not bits or value < 2**bits:
            return value
        return value % 2**32 if bits == 31 else int(float(value))

    def ask(inputs: Sequence[bytes]) -> list[Outcome]:
        answers = [reference(program, broken(json.loads(data))) for data in inputs]
        return [outcome((answer.text or "").encode()) for answer in answers]

    found = probe(program, ask).dialect.bits
    assert found == (0 if program == "xfeed" and bits > 31 else bits)  # which does not show there


def test_a_wrong_rule_does_not_blur_what_is_read() -> None:
    """An answer need not be right: this one prints what it got, with one token less."""

    def ask(inputs: Sequence[bytes]) -> list[Outcome]:
        values = [json.loads(data) for data in inputs]
        return [
            outcome(json.dumps([value[0], value[1] - 1, value[2]]).encode()) if len(value) == 3 else outcome()
            for value in values
        ]

    assert probe("xstep", ask).dialect == GENEROUS._replace(
        growth="labelled", mixed_labels=False, states=False, labels=False
    )


@pytest.mark.parametrize("labelled", [False, True])
def test_it_is_seen_whether_labels_are_printed(labelled: bool) -> None:
    answer = PROGRAMS["xsilly"].load(labelled=labelled)

    def ask(inputs: Sequence[bytes]) -> list[Outcome]:
        read = [json.loads(data) if not reference("xsilly", data).refused else None for data in inputs]
        return [outcome((answer(value) or "").encode() if value else b"") for value in read]

    assert probe("xsilly", ask).dialect.labels == labelled


@pytest.mark.parametrize(
    ("refusal", "told"),
    [
        (outcome(), "silently, status 0"),
        (outcome(exit=3), "silently, other status"),
        (outcome(said=b"I do not like this\n", exit=1), "with a message"),
        (outcome(said=b"Traceback\n  File\nKeyError: 5\n", exit=1), "with an uncaught error"),
        (outcome(said=b"no good at Evo.pm line 5.\n", exit=255), "with an uncaught error"),
    ],
)
def test_the_way_of_refusing_is_told(refusal: Outcome, told: str) -> None:
    assert probe("xstep", Program("xstep", lambda value: len(value) == 3, refusal)).refusal == told
    assert probe("xstep", Program("xstep", lambda value: True, refusal)).refusal == told


def test_who_answers_nothing_is_taken_to_read_what_everybody_reads() -> None:
    found = probe("xstep4", Program("xstep4", lambda value: False))
    assert found.dialect == Dialect(answered=False)
    assert found.sure


def ended(how: str) -> Outcome:
    """The program did not come to an end by itself."""
    late = outcome()
    late.ended, late.exit = how, None
    return late


def test_who_never_ends_is_not_asked_for_long() -> None:
    asked: list[bytes] = []

    def ask(inputs: Sequence[bytes]) -> list[Outcome]:
        asked.extend(inputs)
        return [ended(TIMEOUT)] * len(inputs)

    found = probe("xstep", ask)
    assert (found.dialect, found.sure) == (Dialect(answered=False), True)
    assert len(asked) == found.starts == 3


@pytest.mark.parametrize(
    ("how", "again", "sure"),
    [(TIMEOUT, TIMEOUT, True), (TIMEOUT, "", False), (TOO_MUCH, "", True), (NOT_GRADED, "", False)],
)
def test_what_was_found_out_is_kept_only_if_it_would_be_the_same_again(
    how: str, again: str, sure: bool
) -> None:
    """It does not come to an end over a State, at first or always."""
    right = Program("xstep", lambda value: True)
    asked: set[bytes] = set()

    def ask(inputs: Sequence[bytes]) -> list[Outcome]:
        found = []
        for data in inputs:
            end = "" if len(json.loads(data)) != 5 else again if data in asked else how
            found += [ended(end)] if end else right([data])
        asked.update(inputs)
        return found

    found = probe("xstep", ask)
    assert (found.dialect.states, found.sure) == (False, sure)


def test_huge_numbers_are_for_each_limit() -> None:
    assert list(HUGE_ONES) == [31, 53, 63]
    assert with_number("xattack", 1) is None


# The command


LIMITED = """\
#!/bin/sh
# reads no State, and counts how often it is started
echo >> "$COUNTER"
value=$(cat)
case "$value" in '[[['*) printf '%s' "$value" | exec "$PROGRAM" ;; esac
"""


@pytest.fixture
def team(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a program that counts its starts in the file `count` beside it."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "team"
    folder.mkdir()
    script = LIMITED.replace("$COUNTER", str(tmp_path / "count")).replace("$PROGRAM", str(BIN / "xstep"))
    (folder / "xstep").write_text(script)
    (folder / "xstep").chmod(0o755)
    return folder


def starts(team: Path) -> int:
    count = team.parent / "count"
    lines = count.read_text().count("\n") if count.exists() else 0
    count.unlink(missing_ok=True)
    return lines


def test_a_program_is_tried_once_until_its_folder_changes(team: Path) -> None:
    command = ("dialect", str(team), "--sandbox", "off", "--toml")
    first = run("harness", *command)
    assert first.out.decode() == (
        '[dialect]\nxstep = { players = "1-8", numbers = "any", equal-ids = true, equal-cards = true, '
        "empty-fat = true, empty-hands = true, fat-without-tissue = true }\n"
    )
    assert 10 < starts(team) < 30
    assert run("harness", *command).out.decode() == first.out.decode()
    assert starts(team) == 0
    assert run("harness", *command, "--again").out.decode() == first.out.decode()
    assert starts(team) > 10
    (team / "library.py").write_text("changed = True\n")
    assert run("harness", *command).out.decode() == first.out.decode()
    assert starts(team) > 10


def test_the_table_is_followed_by_toml(team: Path) -> None:
    told = run("harness", "dialect", str(team / "xstep"), "--sandbox", "off")
    assert told.status == 0
    assert "  a State                      no\n" in told.out.decode()
    assert "  equal ids                    yes\n" in told.out.decode()
    assert "\n[dialect]\nxstep = {" in told.out.decode()


def test_several_folders_become_teams_of_a_configuration(team: Path) -> None:
    other = team.with_name("other")
    other.mkdir()
    (other / "xstep").write_text("#!/bin/sh\n")
    (other / "xstep").chmod(stat.S_IRWXU)
    told = run("harness", "dialect", str(team), str(other), "--sandbox", "off")
    assert told.status == 1
    assert (
        f'[[team]]\npath = "{other}"\n[team.dialect]\nxstep = {{ answered = false }}\n' in told.out.decode()
    )
    assert "xstep has answered none of the probes; it is asked in the common form" in told.out.decode()


def test_tools_get_the_same_as_json(team: Path) -> None:
    told = run("harness", "dialect", str(team), "--sandbox", "off", "--json")
    (found,) = json.loads(told.out)["dialects"]
    assert (found["program"], found["states"], found["equal_ids"], found["bits"]) == ("xstep", False, True, 0)
    assert found["starts"] < 30


def test_a_folder_without_programs_is_wrong_use(tmp_path: Path) -> None:
    told = run("harness", "dialect", str(tmp_path))
    assert told.status == 2
    assert "has none of the programs xattack, xfeed, xstep, xstep4, xsilly in it" in told.err.decode()
