"""harness convert: tables between a Configuration and the tables of designs 1, 3 and 4."""

import copy
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evolution.designs.convert import FORMATS, losses, read_table, write_table
from evolution.designs.stepwise_tables import SPELLED
from evolution.traits import TRAITS
from evolution.wire.errors import Malformed
from tests.support.helpers import Outcome, player, run, species

Json = Any

OTHERS = [form for form in FORMATS if form != "configuration"]


def convert(source: str, target: str, value: Json, *options: str) -> Outcome:
    given = value if isinstance(value, bytes) else json.dumps(value).encode()
    return run("harness", "convert", "--from", source, "--to", target, *options, given=given)


def said(done: Outcome) -> list[str]:
    """The lines on standard error, without the name of the program that begins each."""
    lines = done.err.decode().splitlines()
    assert all(line.startswith("harness convert: ") for line in lines)
    return [line.removeprefix("harness convert: ") for line in lines]


WOLF = species(2, 3, 4, ["carnivore", "fat-tissue"], 1)
CONFIGURATION = [
    [player([WOLF, species()], [[-2, "long-neck"], [8, "carnivore"]], 7, 4), player([], None, 0, 2)],
    6,
    [[3, "pack-hunting"]],
]
# Worked out by hand from the data definitions of the documents.
STEPWISE = [
    [
        [
            [[[[0, "Carnivore"], [0, "Fat Tissue"]], 3, 4], [[], 0, 1]],
            [[-2, "Long Neck"], [8, "Carnivore"]],
            7,
        ],
        [[], [], 0],
    ],
    [[3, "Pack Hunting"]],
    [[], 6],
]
CARDWISE = {"players": [[WOLF, species()], []], "playerId": 0, "wateringHoleTokens": 6}
TABLE = {
    "players": [
        {
            "name": "4",
            "foodBag": 7,
            "species": [
                {
                    "name": "4.1",
                    "population": 4,
                    "bodySize": 3,
                    "traits": [{"name": "carnivore", "food": 0}, {"name": "fat-tissue", "food": 0}],
                },
                {"name": "4.2", "population": 1, "bodySize": 0, "traits": []},
            ],
            "traits": [{"name": "long-neck", "food": -2}, {"name": "carnivore", "food": 8}],
        },
        {"name": "2", "foodBag": 0, "species": [], "traits": []},
    ],
    "traitDeck": [{"name": "pack-hunting", "food": 3}],
    "wateringHole": 6,
    "placedCards": [],
}
STATE = [7, [WOLF, species()], [[-2, "long-neck"], [8, "carnivore"]], 6, [[]]]
BY_HAND = {"state": STATE, "stepwise": STEPWISE, "cardwise": CARDWISE, "table": TABLE}
LOST = {
    "state": [
        "[0][0][0][1]: a State holds no id: 4",
        "[2]: a State holds no deck: 1 cards",
    ],
    "stepwise": [
        "[0][0][0][1]: a stepwise table holds no id: 4",
        "[0][0][1][1][0][0][1]: a stepwise table holds no food: 2",
        "[0][0][1][1][0][4][1]: a stepwise table holds no fat-food: 1",
    ],
    "cardwise": [
        "[0][0][0][1]: a cardwise table holds no id: 4",
        "[0][0][2][1]: a cardwise table holds no bag: 7",
        "[0][0][3][1]: a cardwise table holds no hand: 2 cards",
        "[2]: a cardwise table holds no deck: 1 cards",
    ],
    "table": [
        "[0][0][1][1][0][0][1]: design 4's table holds no food: 2",
        "[0][0][1][1][0][4][1]: design 4's table holds no fat-food: 1",
    ],
}
BACK = {
    "state": [
        [player([WOLF, species()], [[-2, "long-neck"], [8, "carnivore"]], 7, 1), player([], None, 0, 2)],
        6,
        [],
    ],
    "stepwise": [
        [
            player(
                [species(0, 3, 4, ["carnivore", "fat-tissue"]), species()],
                [[-2, "long-neck"], [8, "carnivore"]],
                7,
                1,
            ),
            player([], None, 0, 2),
        ],
        6,
        [[3, "pack-hunting"]],
    ],
    "cardwise": [[player([WOLF, species()], None, 0, 1), player([], None, 0, 2)], 6, []],
    "table": [
        [
            player(
                [species(0, 3, 4, ["carnivore", "fat-tissue"]), species()],
                [[-2, "long-neck"], [8, "carnivore"]],
                7,
                4,
            ),
            player([], None, 0, 2),
        ],
        6,
        [[3, "pack-hunting"]],
    ],
}


@pytest.mark.parametrize("form", OTHERS)
def test_what_would_be_lost_is_listed_by_path_and_nothing_is_printed(form: str) -> None:
    done = convert("configuration", form, CONFIGURATION)
    assert done.status == 65
    assert done.out == b""
    assert said(done) == [f"{line} would be dropped" for line in LOST[form]]


@pytest.mark.parametrize("form", OTHERS)
def test_lossy_drops_it_and_says_so(form: str) -> None:
    done = convert("configuration", form, CONFIGURATION, "--lossy")
    assert done.status == 0
    assert json.loads(done.out) == BY_HAND[form]
    assert done.out.count(b"\n") == 1
    assert said(done) == [f"{line} dropped" for line in LOST[form]]


@pytest.mark.parametrize("form", OTHERS)
def test_the_way_back_fills_with_nothing_and_numbers(form: str) -> None:
    done = convert(form, "configuration", BY_HAND[form])
    assert (done.status, done.err) == (0, b"")
    assert json.loads(done.out) == BACK[form]


def test_what_only_other_designs_know_is_lost_on_the_way_to_a_configuration() -> None:
    stepwise = copy.deepcopy(STEPWISE)
    stepwise[0][0][0][0][0][1][0] = -3  # type: ignore[index]
    stepwise[2][0] = [[1, "Horns"]]  # type: ignore[index]
    done = convert("stepwise", "configuration", stepwise)
    assert done.status == 65
    assert said(done) == [
        "[0][0][0][0][0][1][0]: a Configuration holds no food value of a trait: -3 would be dropped",
        "[2][0]: a Configuration holds no placed cards: 1 cards would be dropped",
    ]
    table = copy.deepcopy(TABLE)
    table["players"][0]["name"] = "Ann"  # type: ignore[index]
    done = convert("table", "configuration", table, "--lossy")
    assert done.status == 0
    assert said(done) == [
        '["players"][0]["name"]: a Configuration holds no name: "Ann" dropped',
        '["players"][0]["species"][0]["name"]: a Configuration holds no name of a board: "4.1" dropped',
        '["players"][0]["species"][1]["name"]: a Configuration holds no name of a board: "4.2" dropped',
    ]
    assert json.loads(done.out)[0][0][0] == ["id", 1]
    done = convert("cardwise", "configuration", {**CARDWISE, "playerId": 1})
    assert (
        done.err == b'harness convert: ["playerId"]: a Configuration holds no playerId: 1 would be dropped\n'
    )


def test_a_state_holds_the_bag_and_the_hand_of_its_owner_alone() -> None:
    configuration = [[player([], [[0, "horns"]], 3, 1), player([WOLF], [[1, "horns"]], 5, 2)], 0, []]
    done = convert("configuration", "state", configuration, "--lossy")
    assert json.loads(done.out) == [3, [], [[0, "horns"]], 0, [[WOLF]]]
    assert said(done) == [
        "[0][1][2][1]: a State holds no bag of another player: 5 dropped",
        "[0][1][3][1]: a State holds no hand of another player: 1 cards dropped",
    ]
    done = convert("state", "stepwise", json.loads(done.out))
    assert said(done) == [
        "[4][0][0][0][1]: a stepwise table holds no food: 2 would be dropped",
        "[4][0][0][4][1]: a stepwise table holds no fat-food: 1 would be dropped",
    ]


def test_what_two_designs_share_goes_from_one_to_the_other() -> None:
    stepwise = copy.deepcopy(STEPWISE)
    stepwise[0][0][0][0][0][1][0] = -3  # type: ignore[index]
    stepwise[2][0] = [[1, "Horns"]]  # type: ignore[index]
    done = convert("stepwise", "table", stepwise)
    assert (done.status, done.err) == (0, b"")
    table = json.loads(done.out)
    assert table["placedCards"] == [{"name": "horns", "food": 1}]
    assert table["players"][0]["species"][0]["traits"][1] == {"name": "fat-tissue", "food": -3}
    again = convert("table", "stepwise", table)
    assert json.loads(again.out) == stepwise


# --- refused ---------------------------------------------------------------------------------------

BOARD = {"name": "1.1", "population": 1, "bodySize": 0, "traits": []}
ANN = {"name": "1", "foodBag": 0, "species": [BOARD], "traits": []}


def table_of(**changes: Json) -> Json:
    return {"players": [ANN], "traitDeck": [], "wateringHole": 0, "placedCards": [], **changes}


def with_board(**changes: Json) -> Json:
    return table_of(players=[{**ANN, "species": [{**BOARD, **changes}]}])


REFUSED = [
    ("state", [1],
     "input: expected a state [bag, boards, hand, tokens, others], a list of 5, found a list of 1"),
    ("state", [0, [], [], -1, []], "[3]: expected a whole number, at least 0, found -1"),
    ("stepwise", [],
     "input: expected a dealer [players, deck, watering hole], a list of 3, found a list of 0"),
    ("stepwise", [[], [], [[], 0]], "[0]: expected 1 to 8 players, found 0"),
    ("stepwise", [[[[], [], 0]] * 9, [], [[], 0]], "[0]: expected 1 to 8 players, found 9"),
    ("stepwise", [[[[], [], -1]], [], [[], 0]], "[0][0][2]: expected a whole number, at least 0, found -1"),
    ("stepwise", [[[[], [], 0]], [], [[], True]], "[2][1]: expected a whole number, at least 0, found true"),
    ("stepwise", [[[[], [], 0]], [], 0],
     "[2]: expected a watering hole [cards, tokens], a list of 2, found 0"),
    ("stepwise", [[[[[[], 0, 0]], [], 0]], [], [[], 0]],
     "[0][0][0][0][2]: population must be a whole number from 1 to 7, found 0"),
    ("stepwise", [[[[[[], 8, 1]], [], 0]], [], [[], 0]],
     "[0][0][0][0][1]: body size must be a whole number from 0 to 7, found 8"),
    ("stepwise", [[[[], [], 0]], [[0, "fat-tissue"]], [[], 0]],
     '[1][0][1]: expected a trait such as "Fat Tissue", found "fat-tissue"'),
    ("stepwise", [[[[], [[4, "Horns"]], 0]], [], [[], 0]],
     "[0][0][1][0][0]: Horns cards have tokens from -3 to 3, found 4"),
    ("stepwise", [[[[[[[0, "Horns"], [1, "Horns"]], 0, 1]], [], 0]], [], [[], 0]],
     "[0][0][0][0][0][1]: Horns occurs here twice"),
    ("stepwise", [[[[[[[0, SPELLED[trait]] for trait in sorted(TRAITS)[:4]], 0, 1]], [], 0]], [], [[], 0]],
     "[0][0][0][0][0]: a board has at most 3 traits, found 4"),
    ("cardwise", [], "input: expected a game state, an object, found a list of 0"),
    ("cardwise", {"players": [[]], "playerId": 0},
     'input: the key "wateringHoleTokens" of a game state is missing'),
    ("cardwise", {"players": [[]], "playerId": 0, "wateringHoleTokens": 0, "deck": []},
     'input: a game state has no key "deck"'),
    ("cardwise", {"players": [[species(2)]], "playerId": 0, "wateringHoleTokens": 0},
     '["players"][0][0]: food is 2 but population is 1'),
    ("cardwise", {"players": [[]], "playerId": 1, "wateringHoleTokens": 0},
     '["playerId"]: there is no player 1: the table has 1'),
    ("cardwise", {"players": [[]], "playerId": 0, "wateringHoleTokens": 1.0},
     '["wateringHoleTokens"]: expected a whole number, at least 0, found 1.0: '
     "an integer must be written without a point or an exponent"),
    ("table", table_of(players=[]), '["players"]: expected 1 to 8 players, found 0'),
    ("table", table_of(wateringHole=None),
     '["wateringHole"]: expected a whole number, at least 0, found null'),
    ("table", table_of(traitDeck=[{"name": "horns"}]),
     '["traitDeck"][0]: the key "food" of a trait card is missing'),
    ("table", table_of(placedCards=[{"name": "Horns", "food": 0}]),
     '["placedCards"][0]["name"]: expected a trait, found "Horns"'),
    ("table", table_of(players=[{**ANN, "name": ""}]), '["players"][0]["name"]: expected a name, found ""'),
    ("table", with_board(population=0),
     '["players"][0]["species"][0]["population"]: population must be a whole number from 1 to 7, found 0'),
    ("table", with_board(bodySize="1"),
     '["players"][0]["species"][0]["bodySize"]: body size must be a whole number from 0 to 7, found "1"'),
    ("table", with_board(traits=[{"name": "horns", "food": -4}]),
     '["players"][0]["species"][0]["traits"][0]["food"]: '
     "food of horns must be a whole number from -3 to 3, found -4"),
    ("table", with_board(traits=[{"name": "horns", "food": 0}] * 2),
     '["players"][0]["species"][0]["traits"][1]: horns occurs here twice'),
    ("table", with_board(traits=[{"name": trait, "food": 0} for trait in sorted(TRAITS)[:4]]),
     '["players"][0]["species"][0]["traits"]: a board has at most 3 traits, found 4'),
    ("configuration", [[player([species(5)])], 0, []], "[0][0][1][1][0]: food is 5 but population is 1"),
]  # fmt: skip


@pytest.mark.parametrize(("form", "value", "line"), REFUSED, ids=[line for _, _, line in REFUSED])
def test_an_ill_formed_table_is_refused_by_path(form: str, value: Json, line: str) -> None:
    with pytest.raises(Malformed) as refused:
        read_table(form, value)
    assert str(refused.value) == line


@pytest.mark.parametrize(("form", "value", "line"), REFUSED[::9])
def test_a_refused_table_gives_one_line_and_status_65(form: str, value: Json, line: str) -> None:
    done = convert(form, "configuration", value, "--lossy")
    assert (done.out, done.err.decode(), done.status) == (b"", f"harness convert: {line}\n", 65)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (b"", "not JSON at byte 0: the input is empty"),
        (b"[1,", "not JSON at byte 3 (line 1, column 4): the value is cut off"),
        (b"{} {}", "input: expected one value, but another begins at byte 3"),
    ],
)
def test_what_is_no_json_is_refused_as_everywhere(text: bytes, line: str) -> None:
    done = convert("cardwise", "configuration", text)
    assert (done.out, done.err.decode(), done.status) == (b"", f"harness convert: {line}\n", 65)


def test_a_format_that_does_not_exist_is_a_usage_error() -> None:
    assert convert("cardwise", "chess", {}).status == 2
    assert run("harness", "convert", "--from", "cardwise", given=b"{}").status == 2


# --- what must always hold ---------------------------------------------------------------------------

nats = st.integers(0, 7)
naturals = st.integers(0, 10**20)
names = st.text(min_size=1, max_size=4)


@st.composite
def cards(draw: st.DrawFn) -> Json:
    trait = draw(st.sampled_from(sorted(TRAITS)))
    most = TRAITS[trait].most_food
    return [draw(st.integers(-most, most)), trait]


hands = st.lists(cards(), max_size=4)
some_traits = st.lists(st.sampled_from(sorted(TRAITS)), unique=True, max_size=3)


@st.composite
def boards(draw: st.DrawFn) -> Json:
    body, population, traits = draw(nats), draw(st.integers(1, 7)), draw(some_traits)
    fat = draw(st.integers(0, body)) if "fat-tissue" in traits else 0
    return species(draw(st.integers(0, population)), body, population, traits, fat or None)


rows = st.lists(boards(), max_size=3)


@st.composite
def configurations(draw: st.DrawFn) -> Json:
    players = [
        player(
            draw(st.lists(boards(), max_size=3)), draw(hands) or None, draw(naturals), draw(st.integers(1, 9))
        )
        for _ in range(draw(st.integers(1, 4)))
    ]
    return [players, draw(naturals), draw(hands)]


def spelled(hand: Json) -> Json:
    return [[food, SPELLED[trait]] for food, trait in hand]


def on_board(draw: st.DrawFn) -> Json:
    return [[draw(st.integers(-3, 3)), trait] for trait in draw(some_traits)]


@st.composite
def dealers(draw: st.DrawFn) -> Json:
    players = [
        [
            [
                [spelled(on_board(draw)), draw(nats), draw(st.integers(1, 7))]
                for _ in range(draw(st.integers(0, 3)))
            ],
            spelled(draw(hands)),
            draw(naturals),
        ]
        for _ in range(draw(st.integers(1, 4)))
    ]
    return [players, spelled(draw(hands)), [spelled(draw(hands)), draw(naturals)]]


@st.composite
def cardwise_states(draw: st.DrawFn) -> Json:
    players = draw(st.lists(rows, min_size=1, max_size=4))
    looking = draw(st.integers(0, len(players) - 1))
    return {"players": players, "playerId": looking, "wateringHoleTokens": draw(naturals)}


def objects(hand: Json) -> Json:
    return [{"name": trait, "food": food} for food, trait in hand]


@st.composite
def table_states(draw: st.DrawFn) -> Json:
    players = [
        {
            "name": draw(names),
            "foodBag": draw(naturals),
            "species": [
                {
                    "name": draw(names),
                    "population": draw(st.integers(1, 7)),
                    "bodySize": draw(nats),
                    "traits": objects(on_board(draw)),
                }
                for _ in range(draw(st.integers(0, 3)))
            ],
            "traits": objects(draw(hands)),
        }
        for _ in range(draw(st.integers(1, 4)))
    ]
    return {
        "players": players,
        "traitDeck": objects(draw(hands)),
        "wateringHole": draw(naturals),
        "placedCards": objects(draw(hands)),
    }


@st.composite
def states(draw: st.DrawFn) -> Json:
    others = draw(st.lists(rows, max_size=3))
    return [draw(naturals), draw(rows), draw(hands), draw(naturals), others]


VALUES = {
    "configuration": configurations(),
    "state": states(),
    "stepwise": dealers(),
    "cardwise": cardwise_states(),
    "table": table_states(),
}


def without(configuration: Json, form: str) -> Json:
    """The Configuration without what the other format does not hold."""
    players, hole, deck = copy.deepcopy(configuration)
    for number, one in enumerate(players, 1):
        if form != "table":
            one[0][1] = number
        if form == "cardwise" or (form == "state" and number > 1):
            one[2][1] = 0
            del one[3:]
        elif form != "state":
            for board in one[1][1]:
                board[0][1] = 0
                del board[4:]
    return [players, hole, [] if form in ("cardwise", "state") else deck]


@pytest.mark.parametrize("form", OTHERS)
@settings(deadline=None)
@given(data=st.data())
def test_a_configuration_comes_back_with_all_that_the_other_holds(form: str, data: st.DataObject) -> None:
    there = data.draw(configurations())
    table = read_table("configuration", copy.deepcopy(there))
    lost = losses(table, "configuration", form)
    other = json.loads(json.dumps(write_table(form, table)))
    back = read_table(form, other)
    assert losses(back, form, "configuration") == []
    assert write_table("configuration", back) == without(there, form)
    assert (lost == []) is (without(there, form) == there)


@pytest.mark.parametrize("form", FORMATS)
@settings(deadline=None)
@given(data=st.data())
def test_reading_and_writing_again_changes_nothing(form: str, data: st.DataObject) -> None:
    value = data.draw(VALUES[form])
    assert json.loads(json.dumps(write_table(form, read_table(form, copy.deepcopy(value))))) == value


@pytest.mark.every(2, "source")
@pytest.mark.parametrize("source", FORMATS)
@pytest.mark.parametrize("target", FORMATS)
@settings(deadline=None)
@given(data=st.data())
def test_where_nothing_is_lost_the_round_trip_is_exact(source: str, target: str, data: st.DataObject) -> None:
    value = data.draw(VALUES[source])
    table = read_table(source, copy.deepcopy(value))
    there = json.loads(json.dumps(write_table(target, table)))
    back = write_table(source, read_table(target, there))
    assert (losses(table, source, target) == []) is (back == value)
