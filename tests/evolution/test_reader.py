"""A reader of values one after the other: where each one ends, and where text stops being JSON."""

import json
from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evolution.wire.errors import Malformed, NotJSON
from evolution.wire.stream import Reader, one_value
from evolution.wire.text import parse
from tests.support.helpers import MIXED, Json


class Heard(NamedTuple):
    """What a reader makes of some bytes: the values with their offsets, and what it stops at."""

    values: list[tuple[bytes, int]]
    stop: tuple[int, str] | None


def read(pieces: Iterable[bytes]) -> Heard:
    """What a reader makes of bytes that come in these pieces."""
    reader = Reader()
    values = []
    try:
        for piece in pieces:
            reader.feed(piece)
            for value in reader:
                value.parse()
                values.append((value.data, value.offset))
        reader.close()
        for value in reader:
            value.parse()
            values.append((value.data, value.offset))
    except NotJSON as problem:
        return Heard(values, (problem.byte, problem.why))
    return Heard(values, None)


def cut(data: bytes, at: Iterable[int]) -> list[bytes]:
    """The bytes in pieces."""
    places = [0, *sorted(at), len(data)]
    return [data[start:end] for start, end in pairwise(places)]


PARTS = [
    b"[1, 2.50e-7 ,[]]", b'"a \\" b]"', b'{"x" :\n-0}', b"true", b"false", b"null", b"17", b"-3.5",
    '"é\\\\"'.encode(), b'[["\\ud83d"]]', b'{"[":"{"}', b'""', b"[true]", b"-1e+9", b"[]", b"0",
]  # fmt: skip


def test_values_need_nothing_between_them() -> None:
    values, stop = read([MIXED])
    assert [data for data, _ in values] == PARTS
    assert all(MIXED[at:].startswith(data) for data, at in values)
    assert stop is None


def test_it_makes_no_difference_where_the_bytes_are_cut() -> None:
    whole = read([MIXED])
    for at in range(len(MIXED) + 1):
        assert read(cut(MIXED, [at])) == whole
    assert read(cut(MIXED, range(len(MIXED)))) == whole


def test_a_value_is_there_as_soon_as_its_last_byte_is() -> None:
    for data in (b"[1,[2]]", b'{"a":"}"}', b'"a\\"b"', b"true", b"false", b"null"):
        reader = Reader()
        for byte in data[:-1]:
            reader.feed(bytes([byte]))
            assert list(reader) == []
        reader.feed(data[-1:])
        assert [value.data for value in reader] == [data]


def test_a_number_is_there_when_something_else_follows_it() -> None:
    for after in (b" ", b"\n", b"[", b'"', b"t"):
        reader = Reader()
        reader.feed(b"12")
        assert list(reader) == []
        reader.feed(after)
        assert [value.data for value in reader] == [b"12"]


@pytest.mark.parametrize(
    ("data", "byte"),
    [
        (b"[1] [2", 6),
        (b'[1] "abc', 4),
        (b'[1] {"a"', 8),
        (b"[1] tru", 4),
        (b"[1] trux", 4),
        (b"[1] -", 4),
        (b"[1] 1.", 5),
        (b"[1] [01]", 6),
        (b"[1] ]", 4),
        (b"[1] [}", 5),
        (b'[1] {"a" 1}', 9),
        (b"[1] [1 2]", 7),
        (b"[1],[2]", 3),
        (b"\xef\xbb\xbf[1]", 0),
        (b'[1] ["\xff"]', 6),
        ('["é"] ["é", x]'.encode(), 14),
        (b'[1] "a\nb"', 6),
        (b"[1] [NaN]", 5),
        (b'[1] ["NaN", -Infinity]', 12),
        (b"[1] NaN", 4),
        (b"[1] " + b"[" * 520, 516),
    ],
)
def test_text_stops_being_json_at_a_byte_of_the_whole_stream_wherever_it_is_cut(
    data: bytes, byte: int
) -> None:
    whole = read([data])
    assert whole.stop is not None
    assert whole.stop[0] == byte
    for at in range(len(data)):
        assert read(cut(data, [at])) == whole
    assert read(cut(data, range(len(data)))) == whole


json_values: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda parts: st.lists(parts) | st.dictionaries(st.text(), parts),
    max_leaves=5,
)
blanks = st.text(" \t\r\n", max_size=3)


@st.composite
def streams(draw: st.DrawFn) -> tuple[list[Json], bytes]:
    """Some values, and a stream of them that is written in some way or other."""
    values = draw(st.lists(json_values, max_size=4))
    text = draw(blanks)
    for value in values:
        written = json.dumps(value, ensure_ascii=draw(st.booleans()), indent=draw(st.sampled_from([None, 1])))
        text += written + (draw(blanks) or ("" if written[-1] in ']}"' else " "))
    return values, text.encode("utf-8", "surrogatepass")


def property_test(examples: int) -> settings:
    return settings(deadline=None, max_examples=examples, suppress_health_check=[HealthCheck.too_slow])


@property_test(100)
@given(streams().filter(lambda stream: b"\xed" not in stream[1]), st.data())
def test_a_reader_gives_the_values_that_were_written_however_the_bytes_are_cut(
    stream: tuple[list[Json], bytes], data: st.DataObject
) -> None:
    values, text = stream
    heard = read(cut(text, data.draw(st.lists(st.integers(0, len(text))))))
    assert heard.stop is None
    assert [json.loads(value) for value, _ in heard.values] == values
    assert all(text[at : at + len(value)] == value for value, at in heard.values)


# Much that looks like JSON, and little that is.
nearly_json = st.lists(
    st.sampled_from([*'[]{}",:\\ \n', "1", "-", "0.5", "e9", "true", "nul", '"a"', "\\u", "é", "NaN", "x"]),
    max_size=14,
).map(lambda parts: "".join(parts).encode())
nearly_utf8 = st.tuples(nearly_json, st.sampled_from([b"", b"\xff", b"\xc3", b"\x00"]), nearly_json).map(
    b"".join
)


@property_test(300)
@given(nearly_json | nearly_utf8, st.data())
def test_a_reader_stops_at_the_same_byte_however_the_bytes_are_cut(text: bytes, data: st.DataObject) -> None:
    whole = read([text])
    assert read(cut(text, data.draw(st.lists(st.integers(0, len(text)))))) == whole
    assert read(cut(text, range(len(text)))) == whole


@property_test(300)
@given(nearly_json | nearly_utf8 | streams().map(lambda stream: stream[1]))
def test_a_stream_of_one_value_and_a_program_that_is_started_for_it_read_the_same(text: bytes) -> None:
    values, stop = read([text])
    if len(values) > 1:
        with pytest.raises(Malformed):
            parse(text)
    elif stop or not values:
        with pytest.raises(NotJSON) as problem:
            parse(text)
        assert (problem.value.byte, problem.value.why) == (stop or (len(text), "the input is empty"))
    else:
        assert parse(text) == one_value(text) == json.loads(values[0][0])
