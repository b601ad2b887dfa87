"""Values one after the other: where each one ends, what is said to it, and when."""

import json

import pytest

from tests.support.helpers import (
    ANSWERING,
    BIN,
    HAND,
    HERD,
    MIXED,
    SAMPLE_OF,
    WOLF,
    Conversation,
    json_bytes,
    player,
    run,
    shell,
    species,
)

REFUSED = 65

PREY = species(0, 0, 1)
YES = [PREY, WOLF, False, False]  # xattack: true
NO = [WOLF, PREY, False, False]  # xattack: false
WRONG = [PREY, WOLF, False]
WRONG_LINE = b"xattack: input: expected a situation [defender, attacker, left, right], a list of 4, "
WRONG_LINE += b"or [state, choice], a list of 2, found a list of 3\n"
TIED = [0, [species(2, 1, 2)], [], 1, []]  # xfeed: nothing
HUNGRY = [0, [PREY], [], 1, []]  # xfeed: 0


# --- answers ----------------------------------------------------------------------------------


@pytest.mark.every(4, "between")
@pytest.mark.parametrize("between", [b"", b" ", b"\n", b"\n\n\r\n\t ", b" \n"])
@pytest.mark.parametrize("program", ANSWERING)
def test_each_value_is_answered_with_one_line_whatever_is_between_them(program: str, between: bytes) -> None:
    text = json_bytes(SAMPLE_OF[program])
    answer = run(program, given=text)
    assert answer.status == 0
    assert run(program, "--stream", given=between.join([text] * 3)) == (answer.out * 3, b"", 0)


def test_values_over_many_lines_are_answered() -> None:
    pretty = json.dumps(YES, indent=2).encode() + b"\n" + json.dumps(NO, indent=1).encode()
    assert run("xattack", "--stream", given=pretty + json_bytes(YES)) == (b"true\nfalse\ntrue\n", b"", 0)


@pytest.mark.parametrize("text", [b"", b"\n \r\n\t"])
@pytest.mark.parametrize("program", ANSWERING)
def test_a_stream_of_nothing_is_fine(program: str, text: bytes) -> None:
    assert run(program, "--stream", given=text) == (b"", b"", 0)


def test_a_closed_standard_input_is_a_stream_of_nothing() -> None:
    assert shell('"$1" --stream <&-', BIN / "xattack") == (b"", b"", 0)


def test_nothing_is_answered_with_an_empty_line() -> None:
    stream = b"\n".join(map(json_bytes, [HUNGRY, TIED, HUNGRY, TIED]))
    assert run("xfeed", "--stream", given=stream) == (b"0\n\n0\n\n", b"", 0)


@pytest.mark.parametrize("between", [b"\n", b" ", b"\n\n"])
def test_a_refused_value_is_answered_with_an_empty_line_and_the_stream_goes_on(between: bytes) -> None:
    stream = between.join(map(json_bytes, [YES, WRONG, NO, WRONG, YES]))
    assert run("xattack", "--stream", given=stream) == (
        b"true\n\nfalse\n\ntrue\n",
        WRONG_LINE * 2,
        REFUSED,
    )


@pytest.mark.parametrize("scalar", [b"null", b"true", b"17", b'"x"', b"{}"])
def test_a_value_that_is_no_list_is_refused_like_any_other(scalar: bytes) -> None:
    stream = json_bytes(YES) + b" " + scalar + b" " + json_bytes(NO)
    outcome = run("xattack", "--stream", given=stream)
    assert outcome.out == b"true\n\nfalse\n"
    assert outcome.err == run("xattack", given=scalar).err
    assert outcome.status == REFUSED


@pytest.mark.parametrize("between", [b"\n", b" ", b""])
def test_text_that_is_not_json_ends_the_stream_after_the_answers_before_it(between: bytes) -> None:
    before = json_bytes(YES) + between + json_bytes(WRONG) + between
    outcome = run("xattack", "--stream", given=before + b"nonsense\n" + json_bytes(YES))
    line = f"xattack: not JSON at byte {len(before)}: expected a value\n".encode()
    assert outcome == (b"true\n\n", WRONG_LINE + line, REFUSED)


@pytest.mark.parametrize("between", [b"\n", b" "])
def test_a_value_that_is_cut_off_ends_the_stream_without_an_answer_to_it(between: bytes) -> None:
    text = json_bytes(YES) + between
    outcome = run("xattack", "--stream", given=text + text[:-2])
    line = f"xattack: not JSON at byte {len(text + text) - 2}: the value is cut off\n".encode()
    assert outcome == (b"true\n", line, REFUSED)


def test_a_value_that_nests_too_deep_ends_the_stream_at_its_byte() -> None:
    before = json_bytes(YES) + b"\n \t"
    deep = b"[" * 600 + b"]" * 600 + b"\n"
    outcome = run("xattack", "--stream", given=before + deep + json_bytes(YES))
    line = f"xattack: not JSON at byte {len(before) + 512}: nested deeper than 512 levels\n".encode()
    assert outcome == (b"true\n", line, REFUSED)


@pytest.mark.parametrize("between", [b"\n", b" ", b"\n\n"])
def test_bytes_are_counted_over_the_whole_of_a_long_stream(between: bytes) -> None:
    before = (json_bytes(YES) + between) * 2000
    assert len(before) > 5 << 16  # several times what is read at once
    outcome = run("xattack", "--stream", given=before + b'["\xff"]')
    line = f"xattack: not JSON at byte {len(before) + 2}: not UTF-8\n".encode()
    assert outcome == (b"true\n" * 2000, line, REFUSED)


def test_places_are_told_from_the_value_and_not_from_the_stream() -> None:
    wrong = json_bytes([species(5, 0, 3), WOLF, False, False])
    outcome = run("xattack", "--stream", given=json_bytes(YES) + wrong + b"\n" + wrong)
    assert outcome == (b"true\n\n\n", b"xattack: [0]: food is 5 but population is 3\n" * 2, REFUSED)


def test_labelled_answers_come_in_streams_too() -> None:
    choice = json_bytes([player([HERD], HAND[:5]), [], []])
    plain = b"[1,[[1,4]],[[1,0]],[[3,2]],[]]\n"
    labelled = b'[1,[["population",1,4]],[["body",1,0]],[[3,2]],[]]\n'
    assert run("xsilly", "--labelled", given=choice) == (labelled, b"", 0)
    for options in (("--stream", "--labelled"), ("--labelled", "--stream")):
        assert run("xsilly", *options, given=choice * 2) == (labelled * 2, b"", 0)
    assert run("xsilly", "--stream", given=choice * 2) == (plain * 2, b"", 0)


@pytest.mark.parametrize("program", ANSWERING)
def test_what_is_explained_in_a_stream_is_what_is_explained_alone(program: str) -> None:
    given = json_bytes(SAMPLE_OF[program])
    alone = run(program, "--explain", given=given)
    assert alone.err
    assert run(program, "--stream", "--explain", given=given * 2) == (alone.out * 2, alone.err * 2, 0)


def test_explanations_come_in_streams_too() -> None:
    outcome = run("xattack", "--stream", "--explain", given=json_bytes(YES) + json_bytes(NO))
    assert outcome.out == b"true\nfalse\n"
    assert outcome.err.splitlines() == [
        b"xattack: nothing blocks the attack (rules 2)",
        b"xattack: the attacker is not a carnivore (rules 2.2)",
    ]
    assert outcome.status == 0


# --- in time ----------------------------------------------------------------------------------


@pytest.mark.every(3, "after")
@pytest.mark.parametrize("after", [b"\n", b"", b"\n\n"])
@pytest.mark.parametrize("program", ANSWERING)
def test_each_answer_comes_before_the_next_value_is_sent(program: str, after: bytes) -> None:
    text = json_bytes(SAMPLE_OF[program])
    answer = run(program, given=text).out
    with Conversation(BIN / program, "--stream") as talk:
        for _ in range(4):
            talk.say(text + after)
            assert talk.hear() == answer
        assert talk.end() == (b"", b"", 0)


def test_an_empty_line_comes_at_once_too() -> None:
    with Conversation(BIN / "xattack", "--stream") as talk:
        for _ in range(2):
            talk.say(json_bytes(WRONG))
            assert talk.hear() == b"\n"
        talk.say(json_bytes(YES) + b"\n")
        assert talk.hear() == b"true\n"
        assert talk.end() == (b"", WRONG_LINE * 2, REFUSED)


def test_several_values_may_come_at_once_and_the_last_one_in_pieces() -> None:
    yes, no = json_bytes(YES), json_bytes(NO)
    with Conversation(BIN / "xattack", "--stream") as talk:
        talk.say(yes + b"\n" + no + yes + b"\n" + no[:40])
        assert [talk.hear() for _ in range(3)] == [b"true\n", b"false\n", b"true\n"]
        talk.say(no[40:60])
        assert talk.silent()
        talk.say(no[60:] + b"\n" + yes)
        assert [talk.hear() for _ in range(2)] == [b"false\n", b"true\n"]
        talk.say(b"\n" + no[:1])
        talk.say(no[1:] + yes)
        assert [talk.hear() for _ in range(2)] == [b"false\n", b"true\n"]
        assert talk.end() == (b"", b"", 0)


@pytest.mark.parametrize("between", [b"", b"\n", b"\n\n "])
def test_values_may_come_byte_by_byte(between: bytes) -> None:
    stream = between.join(map(json_bytes, [YES, WRONG, NO])) + between
    with Conversation(BIN / "xattack", "--stream") as talk:
        for byte in stream:
            talk.say(bytes([byte]))
        assert [talk.hear() for _ in range(3)] == [b"true\n", b"\n", b"false\n"]
        talk.say(b"x")
        line = f"xattack: not JSON at byte {len(stream)}: expected a value\n".encode()
        assert talk.end() == (b"", WRONG_LINE + line, REFUSED)


@pytest.mark.long
def test_a_stream_may_be_cut_at_any_byte() -> None:
    stream = b'\n[ 1 ]"x\\"" [[\n]]\n\n17\n' + json_bytes(HUNGRY) + b" null\n{}7 false"
    alone = run("xfeed", "--stream", given=stream)
    assert alone.out == b"\n\n\n\n0\n\n\n\n\n"
    for at in range(1, len(stream), 6):
        with Conversation(BIN / "xfeed", "--stream") as talk:
            talk.say(stream[:at])
            talk.say(stream[at:])
            assert talk.end() == alone


# --- xstream ----------------------------------------------------------------------------------


def echoed(given: bytes) -> list[bytes]:
    """The lines that xstream prints for a stream that is right."""
    outcome = run("xstream", given=given)
    assert (outcome.err, outcome.status) == (b"", 0)
    return outcome.out.splitlines()


def test_xstream_echoes_every_value_on_a_line_and_counts_them() -> None:
    assert echoed(MIXED) == [
        b"[1,2.50e-7,[]]", b'"a \\" b]"', b'{"x":-0}', b"true", b"false", b"null", b"17", b"-3.5",
        '"é\\\\"'.encode(), b'[["\\ud83d"]]', b'{"[":"{"}', b'""', b"[true]", b"-1e+9", b"[]", b"0",
        b'{"count": 16}',
    ]  # fmt: skip


@pytest.mark.parametrize("text", [b"", b" \n\n"])
def test_xstream_counts_no_values_in_an_empty_stream(text: bytes) -> None:
    assert run("xstream", given=text) == (b'{"count": 0}\n', b"", 0)


def test_xstream_counts_no_values_when_its_input_is_closed() -> None:
    assert shell('"$1" <&-', BIN / "xstream") == (b'{"count": 0}\n', b"", 0)


@pytest.mark.parametrize(
    "number",
    ["1.0", "1e0", "1E+0", "-0", "-0.0e-0", "1e999", "1e-5000", "0.1000", "12345678901234567890", "9" * 5000,
     "-" + "9" * 5000, "0." + "3" * 5000],
    ids=lambda number: number[:12],
)  # fmt: skip
def test_xstream_keeps_numbers_as_they_are_written(number: str) -> None:
    text = number.encode()
    assert echoed(b"[ " + text + b' ] {"a" : ' + text + b"} " + text) == [
        b"[" + text + b"]", b'{"a":' + text + b"}", text, b'{"count": 3}'
    ]  # fmt: skip


@pytest.mark.parametrize(
    "string",
    [r'"\ud800"', r'"\ud83d\ude00"', '"😀é"', r'"\u00e9\/\b\f\n\r\t\"\\"', '" a  b "', r'"\\\\\" [ , ] "',
     '"[ 1 ]"'],
)  # fmt: skip
def test_xstream_keeps_strings_as_they_are_written(string: str) -> None:
    text = string.encode()
    assert echoed(text + b"[ " + text + b" ]{ " + text + b" : 1 }") == [
        text, b"[" + text + b"]", b"{" + text + b":1}", b'{"count": 3}'
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("wrong", "byte", "why"),
    [
        (b"x", 8, "expected a value"),
        (b"]", 8, "expected a value"),
        (b"[1,", 11, "the value is cut off"),
        (b'"abc', 8, "the string is cut off"),
        (b"NaN", 8, "NaN and Infinity are not JSON"),
        (b"\xef\xbb\xbf", 8, "expected a value"),
        (b'["\xff"]', 10, "not UTF-8"),
        (b"[" * 513, 520, "nested deeper than 512 levels"),
    ],
    ids=repr,
)
def test_xstream_keeps_what_came_before_text_that_is_not_json_and_counts_nothing(
    wrong: bytes, byte: int, why: str
) -> None:
    outcome = run("xstream", given=b"[ 1 ]{}\n" + wrong)
    assert outcome == (b"[1]\n{}\n", f"xstream: not JSON at byte {byte}: {why}\n".encode(), REFUSED)


def test_xstream_echoes_each_value_before_the_next_one_is_sent() -> None:
    with Conversation(BIN / "xstream") as talk:
        for value in (b"[1,2]", b'"a"', b"{}", b"null"):
            talk.say(value)
            assert talk.hear() == value + b"\n"
        talk.say(b"17")
        assert talk.silent()
        talk.say(b"\n")
        assert talk.hear() == b"17\n"
        assert talk.end() == (b'{"count": 5}\n', b"", 0)


def test_xstream_takes_values_byte_by_byte() -> None:
    with Conversation(BIN / "xstream") as talk:
        for byte in MIXED:
            talk.say(bytes([byte]))
        outcome = talk.end()
    assert outcome == run("xstream", given=MIXED)
    assert outcome.out.endswith(b'{"count": 16}\n')


def test_xstream_echoes_large_values() -> None:
    large = [
        json.dumps(list(range(20_000)), separators=(",", ":")).encode(),
        b'"' + b"ab \\n" * 100_000 + b'"',
    ]
    assert echoed(large[0].replace(b",", b" ,\n") + large[1]) == [*large, b'{"count": 2}']


def test_a_stream_of_options_has_a_line_for_each_value() -> None:
    cow = [["food", 0], ["body", 0], ["population", 1], ["traits", []]]
    values = [[0, [cow], [], 1, []], [0, [], [], 1, [[cow]]], [0, [cow, cow], [], 0, []]]
    done = run("xfeed", "--stream", "--options", given="\n".join(map(json.dumps, values)).encode())
    assert done.out == b"[0,false]\n\n\n"
    assert done.err.startswith(b"xfeed: [3]: expected a whole number, at least 1")
    assert done.status == 65
