"""The list of guests of a server: who may sign up, and for how many seats."""

from harness.errors import UserError

MOST_SEATS = 8


def read_guests(path: str, text: str) -> dict[str, int]:
    """The seats of each guest: one name a line, and perhaps a tab and a number. Raises UserError."""
    guests: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        name, tab, seats = line.partition("\t")
        if not line.strip() or line.startswith("#"):
            continue
        if tab and not (seats.isdecimal() and seats.isascii() and 1 <= int(seats) <= MOST_SEATS):
            raise UserError(f"{path}:{number}: expected 1 to {MOST_SEATS} seats after the tab")
        if name in guests:
            raise UserError(f"{path}:{number}: this name is listed twice")
        guests[name] = int(seats) if tab else 1
    if not guests:
        raise UserError(f"{path}: there is no name in it")
    return guests
