"""JSON values one after the other, with nothing to frame them, read as their bytes come in.

The reader finds where each value ends in one pass over the bytes, however they are cut into
pieces, and then has the value parsed. It is the careful reader: it says at which byte text stops
being JSON, takes integers of any length, and bounds how deep values nest.
"""

import re
from _json import make_scanner
from json import JSONDecodeError

from evolution.wire.errors import Malformed, NotJSON
from evolution.wire.text import Context

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

DEEPEST = 512  # levels of nesting; no value of the game needs more than ten
MOST_DIGITS = 4300  # what Python itself reads as an integer

WHITE_BYTES = re.compile(rb"[ \t\n\r]")
BLANKS = re.compile(rb"[ \t\n\r]*")
STRUCTURE = re.compile(rb'"|[\[{]+|[\]}]+')
# Possessive: whatever could be taken back would be remembered, at many times the string's size.
IN_STRING = re.compile(rb'[^"\\]*+(?:\\.[^"\\]*+)*+', re.DOTALL)
STRING = re.compile(b'"' + IN_STRING.pattern + b'"', re.DOTALL)
STRING_OR_CONSTANT = re.compile(STRING.pattern + rb"|NaN|-?Infinity", re.DOTALL)
STRING_OR_BLANKS = re.compile(rb"(" + STRING.pattern + rb")|[ \t\n\r]+", re.DOTALL)
NUMBER_RUN = re.compile(rb"[-+.0-9eE]+")
NUMBER = re.compile(rb"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")
LONGEST_INDEX = 9  # digits of a number that is taken for an index
QUOTE = ord('"')
OPENING = b"[{"
DIGITS = b"-0123456789"  # what a number begins with
WORDS = (b"true", b"false", b"null")
CONSTANTS = (b"NaN", b"Infinity")  # what other programs take for a value


class TooLong:
    """Stands for an integer of too many digits. It is of no type that a reader takes for a number."""

    def __str__(self) -> str:
        return f"an integer of more than {MOST_DIGITS:,} digits"


def _any_int(digits: str) -> "int | TooLong":
    """The integer; one that is too long to be read is out of every range."""
    return int(digits) if len(digits.removeprefix("-")) <= MOST_DIGITS else TooLong()


class CarefulContext(Context):
    """Takes integers of any length."""

    parse_int = staticmethod(_any_int)


careful_scan = make_scanner(CarefulContext)  # type: ignore[arg-type]


class Value:
    """One value of a stream: its bytes, and the offset of the first of them."""

    __slots__ = ("data", "offset")

    def __init__(self, data: bytes, offset: int) -> None:
        self.data = data
        self.offset = offset

    def parse(self) -> object:
        """The value itself. Raises NotJSON with the offset in the whole stream."""
        try:
            text = self.data.decode()
        except UnicodeDecodeError as bad:
            # What stands before the bad byte may be wrong already.
            self._parse_prefix(self.data[: bad.start].decode())
            raise NotJSON(self.offset + bad.start, "not UTF-8") from None
        try:
            value, end = careful_scan(text, 0)
        except StopIteration as stop:
            raise self._wrong(text, stop.value, "expected a value") from None
        except JSONDecodeError as wrong:
            raise self._wrong(text, wrong.pos, _in_words(wrong.msg)) from None
        except ValueError:
            raise NotJSON(self.offset + self._constant(), "NaN and Infinity are not JSON") from None
        if end != len(text):
            raise self._wrong(text, end, "expected a value")
        return value

    def _parse_prefix(self, text: str) -> None:
        """Raises NotJSON if the text goes wrong before its end."""
        try:
            Value(text.encode(), self.offset).parse()
        except NotJSON as wrong:
            if wrong.byte < self.offset + len(text.encode()) and "cut off" not in wrong.why:
                raise

    def _wrong(self, text: str, at: int, why: str) -> NotJSON:
        if at >= len(text):
            why = "the value is cut off"
        return NotJSON(self.offset + len(text[:at].encode()), why)

    def _constant(self) -> int:
        """Where the first NaN or Infinity stands."""
        return next(
            found.start()
            for found in STRING_OR_CONSTANT.finditer(self.data)
            if not found.group().startswith(b'"')
        )

    def compact(self) -> bytes:
        """The value's bytes without the white space between its tokens."""
        if not WHITE_BYTES.search(self.data):
            return self.data
        return STRING_OR_BLANKS.sub(rb"\1", self.data)


def _in_words(message: str) -> str:
    """The json package's complaint in the words of our error lines."""
    message = message[0].lower() + message[1:]
    message = re.sub(r"^expecting", "expected", message)
    if message.startswith("unterminated string"):
        return "the string is cut off"
    return message.removesuffix(" at")


class Reader:
    """Takes bytes as they come and hands out the values that are complete.

    Iterating yields values until more bytes are needed, and raises NotJSON where the text stops
    being JSON. After `close`, what is left over is read as the end of the input.
    """

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._offset = 0  # of the buffer's first byte in the whole stream
        self._start = 0  # where the value that is being read begins
        self._at = 0  # how far it has been looked at
        self._depth = 0
        self._in_string = False
        self._settled = False
        self._closed = False

    def feed(self, data: bytes) -> None:
        """More bytes of the stream."""
        self._settled = False
        del self._buffer[: self._start]
        self._offset += self._start
        self._at -= self._start
        self._start = 0
        self._buffer += data

    def skip(self, count: int) -> None:
        """Bytes that somebody else has read, between values: only their number matters here."""
        self.feed(b"")
        self._offset += count

    def settle(self) -> None:
        """No more bytes have come for a while: if all that is held is a number, it is complete."""
        self._settled = self._is_number()

    def close(self) -> None:
        """There will be no more bytes."""
        self._closed = True

    @property
    def offset(self) -> int:
        """The offset of the first byte that belongs to no value handed out so far."""
        return self._offset + self._start

    @property
    def pending(self) -> bool:
        """Whether a value has begun that is not complete."""
        return self._start < len(self._buffer)

    @property
    def held(self) -> int:
        """How many bytes wait for the rest of their value, or to be handed out."""
        return len(self._buffer) - self._start

    @property
    def blank(self) -> bool:
        """Whether no byte is held but white space, which is then let go."""
        if self._at == self._start:
            self._skip_blanks()
        return not self.pending

    @property
    def unsettled(self) -> bool:
        """Whether what is held is a number, complete unless more of it follows."""
        return self.in_number and not self._settled and self._is_number()

    def is_beyond(self, largest: int) -> bool:
        """Whether what is held is a number to which no digit can be added without its being larger."""
        if not self.unsettled or self.held > LONGEST_INDEX:
            return False
        digits = bytes(self._buffer[self._start :])
        return digits == b"0" or (digits.isdigit() and 10 * int(digits) > largest)

    def _is_number(self) -> bool:
        return NUMBER.fullmatch(self._buffer, self._start) is not None

    @property
    def in_number(self) -> bool:
        """Whether what is held begins with a number, of which nobody can say yet where it ends."""
        return not self.blank and self._buffer[self._start] in DIGITS

    def __iter__(self) -> "Iterator[Value]":
        while True:
            if self._at == self._start:
                self._skip_blanks()
            if not self.pending:
                return
            end = self._end_of_value()
            if end is None:
                if self._closed:
                    self._cut_off()
                return
            value = Value(bytes(self._buffer[self._start : end]), self.offset)
            self._start = self._at = end
            yield value

    def _skip_blanks(self) -> None:
        blanks = BLANKS.match(self._buffer, self._start)
        assert blanks is not None  # the pattern matches the empty string
        self._start = self._at = blanks.end()

    def _end_of_value(self) -> "int | None":
        """Where the value that begins at _start ends, or None if that is not known yet."""
        first = self._buffer[self._start : self._start + 1]
        if self._in_string or self._depth or first in b'"[{':
            return self._end_of_structure()
        if first in DIGITS:
            return self._end_of_number()
        return self._end_of_word()

    def _end_of_structure(self) -> "int | None":
        buffer = self._buffer
        while True:
            if self._in_string:
                inside = IN_STRING.match(buffer, self._at)
                assert inside is not None  # the pattern matches the empty string
                self._at = inside.end()
                if buffer[self._at : self._at + 1] != b'"':
                    return None
                self._at += 1
                self._in_string = False
            else:
                found = STRUCTURE.search(buffer, self._at)
                if found is None:
                    self._at = len(buffer)
                    return None
                start, self._at = found.span()
                self._enter(buffer[start], start)
            if self._depth == 0 and not self._in_string:
                return self._at

    def _enter(self, mark: int, start: int) -> None:
        """Go into a string, or into or out of as many lists and objects as there are brackets in a row."""
        if mark == QUOTE:
            self._in_string = True
        elif mark in OPENING:
            self._depth += self._at - start
            if self._depth > DEEPEST:
                at = self._offset + self._at - (self._depth - DEEPEST)
                raise NotJSON(at, f"nested deeper than {DEEPEST} levels")
        else:
            self._at = min(self._at, start + self._depth)  # what follows the value is not its own
            self._depth -= self._at - start

    def _end_of_number(self) -> "int | None":
        run = NUMBER_RUN.match(self._buffer, self._at)
        self._at = run.end() if run else self._at
        if self._at == len(self._buffer) and not (self._closed or self._settled):
            return None
        number = NUMBER.match(self._buffer, self._start)
        if number is None:
            raise NotJSON(self.offset, "expected a value")
        return number.end()

    def _end_of_word(self) -> "int | None":
        rest = bytes(self._buffer[self._start : self._start + 8])
        for word in WORDS:
            if rest.startswith(word):
                return self._start + len(word)
        if rest.startswith(CONSTANTS):
            raise NotJSON(self.offset, "NaN and Infinity are not JSON")
        if not self._closed and any(word.startswith(rest) for word in WORDS + CONSTANTS):
            return None
        raise NotJSON(self.offset, "expected a value")

    def _cut_off(self) -> None:
        """The input ended within a value: raises what is wrong with what there is of it."""
        Value(bytes(self._buffer[self._start :]), self.offset).parse()
        raise AssertionError("a value that parses is complete")


def one_value(data: bytes) -> object:
    """The one value of a whole input. Raises NotJSON, or Malformed if there are more values."""
    reader = Reader()
    reader.feed(data)
    reader.close()
    values = iter(reader)
    try:
        first = next(values, None)
        value = first.parse() if first is not None else None
        second = next(values, None)
        if second is not None:
            second.parse()
    except NotJSON as wrong:
        raise wrong.within(data) from None
    if first is None:
        raise NotJSON(len(data), "the input is empty")
    if second is not None:
        raise Malformed(f"expected one value, but another begins at byte {second.offset}")
    return value


def check_depth(data: bytes, offset: "int | None" = None) -> None:
    """Raises NotJSON if the bytes, known to be JSON, nest too deep; with an offset, they are part of more."""
    reader = Reader()
    reader.feed(data)
    reader.close()
    try:
        for _ in reader:
            pass
    except NotJSON as deep:
        raise deep.within(data) if offset is None else NotJSON(offset + deep.byte, deep.why) from None
