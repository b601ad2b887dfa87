"""May this board attack that one, and if not, why not (rules 2)."""

from evolution.species import Species
from evolution.traits import TRAITS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from evolution.choices import Attack, State

NOT_A_CARNIVORE = "not a carnivore"


def obstacles(
    attacker: Species, defender: Species, left: "Species | None", right: "Species | None"
) -> list[str]:
    """The names of all that stands in the way of the attack, as they are met."""
    met = [] if "carnivore" in attacker.traits else [NOT_A_CARNIVORE]
    for trait in defender.traits:
        prevents = TRAITS[trait].prevents_attack
        if prevents and prevents(attacker, defender, defender, left, right):
            met.append(trait)
    for neighbour in (left, right):
        if neighbour is not None:
            for trait in neighbour.traits:
                protects = TRAITS[trait].protects_neighbour
                if protects and protects(attacker, defender, neighbour, left, right):
                    met.append(trait)
    return met


def attackable(attacker: Species, defender: Species, left: "Species | None", right: "Species | None") -> bool:
    """Whether the attacker can attack the defender, which lies between left and right."""
    return not obstacles(attacker, defender, left, right)


def blocked_by(
    attacker: Species, defender: Species, left: "Species | None", right: "Species | None"
) -> list[str]:
    """Every reason that blocks the attack, in the order of the trait table; [] if none does."""
    met = obstacles(attacker, defender, left, right)
    return [reason for reason in (NOT_A_CARNIVORE, *TRAITS) if reason in met]


def looks(attacker: Species) -> tuple[object, ...]:
    """All that can be seen of a board: who looks like another can attack the same boards, but for itself."""
    return (attacker.population, attacker.food, attacker.body, attacker.fat_food, *attacker.traits)


def targets(attacker: Species, boards: list[Species]) -> "Iterator[int]":
    """The indexes of those of one player's boards that the attacker can attack; never itself."""
    last = len(boards) - 1
    for at, defender in enumerate(boards):
        if defender is not attacker and attackable(
            attacker,
            defender,
            boards[at - 1] if at else None,
            boards[at + 1] if at < last else None,
        ):
            yield at


class MissingBoard(Exception):
    """An attack that names what is not there; `place` says which of its three numbers is to blame."""

    def __init__(self, reason: str, place: int) -> None:
        super().__init__(reason)
        self.place = place


def sides(state: "State", choice: "Attack") -> "tuple[Species, list[Species]]":
    """The attacker that the owner of a State names, and the row of its target. Raises MissingBoard.

    The number of others itself, as the player, means the owner.
    """
    rows = [*state.others, state.boards]
    if choice.board >= len(state.boards):
        raise MissingBoard(f"own board {choice.board} does not exist: the row has {len(state.boards)}", 0)
    if choice.player >= len(rows):
        raise MissingBoard(f"player {choice.player} does not exist: {len(state.others)} is the owner", 1)
    row = rows[choice.player]
    if choice.target >= len(row):
        raise MissingBoard(
            f"board {choice.target} of player {choice.player} does not exist: the row has {len(row)}", 2
        )
    return state.boards[choice.board], row


def allowed(state: "State", choice: "Attack") -> bool:
    """Whether the traits allow this attack: hunger and tokens do not count. Raises MissingBoard."""
    attacker, row = sides(state, choice)
    return choice.target in targets(attacker, row)
