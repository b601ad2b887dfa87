"""Misreadings of several things: one of them stands for all, or for another's, or is lost on the way."""

from evolution import actions, feeding, turn
from evolution.actions import Action4, IllegalAction
from evolution.cards import Card
from evolution.choices import State
from evolution.species import Species
from evolution.table import Player, Table
from evolution.wire import reading, writing
from harness.chaff.attacks import ATTACKS, blocked_instead, has
from harness.chaff.eating import attacking, feed_scavengers, nobody
from harness.chaff.exchanges import XSTEP4
from harness.chaff.planting import Chaff, Patch, function
from harness.chaff.slips import looks_like
from harness.chaff.turns import clamped, lined_up, revealing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from evolution.feeding import Feeder

STEPS = ("xstep", "xstep4")
XSTEP = ("xstep",)
POPULATION, BODY, BOARDS, TRAITS = range(1, 5)  # places of an Action4

_execute, _exchanged, _used_cards = actions.execute, actions._exchanged, actions._used_cards
_step4, _food_revealed, _feeding_cycle = turn.step4, turn.food_revealed, feeding.feeding_cycle
_configuration, _state = reading.configuration, reading._state
_boards, _feeding = reading.boards, reading._feeding
_player, _species = reading.player, reading.species
_write_configuration, _write_state = writing.configuration, writing.state


# --- neighbours (rules 2.8) ----------------------------------------------------------------------


def _hearing(chosen: "Callable[[Species | None, Species | None], Species | None]") -> Patch:
    """Of the two neighbours only one is listened to."""
    return blocked_instead(
        "warning-call",
        lambda attacker, defender, left, right: (
            has(chosen(left, right), "warning-call") and not has(attacker, "ambush")
        ),
    )


NEIGHBOURS = [
    Chaff(
        "a-left-neighbour-drowns-the-right-one",
        "the warning-call of a right neighbour is not heard if there is a left one",
        "2.8",
        ATTACKS,
        _hearing(lambda left, right: left or right),
    ),
    Chaff(
        "a-right-neighbour-drowns-the-left-one",
        "the warning-call of a left neighbour is not heard if there is a right one",
        "2.8",
        ATTACKS,
        _hearing(lambda left, right: right or left),
    ),
]


# --- several illegal actions (rules 5.5) ---------------------------------------------------------


def _is_legal(player: Player, action: Action4) -> bool:
    try:
        _execute(
            Player(player.id, [board.copy() for board in player.boards], player.bag, player.hand[:]), action
        )
    except IllegalAction:
        return False
    return True


def _judged(is_refused: "Callable[[list[bool]], bool]", throws_out: bool) -> Patch:
    """Whether nothing is printed depends on which actions are legal.

    If something is printed, cheaters are thrown out or do nothing.
    """

    def step4(table: Table, actions: list[Action4], feeders: "Sequence[Feeder]") -> None:
        legal = [*map(_is_legal, table.players, actions)]
        if is_refused(legal):
            raise IllegalAction("too many cheaters")
        if throws_out:
            pairs = zip(table.players[:], actions, legal, strict=True)
            honest = [(player, action) for player, action, fine in pairs if fine]
            table.players[:] = [player for player, _ in honest]
            _step4(table, [action for _, action in honest], feeders[: len(honest)])
            return
        for player, action, fine in zip(table.players, actions, legal, strict=True):
            if fine:
                table.reveal(player, _execute(player, action))
        _food_revealed(table)
        _feeding_cycle(table, feeders)

    return function(_step4, step4)


ILLEGAL = [
    Chaff(
        "one-cheater-among-several-is-thrown-out",
        "nothing is printed only if all actions are illegal; else those players leave, and the others go on",
        "5.5",
        XSTEP4,
        _judged(lambda legal: not any(legal), throws_out=True),
    ),
    Chaff(
        "only-the-first-action-is-judged",
        "nothing is printed only if the first action is illegal; illegal ones of others are skipped",
        "5.5",
        XSTEP4,
        _judged(lambda legal: not legal[0], throws_out=False),
    ),
    Chaff(
        "only-the-last-action-is-judged",
        "nothing is printed only if the last action is illegal; illegal ones of others are skipped",
        "5.5",
        XSTEP4,
        _judged(lambda legal: not legal[-1], throws_out=False),
    ),
]


# --- one player's for another's (rules 5.2 to 5.7) -------------------------------------------------


def _used_by_all(table: Table, actions: list[Action4], feeders: "Sequence[Feeder]") -> None:
    used: set[int] = set()
    for action in actions:
        own = {card for card, _ in action.cards()}
        if own & used:
            raise IllegalAction("a card was used before")
        used |= own
    _step4(table, actions, feeders)


def _in_the_first_hand(table: Table, actions: list[Action4], feeders: "Sequence[Feeder]") -> None:
    cards = len(table.players[0].hand)
    if any(card >= cards for action in actions for card, _ in action.cards()):
        raise IllegalAction("a card does not exist")
    _step4(table, actions, feeders)


def _among_the_first_boards(table: Table, actions: list[Action4], feeders: "Sequence[Feeder]") -> None:
    for action in actions:
        named = [board for board, *_ in (*action.grow_population, *action.grow_body, *action.replace_traits)]
        if max(named, default=-1) >= len(table.players[0].boards) + len(action.new_boards):
            raise IllegalAction("a board does not exist")
    _step4(table, actions, feeders)


MIXED_UP = [
    Chaff(
        "cards-that-others-used-are-used",
        "an action is illegal if it uses a card with a number that another player's action uses",
        "5.5",
        XSTEP4,
        function(_step4, _used_by_all),
    ),
    Chaff(
        "cards-are-counted-in-the-first-hand",
        "a card does not exist if the hand of the first player has no card with its number",
        "5.5",
        XSTEP4,
        function(_step4, _in_the_first_hand),
    ),
    Chaff(
        "boards-are-counted-in-the-first-row",
        "a board does not exist if the first player has none with its number",
        "5.5",
        XSTEP4,
        function(_step4, _among_the_first_boards),
    ),
    Chaff(
        "one-food-card-counts",
        "only the food card of the first player brings food",
        "5.7",
        XSTEP4,
        revealing(lambda table, foods: clamped(table, foods[:1])),
    ),
    Chaff(
        "the-last-food-card-counts",
        "only the food card of the last player brings food",
        "5.7",
        XSTEP4,
        revealing(lambda table, foods: clamped(table, foods[-1:])),
    ),
    Chaff(
        "equal-food-cards-count-once",
        "food cards of equal value bring their food once",
        "5.7",
        XSTEP4,
        revealing(lambda table, foods: clamped(table, dict.fromkeys(foods))),
    ),
]


# --- one of several exchanges (rules 5.2, 5.4) -----------------------------------------------------


def _cut(place: int, part: slice) -> Patch:
    """Of one list of an action only a part is done; all of its cards leave the hand."""

    def exchange(player: Player, action: Action4) -> list[Species]:
        lists: list[Any] = [
            action.food_card,
            action.grow_population,
            action.grow_body,
            action.new_boards,
            action.replace_traits,
        ]
        lists[place] = lists[place][part]
        return _exchanged(player, Action4(*lists))

    return function(_exchanged, exchange)


OF_SEVERAL = {
    "population": ("several cards for population", "counts", POPULATION),
    "body": ("several cards for body", "counts", BODY),
    "new-board": ("several new boards", "is bought", BOARDS),
    "replacement": ("several replacements", "is done", TRAITS),
}

ONE_OF_SEVERAL = [
    Chaff(
        f"the-{which}-{name}-only", f"of {what} only the {which} one {done}", "5.4", XSTEP4, _cut(place, part)
    )
    for name, (what, done, place) in OF_SEVERAL.items()
    for which, part in (("first", slice(0, 1)), ("last", slice(-1, None)))
]


# --- what is lost on the way (rules 1.3, 1.7, 4.5) -------------------------------------------------


def _losing(lose: "Callable[[Table], None]") -> Patch:
    """What is lost when a Configuration is read."""

    def configuration(value: object) -> Table:
        table = _configuration(value)
        lose(table)
        return table

    return function(_configuration, configuration)


def _without_bags(players: list[Player]) -> None:
    for player in players:
        player.bag = 0


def _without_hands(players: list[Player]) -> None:
    for player in players:
        player.hand.clear()


def _without_fat(rows: "Sequence[list[Species]]") -> None:
    for boards in rows:
        for board in boards:
            board.fat_food = 0


def _fat_of_others_lost(table: Table) -> None:
    _without_fat([player.boards for player in table.players[1:]])


def _numbered(table: Table) -> None:
    for number, player in enumerate(table.players, 1):
        player.id = number


def _state_without_fat(whose: "Callable[[State], Sequence[list[Species]]]") -> Patch:
    def state(value: "list[object]") -> State:
        found = _state(value)
        _without_fat(whose(found))
        return found

    return function(_state, state)


def _without_its_bag(table: Table) -> str:
    first, *others = table.players
    return _write_state(Table([Player(first.id, first.boards, 0, first.hand), *others], table.hole))


LOST = [
    Chaff(
        "bags-of-others-are-lost",
        "the bags of all players but the first are empty in the answer",
        "1.7",
        STEPS,
        _losing(lambda table: _without_bags(table.players[1:])),
    ),
    Chaff(
        "the-bag-of-the-first-player-is-lost",
        "the bag of the first player is empty in the answer",
        "1.7",
        STEPS,
        _losing(lambda table: _without_bags(table.players[:1])),
    ),
    Chaff(
        "hands-of-others-are-lost",
        "the hands of all players but the first are empty",
        "1.7",
        STEPS,
        _losing(lambda table: _without_hands(table.players[1:])),
    ),
    Chaff(
        "fat-of-others-is-lost",
        "the fat stores of all players but the first are empty",
        "1.3",
        STEPS,
        _losing(_fat_of_others_lost),
    ),
    Chaff(
        "players-are-numbered-anew",
        "the players have the ids 1, 2, 3 in the answer",
        "1.8",
        STEPS,
        _losing(_numbered),
    ),
    Chaff(
        "the-deck-is-not-written",
        "the deck is empty in the answer",
        "1.8",
        STEPS,
        function(_write_configuration, lambda table: _write_configuration(Table(table.players, table.hole))),
    ),
    Chaff(
        "fat-of-others-in-a-state-is-lost",
        "the fat stores of the other players of a State are empty",
        "4.5",
        XSTEP,
        _state_without_fat(lambda state: state.others),
    ),
    Chaff(
        "own-fat-in-a-state-is-lost",
        "the fat stores of the owner of a State are empty",
        "4.5",
        ("xfeed", "xstep"),
        _state_without_fat(lambda state: [state.boards]),
    ),
    Chaff(
        "a-state-loses-its-bag",
        "the bag of a State is empty in the answer",
        "4.5",
        XSTEP,
        function(_write_state, _without_its_bag),
    ),
]

# --- equal things (rules 1.2, 1.3) ---------------------------------------------------------------


def _different(things: list[Card]) -> list[Card]:
    return list(dict.fromkeys(things))


def _different_boards(value: object) -> list[Species]:
    found: list[Species] = []
    for board in _boards(value):
        if not any(looks_like(other, board) for other in found):
            found.append(board)
    return found


def _different_cards(table: Table) -> None:
    for player in table.players:
        player.hand[:] = _different(player.hand)


EQUAL = [
    Chaff(
        "equal-cards-of-a-hand-are-one",
        "of equal cards in a hand there is only one",
        "1.2",
        STEPS,
        _losing(_different_cards),
    ),
    Chaff(
        "equal-cards-of-the-deck-are-one",
        "of equal cards in the deck there is only one",
        "1.2",
        STEPS,
        _losing(lambda table: table.deck.__setitem__(slice(None), _different(table.deck))),
    ),
    Chaff(
        "equal-boards-are-one",
        "of boards of a player that look the same there is only one",
        "1.3",
        ("xfeed", *STEPS),
        function(_boards, _different_boards),
    ),
]

# --- ids (rules 1.8) -------------------------------------------------------------------------------


def _id(player: Player) -> int:
    return player.id


def _by_ids(original: "Callable[..., None]") -> Patch:
    """A function of the engine finds the players in the order of their ids."""

    def other(table: Table, *rest: "Any") -> None:
        order = table.players[:]
        table.players.sort(key=_id)
        original(table, *rest)
        table.players[:] = order

    return function(original, other)


def _feeding_by_ids(value: "Any") -> State:
    asking, tokens, others = value
    return _feeding([asking, tokens, sorted(others, key=lambda other: other[0][1])])


def _food_by_ids(table: Table, foods: list[int]) -> None:
    pairs = sorted(zip(table.players, foods, strict=True), key=lambda pair: pair[0].id)
    clamped(table, [food for _, food in pairs])


IDS = [
    Chaff(
        "the-cycle-goes-by-ids",
        "the players feed in the order of their ids",
        "1.8",
        XSTEP4,
        _by_ids(_feeding_cycle),
    ),
    Chaff(
        "food-is-revealed-by-ids",
        "fertile, long-neck and fat-tissue act for the players in the order of their ids",
        "1.8",
        XSTEP4,
        _by_ids(_food_revealed),
    ),
    Chaff(
        "food-cards-come-by-ids",
        "the food cards are turned over in the order of the players' ids",
        "1.8",
        XSTEP4,
        revealing(_food_by_ids),
    ),
    Chaff(
        "scavengers-eat-by-ids",
        "scavengers are fed in the order of their players' ids",
        "1.8",
        STEPS,
        attacking(
            lambda at, player, attacker, owner, defender: feed_scavengers(
                at, sorted(at.players, key=_id), nobody
            )
        ),
    ),
    Chaff(
        "others-are-lined-up-by-ids",
        "the other players are lined up in the order of their ids",
        "1.8",
        STEPS,
        lined_up(lambda others: sorted(others, key=_id)),
    ),
    Chaff(
        "others-of-a-feeding-come-by-ids",
        "the other players of a Feeding are lined up in the order of their ids",
        "1.8",
        ("xfeed",),
        function(_feeding, _feeding_by_ids),
    ),
]


# --- what came (rules 1.3, 1.7) --------------------------------------------------------------------


class _Hand(list[Card]):
    """A hand that is there though it may be empty."""

    def __bool__(self) -> bool:
        return True


class _Store(int):
    """A store that is there though it may be empty."""

    def __bool__(self) -> bool:
        return True


def _hand_that_came(value: "Any") -> Player:
    found = _player(value)
    if len(value) == 4:
        found.hand = _Hand(found.hand)
    return found


def _store_that_came(value: "Any") -> Species:
    found = _species(value)
    if len(value) == 5 and "fat-tissue" in found.traits:
        found.fat_food = _Store(found.fat_food)
    return found


CAME = [
    Chaff(
        "an-empty-hand-that-came-is-written",
        "a hand that came as an empty list of cards is written as one",
        "1.7",
        STEPS,
        function(_player, _hand_that_came),
    ),
    Chaff(
        "an-empty-store-that-came-is-written",
        "a store that came as fat-food 0 is written as that",
        "1.3",
        XSTEP,
        function(_species, _store_that_came),
    ),
]

MISREADINGS = [*NEIGHBOURS, *ILLEGAL, *MIXED_UP, *ONE_OF_SEVERAL, *LOST, *EQUAL, *IDS, *CAME]
