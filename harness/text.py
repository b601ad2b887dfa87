"""Texts for people: cut to a length, put into columns, safe in a spreadsheet."""

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "|", "%")


def cut(text: str, most: int) -> str:
    """The text, or so many characters of its beginning and a mark."""
    return text if len(text) <= most else f"{text[:most]}…"


def printed_text(data: bytes, most: int) -> str:
    """What a program has printed, or so many characters of its beginning and a mark."""
    text = data[: most * 4].decode(errors="backslashreplace")
    return text if len(text) <= most and len(data) <= most * 4 else f"{text[:most]}…"


def counted(number: int, what: str) -> str:
    """A number with its noun."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def number_in(text: str) -> int:
    """The number that a text is, in digits; -1 if it is none, or too long to be of any use."""
    return int(text) if len(text) < 10 and text.isascii() and text.isdecimal() else -1


def table(rows: list[list[str]]) -> list[str]:
    """Rows in columns: the second and the last to the left, the others to the right."""
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    last = len(widths) - 1
    lines = []
    for row in rows:
        cells = [
            cell.ljust(width) if at in (1, last) else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return lines


def cell(text: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.lstrip().startswith(FORMULA) or text.startswith(FORMULA) else text
