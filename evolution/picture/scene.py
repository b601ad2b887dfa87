"""What a picture shows: seats with boards, and what lies between them.

A scene is made from a table, or from what a player sees, and says for itself who acts and which boards
have a role. Whatever is hidden from somebody is not in the scene that is made for them.
"""

from evolution.actions import Action4
from evolution.cards import Card
from evolution.choices import Attack, Decline, Eat, FeedingChoice, State, StoreFat
from evolution.species import Species
from evolution.table import Player, Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

ATTACKER, TARGET, FED = "attacker", "target", "is fed"
MOST_DIGITS = 20
SOME_DIGITS = 12  # of a number that has more


class Seat:
    """One player's place: a title, boards, and what else may be seen there.

    bag, hand: None if they are hidden.
    names: what the boards are called, if not by their numbers.
    roles: the role of a board in what happens, by its number.
    notes: lines about what the player does.
    """

    __slots__ = ("bag", "boards", "hand", "names", "notes", "roles", "title")

    def __init__(
        self,
        title: str,
        boards: list[Species],
        bag: "int | None" = None,
        hand: "list[Card] | None" = None,
        names: "list[str] | None" = None,
    ) -> None:
        self.title = title
        self.boards = boards
        self.bag = bag
        self.hand = hand
        self.names = [str(at) for at in range(len(boards))] if names is None else names
        self.roles: dict[int, str] = {}
        self.notes: list[str] = []


class Scene:
    """Everything in a picture. `acting` is the seat whose turn it is; what is hidden is None."""

    __slots__ = ("acting", "deck", "hole", "seats")

    def __init__(
        self,
        seats: list[Seat],
        hole: "int | None" = None,
        deck: "list[Card] | None" = None,
        acting: "int | None" = None,
    ) -> None:
        self.seats = seats
        self.hole = hole
        self.deck = deck
        self.acting = acting


def number(value: int) -> str:
    """A number as a picture has it: of one that is longer than anybody reads, the beginning."""
    if abs(value) < 10**MOST_DIGITS:
        return str(value).replace("-", "−")
    digits = _digits(abs(value))
    return f"{'−' if value < 0 else ''}{digits[:SOME_DIGITS]}… ({len(digits)} digits)"


def _digits(value: int) -> str:
    """All digits, also of a number that is too long for Python to write at once."""
    step = 10**4000
    parts = []
    while value >= step:
        value, last = divmod(value, step)
        parts.append(f"{last:04000}")
    return "".join([str(value), *reversed(parts)])


def title_of(at: int, player: Player) -> str:
    """What the player at this place of a table is called."""
    return f"player {at} (id {number(player.id)})"


def wrapped(words: "Sequence[str]", between: str, width: int) -> list[str]:
    """The words in lines that are as full as the width allows."""
    lines: list[str] = []
    for word in words:
        if lines and len(lines[-1]) + len(between) + len(word) <= width:
            lines[-1] += between + word
        else:
            if lines:
                lines[-1] += between.rstrip()
            lines.append(word)
    return lines


# --- scenes ----------------------------------------------------------------------------------------


def of_table(table: Table, acting: "int | None" = 0) -> Scene:
    """A table as the dealer sees it."""
    seats = [
        Seat(title_of(at, player), player.boards, player.bag, player.hand)
        for at, player in enumerate(table.players)
    ]
    return Scene(seats, table.hole, table.deck, acting)


def of_player(table: Table, at: int = 0) -> Scene:
    """A table as the player at this place sees it: of the others only boards, and no deck."""
    seats = [
        Seat(title_of(place, player), player.boards, player.bag, player.hand)
        if place == at
        else Seat(title_of(place, player), player.boards)
        for place, player in enumerate(table.players)
    ]
    return Scene(seats, table.hole, None, at)


def of_state(state: State) -> Scene:
    """A State: what the asking player sees."""
    others = [Seat(f"other player {at}", boards) for at, boards in enumerate(state.others)]
    return Scene([Seat("the player", state.boards, state.bag, state.hand), *others], state.hole, acting=0)


def of_feeding(asking: Player, hole: int, others: "Sequence[Player]") -> Scene:
    """A Feeding: the player who is asked, and the others, whose places are counted without it."""
    seats = [
        Seat(f"other player {at} (id {number(other.id)})", other.boards, other.bag, other.hand)
        for at, other in enumerate(others)
    ]
    first = Seat(f"the player (id {number(asking.id)})", asking.boards, asking.bag, asking.hand)
    return Scene([first, *seats], hole, acting=0)


def of_choice(player: Player, before: list[list[Species]], after: list[list[Species]]) -> Scene:
    """A Choice: the player who is to use its cards, between those before and after it in turn order."""
    seats = [Seat(f"player before it, {at}", boards) for at, boards in enumerate(before)]
    seats.append(Seat(f"the player (id {number(player.id)})", player.boards, player.bag, player.hand))
    seats += [Seat(f"player after it, {at}", boards) for at, boards in enumerate(after)]
    return Scene(seats, acting=len(before))


def of_situation(
    defender: Species, attacker: Species, left: "Species | None", right: "Species | None"
) -> Scene:
    """A Situation: who attacks, and who is attacked between which neighbours."""
    row = [(left, "left neighbour"), (defender, ""), (right, "right neighbour")]
    boards = [board for board, _ in row if board is not None]
    defending = Seat("defender", boards, names=[name for board, name in row if board is not None])
    defending.roles[boards.index(defender)] = TARGET
    attacking = Seat("attacker", [attacker], names=[""])
    attacking.roles[0] = ATTACKER
    return Scene([attacking, defending])


# --- what is done ------------------------------------------------------------------------------------


def feed(scene: Scene, choice: FeedingChoice) -> Scene:
    """Show what the player of the first seat feeds, on its table; an index may lead nowhere."""
    seat = scene.seats[0]
    if isinstance(choice, Decline):
        seat.notes.append("feeds nothing")
    elif isinstance(choice, Eat):
        seat.roles[choice.board] = FED
        seat.notes.append(f"feeds board {number(choice.board)}")
    elif isinstance(choice, StoreFat):
        seat.roles[choice.board] = "stores fat"
        tokens = f"{number(choice.tokens)} token{'' if choice.tokens == 1 else 's'}"
        seat.notes.append(f"stores {tokens} on the fat of board {number(choice.board)}")
    else:
        assert isinstance(choice, Attack)
        attack(scene, choice)
    return scene


def attack(scene: Scene, choice: Attack) -> Scene:
    """Show an attack of the first seat's player: the number of the others itself means the player."""
    seats = [*scene.seats[1:], scene.seats[0]]
    seat = scene.seats[0]
    whose = f"player {number(choice.player)} of the others"
    if choice.player < len(seats):
        seats[choice.player].roles[choice.target] = TARGET
        whose = "its own" if choice.player == len(seats) - 1 else seats[choice.player].title
    seat.roles[choice.board] = ATTACKER
    seat.notes.append(f"board {number(choice.board)} attacks board {number(choice.target)}, {whose}")
    return scene


def act(seat: Seat, action: Action4) -> None:
    """Show at a seat what its player does with its cards; an index may lead nowhere."""
    hand = seat.hand or []

    def card(at: int) -> str:
        if at >= len(hand):
            return f"card {number(at)}, which is not there,"
        food, trait = hand[at]
        return f"card {number(at)} ({trait} {number(food)})"

    def cards(numbers: list[int]) -> str:
        return ", ".join(map(card, numbers))

    seat.notes.append(f"food card: {card(action.food_card)}")
    for what, growths in (("population", action.grow_population), ("body", action.grow_body)):
        seat.notes += [f"{card(at)} for {what} of board {number(board)}" for board, at in growths]
    for paid, *traits in action.new_boards:
        with_traits = f" with {cards(traits)}" if traits else ""
        seat.notes.append(f"{card(paid)} for a new board{with_traits}")
    for board, slot, at in action.replace_traits:
        seat.notes.append(f"{card(at)} in place of trait {number(slot)} of board {number(board)}")
