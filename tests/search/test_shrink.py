"""Shrinking: from a large failing input to a small one, well-formed at every step.

SOAK=1 in the environment shrinks 200 planted failures instead of 40.
"""

import json
import os
import subprocess
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from random import Random
from statistics import median
from typing import Any
from zlib import crc32

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.fixtures.forms import STATE, forms_of, growth_of
from harness.fixtures.layout import compact
from harness.inputs.kinds import CHOICE, is_well_formed
from harness.inputs.scene import BT, items, scene_of, value_of, without
from harness.misreadings import LIBRARY, Misreading, right_answer, shows, smallest_cases
from harness.search import shrink as shrinking
from harness.search.shrink import Search, case_size, shrink, smaller
from tests.support import cases
from tests.support.helpers import BIN, ROOT, species
from tests.support.picky import STATE as STATE_OF_TWO
from tests.support.picky import grown, write_picky

Json = Any

FAILURES = 200 if os.environ.get("SOAK") else 40
A_FEW = 12
GENERATORS: dict[str, list[Callable[[Random], Json]]] = {
    "xattack": [cases.situation],
    "xfeed": [cases.feeding, cases.state],
    "xstep": [cases.configuration, cases.state],
    "xstep4": [cases.step4],
    "xsilly": [cases.choice],
}
CASES = st.tuples(
    st.sampled_from([(program, generate) for program, many in GENERATORS.items() for generate in many]),
    st.integers(0, 1_000_000),
).map(lambda drawn: (drawn[0][0], drawn[0][1](Random(drawn[1]))))


# --- scenes --------------------------------------------------------------------------------------


@given(CASES)
def test_a_scene_keeps_all_of_its_input(case: tuple[str, Json]) -> None:
    program, value = case
    assert value_of(scene_of(program, value)) == value


@given(CASES)
def test_leaving_out_one_thing_leaves_out_that_thing_only(case: tuple[str, Json]) -> None:
    program, value = case
    scene = scene_of(program, value)
    for item in items(scene):
        less = without(scene, [item])
        if less is None:  # a food card, or the player that is asked
            assert item[0] == "card" or (
                item[0] == "seat" and (scene.kind == CHOICE or len(scene.seats) == 1)
            )
            continue
        lost = len(items(scene)) - len(items(less))
        assert lost >= 1
        if item[0] in ("trait", "deck"):
            assert lost <= 1 + len(exchanges(scene))


def exchanges(scene: Json) -> list[Json]:
    return [one for seat in scene.seats if seat.action for one in seat.action.exchanges]


BOARDS = [species(0, 0, 1, ["horns", "climbing"]), species(0, 0, 2), species(0, 0, 3, ["fertile"])]


def step4(action: Json, cards: int = 6) -> Json:
    hand = [[0, trait] for trait in ("ambush", "burrowing", "climbing", "foraging", "herding", "symbiosis")]
    player = [["id", 1], ["species", BOARDS], ["bag", 0], ["cards", hand[:cards]]]
    return [[[player], 0, []], [action]]


@pytest.mark.parametrize(
    ("gone", "before", "after"),
    [
        (("board", 0, 0), [0, [[1, 1]], [[2, 2]], [], []], [0, [[0, 1]], [[1, 2]], [], []]),
        (("board", 0, 1), [0, [[1, 1]], [[2, 2]], [], []], [0, [], [[1, 2]], [], []]),
        (("board", 0, 1), [0, [[3, 1]], [], [[2]], []], [0, [[2, 1]], [], [[2]], []]),
        (("board", 0, 1), [0, [[7, 1]], [], [], []], [0, [[6, 1]], [], [], []]),
        (("card", 0, 1), [2, [[0, 3]], [], [[4, 5]], []], [1, [[0, 2]], [], [[3, 4]], []]),
        (("card", 0, 1), [0, [[0, 1]], [[0, 2]], [], []], [0, [], [[0, 1]], [], []]),
        (("card", 0, 1), [0, [[3, 2]], [], [[1]], []], [0, [], [], [], []]),
        (("card", 0, 1), [0, [], [], [[2, 1, 3]], [[3, 1, 4]]], [0, [], [], [[1, 2]], [[3, 0, 3]]]),
        (("card", 0, 1), [0, [[0, 9]], [], [], []], [0, [[0, 8]], [], [], []]),
        (("trait", 0, 0, 0), [0, [], [], [], [[0, 1, 1]]], [0, [], [], [], [[0, 0, 1]]]),
        (("trait", 0, 0, 0), [0, [], [], [], [[0, 0, 1]]], [0, [], [], [], []]),
        (("trait", 0, 0, 0), [0, [], [], [], [[0, 2, 1]]], [0, [], [], [], [[0, 1, 1]]]),
        (("exchange", 0, 1), [0, [[4, 1]], [], [[2], [3]], []], [0, [[3, 1]], [], [[3]], []]),
        (("exchange", 0, 1), [0, [[3, 1]], [], [[2], [3]], []], [0, [], [], [[3]], []]),
    ],
)
def test_numbers_in_an_action_go_on_meaning_the_same(gone: Json, before: Json, after: Json) -> None:
    less = without(scene_of("xstep4", step4(before)), [gone])
    assert less is not None
    assert value_of(less)[1] == [after]


@settings(max_examples=60)
@given(st.integers(0, 1_000_000), st.randoms(use_true_random=False))
def test_an_unused_card_can_go_and_nothing_else_changes(seed: int, rng: Random) -> None:
    value = cases.step4(Random(seed))
    scene = scene_of("xstep4", value)
    unused: list[Json] = [
        (kind, at, place)
        for kind, at, *rest in items(scene)
        for place in rest
        if kind == "card" and place not in used(scene.seats[at].action)
    ]
    answer = right_answer("xstep4", value)
    if not unused:
        return
    gone = rng.choice(unused)
    less = without(scene, [gone])
    assert less is not None
    other = right_answer("xstep4", value_of(less))
    if answer is None or other is None:
        assert other is answer
        return
    assert table_without_hands(other) == table_without_hands(answer)
    hand, fewer = (json.loads(text)[0][gone[1]] for text in (answer, other))
    card = (scene.seats[gone[1]].hand or [])[gone[2]]
    assert sorted([*dict(fewer).get("cards", []), list(card)]) == sorted(dict(hand)["cards"])


def used(action: Json) -> set[int]:
    return {action.food, *(card for exchange in action.exchanges for card in exchange.cards)}


def table_without_hands(text: str) -> Json:
    players, hole, deck = json.loads(text)
    return [[player[:3] for player in players], hole, deck]


# --- the way down --------------------------------------------------------------------------------


@settings(deadline=None, max_examples=60)
@given(CASES, st.integers(0, 100), st.integers(2, 5))
def test_every_input_that_is_asked_about_is_well_formed(case: tuple[str, Json], mood: int, part: int) -> None:
    """Whatever the answers are: here they are by chance, but always the same for an input."""
    program, value = case
    asked: list[str] = []

    def differs(candidate: Json) -> bool:
        assert is_well_formed(program, candidate)
        text = compact(candidate)
        assert text not in asked
        asked.append(text)
        return crc32(f"{mood} {text}".encode()) % part != 0

    result = shrink(program, value, differs)
    assert compact(result) in [compact(value), *asked]
    assert case_size(program, result) <= case_size(program, value)
    first = list(asked)
    asked.clear()
    assert shrink(program, value, differs) == result
    assert asked == first


@pytest.mark.parametrize("program", GENERATORS)
def test_what_always_differs_becomes_as_small_as_an_input_can_be(program: str) -> None:
    value = GENERATORS[program][0](Random(5))
    board = species(0, 0, 1)
    player = [["id", 1], ["species", []], ["bag", 0]]
    card = [0, "ambush"]
    smallest = {
        "xattack": [board, board, False, False],
        "xfeed": [player, 1, []],
        "xstep": [[player], 0, []],
        "xstep4": [[[[*player]], 0, []], [[0, [], [], [], []]]],
        "xsilly": [[*player, ["cards", [card] * 3]], [], []],
    }
    result = shrink(program, value, lambda candidate: True)
    if program == "xstep4":  # the food card is the last to go
        smallest["xstep4"][0][0][0] = [*player, ["cards", [card]]]
    assert result == smallest[program]


class Holds:
    """Whether the text of an input holds this part."""

    def __init__(self, part: str) -> None:
        self.part = part

    def __call__(self, candidate: Json) -> bool:
        return self.part in compact(candidate)


def test_labels_idle_pairs_ids_and_bags_stay_where_they_make_the_difference() -> None:
    value = [[[["id", 7], ["species", [species(0, 1, 1, [], 1)]], ["bag", 3], ["cards", []]]], 0, []]
    for part in ('["id",7]', '["bag",3]', '["fat-food",1]', '["cards",[]]'):
        result = compact(shrink("xstep", value, Holds(part)))
        assert part in result
        assert (
            sum(other in result for other in ('["id",7]', '["bag",3]', '["fat-food",1]', '["cards",[]]')) == 1
        )


def test_it_stops_when_time_is_up() -> None:
    value = cases.configuration(Random(1))
    asked = []

    def slow(candidate: Json) -> bool:
        asked.append(candidate)
        time.sleep(0.02)
        return True

    began = time.monotonic()
    result = shrink("xstep", value, slow, budget=0.1)
    assert time.monotonic() - began < 20
    assert result == asked[-1]


def test_it_asks_no_more_than_it_may(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shrinking, "MOST_QUESTIONS", 5)
    search = Search("xstep", cases.configuration(Random(1)), lambda found: [len(one[0]) > 2 for one in found])
    search.run()
    assert search.questions == 5
    assert not search.complete


# --- planted failures ----------------------------------------------------------------------------


def failures() -> Iterator[tuple[Misreading, str, Json]]:
    """Random inputs in which a misreading shows, each with the misreading and the program."""
    for chaff in Random(7).sample(list(LIBRARY.values()), len(LIBRARY)):
        program = chaff.programs[-1]
        inputs = (generate(Random(seed)) for seed in range(150) for generate in GENERATORS[program])
        found = next((value for value in inputs if shows(chaff, program, value)), None)
        if found is not None:
            yield chaff, program, found


def boards(program: str, value: Json) -> int:
    scene = scene_of(program, value)
    return len(scene.boards) + scene.new_boards


def showing(chaff: Misreading, program: str) -> Callable[[list[Json]], list[bool]]:
    return lambda values: [shows(chaff, program, value) for value in values]


@pytest.mark.long
@pytest.mark.parametrize(
    ("first", "last"), [(0, A_FEW), pytest.param(A_FEW, FAILURES, marks=pytest.mark.long)]
)
def test_planted_failures_shrink_to_nearly_the_smallest_cases(first: int, last: int) -> None:
    known = smallest_cases()
    more, questions = [], []
    for chaff, program, value in islice(failures(), first, last):
        search = Search(program, value, showing(chaff, program))
        search.run()
        result = value_of(search.best)
        assert shows(chaff, program, result)
        more.append(boards(program, result) - boards(program, known[chaff.name][program]))
        questions.append(search.questions)
    assert len(more) == last - first
    assert median(more) <= 2
    assert max(more) <= 4
    # A program that takes 15 ms for an answer is done within 30 seconds.
    assert max(questions) <= 2000
    assert median(questions) <= 500


def test_a_result_cannot_be_made_smaller_by_what_is_tried() -> None:
    chaff = LIBRARY["scavenging-goes-right-to-left"]
    value = next(value for value in map(cases.state, map(Random, range(999))) if shows(chaff, "xstep", value))
    result = shrink("xstep", value, lambda candidate: shows(chaff, "xstep", candidate))
    assert not any(shows(chaff, "xstep", candidate) for candidate in smaller("xstep", result))


# --- the command ---------------------------------------------------------------------------------

HOLE_OF_FOUR = [[[["id", 1], ["species", [species(0, 0, 3), species(1, 2, 4)]], ["bag", 2]]], 4, []]
WRONG = "#!/bin/sh\n'{real}' | sed s/,3,/,2,/\n"  # a hole of three loses a token


def harness(*arguments: str | Path) -> tuple[int, str, str]:
    command = [BIN / "harness", "shrink", "--sandbox", "off", *arguments]
    done = subprocess.run(command, capture_output=True, check=False, timeout=300, text=True)
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def case(tmp_path: Path) -> Path:
    (tmp_path / "four-in.json").write_text(compact(HOLE_OF_FOUR))
    return tmp_path / "four"


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    path = tmp_path / "wrong"
    path.write_text(WRONG.format(real=ROOT / "bin" / "xstep"))
    path.chmod(0o755)
    return path


def test_the_command_prints_the_case_both_answers_and_the_difference(case: Path, wrong: Path) -> None:
    status, out, _ = harness(case, wrong, "--program", "xstep")
    assert status == 0
    assert out.startswith(
        "input:\n"
        '[[[["id",1],\n   ["species",[]],\n   ["bag",0]]],\n 3,\n []]\n'
        "\n"
        "expected:\n"
        '[[[["id",1],\n   ["species",[]],\n   ["bag",0]]],\n 3,\n []]\n'
        "\n"
        "printed:\n"
        '[[[["id",1],\n   ["species",[]],\n   ["bag",0]]],\n 2,\n []]\n'
        "\n"
        "wrong answer\n"
        "  watering hole: 2, should be 3\n"
    )


def test_the_command_writes_a_fixture(case: Path, wrong: Path, tmp_path: Path) -> None:
    stem = tmp_path / "new" / "small"
    assert harness(case, wrong, "--program", "xstep", "-o", stem)[0] == 0
    assert json.loads((tmp_path / "new" / "small-in.json").read_text())[1] == 3
    assert json.loads((tmp_path / "new" / "small-out.json").read_text())[1] == 3


def test_the_command_writes_over_nothing(case: Path, wrong: Path, tmp_path: Path) -> None:
    before = (tmp_path / "four-in.json").read_text()
    status, out, err = harness(case, wrong, "--program", "xstep", "-o", case)
    assert (status, out) == (2, "")
    assert "exists already" in " ".join(err.split())
    assert (tmp_path / "four-in.json").read_text() == before


def test_a_shrunk_case_that_cannot_be_written_is_no_equal_answer(
    case: Path, wrong: Path, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    status, out, err = harness(case, wrong, "--program", "xstep", "-o", tmp_path / "file" / "small")
    assert status == 74
    assert "watering hole: 2, should be 3" in out
    assert err == f"harness: cannot write: {tmp_path / 'file'}: File exists\n"


def test_the_result_does_not_depend_on_how_many_are_asked_at_once() -> None:
    chaff = LIBRARY["scavenging-goes-right-to-left"]
    value = next(value for value in map(cases.state, map(Random, range(999))) if shows(chaff, "xstep", value))
    results = []
    for ahead in (1, 2, 7):
        search = Search("xstep", value, showing(chaff, "xstep"), ahead=ahead)
        search.run()
        results.append((value_of(search.best), search.questions))
    assert results[0] == results[1] == results[2]


def test_the_command_says_that_there_is_no_difference(case: Path) -> None:
    status, out, _ = harness(case, ROOT / "bin" / "xstep")
    said, dialect = out.splitlines()
    assert (status, said) == (1, "there is no difference: the program answers this case as the rules do")
    assert dialect.startswith("dialect: tables of 1 player and more, a State, ")


def test_a_program_that_crashes_is_shrunk_as_one_that_crashes(case: Path, tmp_path: Path) -> None:
    crashing = tmp_path / "crashing"
    crashing.write_text("#!/bin/sh\nkill -9 $$\n")
    crashing.chmod(0o755)
    status, out, _ = harness(case, crashing, "--program", "xstep", "--dialect", "generous")
    assert status == 0
    assert "printed:\nnothing\n\ncrashed: SIGKILL\n" in out


def test_what_is_shrunk_stays_within_what_the_program_reads(tmp_path: Path) -> None:
    (tmp_path / "wrong-in.json").write_text(compact(grown(True)))
    write_picky(tmp_path, "xstep4", tmp_path / "last")
    (tmp_path / "wrong").write_text(f'#!/bin/sh\n"{tmp_path / "xstep4"}" | tr 1 2\n')
    (tmp_path / "wrong").chmod(0o755)
    stem = tmp_path / "small"
    status, out, _ = harness(tmp_path / "wrong", tmp_path / "wrong", "--program", "xstep4", "-o", stem)
    assert (status, "\ndialect: growth unlabelled, " in out) == (0, True)
    smallest = json.loads((tmp_path / "small-in.json").read_text())
    assert "wrong answer\n" in out
    assert growth_of(smallest) in ("", "unlabelled")
    assert STATE not in forms_of("xstep4", smallest)


@pytest.mark.long
def test_a_case_in_a_form_that_the_program_does_not_read_is_not_sent(tmp_path: Path) -> None:
    (tmp_path / "state-in.json").write_text(compact(STATE_OF_TWO))
    picky = write_picky(tmp_path, "xfeed", tmp_path / "last")
    status, out, _ = harness(tmp_path / "state", picky)
    assert status == 1
    assert out.startswith("nothing was asked: the program does not read what the case has, a State; ")
    status, out, _ = harness(tmp_path / "state", picky, "--dialect", "generous")
    assert (status, "no output\n" in out) == (0, True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere", "bin/xstep"], "nowhere: no such directory or case"),
        (["CASE", "nowhere"], "does not exist"),
        (["CASE", "README.md"], "is not executable"),
        (["CASE", "bin/xstep", "--program", "xmas"], "there is no program xmas; there are xattack"),
        (["CASE", "bin/xattack"], "is not an input of xattack"),
    ],
)
def test_what_is_wrong_with_the_command_line_is_said(case: Path, arguments: list[str], message: str) -> None:
    places = [
        str(case) if one == "CASE" else str(ROOT / one) if "/" in one or "." in one else one
        for one in arguments
    ]
    status, out, err = harness(*places)
    assert (status, out) == (2, "")
    assert message in err


def test_new_boards_count_as_boards() -> None:
    value = step4([0, [], [], [[1], [2, 3]], []])
    assert case_size("xstep4", value)[0] == 5
    assert len(scene_of("xstep4", value).seats[0].action.of_kind(BT)) == 2  # type: ignore[union-attr]
