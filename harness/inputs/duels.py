"""Small tables on which one attack decides: a hunter, its prey, and few that look on.

All else that the first player could do is done, so whether the attack is possible, or which of two, is
seen in the answer.
"""

from random import Random

from harness.inputs.boards import EATING, make_species, situation
from harness.inputs.chance import below, chance, pick
from harness.inputs.kinds import (
    CHOICE,
    CONFIGURATION,
    FEEDING,
    SITUATION,
    STATE,
    STATE_AND_ACTION,
    STATE_WITH_HAND,
    STEP4,
    kind_with_state,
    usual_kind,
)
from harness.inputs.mutation import BODY, FOOD, LOT, NAMES, POPULATION, STORE, TWISTS, put_trait, settle
from harness.inputs.tables import CARDS, ids, make_player

TYPE_CHECKING = False
if TYPE_CHECKING:
    from harness.inputs.chance import Json

FEW = (1, 1, 2, 2, 3, 4, 6)


def duel(program: str, rng: Random) -> "Json":
    """An input of a program in which one attack, as a rule, decides."""
    if usual_kind(program) == SITUATION:
        return _in_state(rng) if kind_with_state(program) and chance(rng, 0.2) else _twisted(rng)
    return table_of(program, rng, _rows(rng), pick(rng, FEW))


def table_of(program: str, rng: Random, rows: "list[list[Json]]", hole: int) -> "Json":
    """An input of a program with these boards and tokens, and little else."""
    kind = usual_kind(program)
    if kind_with_state(program) and chance(rng, 0.2):
        return _state(rng, kind_with_state(program), rows, hole)
    if kind == CHOICE:
        return [_player(rng, 1, rows[0], 3, 9), [], rows[1:]]
    fewest = 1 if kind == STEP4 else 0
    players = [
        _player(rng, number, row, fewest, 3) for number, row in zip(ids(rng, len(rows)), rows, strict=True)
    ]
    if kind == FEEDING:
        return [players[0], hole, players[1:]]
    configuration = [players, hole, _cards(rng, 0, 5)]
    if kind == CONFIGURATION:
        return configuration
    return [configuration, [_action(rng, len(player[1][1]), len(player[3][1])) for player in players]]


def _state(rng: Random, kind: str, rows: "list[list[Json]]", hole: int) -> "Json":
    """A State on these rows, with the action of its owner if the kind has one."""
    fewest, most = {STATE: (0, 2), STATE_WITH_HAND: (3, 9), STATE_AND_ACTION: (1, 3)}[kind]
    hand = _cards(rng, fewest, most)
    state = [0, rows[0], hand, hole, rows[1:]]
    return [state, _action(rng, len(rows[0]), len(hand))] if kind == STATE_AND_ACTION else state


def _in_state(rng: Random) -> "Json":
    """A State and an attack on the board that would be the defender of a Situation."""
    defender, attacker, left, right = _twisted(rng)
    row = [board for board in (left, defender, right) if board]
    if chance(rng, 0.25):
        row.insert(below(rng, len(row) + 1), attacker)
        return [[0, row, [], below(rng, 3), []], [row.index(attacker), 0, row.index(defender)]]
    others = [row]
    if chance(rng, 0.5):
        others.insert(below(rng, 2), [_onlooker(rng, False) for _ in range(below(rng, 3))])
    return [[0, [attacker], [], below(rng, 3), others], [0, others.index(row), row.index(defender)]]


def _twisted(rng: Random) -> "Json":
    """A situation at the edge of some rule, more often than not."""
    value = situation(rng)
    defender, attacker, left, right = value
    if chance(rng, 0.6):
        pick(rng, TWISTS)(rng, attacker, defender)
        settle(defender)
        settle(attacker)
    if chance(rng, 0.3):
        put_trait(rng, pick(rng, (attacker, defender)), pick(rng, NAMES))
    if chance(rng, 0.2):
        _befriend(rng, value)
    if chance(rng, 0.15):
        for board in (left, right):
            if board:
                put_trait(rng, board, "warning-call")
        if chance(rng, 0.7):
            put_trait(rng, attacker, "ambush")
    if chance(rng, 0.9):
        put_trait(rng, attacker, "carnivore")
    return value


def _befriend(rng: Random, value: "Json") -> None:
    """Give the defender of a situation symbiosis, and a right neighbour that is just large enough, or not."""
    defender, right = value[0], value[3]
    put_trait(rng, defender, "symbiosis")
    if not right:
        right = value[3] = make_species(0, 0, 1, [], None)
    right[BODY][1] = defender[BODY][1] + pick(rng, (1, 1, 1, 2, 0))
    settle(right)


def _rows(rng: Random) -> "list[list[Json]]":
    defender, attacker, left, right = _twisted(rng)
    hungry = pick(rng, (0, attacker[POPULATION][1] - 1))
    attacker[FOOD][1] = hungry
    row = [board for board in (left, defender, right) if board]
    own = [attacker]
    for _ in range(pick(rng, (0, 0, 1, 1, 2))):
        own.insert(below(rng, len(own) + 1), _onlooker(rng, full=chance(rng, 0.7)))
    for board in own:
        if "fat-tissue" in board[LOT][1] and chance(rng, 0.8):
            board[STORE:] = [["fat-food", board[BODY][1]]] if board[BODY][1] else []
    rows = [own, row]
    for _ in range(pick(rng, (0, 0, 1, 2))):
        rows.insert(1 + below(rng, len(rows)), [_onlooker(rng, False) for _ in range(1 + below(rng, 2))])
    return rows


def _onlooker(rng: Random, full: bool) -> "Json":
    population = 1 + below(rng, 3)
    food = population if full else below(rng, population + 1)
    traits = [pick(rng, EATING)]
    other = pick(rng, EATING)
    if other not in traits and chance(rng, 0.5):
        traits.append(other)
    if chance(rng, 0.2):
        traits.insert(0, "carnivore")
    return make_species(food, below(rng, 4), population, traits, None)


def _cards(rng: Random, low: int, high: int) -> "list[Json]":
    return [list(pick(rng, CARDS)) for _ in range(low + below(rng, high - low + 1))]


def _player(rng: Random, number: int, row: "list[Json]", low: int, high: int) -> "Json":
    hand = _cards(rng, low, high)
    return make_player(number, row, 0, hand if hand or chance(rng, 0.2) else None)


def _action(rng: Random, boards: int, cards: int) -> "Json":
    """An action of a player with so many boards and cards that changes little."""
    order = list(range(cards))
    action: Json = [below(rng, cards), [], [], [], []]
    free = [card for card in order if card != action[0]]
    if free and boards and chance(rng, 0.3):
        action[pick(rng, (1, 2))].append([below(rng, boards), free.pop()])
    return action
