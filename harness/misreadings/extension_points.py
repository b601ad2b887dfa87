"""What a misreading may replace: the public functions and tables of the engine that decide an answer.

The engine knows nothing of this list. A function is replaced wherever the engine looks it up, under whatever
module it was imported into; a method is replaced in the table's class, a trait in the trait table.
"""

import sys
from types import FunctionType

from evolution import actions, attack, cards, feeding, silly, species, traits, turn
from evolution.table import Table
from evolution.traits import TRAITS
from evolution.wire import action4, reading, writing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    # Where something stands, under which name, and what is to stand there.
    Place = tuple[object, str, object]

EXTENSION_POINTS: tuple[object, ...] = (
    # boards and cards (rules 1)
    *(species.hungry, species.fat_need, species.size, cards.card_order),
    # who can attack whom (rules 2)
    *(attack.obstacles, attack.targets, traits.attack_body),
    # what happens to a table (rules 3)
    *(Table.eat, Table.feeding, Table.wound, Table.draw, Table.store_fat, Table.from_player, feeding.attack),
    # one feeding step (rules 4), and many (rules 5.11)
    *(feeding.state_of, feeding.forced_choice, feeding.carry_out, feeding.feeding_step),
    feeding.feeding_cycle,
    # exchanges (rules 5.4 and 5.5), and the whole of step 4 (rules 5.6)
    *(actions.used_cards, actions.exchanged, actions.check_board, actions.execute),
    *(turn.food_revealed, turn.step4),
    # the Silly player (rules 7)
    *(silly.feed, silly.store_fat, silly.eat, silly.attack, silly.hungry_carnivores, silly.largest_target),
    silly.choose,
    # what is read and written (docs/formats.md)
    *(reading.natural, reading.natural_plus, reading.species, reading.boards, reading.player),
    *(reading.situation, reading.is_state, reading.state, reading.feeding, reading.feeding_or_state),
    *(reading.configuration, action4.action4),
    *(writing.species, writing.player, writing.state, writing.configuration),
    # every trait, as a row of the trait table
    *TRAITS.values(),
)

# The modules that the extension points come from: all that looks one of them up is there.
ENGINE = tuple(
    sys.modules[name]
    for name in dict.fromkeys(
        point.__module__ for point in EXTENSION_POINTS if isinstance(point, FunctionType)
    )
)


def _lookups(point: object) -> "Iterator[tuple[object, str, tuple[object, ...]]]":
    """Where the engine finds an extension point: an owner, a name, and defaults if it is one of these."""
    for owner in (*ENGINE, Table, TRAITS):
        for name, found in (owner if isinstance(owner, dict) else vars(owner)).items():
            if found is point:
                yield owner, name, ()
            elif isinstance(found, FunctionType) and point in (found.__defaults__ or ()):
                yield found, "__defaults__", found.__defaults__ or ()


_LOOKUPS = {point: [*_lookups(point)] for point in EXTENSION_POINTS}


def places(point: object, replacement: object) -> "tuple[Place, ...]":
    """All places of the engine that change if this stands for the extension point."""
    if point not in _LOOKUPS:
        raise ValueError(f"{point} is no extension point")
    return tuple(
        (owner, name, tuple(replacement if one is point else one for one in defaults) or replacement)
        for owner, name, defaults in _LOOKUPS[point]
    )
