"""From engine objects to JSON text.

The text is put together by hand: the values hold only numbers and the names of traits, so no
escaping is due, and neither a JSON library nor intermediate lists cost time. It is compact.
"""

from evolution.cards import Card
from evolution.choices import Attack, Decline, Eat, FeedingChoice, StoreFat
from evolution.species import Species
from evolution.table import Player, Table


def species(board: Species) -> str:
    """A Species+."""
    traits = '"' + '","'.join(board.traits) + '"' if board.traits else ""
    fat = f',["fat-food",{board.fat_food}]' if board.fat_food else ""
    return (
        f'[["food",{board.food}],["body",{board.body}],["population",{board.population}],'
        f'["traits",[{traits}]]{fat}]'
    )


def boards(los: list[Species]) -> str:
    """A LOS."""
    return "[" + ",".join([species(board) for board in los]) + "]"


def cards(hand: list[Card]) -> str:
    """A hand or a deck."""
    return "[" + ",".join([f'[{food},"{trait}"]' for food, trait in hand]) + "]"


def player(one: Player) -> str:
    """A Player+."""
    hand = f',["cards",{cards(one.hand)}]' if one.hand else ""
    return f'[["id",{one.id}],["species",{boards(one.boards)}],["bag",{one.bag}]{hand}]'


def configuration(table: Table) -> str:
    """A Configuration."""
    players = ",".join([player(one) for one in table.players])
    return f"[[{players}],{_tokens(table.hole)},{cards(table.deck)}]"


def _tokens(hole: int) -> str:
    """The number of tokens, which food cards can make longer than any number that is read."""
    try:
        return str(hole)
    except ValueError:  # more digits than Python writes at once
        first, last = divmod(hole, 10**4000)
        return f"{first}{last:04000}"


def state(table: Table) -> str:
    """The table as its first player sees it: a State."""
    first, *others = table.players
    theirs = ",".join([boards(other.boards) for other in others])
    return f"[{first.bag},{boards(first.boards)},{cards(first.hand)},{_tokens(table.hole)},[{theirs}]]"


def feeding_choice(choice: FeedingChoice) -> str:
    """A FeedingChoice."""
    if isinstance(choice, Decline):
        return "false"
    if isinstance(choice, Eat):
        return str(choice.board)
    if isinstance(choice, StoreFat):
        return f"[{choice.board},{choice.tokens}]"
    assert isinstance(choice, Attack)
    return f"[{choice.board},{choice.player},{choice.target}]"
