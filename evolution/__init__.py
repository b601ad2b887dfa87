"""The game of Evolution as a library: boards, tables, attacks, feeding, turns.

    >>> from evolution import Species, attackable, blocked_by
    >>> wolf = Species(body=3, population=2, traits=["carnivore"])
    >>> tortoise = Species(body=1, population=1, traits=["hard-shell"])
    >>> attackable(wolf, tortoise, None, None)
    False
    >>> blocked_by(wolf, tortoise, None, None)
    ['hard-shell']

    >>> from evolution import Silly, feeding_step, read_configuration, write_configuration
    >>> table = read_configuration('[[[["id",1],["species",[[["food",0],["body",0],'
    ...                            '["population",2],["traits",[]]]]],["bag",0]]],3,[]]')
    >>> feeding_step(table, table.players[0], Silly())
    True
    >>> table.players[0].boards[0].food, table.hole
    (1, 2)

The names below are the public ones. They are imported when they are first used: a program that
needs one rule does not load the whole game.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evolution.actions import Action4, IllegalAction
    from evolution.attack import attackable, blocked_by, targets
    from evolution.cards import Card, card_order, full_deck
    from evolution.choices import DECLINE, Attack, Eat, FeedingChoice, State, StoreFat
    from evolution.feeding import IllegalChoice, feeding_cycle, feeding_step, legal_choices, options
    from evolution.game import Result
    from evolution.player import Start, View
    from evolution.silly import Silly
    from evolution.species import Species, fat_need, hungry
    from evolution.table import Player, Table
    from evolution.trait_file import load_traits
    from evolution.traits import TRAITS, Trait, TraitError
    from evolution.turn import step4
    from evolution.wire.errors import BadInput, Malformed, NotJSON
    from evolution.wire.library import read_configuration, write_configuration

# The modules in which the rules are written; the others are for those who play, watch or read a game.
RULES = (
    "actions",
    "attack",
    "cards",
    "choices",
    "feeding",
    "silly",
    "species",
    "table",
    "traits",
    "turn",
)
_HOME = {
    "Action4": "actions",
    "Attack": "choices",
    "BadInput": "wire.errors",
    "Card": "cards",
    "DECLINE": "choices",
    "Eat": "choices",
    "FeedingChoice": "choices",
    "IllegalAction": "actions",
    "IllegalChoice": "feeding",
    "Malformed": "wire.errors",
    "NotJSON": "wire.errors",
    "Player": "table",
    "Result": "game",
    "Silly": "silly",
    "Species": "species",
    "Start": "player",
    "State": "choices",
    "StoreFat": "choices",
    "TRAITS": "traits",
    "Table": "table",
    "Trait": "traits",
    "TraitError": "traits",
    "View": "player",
    "attackable": "attack",
    "blocked_by": "attack",
    "card_order": "cards",
    "fat_need": "species",
    "feeding_cycle": "feeding",
    "feeding_step": "feeding",
    "full_deck": "cards",
    "hungry": "species",
    "legal_choices": "feeding",
    "load_traits": "trait_file",
    "options": "feeding",
    "read_configuration": "wire.library",
    "step4": "turn",
    "targets": "attack",
    "write_configuration": "wire.library",
}

__all__ = [
    "DECLINE",
    "TRAITS",
    "Action4",
    "Attack",
    "BadInput",
    "Card",
    "Eat",
    "FeedingChoice",
    "IllegalAction",
    "IllegalChoice",
    "Malformed",
    "NotJSON",
    "Player",
    "Result",
    "Silly",
    "Species",
    "Start",
    "State",
    "StoreFat",
    "Table",
    "Trait",
    "TraitError",
    "View",
    "attackable",
    "blocked_by",
    "card_order",
    "fat_need",
    "feeding_cycle",
    "feeding_step",
    "full_deck",
    "hungry",
    "legal_choices",
    "load_traits",
    "options",
    "read_configuration",
    "step4",
    "targets",
    "write_configuration",
]


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'evolution' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"evolution.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
