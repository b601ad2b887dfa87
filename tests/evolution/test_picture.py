"""Pictures of tables: all that is on a table is in them, and nothing else."""

import doctest
import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evolution import TRAITS, Attack, Species, State, Table, full_deck, picture
from evolution.picture import draw
from evolution.picture.scene import Scene, Seat, attack, of_player, of_state, of_table
from evolution.picture.svg import panels
from evolution.picture.symbols import ICONS, STYLE
from evolution.picture.values import answer_scene, kind_of, player_scene, scene, scene_as_json, views
from evolution.table import Player
from evolution.wire.errors import BadInput
from evolution.wire.text import parse
from evolution.wire.writing import configuration
from tests.evolution.tools import board, table
from tests.support.helpers import ROOT, SAMPLES

SVG = "{http://www.w3.org/2000/svg}"


# --- reading pictures back ------------------------------------------------------------------------------


class Read:
    """An SVG picture, read by what its elements say."""

    def __init__(self, svg: str) -> None:
        self.root = ET.fromstring(svg)
        self._symbols = {symbol.get("id"): symbol for symbol in self.root.iter() if symbol.get("id")}

    def of(self, kind: str, within: "ET.Element | None" = None) -> list[ET.Element]:
        """The elements of a class, outside the symbols' definitions."""
        top = self.root if within is None else within
        symbols = {id(part) for defs in self.root.iter(f"{SVG}defs") for part in defs.iter()}
        return [one for one in top.iter() if kind in one.get("class", "").split() and id(one) not in symbols]

    def texts(self, kind: str) -> list[str]:
        return ["".join(one.itertext()) for one in self.of(kind)]

    def _trait(self, use: ET.Element) -> str:
        (name,) = (part.text for part in self._symbols[use.get("href", "")[1:]].iter() if part.text)
        assert name
        return name

    def _tokens(self, within: ET.Element) -> dict[str, int]:
        """The tokens of a board by what they are, counted by their outlines; the numbers agree."""
        found = {}
        for use in self.of("e-row", within):
            symbol = self._symbols[use.get("href", "")[1:]]
            label, *_, count = (part.text for part in symbol.iter() if part.text)
            assert label
            paths = [path.get("d", "") for path in symbol if path.get("class") == f"e-{label}"]
            found[label] = sum(len(re.findall("[Mm]", path)) for path in paths)
            assert count == str(found[label])
        return found

    def board(self, one: ET.Element) -> dict[str, Any]:
        return {**self._tokens(one), "traits": [self._trait(use) for use in self.of("e-trait", one)]}

    def cards(self, within: ET.Element) -> list[tuple[int, str]]:
        """The cards in some part of the picture: chips, then words."""
        chips = [self._trait(use) for use in self.of("e-card", within)]
        values = ["".join(one.itertext()) for one in self.of("e-value", within)]
        words = " ".join("".join(one.itertext()) for one in self.of("e-more", within))
        rest = [word.rsplit(" ", 1) for word in words.split(", ") if word]
        pairs = [*zip(chips, values, strict=True), *((trait, value) for trait, value in rest)]
        return [(int(value.replace("−", "-")), trait) for trait, value in pairs]


def on_board(one: Species) -> dict[str, Any]:
    fat = {"fat": one.fat_food} if "fat-tissue" in one.traits else {}
    return {
        "population": one.population,
        "food": one.food,
        "body": one.body,
        **fat,
        "traits": one.traits,
    }


# --- tables of all kinds ----------------------------------------------------------------------------------


@st.composite
def boards(pick: st.DrawFn) -> Species:
    traits = pick(st.lists(st.sampled_from(sorted(TRAITS)), max_size=3, unique=True))
    population, body = pick(st.integers(1, 7)), pick(st.integers(0, 7))
    fat = pick(st.integers(0, body)) if "fat-tissue" in traits else 0
    return Species(pick(st.integers(0, population)), body, population, traits, fat)


CARDS = st.lists(st.sampled_from(full_deck()), max_size=14)
NUMBERS = st.integers(0, 10**19)
PLAYERS = st.builds(Player, st.integers(1, 10**19), st.lists(boards(), max_size=7), NUMBERS, CARDS)
TABLES = st.builds(Table, st.lists(PLAYERS, min_size=1, max_size=8), st.integers(0, 30) | NUMBERS, CARDS)


@given(TABLES, st.none() | st.integers(1, 6))
def test_a_picture_has_all_that_is_on_the_table_and_nothing_else(a_table: Table, columns: int | None) -> None:
    read = Read(draw(a_table, columns=columns).svg)
    seats = read.of("e-seat")
    assert len(seats) == len(a_table.players)
    for seat, player in zip(seats, a_table.players, strict=True):
        assert [read.board(one) for one in read.of("e-board", seat)] == [*map(on_board, player.boards)]
        assert read.cards(seat) == player.hand
        assert f"bag {player.bag}" in ["".join(one.itertext()) for one in read.of("e-fact", seat)]
        title = " ".join("".join(one.itertext()) for one in read.of("e-title", seat))
        assert f"(id {player.id})" in title
    for seat in seats:
        read.root.remove(seat)
    assert read.cards(read.root) == a_table.deck
    assert read.texts("e-hole") == [str(a_table.hole)]
    assert read.of("e-board") == []
    read = Read(draw(a_table, columns=columns).svg)
    assert all(one.get("class") for one in read.root.iter())
    used = {use.get("href") for use in read.root.iter(f"{SVG}use")}
    assert used == {f"#{name}" for name in read._symbols}, "no symbol is there for nothing"


@pytest.mark.parametrize(("columns", "lines"), [(1, 2), (2, 1)])
def test_a_long_title_goes_on_below_and_not_over_the_word_that_its_player_acts(
    columns: int, lines: int
) -> None:
    seat = Read(draw(Table([Player(10**19, [])]), columns=columns).svg).of("e-seat")[0]
    titles = [one for one in seat.iter(f"{SVG}text") if one.get("class") == "e-title"]
    assert len({one.get("y") for one in titles}) == len(titles) == lines


TOKEN = {"population": "▲", "food": "●", "body": "■", "fat": "◆"}


@given(TABLES)
def test_a_text_has_all_that_is_on_the_table_and_nothing_else(a_table: Table) -> None:
    told = draw(a_table).text()
    assert max(map(len, told.split("\n"))) <= 80
    everything = [one for player in a_table.players for one in player.boards]
    for what, sign in TOKEN.items():
        expected = sum(on_board(one).get(what, 0) for one in everything)
        in_the_hole = a_table.hole if what == "food" and a_table.hole <= 40 else 0
        assert told.count(sign) == expected + in_the_hole
    lines = told.split("\n")
    traits = [line.strip() for line in lines if line.strip().split(", ")[0] in TRAITS and " −" not in line]
    words = re.findall(r"[a-z]+(?:-[a-z]+)?(?= −?\d)", told)
    cards = [trait for word in words if (trait := word) in TRAITS]
    dealt = [*a_table.deck, *(card for player in a_table.players for card in player.hand)]
    assert sorted(cards) == sorted(trait for _, trait in dealt)
    for one in everything:
        assert not one.traits or any(line.startswith(", ".join(one.traits)) for line in traits)
    assert "\033" not in told
    coloured = draw(a_table).text(coloured=True)
    assert re.sub(r"\033\[[\d;]*m", "", coloured) == told


@given(TABLES)
def test_what_is_hidden_from_a_player_is_not_in_its_picture(a_table: Table) -> None:
    first, *others = a_table.players
    emptied = [Player(other.id, other.boards) for other in others]
    bare = Table([first, *emptied], a_table.hole)
    shown = of_player(a_table)
    assert draw(shown).svg == draw(of_player(bare)).svg, "it does not depend on what is hidden"
    assert draw(shown).text() == draw(of_player(bare)).text()
    read = Read(draw(shown).svg)
    assert read.cards(read.root) == first.hand
    assert len(read.of("e-fact")) == 1 + sum(not player.boards for player in a_table.players)
    assert read.texts("e-deck") == []
    given = parse(configuration(a_table).encode())
    assert draw(player_scene(given)).svg == draw(shown).svg


# --- every case -------------------------------------------------------------------------------------------

CASES = sorted((ROOT / "test-fixtures").rglob("*-in.json"))
DRAWN = [path for path in CASES if not {"xstream", "xmain"} & set(path.parts)]


SOME = DRAWN[::8]
OTHERS = [path for path in DRAWN if path not in SOME]


@pytest.mark.parametrize(
    "cases", [SOME, pytest.param(OTHERS, marks=pytest.mark.long)], ids=["some", "others"]
)
def test_every_case_has_a_picture_of_its_input_and_of_its_answer(cases: list[Path]) -> None:
    answers = 0
    for path in cases:
        value = parse(path.read_bytes())
        before = scene(value)
        for shown in (before, player_scene(value)):
            Read(draw(shown).svg)
            assert draw(shown).text()
        expected = Path(str(path).replace("-in.json", "-out.json")).read_bytes()
        after = answer_scene(value, parse(expected)) if expected.strip() else None
        if after is not None:
            answers += 1
            for picture in (draw(after, since=before), draw(after, unlike=before)):
                Read(picture.svg)
                assert max(map(len, picture.text().split("\n"))) <= 80
        else:
            assert "xattack" in path.parts or not expected.strip()
    assert len(DRAWN) > 400
    assert answers > len(cases) / 2


def test_the_kinds_of_input_are_told_apart() -> None:
    found = {kind: kind_of(sample.value) for kind, sample in SAMPLES.items()}
    assert found == {
        "situation": "situation",
        "feeding": "feeding",
        "feeding state": "state",
        "configuration": "configuration",
        "state": "state",
        "step 4": "step4",
        "choice": "choice",
        "state and choice": "state and choice",
        "state and action": "state and action",
        "state with a hand": "state",
    }


# --- what is highlighted ----------------------------------------------------------------------------------


def test_what_has_changed_is_marked_with_what_it_was() -> None:
    before = table([board("horns", population=3), board("climbing", body=2)], [board()], hole=5)
    after = table([board("horns", food=2, population=3), board("ambush", body=2)], [], hole=3)
    read = Read(draw(after, since=before).svg)
    assert read.texts("e-hole") == ["5→3"]
    changed = [one for one in read.of("e-changed") if "e-board" in one.get("class", "")]
    assert len(changed) == 2
    assert read.texts("e-from") == ["0→", "new", "lost"]
    assert read.texts("e-note") == ["gone: board 0"]
    told = draw(after, since=before).text()
    assert "food ●●· 0→2" in told
    assert "ambush (new), climbing (lost)" in told
    assert "gone: board 0 (population 1)" in told


def test_a_board_that_has_gone_does_not_mark_those_that_move_up() -> None:
    before = table([board("horns"), board("climbing", food=1), board("ambush")])
    after = table([board("climbing", food=1), board("ambush")])
    read = Read(draw(after, since=before).svg)
    assert read.texts("e-note") == ["gone: board 0"]
    assert not [one for one in read.of("e-changed") if "e-board" in one.get("class", "")]


def test_what_differs_is_marked_in_both_pictures() -> None:
    expected = table([board(population=3, food=1)], [board("horns")], hole=2)
    printed = table([board(population=3, food=2)], [], hole=2)
    right, wrong = Read(draw(expected, unlike=printed).svg), Read(draw(printed, unlike=expected).svg)
    assert (right.texts("e-from"), wrong.texts("e-from")) == (["2≠"], ["1≠"])
    assert right.texts("e-role") == ["acts", "only here"]
    assert wrong.texts("e-note") == ["not here: board 0"]


def test_new_cards_are_marked() -> None:
    before, after = table([board()], deck=[(1, "horns"), (2, "horns"), (3, "horns")]), table([board()])
    after.deck = before.deck[2:]
    after.players[0].hand = before.deck[:2]
    read = Read(draw(after, since=before).svg)
    marked = [one for one in read.of("e-changed") if "e-value" in one.get("class", "").split()]
    assert ["".join(one.itertext()) for one in marked] == ["1", "2"]
    assert read.texts("e-hand") == ["hand: 0→2 cards"]
    assert "0: horns 1*, 1: horns 2*" in draw(after, since=before).text()


def test_who_attacks_whom_is_shown() -> None:
    state = State(0, [board("carnivore")], [], 1, [[board()], [board(), board("horns")]])
    read = Read(draw(attack(of_state(state), Attack(0, 1, 1))).svg)
    assert [read.board(one)["traits"] for one in read.of("e-attacker")] == [["carnivore"]]
    assert [read.board(one)["traits"] for one in read.of("e-target")] == [["horns"]]
    assert read.texts("e-note") == ["board 0 attacks board 1, other player 1"]
    Read(draw(attack(of_state(state), Attack(7, 10**30, 7))).svg)  # nowhere, but well-formed


def test_an_action_is_told_with_its_cards() -> None:
    shown = scene(SAMPLES["step 4"].value)
    assert all(seat.notes[0].startswith("food card: card ") for seat in shown.seats)


STATE = SAMPLES["state"].value
ACTION = [0, [], [[0, 1]], [[2]], []]


@pytest.mark.parametrize(
    ("answer", "note", "role"),
    [
        (False, "feeds nothing", ""),
        (1, "feeds board 1", "is fed"),
        ([0, 1], "stores 1 token on the fat of board 0", "stores fat"),
        ([1, 0, 0], "board 1 attacks board 0, other player 0", "attacker"),
        ([1, 2, 0], "board 1 attacks board 0, its own", "attacker"),
        ([9, 9, 9], "board 9 attacks board 9, player 9 of the others", "attacker"),
        (ACTION, "food card: card 0 (", ""),
        ([7, [], [], [], []], "food card: card 7, which is not there,", ""),
    ],
)
def test_a_choice_is_shown_on_the_table_that_it_is_made_for(answer: Any, note: str, role: str) -> None:
    shown = answer_scene(STATE, answer)
    assert shown is not None
    assert shown.seats[0].notes[0].startswith(note)
    assert role in [*shown.seats[0].roles.values(), ""]
    assert note in " ".join(Read(draw(shown).svg).texts("e-note"))


@pytest.mark.parametrize(
    "answer", [True, -1, "text", {}, [], [1], [1, -1], [1, 2, 3, 4], [[1]], [[], 1, 1], None]
)
def test_what_is_no_answer_has_no_picture(answer: object) -> None:
    assert answer_scene(STATE, answer) is None


def test_a_state_is_shown_with_what_is_done_on_it() -> None:
    assert scene([STATE, [1, 0, 0]]).seats[1].roles == {0: "target"}
    assert scene([STATE, ACTION]).seats[0].notes[0].startswith("food card: card 0")
    assert [kind_of([STATE, part]) for part in ([1, 0, 0], ACTION)] == [
        "state and choice",
        "state and action",
    ]
    assert scene([*STATE[:3], 0, STATE[4]]).hole == 0, "as after a step"


@pytest.mark.parametrize(
    ("value", "why"),
    [
        (17, "input: expected a configuration"),
        ([1], "input: expected a configuration"),
        ([17, []], "[0]: expected a configuration"),
        ([STATE, 17], "[1]: expected an action"),
        ([[*STATE[:4], 17], [1, 0, 0]], "[0][4]: expected a list"),
        ([*STATE[:3], -1, []], "[3]: expected a whole number, at least 1"),
    ],
)
def test_what_is_no_input_is_refused_as_the_programs_do(value: object, why: str) -> None:
    with pytest.raises(BadInput) as refused:
        scene(value)
    assert str(refused.value).startswith(why)


def test_there_are_two_views_where_something_is_hidden() -> None:
    titles = {kind: [title for title, _ in views(sample.value)] for kind, sample in SAMPLES.items()}
    assert titles["situation"] == titles["state"] == titles["choice"] == ["the table"]
    assert titles["configuration"] == ["the dealer's view", "what player 0 (id 3) sees"]
    assert len(titles["step 4"]) == len(titles["feeding"]) == 2
    _, (_, mine) = views(SAMPLES["step 4"].value)
    assert [bool(seat.notes) for seat in mine.seats] == [True, False], "others' actions are hidden"


def test_many_cards_are_compared_place_by_place() -> None:
    before, after = table([board()]), table([board()])
    before.deck, after.deck = [(1, "horns")] * 60, [(2, "horns")] * 70
    marked = draw(after, since=before).text()
    assert "deck: 70 cards" in marked
    assert marked.count("*") >= 10


def test_a_seat_is_compared_with_the_one_of_its_name() -> None:
    one, two = Seat("one", [board("horns")]), Seat("two", [board("ambush")])
    read = Read(draw(Scene([two, one]), since=Scene([one, two])).svg)
    assert read.of("e-changed") == []
    read = Read(draw(Scene([two, Seat("three", [])]), since=Scene([one, two])).svg)
    assert [one.text for one in read.of("e-changed") if "e-title" in one.get("class", "")] == ["three"]


def test_scenes_stand_beside_each_other() -> None:
    one, other = of_table(table([board()])), of_table(table([board(food=1)]))
    read = Read(panels([("one", one, other), ("other", other, one)], "both"))
    assert read.texts("e-title")[0] == "one"
    assert len(read.of("e-panel")) == 2
    assert read.texts("e-from") == ["1≠", "0≠"]


def test_a_scene_goes_to_a_page_as_json() -> None:
    shown = attack(
        of_state(State(2**70, [board("carnivore", body=3)], [(1, "horns")], 5, [])), Attack(0, 1, 9)
    )
    data = json.loads(json.dumps(scene_as_json(shown)))
    assert data["hole"] == "5"
    assert data["deck"] is None
    (seat,) = data["seats"]
    assert seat["bag"] == "118059162071… (22 digits)", "a script would round it"
    assert seat["boards"] == [[1, 0, 3, 0, ["carnivore"]]]
    assert seat["hand"] == [[1, "horns"]]
    assert seat["roles"] == {"0": "attacker"}, "and none of boards that are not there"


# --- texts of others, and numbers that are long -------------------------------------------------------------


@given(st.text())
def test_any_text_is_only_text_in_a_picture(title: str) -> None:
    seat = Seat(title, [])
    seat.notes.append(title)
    read = Read(draw(Scene([seat])).svg)
    shown = "".join(one if one.isprintable() else "\ufffd" for one in title)
    assert read.texts("e-title") == [shown]
    assert len(read.of("e-seat")) == 1


def test_a_script_in_a_title_is_text() -> None:
    svg = draw(Scene([Seat('<script>alert("1")</script>&amp;', [])])).svg
    assert "<script" not in svg
    assert Read(svg).texts("e-title") == ['<script>alert("1")</script>&amp;']


def test_numbers_that_nobody_reads_are_cut() -> None:
    a_table = table([board()], hole=10**9000 + 7)
    assert Read(draw(a_table).svg).texts("e-hole") == ["100000000000… (9001 digits)"]
    assert draw(a_table).text().startswith("watering hole 100000000000… (9001 digits)\n")


# --- how it is made ---------------------------------------------------------------------------------------


def test_every_trait_has_an_icon_of_its_own() -> None:
    assert ICONS.keys() == TRAITS.keys()
    assert len({path for _, path in ICONS.values()}) == len(TRAITS)


def test_a_notebook_shows_a_picture() -> None:
    shown = draw(table([board()]))
    assert shown._repr_svg_() == shown.svg
    assert draw(of_table(table([board()]))).svg == shown.svg


def test_a_picture_is_for_the_dark_too() -> None:
    assert "prefers-color-scheme:dark" in STYLE
    svg = draw(table([board()])).svg
    assert "viewBox" in svg
    assert "width=" not in svg.partition(">")[0], "so it scales"


def test_a_full_table_is_small() -> None:
    names = sorted(TRAITS)
    deck = full_deck()
    players = [
        Player(
            seat + 1,
            [Species(6, 7, 7, [names[(seat * 15 + at * 3 + n) % 16] for n in range(3)]) for at in range(5)],
            40,
            [deck.pop() for _ in range(8)],
        )
        for seat in range(8)
    ]
    assert len(draw(Table(players, 18, deck)).svg.encode()) <= 40_000


@pytest.mark.parametrize("sample", SAMPLES.values(), ids=SAMPLES)
def test_a_picture_is_a_pure_function(sample: Any) -> None:
    one, other = draw(scene(sample.value)), draw(scene(sample.value))
    assert one.svg == other.svg == one.svg


def test_the_examples_of_the_package_are_true() -> None:
    result = doctest.testmod(picture)
    assert result.attempted > 0
    assert result.failed == 0
