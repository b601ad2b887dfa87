"""What the programs refuse, with which line, and what they take although it looks odd."""

import json
import re

import pytest

from tests.support.grammar import LONG, all_changes, verdict
from tests.support.helpers import (
    ACTION,
    ANSWERING,
    BIN,
    DECK,
    HAND,
    HERD,
    OWNER,
    SAMPLE_OF,
    SAMPLES,
    WOLF,
    WORM,
    Json,
    Outcome,
    Place,
    Raw,
    changed,
    json_bytes,
    player,
    run,
    run_in_time,
    shell,
    species,
)

REFUSED = 65


def assert_refused(outcome: Outcome, line: str) -> None:
    """Nothing on standard output, this one line on standard error, status 65."""
    assert outcome == (b"", f"{line}\n".encode(), REFUSED)


@pytest.mark.long
@pytest.mark.parametrize(("between", "one_of"), [("\n", 1), (" ", 5), ("\r\n\n", 11)])
@pytest.mark.parametrize("kind", SAMPLES)
def test_a_stream_says_the_same_to_every_change_as_a_program_that_is_started_for_it(
    kind: str, between: str, one_of: int
) -> None:
    program = SAMPLES[kind].program
    texts = all_changes(kind)[::one_of]
    verdicts = [verdict(program, text.encode()) for text in texts]
    outcome = run(program, "--stream", given=between.join(texts).encode())
    assert outcome.out.decode().split("\n") == [*(answer or "" for answer, _ in verdicts), ""]
    assert outcome.err.decode().split("\n") == [*(error for _, error in verdicts if error), ""]
    assert outcome.status == REFUSED


@pytest.mark.every(3, "kind")
@pytest.mark.parametrize("kind", SAMPLES)
def test_a_program_says_the_same_as_its_parts_in_this_process(kind: str) -> None:
    program = SAMPLES[kind].program
    texts = all_changes(kind)
    for text in texts[:: len(texts) // 8]:
        answer, error = verdict(program, text.encode())
        outcome = run_in_time(program, given=text.encode())
        if error is not None:
            assert_refused(outcome, error)
        else:
            assert outcome == (f"{answer}\n".encode() if answer is not None else b"", b"", 0)


# --- one by one, with the whole line ----------------------------------------------------------

NO_POINT = ": an integer must be written without a point or an exponent"
REFUSALS: list[tuple[str, Place, Json, str]] = [
    # Numbers at both ends, and what is no integer.
    ("situation", (0, 0, 1), -1, "[0][0][1]: food must be a whole number from 0 to 7, found -1"),
    ("situation", (0, 0, 1), 8, "[0][0][1]: food must be a whole number from 0 to 7, found 8"),
    ("situation", (1, 1, 1), -1, "[1][1][1]: body must be a whole number from 0 to 7, found -1"),
    ("situation", (1, 1, 1), 8, "[1][1][1]: body must be a whole number from 0 to 7, found 8"),
    ("situation", (2, 2, 1), 0, "[2][2][1]: population must be a whole number from 1 to 7, found 0"),
    ("situation", (2, 2, 1), 8, "[2][2][1]: population must be a whole number from 1 to 7, found 8"),
    ("situation", (3, 4, 1), -1, "[3][4][1]: fat-food must be a whole number from 0 to 7, found -1"),
    ("situation", (3, 4, 1), 8, "[3][4][1]: fat-food must be a whole number from 0 to 7, found 8"),
    ("situation", (0, 0, 1), True, "[0][0][1]: food must be a whole number from 0 to 7, found true"),
    ("situation", (0, 0, 1), Raw("1.0"),
     "[0][0][1]: food must be a whole number from 0 to 7, found 1.0" + NO_POINT),
    ("situation", (0, 0, 1), Raw("1e0"),
     "[0][0][1]: food must be a whole number from 0 to 7, found 1.0" + NO_POINT),
    ("situation", (0, 0, 1), Raw("1.5"), "[0][0][1]: food must be a whole number from 0 to 7, found 1.5"),
    ("situation", (0, 0, 1), LONG,
     "[0][0][1]: food must be a whole number from 0 to 7, found an integer of more than 4,300 digits"),
    ("feeding", (0, 0, 1), 0, "[0][0][1]: expected a whole number, at least 1, found 0"),
    ("feeding", (0, 2, 1), -1, "[0][2][1]: expected a whole number, at least 0, found -1"),
    ("feeding", (0, 2, 1), Raw(f"-{LONG}"),
     "[0][2][1]: expected a whole number, at least 0, found an integer of more than 4,300 digits"),
    ("feeding", (1,), 0, "[1]: expected a whole number, at least 1, found 0"),
    ("feeding", (1,), Raw("4.0"), "[1]: expected a whole number, at least 1, found 4.0" + NO_POINT),
    ("feeding state", (0,), -1, "[0]: expected a whole number, at least 0, found -1"),
    ("feeding state", (0,), LONG,
     "[0]: expected a whole number, at least 0, found an integer of more than 4,300 digits"),
    ("feeding state", (3,), 0, "[3]: expected a whole number, at least 1, found 0"),
    ("configuration", (0, 1, 2, 1), LONG,
     "[0][1][2][1]: expected a whole number, at least 0, found an integer of more than 4,300 digits"),
    ("configuration", (1,), -1, "[1]: expected a whole number, at least 0, found -1"),
    ("configuration", (1,), LONG,
     "[1]: expected a whole number, at least 0, found an integer of more than 4,300 digits"),
    ("configuration", (1,), "5", '[1]: expected a whole number, at least 0, found "5"'),
    ("state", (3,), 0, "[3]: expected a whole number, at least 1, found 0"),
    ("step 4", (1, 0, 0), -1, "[1][0][0]: expected a whole number, at least 0, found -1"),
    ("step 4", (1, 0, 3, 0, 1), None, "[1][0][3][0][1]: expected a whole number, at least 0, found null"),
    ("step 4", (1, 0, 4, 0, 1), Raw("1e0"),
     "[1][0][4][0][1]: expected a whole number, at least 0, found 1.0" + NO_POINT),
    ("state and choice", (0, 3), -1, "[0][3]: expected a whole number, at least 0, found -1"),
    ("state and choice", (1, 2), Raw("-0.0"),
     "[1][2]: expected a whole number, at least 0, found -0.0" + NO_POINT),
    ("state and action", (0, 3), Raw("4e0"),
     "[0][3]: expected a whole number, at least 0, found 4.0" + NO_POINT),
    ("state with a hand", (2, 0, 0), Raw("3.0"),
     "[2][0][0]: horns cards have food values from -3 to 3, found 3.0" + NO_POINT),
    # What does not fit together within a board.
    ("situation", (0, 0, 1), 4, "[0]: food is 4 but population is 3"),
    ("feeding", (2, 0, 1, 1, 0, 0, 1), 5, "[2][0][1][1][0]: food is 5 but population is 3"),
    ("feeding state", (4, 0, 1, 0, 1), 7, "[4][0][1]: food is 7 but population is 3"),
    ("configuration", (0, 1, 1, 1, 0, 0, 1), 5, "[0][1][1][1][0]: food is 5 but population is 3"),
    ("configuration", (0, 1, 1, 1, 1, 4, 1), 4, "[0][1][1][1][1]: fat-food is 4 but body is 3"),
    ("state", (4, 0, 0, 4, 1), 1, "[4][0][0]: fat-food is 1 but body is 0"),
    ("step 4", (0, 0, 0, 1, 1, 0, 2, 1), 0,
     "[0][0][0][1][1][0][2][1]: population must be a whole number from 1 to 7, found 0"),
    ("choice", (2, 0, 1, 2, 1), 1, "[2][0][1]: food is 2 but population is 1"),
    # Traits.
    ("situation", (1, 3, 1, 2), "swimming", '[1][3][1][2]: expected a trait, found "swimming"'),
    ("situation", (1, 3, 1, 2), "Ambush",
     '[1][3][1][2]: expected a trait, found "Ambush"; did you mean ambush?'),
    ("situation", (1, 3, 1, 2), "carnivore", "[1][3][1][2]: carnivore occurs here twice"),
    ("situation", (1, 3, 1, 2), ["ambush"], "[1][3][1][2]: expected a trait, found a list of 1"),
    ("situation", (1, 3, 1, 2), {}, "[1][3][1][2]: expected a trait, found an object"),
    ("situation", (0, 3, 1), ["ambush", "horns", "fertile", "herding"],
     "[0][3][1]: a board has at most 3 traits, found 4"),
    ("situation", (0, 3, 1), "horns", '[0][3][1]: expected a list of traits, found "horns"'),
    # Keys.
    ("situation", (0, 0, 0), "fod", '[0][0][0]: expected the key "food", found "fod"'),
    ("situation", (1, 4, 0), "fat-tissue", '[1][4][0]: expected the key "fat-food", found "fat-tissue"'),
    ("situation", (0,), HERD[::-1], '[0][0][0]: expected the key "food", found "traits"'),
    ("situation", (1,), [*WOLF[:3], WOLF[4], WOLF[3]],
     '[1][3][0]: expected the key "traits", found "fat-food"'),
    ("situation", (0, 1), ["body"], '[0][1]: expected a pair ["body", …], found a list of 1'),
    ("situation", (0, 1), {"body": 2}, '[0][1]: expected a pair ["body", …], found an object'),
    ("feeding", (0, 0, 0), "name", '[0][0][0]: expected the key "id", found "name"'),
    ("feeding", (0,), [OWNER[0], OWNER[2], OWNER[1], OWNER[3]],
     '[0][1][0]: expected the key "species", found "bag"'),
    ("configuration", (0, 0, 3, 0), "hand", '[0][0][3][0]: expected the key "cards", found "hand"'),
    # Cards.
    ("feeding", (0, 3, 1, 0), [4, "horns"],
     "[0][3][1][0][0]: horns cards have food values from -3 to 3, found 4"),
    ("feeding state", (2, 1), [-4, "ambush"],
     "[2][1][0]: ambush cards have food values from -3 to 3, found -4"),
    ("configuration", (2, 2), [9, "carnivore"],
     "[2][2][0]: carnivore cards have food values from -8 to 8, found 9"),
    ("state", (2, 2), [-9, "carnivore"],
     "[2][2][0]: carnivore cards have food values from -8 to 8, found -9"),
    ("step 4", (0, 2, 0), [1, "burrow"],
     '[0][2][0][1]: expected a trait, found "burrow"; did you mean burrowing?'),
    ("choice", (0, 3, 1, 2), [0, "scavenger", 0],
     "[0][3][1][2]: expected a card [food value, trait], found a list of 3"),
    ("choice", (0, 3, 1), "none", '[0][3][1]: expected a list of cards, found "none"'),
    # Wrong numbers of parts.
    ("situation", (), [], "input: expected a situation [defender, attacker, left, right], a list of 4, "
     "or [state, choice], a list of 2, found a list of 0"),
    ("situation", (), {}, "input: expected a situation [defender, attacker, left, right], a list of 4, "
     "or [state, choice], a list of 2, found an object"),
    ("state and choice", (0,), [1, 2], "[0]: expected a state [bag, boards, hand, tokens, others], "
     "a list of 5, found a list of 2"),
    ("state and choice", (1,), False, "[1]: expected a choice [own carnivore, other player, board], "
     "a list of 3, found false"),
    ("situation", (2,), 0, "[2]: expected a species or false, found 0"),
    ("situation", (0,), HERD[:3], "[0]: expected a species of 4 or 5 pairs, found a list of 3"),
    ("situation", (0,), [*WOLF, WOLF[4]], "[0]: expected a species of 4 or 5 pairs, found a list of 6"),
    ("feeding", (), [1, 2, 3, 4],
     "input: expected a feeding, a list of 3, or a state, a list of 5, found a list of 4"),
    ("feeding", (0,), OWNER[:2], "[0]: expected a player of 3 or 4 pairs, found a list of 2"),
    ("configuration", (), [[], 1],
     "input: expected a configuration, a list of 3, or a state, a list of 5, found a list of 2"),
    ("step 4", (), [[], [], []], "input: expected [configuration, actions] or [state, action], "
     "a list of 2, found a list of 3"),
    ("step 4", (0,), [[], 1, [], []],
     "[0]: expected a configuration, a list of 3, or a state, a list of 5, found a list of 4"),
    ("state and action", (1,), [ACTION], "[1]: expected an action [food card, population, body, boards, "
     "traits], a list of 5, found a list of 1"),
    ("step 4", (1, 0), [0, [], [], []], "[1][0]: expected an action [food card, population, body, boards, "
     "traits], a list of 5, found a list of 4"),
    ("step 4", (1, 0, 1, 0), [0, 1, 2], '[1][0][1][0][0]: expected the label "population", found 0'),
    ("step 4", (1, 0, 2, 0), ["population", 0, 1],
     '[1][0][2][0][0]: expected the label "body", found "population"'),
    ("step 4", (1, 0, 1, 0), [0], '[1][0][1][0]: expected [board, card] or ["population", board, card], '
     "a list of 2, found a list of 1"),
    ("step 4", (1, 0, 3, 0), [],
     "[1][0][3][0]: expected [payment card, up to 3 trait cards], found a list of 0"),
    ("step 4", (1, 0, 3, 0), [1, 2, 3, 4, 5],
     "[1][0][3][0]: expected [payment card, up to 3 trait cards], found a list of 5"),
    ("step 4", (1, 0, 4, 0), [0, 1],
     "[1][0][4][0]: expected [board, trait slot, card], a list of 3, found a list of 2"),
    ("choice", (), [OWNER, []],
     "input: expected a choice, a list of 3, or a state, a list of 5, found a list of 2"),
    # Too few or too many players, cards and actions.
    ("configuration", (0,), [], "[0]: expected 1 to 8 players, found 0"),
    ("configuration", (0,), [player()] * 9, "[0]: expected 1 to 8 players, found 9"),
    ("feeding", (2,), [player()] * 8, "[2]: expected at most 7 other players, found 8"),
    ("feeding state", (4,), [[]] * 8, "[4]: expected at most 7 other players, found 8"),
    ("state", (4,), [[]] * 8, "[4]: expected at most 7 other players, found 8"),
    ("step 4", (0, 0), [], "[0][0]: expected 1 to 8 players, found 0"),
    ("step 4", (0, 0), [OWNER] * 9, "[0][0]: expected 1 to 8 players, found 9"),
    ("step 4", (1,), [ACTION], "[1]: expected one action for each of the 2 players, found 1"),
    ("step 4", (1,), [ACTION] * 3, "[1]: expected one action for each of the 2 players, found 3"),
    ("choice", (1,), [[]] * 8, "[1]: expected at most 7 other players, found 8"),
    ("choice", (2,), [[]] * 6, "input: expected at most 7 other players, found 8"),
    ("choice", (0, 3, 1), HAND[:2], "[0]: the hand must have at least 3 cards, found 2"),
    ("choice", (0,), player([HERD]), "[0]: the hand must have at least 3 cards, found 0"),
    ("state with a hand", (2,), HAND[:2], "[2]: the hand must have at least 3 cards, found 2"),
    ("state with a hand", (4,), [[]] * 8, "[4]: expected at most 7 other players, found 8"),
    # Well-formed, but illegal.
    ("state and choice", (1, 0), 2, "[1][0]: own board 2 does not exist: the row has 2"),
    ("state and choice", (1, 1), 4, "[1][1]: player 4 does not exist: 3 is the owner"),
    ("state and choice", (1, 1), 1, "[1][2]: board 1 of player 1 does not exist: the row has 0"),
    ("state and action", (1, 0), 7, "[1][0]: card 7 does not exist: the hand has 7"),
]  # fmt: skip


@pytest.mark.parametrize("kind", SAMPLES)
def test_a_program_refuses_with_the_place_and_what_is_wrong_there(kind: str) -> None:
    program, value = SAMPLES[kind]
    refusals = [refusal for refusal in REFUSALS if refusal[0] == kind]
    given = b"\n".join(json_bytes(changed(value, at, new)) for _, at, new, _ in refusals)
    outcome = run_in_time(program, "--stream", given=given)
    assert outcome.err.decode().splitlines() == [f"{program}: {line}" for *_, line in refusals]
    assert (outcome.out, outcome.status) == (b"\n" * len(refusals), REFUSED)
    assert_refused(run_in_time(program, given=given.splitlines()[0]), f"{program}: {refusals[0][3]}")


@pytest.mark.parametrize("wrong", ["food\\n", "\\u001b[31m", "\\u2028", "\\ud800", "\\u0000", "ſood", "'"])
def test_an_error_line_is_one_line_of_plain_characters_whatever_it_quotes(wrong: str) -> None:
    data = json_bytes(changed(SAMPLE_OF["xattack"], (0, 0, 0), wrong))
    outcome = run_in_time("xattack", given=data)
    assert re.fullmatch(rb'xattack: \[0\]\[0\]\[0\]: expected the key "food", found "[ -~]+"\n', outcome.err)
    assert outcome.status == REFUSED


def test_an_error_line_cuts_short_what_it_quotes() -> None:
    for new in ("x" * 100_000, Raw("7" * 4300)):
        outcome = run("xattack", given=json_bytes(changed(SAMPLE_OF["xattack"], (0, 0, 1), new)))
        assert outcome.err.startswith(b"xattack: [0][0][1]: food must be")
        assert outcome.err.decode().endswith(('x…"\n', "7…\n"))
        assert len(outcome.err) < 200


# --- text that is not JSON --------------------------------------------------------------------


def instead_of_a_digit(text: bytes, wrong: bytes) -> tuple[bytes, int]:
    """The text with this instead of its first digit, and where that is."""
    found = re.search(rb"\d", text)
    assert found
    return text[: found.start()] + wrong + text[found.end() :], found.start()


def cases_of_no_json(text: bytes) -> dict[str, tuple[bytes, int]]:
    """Texts that are not JSON, made of one that is, and the byte that each goes wrong at."""
    size, quote = len(text), text.index(b'"')
    return {
        "the last bracket missing": (text[:-1], size - 1),
        "all but a bracket missing": (text[:1], 1),
        "cut off within a string": (text[: quote + 3], quote),
        "cut off within a word": (text[:-1] + b",fal", size),
        "a bracket too many": (text + b"]", size),
        "a curly bracket at the end": (text[:-1] + b"}", size - 1),
        "a comma too many": (text[:-1] + b",,1]", size),
        "words after it": (text + b" and so on", size + 1),
        "words instead of it": (b"nothing", 0),
        "100,000 brackets open": (b"[" * 100_000, 512),
        "100,000 brackets open and closed": (b"[" * 100_000 + b"]" * 100_000, 512),
        "100,000 objects open": (b'{"a":' * 100_000, 512 * 5),
        "513 levels": (b"[" * 513 + b"]" * 513, 512),
        "513 levels of the value": (text[:-1] + b"," + b"[" * 512 + b"]" * 513, size + 511),
        "600 levels of the value": (text[:-1] + b"," + b"[" * 599 + b"]" * 600, size + 511),
        "a byte that is not UTF-8": (text.replace(b'"', b'"\xff', 1), quote + 1),
        "half a character": (text.replace(b'"', b'"\xc3', 1), quote + 1),
        "a byte that is not UTF-8, alone": (b"\xff", 0),
        "a byte-order mark": (b"\xef\xbb\xbf" + text, 0),
        "UTF-16": (text.decode().encode("utf-16"), 0),
        "UTF-16 without a mark": (b"\0" + text, 0),
        "NaN": (b"NaN", 0),
        "Infinity": (b" Infinity", 1),
        "minus Infinity": (b"-Infinity", 0),
        "NaN within": instead_of_a_digit(text, b"NaN"),
        "Infinity within": instead_of_a_digit(text, b"Infinity"),
        "minus Infinity within": instead_of_a_digit(text, b"-Infinity"),
        "a plus sign": instead_of_a_digit(text, b"+1"),
        "no digit before the point": instead_of_a_digit(text, b".5"),
        "a name": instead_of_a_digit(text, b"x"),
        "a comment": (b"/* a case */" + text, 0),
        "a quotation mark of the other kind": (text.replace(b'"', b"'", 2), quote),
        "a new line within a string": (text.replace(b'"', b'"\n', 1), quote + 1),
        "an escape that is none": (text.replace(b'"', b'"\\x', 1), quote + 1),
        "a vertical tab": (b"\v" + text, 0),
        "a mark on the third line": (b"\n\n " + text[:-1] + b"?", size + 2),
        "a mark after more than ASCII": (b"\n" + text.replace(b'"', b'"\xc3\xa9', 1)[:-1] + b"!", size + 2),
        "a space that is none": (b"\xc2\xa0" + text, 0),
    }


NO_JSON = list(cases_of_no_json(b'["",1]'))


FIRST, *OTHERS = ANSWERING


@pytest.mark.every(2, "case")
@pytest.mark.parametrize("case", NO_JSON)
@pytest.mark.parametrize(
    "program", [FIRST, *(pytest.param(program, marks=pytest.mark.long) for program in OTHERS)]
)
def test_text_that_is_not_json_is_refused_with_the_byte_the_line_and_the_column(
    program: str, case: str
) -> None:
    data, byte = cases_of_no_json(json_bytes(SAMPLE_OF[program]))[case]
    outcome = run_in_time(program, given=data)
    lines = data[:byte].decode().split("\n")
    place = rf"byte {byte} \(line {len(lines)}, column {len(lines[-1]) + 1}\)"
    assert re.fullmatch(rf"{program}: not JSON at {place}: [ -~]+\n", outcome.err.decode())
    assert (outcome.out, outcome.status) == (b"", REFUSED)


AFTER_A_VALUE = ("a bracket too many", "words after it")


@pytest.mark.every(4, "case")
@pytest.mark.parametrize("case", NO_JSON)
def test_text_that_is_not_json_ends_a_stream_with_the_byte_and_no_answer(case: str) -> None:
    program = ANSWERING[NO_JSON.index(case) % len(ANSWERING)]
    text = json_bytes(SAMPLE_OF[program])
    data, _ = cases_of_no_json(text)[case]
    answer = f"{verdict(program, text).answer}\n" if case in AFTER_A_VALUE else ""
    line = re.sub(r" \(line \d+, column \d+\)", "", f"{verdict(program, data).error}\n")
    stream = run_in_time(program, "--stream", given=data)
    assert stream == (answer.encode(), line.encode(), REFUSED)


@pytest.mark.parametrize(("data", "byte"), [(b"", 0), (b" ", 1), (b"\n\r\t \n", 5)])
@pytest.mark.parametrize("program", ANSWERING)
def test_no_value_at_all_is_refused(program: str, data: bytes, byte: int) -> None:
    line = f"{program}: not JSON at byte {byte}: the input is empty"
    assert_refused(run_in_time(program, given=data), line)


@pytest.mark.parametrize("program", ANSWERING)
def test_a_closed_standard_input_is_an_empty_one(program: str) -> None:
    outcome = shell('"$1" <&-', BIN / program)
    assert_refused(outcome, f"{program}: not JSON at byte 0: the input is empty")


@pytest.mark.parametrize("between", [b"", b" ", b"\n\n"])
@pytest.mark.parametrize("program", ANSWERING)
def test_two_values_are_refused(program: str, between: bytes) -> None:
    text = json_bytes(SAMPLE_OF[program])
    second = len(text + between)
    assert_refused(
        run_in_time(program, given=text + between + text),
        f"{program}: input: expected one value, but another begins at byte {second}",
    )


@pytest.mark.parametrize("program", ANSWERING)
def test_512_levels_are_json_and_513_are_not(program: str) -> None:
    outcome = run_in_time(program, given=b"[" * 512 + b"]" * 512)
    assert re.fullmatch(rf"{program}: input: expected .*, found a list of 1\n", outcome.err.decode())
    assert (outcome.out, outcome.status) == (b"", REFUSED)


# --- large input ------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("program", ANSWERING)
def test_a_list_of_five_million_bytes_is_refused_in_time(program: str) -> None:
    outcome = run_in_time(program, given=b"[" + b"1234," * 999_999 + b"1]")
    assert re.fullmatch(rf"{program}: input: expected .*, found a list of 1000000\n", outcome.err.decode())
    assert (outcome.out, outcome.status) == (b"", REFUSED)


@pytest.mark.parametrize(
    ("kind", "at", "place"),
    [
        ("situation", (0,), "[0]"),
        pytest.param("feeding", (0, 3, 1), "[0][3][1][0]", marks=pytest.mark.long),
        pytest.param("configuration", (2,), "[2][0]", marks=pytest.mark.long),
        pytest.param("step 4", (1,), "[1][0]", marks=pytest.mark.long),
        pytest.param("choice", (1,), "[1][0]", marks=pytest.mark.long),
    ],
)
def test_a_part_of_five_million_bytes_is_refused_in_time(kind: str, at: Place, place: str) -> None:
    program, value = SAMPLES[kind]
    data = json_bytes(changed(value, at, Raw("[" + "1234," * 999_999 + "1]")))
    outcome = run_in_time(program, given=data)
    assert re.fullmatch(rf"{program}: {re.escape(place)}: expected .*\n", outcome.err.decode())
    assert (outcome.out, outcome.status) == (b"", REFUSED)


@pytest.mark.parametrize("program", ANSWERING)
def test_a_string_of_five_million_bytes_is_refused_in_time(program: str) -> None:
    outcome = run_in_time(program, given=b'"' + b'\\"' * 2_500_000 + b'"')
    assert outcome.err.startswith(f"{program}: input: expected ".encode())
    assert len(outcome.err) < 300
    assert (outcome.out, outcome.status) == (b"", REFUSED)


# --- well-formed, but illegal -----------------------------------------------------------------

# A player with boards of 6 heads and of body 6, two traits each, and five cards.
BOLD = player(
    [species(0, 0, 6, ["horns", "climbing"]), species(0, 6, 1, ["fertile", "horns"])],
    [[1, "horns"], [0, "climbing"], [2, "ambush"], [-1, "ambush"], [3, "herding"]],
)
IDLE = [0, [], [], [], []]
ILLEGAL: list[tuple[Json, str]] = [
    ([5, [], [], [], []], "[1][0][0]: card 5 does not exist: the hand has 5"),
    ([0, [[0, 1], [0, 5]], [], [], []], "[1][0][1][1]: card 5 does not exist: the hand has 5"),
    ([0, [], [["body", 0, 9]], [], []], "[1][0][2][0]: card 9 does not exist: the hand has 5"),
    ([0, [], [], [[7, 1]], []], "[1][0][3][0][0]: card 7 does not exist: the hand has 5"),
    ([0, [], [], [[1, 2, 6]], []], "[1][0][3][0][2]: card 6 does not exist: the hand has 5"),
    ([0, [], [], [], [[0, 0, 5]]], "[1][0][4][0]: card 5 does not exist: the hand has 5"),
    ([0, [[0, 0]], [], [], []], "[1][0][1][0]: card 0 is used twice"),
    ([0, [[0, 1]], [[0, 1]], [], []], "[1][0][2][0]: card 1 is used twice"),
    ([0, [], [], [[1, 1]], []], "[1][0][3][0][1]: card 1 is used twice"),
    ([0, [], [], [[1], [2, 1]], []], "[1][0][3][1][1]: card 1 is used twice"),
    ([0, [], [], [[1]], [[0, 0, 1]]], "[1][0][4][0]: card 1 is used twice"),
    ([0, [[2, 1]], [], [], []], "[1][0][1][0]: board 2 does not exist: the row has 2"),
    ([0, [], [[2, 1]], [], []], "[1][0][2][0]: board 2 does not exist: the row has 2"),
    ([0, [], [], [[1]], [[3, 0, 2]]], "[1][0][4][0]: board 3 does not exist: the row has 3"),
    ([0, [], [], [], [[0, 2, 2]]], "[1][0][4][0]: board 0 has no trait slot 2: it has 2 traits"),
    ([0, [], [], [[1]], [[2, 0, 2]]], "[1][0][4][0]: board 2 has no trait slot 0: it has 0 traits"),
    ([4, [], [], [], [[0, 1, 0]]], "[1][0]: board 0 would have horns twice"),
    ([4, [], [], [[0, 2, 3]], []], "[1][0]: board 2 would have ambush twice"),
    ([0, [[0, 1], ["population", 0, 2]], [], [], []], "[1][0]: board 0 would have population 8"),
    ([0, [], [["body", 1, 1], [1, 2]], [], []], "[1][0]: board 1 would have body 8"),
]


@pytest.mark.parametrize(("action", "line"), ILLEGAL, ids=[line for _, line in ILLEGAL])
def test_an_illegal_action_is_refused_with_its_place_and_the_reason(action: Json, line: str) -> None:
    value = [[[BOLD], 3, DECK], [action]]
    assert_refused(run_in_time("xstep4", given=json_bytes(value)), f"xstep4: {line}")


def test_the_place_of_an_illegal_action_tells_whose_it_is() -> None:
    value = [[[BOLD, BOLD, player()], 3, DECK], [IDLE, [9, [], [], [], []], IDLE]]
    line = "xstep4: [1][1][0]: card 9 does not exist: the hand has 5"
    assert_refused(run("xstep4", given=json_bytes(value)), line)


def test_a_player_without_cards_has_no_legal_action() -> None:
    value = [[[BOLD, player([HERD])], 3, DECK], [IDLE, IDLE]]
    line = "xstep4: [1][1][0]: card 0 does not exist: the hand has 0"
    assert_refused(run("xstep4", given=json_bytes(value)), line)


def test_a_stream_says_the_same_to_illegal_actions_and_goes_on() -> None:
    values = [[[[BOLD], 3, DECK], [action]] for action, _ in [*ILLEGAL, (IDLE, "")]]
    outcome = run("xstep4", "--stream", given=b"\n".join(map(json_bytes, values)))
    answer = run("xstep4", given=json_bytes(values[-1])).out
    assert answer.startswith(b"[[")
    assert outcome.out == b"\n" * len(ILLEGAL) + answer
    assert outcome.err.decode() == "".join(f"xstep4: {line}\n" for _, line in ILLEGAL)
    assert outcome.status == REFUSED


# --- accepted, because real cases have it -----------------------------------------------------


def answer_to(program: str, value: Json | bytes) -> Json:
    """The answer to a value that the program takes without complaint."""
    outcome = run(program, given=value if isinstance(value, bytes) else json_bytes(value))
    assert (outcome.err, outcome.status) == (b"", 0)
    assert outcome.out.count(b"\n") == 1
    return json.loads(outcome.out)


@pytest.mark.parametrize("kind", SAMPLES)
def test_white_space_makes_no_difference(kind: str) -> None:
    program, value = SAMPLES[kind]
    plain = answer_to(program, value)
    assert answer_to(program, b"\n\t " + json_bytes(value) + b" \r\n") == plain
    assert answer_to(program, json.dumps(value, indent=4).encode()) == plain
    spaced = re.sub(rb"([\[\],])", rb"\r\n\t \1\t ", json_bytes(value))
    assert answer_to(program, spaced) == plain


def test_escapes_in_strings_make_no_difference() -> None:
    data = json_bytes(SAMPLE_OF["xattack"]).replace(b'"food"', b'"\\u0066oo\\u0064"')
    assert answer_to("xattack", data) is True


def test_minus_zero_is_zero() -> None:
    assert answer_to("xstep", [Raw("-0"), [], [], 1, []]) == [0, [], [], 1, []]


def test_a_fat_food_of_nothing_is_taken_and_not_written() -> None:
    assert answer_to("xstep", [0, [species(1, 2, 1, ["fat-tissue"], 0)], [], 1, []]) == [
        0, [species(1, 2, 1, ["fat-tissue"], 1)], [], 0, []
    ]  # fmt: skip
    assert answer_to("xstep", [0, [WORM], [], 1, []]) == [0, [species(3, 0, 3)], [], 0, []]


def test_fat_food_without_fat_tissue_is_dropped() -> None:
    value = [0, [species(2, 4, 2, ["horns"], 3)], [], 1, []]
    assert answer_to("xstep", value) == [0, [species(2, 4, 2, ["horns"])], [], 1, []]


def test_fat_food_without_fat_tissue_is_checked_all_the_same() -> None:
    value = [0, [species(2, 2, 2, ["horns"], 3)], [], 1, []]
    assert_refused(run("xstep", given=json_bytes(value)), "xstep: [1][0]: fat-food is 3 but body is 2")


def test_an_empty_hand_is_taken_and_not_written() -> None:
    assert answer_to("xstep", [[player([], [])], 2, []]) == [[player()], 2, []]


def test_equal_ids_and_equal_cards_are_taken() -> None:
    twins = [player([], [[1, "horns"], [1, "horns"]], 0, 4)] * 2
    value = [twins, 2, [[1, "horns"]] * 3]
    assert answer_to("xstep", value) == value


@pytest.mark.every(3, "count")
@pytest.mark.parametrize("count", range(1, 9))
def test_every_kind_of_value_takes_1_to_8_players(count: int) -> None:
    meal, fed = species(0, 0, 1), species(1, 0, 1)
    owner = player([meal], HAND[:3])
    others = [player([fed])] * (count - 1)
    rest = [[fed]] * (count - 1)
    assert answer_to("xfeed", [owner, 1, others]) == 0
    assert answer_to("xfeed", [0, [meal], [], 1, rest]) == 0
    assert answer_to("xstep", [0, [meal], [], 1, rest]) == [0, [fed], [], 0, rest]
    assert answer_to("xstep", [[owner, *others], 1, []]) == [[player([fed], HAND[:3]), *others], 0, []]
    idle = [player([fed], [[0, "horns"]])] * count
    assert answer_to("xstep4", [[idle, 1, []], [IDLE] * count]) == [[player([fed])] * count, 1, []]
    for before in range(count):
        assert answer_to("xsilly", [owner, rest[:before], rest[before:]]) == [1, [], [], [[2, 0]], []]


def test_labels_of_growth_may_be_there_or_not_side_by_side() -> None:
    table = [[player([HERD, WORM], HAND)], 5, DECK]
    plain = [0, [[0, 1], [1, 2]], [[1, 3], [0, 4]], [], []]
    labelled = [0, [["population", 0, 1], ["population", 1, 2]], [["body", 1, 3], ["body", 0, 4]], [], []]
    mixed = [0, [["population", 0, 1], [1, 2]], [[1, 3], ["body", 0, 4]], [], []]
    answer = answer_to("xstep4", [table, [plain]])
    assert answer_to("xstep4", [table, [labelled]]) == answer
    assert answer_to("xstep4", [table, [mixed]]) == answer


@pytest.mark.parametrize("options", [(), ("--stream",)])
def test_numbers_of_up_to_4300_digits_keep_their_value(options: tuple[str, ...]) -> None:
    for digits in (19, 20, 40, 4300):
        many = Raw("9" * digits)
        value = [[player([], None, many, many)], many, []]
        assert run("xstep", *options, given=json_bytes(value)) == (json_bytes(value) + b"\n", b"", 0)
        value = [many, [], [], many, []]
        assert run("xstep", *options, given=json_bytes(value)) == (json_bytes(value) + b"\n", b"", 0)


@pytest.mark.parametrize("options", [(), ("--stream",)])
def test_numbers_of_4301_digits_are_out_of_range(options: tuple[str, ...]) -> None:
    data = json_bytes([Raw("1" + "0" * 4300), [], [], 1, []])
    outcome = run("xstep", *options, given=data)
    line = "[0]: expected a whole number, at least 0, found an integer of more than 4,300 digits"
    assert outcome == (b"\n" if options else b"", f"xstep: {line}\n".encode(), REFUSED)


def test_food_cards_can_make_the_longest_number_of_tokens_longer() -> None:
    value = [[[player([], [[3, "horns"]])], Raw("9" * 4300), []], [IDLE]]
    outcome = run("xstep4", given=json_bytes(value))
    longer = Raw("1" + "0" * 4299 + "2")
    assert outcome == (json_bytes([[player()], longer, []]) + b"\n", b"", 0)
