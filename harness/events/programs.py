"""What each program makes of its input, with the events on the way.

Each function notes the events of an input, and gives the answer to it as JSON text, None for nothing.
"""

from itertools import pairwise

from evolution.actions import Action4, IllegalAction, execute
from evolution.attack import MissingBoard, sides
from evolution.cards import card_order
from evolution.choices import Attack, Decline, State
from evolution.feeding import feeding_cycle, forced_choice, state_of
from evolution.silly import choose, feed
from evolution.species import hungry
from evolution.turn import food_revealed
from evolution.wire import reading, writing
from evolution.wire.action4 import table_and_actions, write_action4
from harness.events.attacks import pair_events
from harness.events.choosing import choice_events, step
from harness.events.watching import noted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from evolution.feeding import Feeder
    from evolution.table import Player, Table
    from harness.events.attacks import Seen


AGAIN = ("cycle", "who is out could eat again")
OF_A_BOARD = ("missing trait slot", "trait twice", "population above 7", "body above 7")
PLACES = ("the food card", "population", "body", "a new board", "a replacement")


def xattack(seen: "Seen", value: object) -> "str | None":
    """Note the events of a Situation, or of an attack that the owner of a State names; the answer."""
    if type(value) is list and len(value) == 2:
        return _attack_in_state(seen, *reading.state_and_choice(value))
    defender, attacker, left, right = reading.situation(value)
    can_attack = pair_events(seen, attacker, defender, left, right, "situation")
    return "true" if can_attack else "false"


def _attack_in_state(seen: "Seen", state: State, choice: Attack) -> "str | None":
    whose = "own board" if choice.player == len(state.others) else "another's board"
    seen["form", "state and choice", f"{len(state.others)} others"] = None
    try:
        attacker, row = sides(state, choice)
    except MissingBoard as missing:
        seen["illegal", "missing board", ("own", "player", "target")[missing.place]] = None
        return None
    at = choice.target
    if row[at] is attacker:
        seen["named attack", "on itself"] = None
        return "false"
    left, right = row[at - 1] if at else None, row[at + 1] if at + 1 < len(row) else None
    can_attack = pair_events(seen, attacker, row[at], left, right, "situation")
    hunger = "hungry" if hungry(attacker) else "full"
    seen["named attack", whose, hunger, "tokens" if state.hole else "no tokens"] = None
    ends = "first" if at == 0 else "last" if at == len(row) - 1 else "between"
    seen["named attack", whose, ends, "can" if can_attack else "cannot"] = None
    if attacker in (left, right):
        seen["named attack", "attacker beside", "can" if can_attack else "cannot"] = None
    return "true" if can_attack else "false"


def xfeed(seen: "Seen", value: object) -> "str | None":
    """Note the events of the Silly player's choice; the answer."""
    state = reading.feeding_or_state(value)
    choice = feed(state)
    choice_events(seen, state, choice, "asked")
    seen["form", "state" if reading.is_state(value) else "feeding", f"{len(state.others)} others"] = None
    return None if choice is None else writing.feeding_choice(choice)


def xstep(seen: "Seen", value: object) -> str:
    """Note the events of one feeding step; the answer."""
    table = noted(reading.configuration_or_state(value), seen)
    is_state = reading.is_state(value)
    seen["form", "state" if is_state else "configuration", f"{len(table.players)} players"] = None
    _id_events(seen, table)
    step(seen, table, table.players[0])
    return writing.state(table) if is_state else writing.configuration(table)


def _id_events(seen: "Seen", table: "Table") -> None:
    ids = [player.id for player in table.players]
    if len(set(ids)) < len(ids):
        mine = "the first player's" if ids.count(ids[0]) > 1 else "others'"
        rows = "with boards" if table.players[0].boards else "without boards"
        seen["equal ids", mine, rows] = None
    elif ids != sorted(ids):
        seen["ids", "not in order"] = None


def xstep4(seen: "Seen", value: "Any") -> "str | None":
    """Note the events of a whole step 4; the answer."""
    plain, actions = table_and_actions(value)
    table = noted(plain, seen)
    of_state = reading.is_state(value[0])
    if of_state:
        seen["form", "state and action", f"{len(table.players) - 1} others"] = None
        _stray_fat_events(seen, [[value[0][1], value[0][2]]], actions)
    else:
        pairs = map(dict, value[0][0])
        _stray_fat_events(seen, [[player["species"], player.get("cards", [])] for player in pairs], actions)
    for player, action in zip(table.players, actions, strict=False):
        _action_events(seen, player, action)
        moment = _equal_for_a_moment(player, action)
        try:
            food = execute(player, action)
        except IllegalAction as illegal:
            _illegal_events(seen, table, player, action, illegal)
            return None
        if moment:
            seen["legal", "equal traits for a moment"] = None
        table.reveal(player, food)
    _id_events(seen, table)
    food_revealed(table)
    out: list[Player] = []

    def one_step(table: "Table", player: "Player", feeder: "Feeder") -> bool:
        if out and player is not out[-1]:
            seen["cycle", f"{min(len(out), 2)} out already"] = None
            if AGAIN not in seen and table.hole and any(_would_eat(state_of(table, one)) for one in out):
                seen[AGAIN] = None
        stays = step(seen, table, player)
        if not stays:
            out.append(player)
        return stays

    feeding_cycle(table, plain.players, one_step)  # type: ignore[arg-type]
    if table.hole and any(_would_eat(state_of(table, player)) for player in out):
        seen[AGAIN] = None
    seen["cycle", "the hole is empty" if not table.hole else "everybody is out"] = None
    return writing.state(table) if of_state else writing.configuration(table)


def _would_eat(state: State) -> bool:
    """Whether a Silly player would take something now."""
    choice = forced_choice(state) or feed(state)
    return choice is not None and not isinstance(choice, Decline)


def _illegal_events(
    seen: "Seen", table: "Table", player: "Player", action: Action4, illegal: IllegalAction
) -> None:
    """Why an action is illegal; where; and whose it is."""
    reason = f"{illegal.parts[1]} twice" if illegal.code == "trait twice" else illegal.code
    where = PLACES[illegal.place[0]] if illegal.place else "a board"
    last = player is table.players[-1]
    whose = "the first player's" if player is table.players[0] else "the last one's" if last else "another's"
    cards = min(sum(1 for _ in action.cards()), 4)
    seen["illegal", reason] = None
    seen["illegal", reason, where] = None
    seen["illegal", reason, where, whose] = None
    seen["illegal", reason, where, f"{cards} cards"] = None
    if illegal.code in OF_A_BOARD:
        age = "new" if illegal.parts[0] >= len(player.boards) else "old"
        seen["on a board", reason, age] = None
    if illegal.code == "card used twice":
        used = [card for card, place in action.cards() if place == illegal.place]
        first = next(place[0] for card, place in action.cards() if card in used)
        seen["illegal", reason, PLACES[first], f"then {where}"] = None


def _stray_fat_events(seen: "Seen", players: "Any", actions: list[Action4]) -> None:
    """Boards with a fat-food pair that means nothing, and what is done with them, by boards and hands."""
    for (boards, hand), action in zip(players, actions, strict=True):
        for at, board in enumerate(boards):
            if len(board) > 4 and board[4][1] and "fat-tissue" not in board[3][1]:
                seen["stray fat",] = None
                for place, _, card in action.replace_traits:
                    if place == at and card < len(hand):
                        comes = hand[card][1] == "fat-tissue"
                        seen["stray fat", "fat-tissue comes" if comes else "another trait comes"] = None


def _action_events(seen: "Seen", player: "Player", action: Action4) -> None:
    """Events of an action, be it legal or not."""
    old = len(player.boards)
    seen["action", f"{min(len(action.new_boards), 3)} new"] = None
    for cards in action.new_boards:
        seen["action", "new board", f"{len(cards) - 1} traits"] = None
    for name, growths in (("population", action.grow_population), ("body", action.grow_body)):
        boards = [board for board, _ in growths]
        for board in boards:
            twice = "twice" if boards.count(board) > 1 else "once"
            seen["action", name, "new" if board >= old else "old", twice] = None
            if board < old:
                now = getattr(player.boards[board], name) + boards.count(board)
                seen["action", name, "to", str(now) if now > 5 else "less"] = None
    _replacement_events(seen, player, action)
    used = [card for card, _ in action.cards()]
    left = [card for card in range(len(player.hand)) if card not in used]
    kept = "none" if not left else "some" if left == list(range(left[0], left[0] + len(left))) else "apart"
    seen["action", "kept", kept] = None
    seen["action", "food card", "first" if action.food_card == 0 else "later", kept] = None


def _replacement_events(seen: "Seen", player: "Player", action: Action4) -> None:
    old = len(player.boards)
    slots = [(board, slot) for board, slot, _ in action.replace_traits]
    for board, slot, card in action.replace_traits:
        twice = "twice" if slots.count((board, slot)) > 1 else "once"
        age = "new" if board >= old else "old"
        seen["action", "replace", age, twice, f"slot {min(slot, 3)}"] = None
        new = player.hand[card][1] if card < len(player.hand) else "nothing"
        if new == "fat-tissue":
            seen["action", "replace", age, twice, "fat-tissue comes"] = None
        if board < old and slot < len(player.boards[board].traits):
            before = player.boards[board].traits[slot]
            if before == new:
                seen["action", "replace", "by itself", new] = None
            if new in player.boards[board].traits:
                seen["action", "replace", "by one it has", twice] = None
            if before == "fat-tissue":
                fat = "with fat" if player.boards[board].fat_food else "without fat"
                again = "again" if new == "fat-tissue" else "gone"
                seen["action", "replace", twice, "fat-tissue", again, fat] = None


def _equal_for_a_moment(player: "Player", action: Action4) -> bool:
    """Whether an old board has a trait twice before all replacements are done."""
    if len(action.replace_traits) < 2:
        return False
    boards = [board.traits[:] for board in player.boards]
    for board, slot, card in action.replace_traits[:-1]:
        if board < len(boards) and slot < len(boards[board]) and card < len(player.hand):
            boards[board][slot] = player.hand[card][1]
            if len(set(boards[board])) < len(boards[board]):
                return True
    return False


def xsilly(seen: "Seen", value: object) -> str:
    """Note what there is to see about a hand; the answer."""
    player = reading.choice_or_state(value)
    hand = player.hand
    if reading.is_state(value):
        seen["form", "state", f"{min(len(player.boards), 2)} boards"] = None
    keys = sorted(card_order(card) for card in hand)
    seen["hand", f"{min(len(hand), 7)} cards", f"{min(len(player.boards), 2)} boards"] = None
    for at, (one, other) in enumerate(pairwise(keys[:7])):
        same = "equal cards" if one == other else "equal traits" if one[0] == other[0] else "other traits"
        seen["hand", f"card {at}", same] = None
        if one[0] == other[0] and (one[1] < 0) != (other[1] < 0):
            seen["hand", f"card {at}", "signs differ"] = None
    seen["hand", "sorted" if keys == [card_order(card) for card in hand] else "not sorted"] = None
    return write_action4(choose(player.boards, hand))
