"""TAP 14, the Test Anything Protocol: a line a case, as it ends, and under a failure a YAML block.

Every text in a block is a double-quoted scalar on one line, in which all that YAML could take for
something else is escaped.
"""

from harness.judging.verdicts import KNOWN, PASS, WITHHELD
from harness.report.words import message, safe, total

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import BinaryIO

    from harness.judging.result import Result
    from harness.report import Run
    from harness.report.words import CauseText
    from harness.running.pool import Summary

START = b"TAP version 14\n"

# What a block says of a case, as far as its result has it.
KEYS = ("program", "verdict", "detail", "differences", "explanation", "input", "exit", "seconds")
LAST_KEYS = ("stdout", "stderr", "reproduce")


DIRECTIVES = {KNOWN: f" # TODO {KNOWN}", WITHHELD: f" # SKIP {WITHHELD}"}


class Report:
    """One such file."""

    def __init__(self, file: "BinaryIO", run: "Run") -> None:
        self._file = file
        self._count = 0
        file.write(START)

    def add(self, result: "Result") -> None:
        """Write a line, and a block if the case has failed."""
        self._count += 1
        name = safe(result.case).replace("\\", "\\\\").replace("#", "\\#")
        if result.verdict == PASS:
            lines = [f"ok {self._count} - {name}"]
        else:
            directive = DIRECTIVES.get(result.verdict, "")
            ok = "ok" if result.verdict == WITHHELD else "not ok"
            lines = [f"{ok} {self._count} - {name}{directive}", "  ---", *_block(result), "  ..."]
        self._file.write("".join(f"{line}\n" for line in lines).encode())

    def finish(self, summary: "Summary", causes: "Sequence[CauseText]" = ()) -> None:
        """Write the plan, or that there is none because somebody has interrupted the run."""
        if summary.interrupted:
            self._file.write(f"# {total(summary)}\nBail out! interrupted\n".encode())
        else:
            self._file.write(f"1..{self._count}\n# {total(summary)}\n".encode())


def _block(result: "Result") -> list[str]:
    lines = [f"  message: {_scalar(message(result))}"]
    told = result.to_json()
    lines += [line for key in KEYS if key in told for line in _pair(key, told[key])]
    if result.smallest is not None:
        for key, part in zip(("at", "expected", "printed"), result.smallest, strict=True):
            lines.append(f"  {key}: {_scalar(part)}")
    lines += [line for key in LAST_KEYS if told.get(key) for line in _pair(key, told[key])]
    return lines


def _pair(key: str, value: object) -> list[str]:
    if isinstance(value, (list, tuple)):
        return [f"  {key}:", *(f"    - {_scalar(part)}" for part in value)] if value else []
    return [f"  {key}: {_scalar(value)}"]


def _scalar(value: object) -> str:
    if isinstance(value, str):
        return f'"{_quoted(value)}"'
    return "null" if value is None else str(value)


def _quoted(text: str) -> str:
    text = text.replace("\\", "\\\\").replace('"', '\\"')
    return text if text.isprintable() else "".join(map(_character, text))


def _character(one: str) -> str:
    if one.isprintable():
        return one
    if one in "\n\t":
        return "\\n" if one == "\n" else "\\t"
    number = ord(one)
    if 0xD800 <= number < 0xE000:  # half of a pair, which no text may have
        return f"\\\\u{number:04x}"
    return (
        f"\\x{number:02x}"
        if number < 0x100
        else f"\\u{number:04x}"
        if number < 0x10000
        else f"\\U{number:08x}"
    )
