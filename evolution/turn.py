"""Step 4 of a turn: the exchanges, the food cards, the revealed food, and the feeding cycle."""

from evolution.actions import Action4, IllegalAction, execute
from evolution.feeding import feeding_cycle
from evolution.table import Table
from evolution.traits import TRAITS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from evolution.feeding import Feeder


def step4(table: Table, actions: list[Action4], feeders: "Sequence[Feeder]") -> None:
    """Everything from the exchanges to the end of the feeding cycle (rules 5.4 to 5.11).

    The actions are those of the first players: who has none exchanges nothing and reveals no food card.
    Raises IllegalAction if an action is; its place then starts with the player's index.
    """
    acting = table.players[: len(actions)]
    for at, (player, action) in enumerate(zip(acting, actions, strict=True)):
        try:
            food = execute(player, action)
        except IllegalAction as illegal:
            raise illegal.below(at) from None
        table.reveal(player, food)
    food_revealed(table)
    feeding_cycle(table, feeders)


def food_revealed(table: Table) -> None:
    """Let the traits react to the revealed food, trait by trait in the table's order."""
    for name, trait in TRAITS.items():
        if trait.food_revealed:
            for player in table.players:
                for board in player.boards:
                    if name in board.traits:
                        trait.food_revealed(table.hole, board, table, player)
