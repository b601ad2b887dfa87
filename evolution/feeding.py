"""Attacks, one feeding step, and the feeding cycle (rules 3 and 4).

A player is asked only where the rules leave it a choice, and its answer is checked here.
"""

from evolution.attack import looks, targets
from evolution.choices import DECLINE, Attack, Decline, Eat, FeedingChoice, State, StoreFat
from evolution.species import Species, fat_need, hungry, is_carnivore
from evolution.table import Player, Table
from evolution.traits import TRAITS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Protocol

    class Feeder(Protocol):
        """Whoever can say what to feed next."""

        def feed_next(self, state: State) -> FeedingChoice | None:
            """The player's choice; None if it sees none, which counts as declining."""


class IllegalChoice(Exception):
    """A player has chosen something that the rules do not offer it."""


def attack(table: Table, player: Player, attacker: Species, owner: Player, defender: Species) -> None:
    """The player's attacker attacks the owner's defender (rules 3.4)."""
    table.wound(owner, defender, "attack")
    for trait in defender.traits:
        was_attacked = TRAITS[trait].was_attacked
        if was_attacked:
            was_attacked(attacker, defender, defender, table, owner)
            if attacker.population == 0:
                return
    table.feed(player, attacker, "attack")
    for witness in table.from_player(player):
        for board in witness.boards:
            for trait in board.traits:
                saw_attack = TRAITS[trait].saw_attack
                if saw_attack:
                    saw_attack(attacker, defender, board, table, witness)


def state_of(table: Table, player: Player) -> State:
    """What the player sees of the table when it is asked to feed."""
    others = [other.boards for other in table.from_player(player)[1:]]
    return State(player.bag, player.boards, player.hand, table.hole, others)


def options(state: State) -> "Iterator[FeedingChoice]":
    """Everything the player may choose, each fat need once, filled whole (rules 4.1)."""
    boards = state.boards
    for at, board in enumerate(boards):
        need = fat_need(board)
        if need > 0:
            yield StoreFat(at, need)
    for at, board in enumerate(boards):
        if hungry(board) and not is_carnivore(board):
            yield Eat(at)
    yield from _attacks(state)


def _attacks(state: State) -> "Iterator[Attack]":
    """All attacks that the player may choose."""
    rows = [*state.others, state.boards]
    harmless: dict[tuple[object, ...], int] = {}  # how many have no target, by what they look like
    for at, board in enumerate(state.boards):
        # Two who look alike and have no target prove it of all: each might have been the other's.
        if hungry(board) and is_carnivore(board) and harmless.get(looks(board), 0) < 2:
            found = None
            for other, theirs in enumerate(rows):
                for target in targets(board, theirs):
                    found = Attack(at, other, target)
                    yield found
            if found is None:
                harmless[looks(board)] = harmless.get(looks(board), 0) + 1


def legal_choices(state: State) -> "list[FeedingChoice]":
    """Everything that `check_choice` lets pass: all options, fat needs in part as well, and DECLINE last.

    Empty if the player has no option, and so nothing to decline.
    """
    choices: list[FeedingChoice] = []
    for option in options(state):
        if isinstance(option, StoreFat):
            choices += [StoreFat(option.board, tokens) for tokens in range(option.tokens, 0, -1)]
        else:
            choices.append(option)
    return [*choices, DECLINE] if choices else []


def feeding_step(table: Table, player: Player, feeder: "Feeder") -> bool:
    """One feeding step of the player; False if it is out of this feeding cycle (rules 4).

    Raises IllegalChoice, with the table unchanged, if the player chooses what it may not.
    """
    if table.hole == 0:
        return False
    state = state_of(table, player)
    choice = forced_choice(state)
    if choice is None:
        choice = feeder.feed_next(state) or DECLINE
        check_choice(state, choice)
    if isinstance(choice, Decline):
        return False
    carry_out(table, player, choice)
    return True


def forced_choice(state: State) -> "FeedingChoice | None":
    """What the dealer does without asking: DECLINE if nothing is possible; None if it must ask."""
    possible = options(state)
    only = next(possible, DECLINE)
    if next(possible, None) is not None:
        return None
    if isinstance(only, Attack) and only.player == len(state.others):
        return None  # an attack on an own board is never carried out unasked
    return only


def carry_out(table: Table, player: Player, choice: Eat | StoreFat | Attack) -> None:
    """Do what was chosen; the choice is known to be legal."""
    if isinstance(choice, Eat):
        table.feed(player, player.boards[choice.board], "choice")
    elif isinstance(choice, StoreFat):
        table.store_fat(player, player.boards[choice.board], choice.tokens)
    else:
        others = table.from_player(player)[1:]
        owner = [*others, player][choice.player]
        attack(table, player, player.boards[choice.board], owner, owner.boards[choice.target])


def check_choice(state: State, choice: FeedingChoice) -> None:
    """Raises IllegalChoice, saying why, unless the choice is one that the rules offer."""
    if isinstance(choice, Decline):
        return
    _must_exist(choice.board, len(state.boards), "own board")
    board = state.boards[choice.board]
    if isinstance(choice, StoreFat):
        need = fat_need(board)
        if not 1 <= choice.tokens <= need:
            raise IllegalChoice(
                f"stores {choice.tokens} as fat on board {choice.board}, whose need is {need}"
            )
        return
    if not hungry(board):
        raise IllegalChoice(f"board {choice.board} is not hungry")
    if isinstance(choice, Eat):
        if is_carnivore(board):
            raise IllegalChoice(f"board {choice.board} is a carnivore and must attack to eat")
        return
    _check_attack(state, choice, board)


def _check_attack(state: State, choice: Attack, attacker: Species) -> None:
    _must_exist(choice.player, len(state.others) + 1, "player")
    theirs = [*state.others, state.boards][choice.player]
    _must_exist(choice.target, len(theirs), "board", f" of player {choice.player}")
    if theirs[choice.target] is attacker:
        raise IllegalChoice(f"board {choice.board} attacks itself")
    if choice.target not in targets(attacker, theirs):
        raise IllegalChoice(
            f"board {choice.board} cannot attack board {choice.target} of player {choice.player}"
        )


def _must_exist(at: int, count: int, what: str, whose: str = "") -> None:
    if not 0 <= at < count:
        raise IllegalChoice(f"there is no {what} {at}{whose}")


def feeding_cycle(
    table: Table,
    feeders: "Sequence[Feeder]",
    step: "Callable[[Table, Player, Feeder], bool]" = feeding_step,
) -> None:
    """Players in turn order, again and again, one step each, until the hole is empty or all are out."""
    eating = list(zip(table.players, feeders, strict=True))
    while eating and table.hole:
        eating = [(player, feeder) for player, feeder in eating if step(table, player, feeder)]
