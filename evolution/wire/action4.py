"""Action4s as JSON: reading them with or without labels, and writing them."""

from evolution.actions import Action4
from evolution.table import Table
from evolution.wire.errors import Malformed
from evolution.wire.reading import at, configuration_or_state, list_of, natural, parts, shown


def _growth(label: str, value: object) -> tuple[int, int]:
    """A GP or GB: [board, card], perhaps with its label in front."""
    if type(value) is list and len(value) == 3:
        if value[0] != label:
            raise Malformed(f'expected the label "{label}", found {shown(value[0])}', 0)
        return at(1, natural, value), at(2, natural, value)
    found = parts(value, 2, f'[board, card] or ["{label}", board, card]')
    return at(0, natural, found), at(1, natural, found)


def _grow_population(value: object) -> list[tuple[int, int]]:
    return list_of(lambda part: _growth("population", part), value, "growths of populations")


def _grow_body(value: object) -> list[tuple[int, int]]:
    return list_of(lambda part: _growth("body", part), value, "growths of bodies")


def _new_board(value: object) -> list[int]:
    if type(value) is not list or not 1 <= len(value) <= 4:
        raise Malformed(f"expected [payment card, up to 3 trait cards], found {shown(value)}")
    return list_of(natural, value, "cards")


def _new_boards(value: object) -> list[list[int]]:
    return list_of(_new_board, value, "new boards")


def _replacement(value: object) -> tuple[int, int, int]:
    found = parts(value, 3, "[board, trait slot, card]")
    return at(0, natural, found), at(1, natural, found), at(2, natural, found)


def _replacements(value: object) -> list[tuple[int, int, int]]:
    return list_of(_replacement, value, "trait replacements")


def action4(value: object) -> Action4:
    """An Action4; whether it is legal is for the engine to say."""
    found = parts(value, 5, "an action [food card, population, body, boards, traits]")
    return Action4(
        at(0, natural, found),
        at(1, _grow_population, found),
        at(2, _grow_body, found),
        at(3, _new_boards, found),
        at(4, _replacements, found),
    )


def table_and_actions(value: object) -> tuple[Table, list[Action4]]:
    """What xstep4 takes: a Configuration with one Action4 for each player, or a State with its owner's."""
    found = parts(value, 2, "[configuration, actions] or [state, action]")
    table = at(0, lambda part: configuration_or_state(part, natural), found)
    if type(found[0]) is list and len(found[0]) != 3:
        return table, [at(1, action4, found)]
    actions = at(1, lambda part: list_of(action4, part, "actions"), found)
    if len(actions) != len(table.players):
        raise Malformed(
            f"expected one action for each of the {len(table.players)} players, found {len(actions)}", 1
        )
    return table, actions


def write_action4(action: Action4, labelled: bool = False) -> str:
    """The JSON text of an Action4, growth with or without its labels."""
    population, body = ('"population",', '"body",') if labelled else ("", "")
    grow_population = ",".join(f"[{population}{board},{card}]" for board, card in action.grow_population)
    grow_body = ",".join(f"[{body}{board},{card}]" for board, card in action.grow_body)
    new_boards = ",".join(f"[{','.join(map(str, cards))}]" for cards in action.new_boards)
    replace = ",".join(f"[{board},{slot},{card}]" for board, slot, card in action.replace_traits)
    return f"[{action.food_card},[{grow_population}],[{grow_body}],[{new_boards}],[{replace}]]"
