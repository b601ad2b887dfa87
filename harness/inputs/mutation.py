"""Small changes to inputs: one number more, a trait moved, a player gone.

A change edits the value in place, and keeps a board a board: its food within its population, its fat
within its body. All else that may go wrong, such as a ninth player, is for whoever reads the result.
"""

from random import Random

from evolution.traits import MOST, TRAITS
from harness.inputs.boards import PLAIN, make_species
from harness.inputs.chance import below, chance, pick
from harness.inputs.kinds import (
    CHOICE,
    CONFIGURATION,
    FEEDING,
    SITUATION,
    STATE_AND_ACTION,
    STATE_AND_CHOICE,
    STATES,
    STEP4,
    kind_of,
    usual_kind,
)
from harness.inputs.tables import CARDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from harness.inputs.chance import Json

    Rows = list[list[Json]]
    Change = Callable[[Random, "Parts"], None]

FOOD, BODY, POPULATION, LOT, STORE = range(5)  # the places of the pairs of a board
NAMES = sorted(TRAITS)
HOLES = (0, 1, 1, 2, 2, 3, 4, 6)
DECKS = (0, 1, 2, 3, 4)


class Parts:
    """The parts of an input that can be changed in place: rows of boards, hands, the deck, actions.

    hunt: the attack beside a State.
    """

    __slots__ = ("actions", "deck", "hands", "hole", "hunt", "players", "rows", "value")

    def __init__(self, kind: str, value: "Json") -> None:
        self.value = value
        self.rows: Rows = []
        self.hands: list[list[Json]] = []
        self.deck: list[Json] | None = None
        self.hole: tuple[list[Json], int] | None = None
        self.actions: list[Json] = []
        self.hunt: list[int] | None = None
        self.players: list[Json] | None = None  # a list in which whole players can be moved
        if kind == SITUATION:
            self.rows = [[board] for board in value if board]
        elif kind == CHOICE:
            self._player(value[0])
            self.rows += value[1] + value[2]
        else:
            self._table(kind, value)

    def _table(self, kind: str, value: "Json") -> None:
        if kind == STEP4:
            value, self.actions = value
        elif kind == STATE_AND_ACTION:
            value, action = value
            self.actions = [action]
        elif kind == STATE_AND_CHOICE:
            value, self.hunt = value
        if kind in STATES:
            self.rows = [value[1], *value[4]]
            self.hands = [value[2]]
            self.hole = (value, 3)
            self.players = value[4]
        elif kind == FEEDING:
            self._player(value[0])
            for player in value[2]:
                self._player(player)
            self.hole = (value, 1)
            self.players = value[2]
        else:
            for player in value[0]:
                self._player(player)
            self.hole = (value, 1)
            self.deck = value[2]
            self.players = value[0]

    def _player(self, player: "Json") -> None:
        self.rows.append(player[1][1])
        if len(player) > 3:
            self.hands.append(player[3][1])

    @property
    def all_act(self) -> bool:
        """Whether every player has an action, and not only the owner of a State."""
        return bool(self.actions) and self.deck is not None

    def acting(self, rng: Random) -> "tuple[Json, list[Json], list[Json]]":
        """Some action, with the boards and the cards of its player."""
        at = below(rng, len(self.actions))
        if not self.all_act:
            return self.actions[at], self.rows[0], self.hands[0]
        _, boards, _, *cards = (self.players or [])[at]
        return self.actions[at], boards[1], cards[0][1] if cards else []


def mutate(program: str, rng: Random, value: "Json") -> "Json":
    """Change the value in one to four ways, and give it back."""
    kind = kind_of(program, value)
    changes = CHANGES.get(kind) or CHANGES[usual_kind(program)]
    for _ in range(pick(rng, (1, 1, 2, 2, 3, 4))):
        pick(rng, changes)(rng, Parts(kind, value))
    return value


def _board(rng: Random, rows: "Rows") -> "Json | None":
    row = pick(rng, rows) if rows else []
    return pick(rng, row) if row else None


def settle(board: "Json") -> None:
    """Bring the numbers of a board into their bounds."""
    population = board[POPULATION][1] = min(MOST, max(1, board[POPULATION][1]))
    body = board[BODY][1] = min(MOST, max(0, board[BODY][1]))
    board[FOOD][1] = min(population, max(0, board[FOOD][1]))
    if len(board) > STORE:
        board[STORE][1] = min(body, max(0, board[STORE][1]))


# --- numbers of boards -------------------------------------------------------------------------------


def one_more_or_less(rng: Random, parts: Parts) -> None:
    """One number of a board changes by one."""
    board = _board(rng, parts.rows)
    if board:
        board[pick(rng, (FOOD, BODY, POPULATION))][1] += 1 if chance(rng, 0.5) else -1
        settle(board)


def like_another(rng: Random, parts: Parts) -> None:
    """A board gets numbers of another one, or one more or less: a tie, or nearly."""
    board, other = _board(rng, parts.rows), _board(rng, parts.rows)
    if board and other:
        for place in (POPULATION, BODY, FOOD):
            if chance(rng, 0.6):
                board[place][1] = other[place][1]
        if chance(rng, 0.4):
            board[pick(rng, (FOOD, BODY, POPULATION))][1] += pick(rng, (-1, 1, 3, 4))
        settle(board)


def full_or_hungry(rng: Random, parts: Parts) -> None:
    """A board that is full becomes hungry, or the other way round."""
    board = _board(rng, parts.rows)
    if board:
        population = board[POPULATION][1]
        full = board[FOOD][1] == population
        board[FOOD][1] = pick(rng, (0, population - 1)) if full else population


def fat(rng: Random, parts: Parts) -> None:
    """The fat of a board changes, its fat-tissue comes with it."""
    board = _board(rng, parts.rows)
    if board:
        body = board[BODY][1]
        lot = board[LOT][1]
        if "fat-tissue" not in lot and chance(rng, 0.8):
            lot[:] = [*lot[:2], "fat-tissue"]
        board[STORE:] = [["fat-food", pick(rng, (0, body, max(0, body - 1), below(rng, body + 1)))]]


def row_is_full(rng: Random, parts: Parts) -> None:
    """All vegetarians of a row are full, and all its stores: only attacks are left."""
    for board in pick(rng, parts.rows) if parts.rows else []:
        if "carnivore" not in board[LOT][1]:
            board[FOOD][1] = board[POPULATION][1]
        if "fat-tissue" in board[LOT][1]:
            board[STORE:] = [["fat-food", board[BODY][1]]]


def first_is_full(rng: Random, parts: Parts) -> None:
    """In the first row, whose player is asked, all vegetarians and all stores are full."""
    row_is_full(rng, _first_row(parts))


def _first_row(parts: Parts) -> Parts:
    parts.rows = parts.rows[:1]
    return parts


# --- traits ------------------------------------------------------------------------------------------


def add_trait(rng: Random, parts: Parts) -> None:
    """A board gets a trait, in place of another if it has three."""
    board = _board(rng, parts.rows)
    if board:
        put_trait(rng, board, pick(rng, NAMES))


def put_trait(rng: Random, board: "Json", trait: str) -> None:
    """The board has the trait, at any slot."""
    lot = board[LOT][1]
    if trait not in lot:
        at = below(rng, len(lot) + 1)
        if len(lot) == 3:
            lot[min(at, 2)] = trait
        else:
            lot.insert(at, trait)


def drop_trait(rng: Random, parts: Parts) -> None:
    """A board loses a trait."""
    board = _board(rng, parts.rows)
    if board and board[LOT][1]:
        del board[LOT][1][below(rng, len(board[LOT][1]))]


def share_trait(rng: Random, parts: Parts) -> None:
    """A board gets a trait that another one has."""
    board, other = _board(rng, parts.rows), _board(rng, parts.rows)
    if board and other and other[LOT][1]:
        put_trait(rng, board, pick(rng, other[LOT][1]))


def hunter(rng: Random, parts: Parts) -> None:
    """A board becomes a hungry carnivore."""
    board = _board(rng, parts.rows)
    if board:
        put_trait(rng, board, "carnivore")
        board[FOOD][1] = min(board[FOOD][1], board[POPULATION][1] - 1)


# Traits that matter on one side of an attack only, and what makes one attack a matter of one more or less.
def twist(rng: Random, parts: Parts) -> None:
    """Two boards look at each other at the edge of a rule: a shell, a herd, callers, or any odd trait."""
    attacker, defender = _board(rng, parts.rows[:1]), _board(rng, parts.rows[1:])
    if len(parts.rows) < 2 or not attacker or not defender:
        return
    if parts.value[0] is attacker:  # a situation has its defender first
        attacker, defender = defender, attacker
    pick(rng, TWISTS)(rng, attacker, defender)
    if chance(rng, 0.5):
        odd = pick(rng, (attacker, defender))
        put_trait(rng, odd, pick(rng, NAMES))
    settle(attacker)
    settle(defender)


def shell(rng: Random, attacker: "Json", defender: "Json") -> None:
    """A hard shell that only just holds, or breaks."""
    put_trait(rng, defender, "hard-shell")
    if chance(rng, 0.4):
        put_trait(rng, attacker, "pack-hunting")
    pack = attacker[POPULATION][1] if "pack-hunting" in attacker[LOT][1] else 0
    attacker[BODY][1] = defender[BODY][1] + pick(rng, (2, 3, 3, 4, 4, 5)) - pack
    if attacker[BODY][1] < 0:
        defender[BODY][1] -= attacker[BODY][1]


def herd(rng: Random, attacker: "Json", defender: "Json") -> None:
    """A herd that only just holds, or does not."""
    put_trait(rng, defender, "herding")
    attacker[POPULATION][1] = defender[POPULATION][1] + pick(rng, (-1, 0, 1, 2))


def burrow(rng: Random, attacker: "Json", defender: "Json") -> None:
    """A board under the ground, or with one token less; perhaps its store is not full."""
    put_trait(rng, defender, "burrowing")
    defender[FOOD][1] = defender[POPULATION][1] - pick(rng, (0, 0, 0, 1))
    if chance(rng, 0.3):
        put_trait(rng, defender, "fat-tissue")
        defender[STORE:] = [["fat-food", below(rng, defender[BODY][1] + 1)]]


def stored(rng: Random, attacker: "Json", defender: "Json") -> None:
    """Stored fat, which changes nothing."""
    for board in (attacker, defender):
        if chance(rng, 0.6):
            put_trait(rng, board, "fat-tissue")
            board[STORE:] = [["fat-food", board[BODY][1]]]


def odd(rng: Random, attacker: "Json", defender: "Json") -> None:
    """Traits of the other side."""
    put_trait(rng, attacker, pick(rng, PROTECTING))
    put_trait(rng, defender, pick(rng, HUNTING))


PROTECTING = ("burrowing", "climbing", "hard-shell", "herding", "horns", "symbiosis", "warning-call")
HUNTING = ("ambush", "carnivore", "pack-hunting", "climbing", "horns", "scavenger")
TWISTS = (shell, shell, herd, burrow, stored, odd)


# --- boards ------------------------------------------------------------------------------------------


def drop_board(rng: Random, parts: Parts) -> None:
    """A board goes."""
    row = pick(rng, parts.rows) if parts.rows else []
    if row:
        del row[below(rng, len(row))]


def copy_board(rng: Random, parts: Parts) -> None:
    """A board lies there twice, the second one anywhere."""
    board = _board(rng, parts.rows)
    if board:
        row = pick(rng, parts.rows)
        if len(row) < 6:
            row.insert(
                below(rng, len(row) + 1),
                [[key, value[:] if key == "traits" else value] for key, value in board],
            )


def move_board(rng: Random, parts: Parts) -> None:
    """A board lies somewhere else."""
    row, other = pick(rng, parts.rows), pick(rng, parts.rows)
    if row and len(other) < 6:
        board = row.pop(below(rng, len(row)))
        other.insert(below(rng, len(other) + 1), board)


def new_board(rng: Random, parts: Parts) -> None:
    """A plain board more, with a trait."""
    row = pick(rng, parts.rows)
    if len(row) < 6:
        population = 1 + below(rng, 3)
        board = make_species(below(rng, population + 1), below(rng, 4), population, [pick(rng, PLAIN)], None)
        row.insert(below(rng, len(row) + 1), board)


def mirror_row(rng: Random, parts: Parts) -> None:
    """A row the other way round."""
    pick(rng, parts.rows).reverse()


# --- players and the table -----------------------------------------------------------------------------


def drop_player(rng: Random, parts: Parts) -> None:
    """A player goes, with its action."""
    if parts.players and len(parts.players) > 1:
        at = below(rng, len(parts.players))
        del parts.players[at]
        if parts.all_act:
            del parts.actions[at]


def ids(rng: Random, parts: Parts) -> None:
    """A player gets the id of another."""
    players = [player for player in parts.players or [] if player and player[0][0] == "id"]
    if players:
        pick(rng, players)[0][1] = pick(rng, players)[0][1]


def swap_players(rng: Random, parts: Parts) -> None:
    """Two players change places, with their actions."""
    if parts.players:
        one, other = below(rng, len(parts.players)), below(rng, len(parts.players))
        for things in (parts.players, parts.actions if parts.all_act else None):
            if things:
                things[one], things[other] = things[other], things[one]


def tokens(rng: Random, parts: Parts) -> None:
    """Few tokens, or one more or less."""
    if parts.hole:
        value, at = parts.hole
        value[at] = pick(rng, (*HOLES, value[at] + 1, max(0, value[at] - 1)))


def short_deck(rng: Random, parts: Parts) -> None:
    """A deck that may be too short."""
    if parts.deck is not None:
        del parts.deck[pick(rng, DECKS) :]
        if not parts.deck and chance(rng, 0.3):
            parts.deck.append(list(pick(rng, CARDS)))


def hand(rng: Random, parts: Parts) -> None:
    """A hand with one card more, less, or another."""
    if parts.hands:
        cards = pick(rng, parts.hands)
        kind = below(rng, 3)
        if kind == 0 or not cards:
            cards.insert(below(rng, len(cards) + 1), list(pick(rng, CARDS)))
        elif kind == 1:
            del cards[below(rng, len(cards))]
        else:
            cards[below(rng, len(cards))] = list(pick(rng, CARDS))


def equal_cards(rng: Random, parts: Parts) -> None:
    """A card like another one of the hand, or of the same trait with another food value."""
    if parts.hands:
        cards = pick(rng, parts.hands)
        if cards:
            food, trait = pick(rng, cards)
            if chance(rng, 0.5):
                food = min(3, max(-3, food + pick(rng, (-1, 1, -food, -2 * food))))
            cards.insert(below(rng, len(cards) + 1), [food, trait])


# --- actions -----------------------------------------------------------------------------------------


def an_index(rng: Random, parts: Parts) -> None:
    """A number in an exchange changes by one."""
    action = pick(rng, parts.actions)
    exchanges = [exchange for kind in action[1:] for exchange in kind]
    if not exchanges or chance(rng, 0.15):
        action[0] = max(0, action[0] + pick(rng, (-1, 1)))
        return
    exchange = pick(rng, exchanges)
    at = below(rng, len(exchange))
    if not isinstance(exchange[at], str):
        exchange[at] = max(0, exchange[at] + pick(rng, (-1, 1)))


def drop_exchange(rng: Random, parts: Parts) -> None:
    """An exchange is not made."""
    exchanges = pick(rng, pick(rng, parts.actions)[1:])
    if exchanges:
        del exchanges[below(rng, len(exchanges))]


def swap_exchanges(rng: Random, parts: Parts) -> None:
    """The exchanges of a kind in another order."""
    pick(rng, pick(rng, parts.actions)[1:]).reverse()


def food_value(rng: Random, parts: Parts) -> None:
    """Another food card."""
    action, _, cards = parts.acting(rng)
    if action[0] < len(cards):
        cards[action[0]] = [pick(rng, (-3, -2, -1, 0, 1, 2, 3)), cards[action[0]][1]]


def grow_more(rng: Random, parts: Parts) -> None:
    """One more growth of a board, with a new card."""
    action, row, cards = parts.acting(rng)
    boards = len(row) + len(action[3])
    if boards and cards:
        action[pick(rng, (1, 2))].append([below(rng, boards), len(cards)])
        cards.append(list(pick(rng, CARDS)))


def replace_more(rng: Random, parts: Parts) -> None:
    """One more replacement of a trait, with a new card."""
    action, row, cards = parts.acting(rng)
    slots = [(place, slot) for place, board in enumerate(row) for slot in range(len(board[LOT][1]))]
    if slots and cards:
        action[4].append([*pick(rng, slots), len(cards)])
        cards.append([0, "fat-tissue"] if chance(rng, 0.25) else list(pick(rng, CARDS)))


# Nothing was eaten before step 4, as in a game.
def nothing_eaten(rng: Random, parts: Parts) -> None:
    """All boards are hungry."""
    for row in parts.rows:
        for board in row:
            board[FOOD][1] = 0


def neighbour(rng: Random, parts: Parts) -> None:
    """A neighbour of a situation comes, goes, or is another."""
    value = parts.value
    at = 2 + below(rng, 2)
    if value[at] and chance(rng, 0.4):
        value[at] = False
    else:
        board = pick(rng, [board for board in value if board])
        value[at] = [[key, lot[:] if key == "traits" else lot] for key, lot in board]


def another_attack(rng: Random, parts: Parts) -> None:
    """A number of the attack beside a State changes by one."""
    if parts.hunt:
        at = below(rng, len(parts.hunt))
        parts.hunt[at] = max(0, parts.hunt[at] + pick(rng, (-1, 1)))


NUMBERS: "list[Change]" = [
    one_more_or_less,
    one_more_or_less,
    one_more_or_less,
    like_another,
    like_another,
    full_or_hungry,
]
LOTS: "list[Change]" = [add_trait, add_trait, add_trait, drop_trait, share_trait, share_trait]
ROWS: "list[Change]" = [drop_board, copy_board, move_board, new_board, mirror_row]
TABLES: "list[Change]" = [
    *NUMBERS,
    *LOTS,
    *ROWS,
    fat,
    row_is_full,
    first_is_full,
    hunter,
    drop_player,
    swap_players,
    tokens,
]
ACTIONS: "list[Change]" = [
    an_index,
    drop_exchange,
    swap_exchanges,
    food_value,
    grow_more,
    replace_more,
    replace_more,
    nothing_eaten,
]
HUNTS: "list[Change]" = [another_attack, another_attack, another_attack, twist, twist, twist]
CHANGES: "dict[str, list[Change]]" = {
    SITUATION: [*NUMBERS, *LOTS, fat, neighbour, twist, twist, twist],
    STATE_AND_CHOICE: [*NUMBERS, *LOTS, *ROWS, fat, swap_players, tokens, *HUNTS],
    FEEDING: TABLES,
    CONFIGURATION: [*TABLES, short_deck, hand],
    STEP4: [*TABLES, short_deck, hand, *ACTIONS, twist, twist, twist],
    CHOICE: [hand, hand, equal_cards, equal_cards, drop_board, copy_board],
}
