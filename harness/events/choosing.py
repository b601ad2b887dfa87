"""The events of a feeding step: which options there were, and what decided between them."""

from collections.abc import Iterable
from itertools import islice

from evolution.attack import targets
from evolution.choices import DECLINE, Attack, Decline, Eat, FeedingChoice, State, StoreFat
from evolution.feeding import carry_out, forced_choice, state_of
from evolution.silly import feed
from evolution.species import Species, fat_need, hungry, is_carnivore, size
from evolution.table import Player, Table
from harness.events.attacks import Seen, pair_events

MOST_RIVALS = 3  # that one board is compared with
MOST_PAIRS = 4  # blocked pairs that are looked at in one step; a large table has many more
FIELDS = ("population", "food", "body")


def tie(chosen: Species, rivals: "list[Species]") -> str:
    """What tells the chosen board from its nearest rival in the size order."""
    if not rivals:
        return "no rival"
    best = size(chosen)
    nearest = max(map(size, rivals))
    for name, one, other in zip(FIELDS, best, nearest, strict=True):
        if one != other:
            return name
    return "its place"


def orders(seen: "Seen", what: str, boards: "list[Species]", chosen: int, rivals: "Iterable[int]") -> None:
    """How the chosen board compares with some of its rivals, number by number, and who lies first."""
    best = size(boards[chosen])
    for at in islice(rivals, MOST_RIVALS):
        signs = [
            "=" if a == b else ">" if a > b else "<" for a, b in zip(best, size(boards[at]), strict=True)
        ]
        seen["order", what, *signs, "before" if chosen < at else "after"] = None


def step(seen: "Seen", table: "Table", player: "Player") -> bool:
    """One feeding step of a Silly player, with its events; False if the player is out."""
    if table.hole == 0:
        _nothing_to_eat(seen, state_of(table, player))
        return False
    state = state_of(table, player)
    choice = forced_choice(state)
    if choice is None:
        choice = feed(state) or DECLINE
        choice_events(seen, state, choice, "asked")
    else:
        choice_events(seen, state, choice, "unasked")
    if isinstance(choice, Decline):
        return False
    carry_out(table, player, choice)
    return True


def _nothing_to_eat(seen: "Seen", state: State) -> None:
    """What the player would have done if there were tokens."""
    forced = forced_choice(state)
    choice = feed(state) if forced is None else forced
    seen["the hole is empty", type(choice).__name__, "asked" if forced is None else "unasked"] = None


def choice_events(seen: "Seen", state: State, choice: "FeedingChoice | None", how: str) -> None:
    """Add the events of a choice that was made, or forced, in this state."""
    if isinstance(choice, StoreFat):
        _stored(seen, state, choice, how)
    elif isinstance(choice, Eat):
        _eaten(seen, state, choice, how)
    elif isinstance(choice, Attack):
        _attacked(seen, state, choice, how)
    else:
        seen[how, "nothing" if choice is None else "declines"] = None
        _not_attacked(seen, state, how)


def _stored(seen: "Seen", state: State, choice: StoreFat, how: str) -> None:
    boards = state.boards
    chosen = boards[choice.board]
    need = fat_need(chosen)
    hole = "too few" if state.hole < need else "exact" if state.hole == need else "enough"
    needs = [fat_need(board) for board in boards if board is not chosen]
    other = max(needs, default=0)
    rivals = [board for board in boards if board is not chosen and fat_need(board) == need]
    larger = [board for board in boards if fat_need(board) and size(board) > size(chosen)]
    alike = (at for at, board in enumerate(boards) if board is not chosen and fat_need(board) == need)
    orders(seen, "fat", boards, choice.board, alike)
    tied = tie(chosen, rivals) if rivals else "no other need" if not other else "a smaller need"
    seen[how, "stores", tied, hole] = None
    seen[how, "stores", tied, "last" if choice.board == len(boards) - 1 else "not last"] = None
    if larger:
        seen[how, "stores", "larger board with smaller need", hole] = None
    if min(other, state.hole) == min(need, state.hole) and other < need:
        seen[how, "stores", "needs differ beyond the hole"] = None
    if any(hungry(board) for board in boards):
        kind = "hungry" if hungry(chosen) else "full"
        seen[how, "stores", "before food", kind, "carnivore" if is_carnivore(chosen) else "vegetarian"] = None


def _eaten(seen: "Seen", state: State, choice: Eat, how: str) -> None:
    boards = state.boards
    chosen = boards[choice.board]
    rivals = [board for board in boards if board is not chosen and hungry(board) and not is_carnivore(board)]
    tied = tie(chosen, rivals)
    alike = (at for at, board in enumerate(boards) if any(board is rival for rival in rivals))
    orders(seen, "plants", boards, choice.board, alike)
    seen[how, "eats", tied, "last" if choice.board == len(boards) - 1 else "not last"] = None
    if any(is_carnivore(board) and hungry(board) for board in boards):
        larger = any(is_carnivore(board) and size(board) > size(chosen) for board in boards)
        seen[how, "eats", tied, "a larger carnivore" if larger else "a smaller carnivore"] = None
    if any(not hungry(board) and size(board) > size(chosen) for board in boards):
        seen[how, "eats", tied, "a larger full board"] = None


def _attacked(seen: "Seen", state: State, choice: Attack, how: str) -> None:
    own = choice.player == len(state.others)
    row = state.boards if own else state.others[choice.player]
    attacker, defender = state.boards[choice.board], row[choice.target]
    _pair(seen, attacker, row, choice.target, "chosen")
    hunters = [board for board in state.boards if hungry(board) and is_carnivore(board)]
    seen[how, "attacks", "hunter by", tie(attacker, [one for one in hunters if one is not attacker])] = None
    alike = (at for at, one in enumerate(state.boards) if one is not attacker and one in hunters)
    orders(seen, "hunters", state.boards, choice.board, alike)
    larger = [one for one in hunters if size(one) > size(attacker)]
    seen[how, "attacks", f"{min(len(larger), 2)} larger hunters in vain"] = None
    if any(size(one) > size(attacker) and one not in hunters for one in state.boards):
        seen[how, "attacks", "a larger board does not hunt"] = None
    _rivals(seen, state, choice, how)
    _own_board(seen, state, attacker, defender, how)
    _passed_over(seen, state, attacker, size(defender))
    for hunter in larger[:2]:
        _passed_over(seen, state, hunter, (0, 0, 0))


def _rivals(seen: "Seen", state: State, choice: Attack, how: str) -> None:
    """What decided between the prey and the others that could have been attacked."""
    attacker = state.boards[choice.board]
    same: list[Species] = []
    others: list[Species] = []
    line: list[Species] = []
    mine = -1
    for at, row in enumerate(state.others):
        for target in targets(attacker, row):
            if (at, target) == (choice.player, choice.target):
                mine = len(line)
            elif at != choice.player:
                others.append(row[target])
            else:
                same.append(row[target])
            line.append(row[target])
    if mine >= 0:
        orders(seen, "prey", line, mine, (at for at in range(len(line)) if at != mine))
    if choice.player == len(state.others):
        return
    defender = state.others[choice.player][choice.target]
    where = f"player {min(choice.player, 2)}"
    seen[how, "prey by", tie(defender, same), "in its row", tie(defender, others), "elsewhere"] = None
    seen[how, "prey by", tie(defender, others), "elsewhere", where] = None
    if same and max(size(one)[::-1] for one in same) > size(defender)[::-1]:
        seen[how, "prey", "a rival with a larger body"] = None


def _own_board(seen: "Seen", state: State, attacker: Species, defender: Species, how: str) -> None:
    """Whether an own board could have been attacked instead."""
    own = [state.boards[at] for at in targets(attacker, state.boards)]
    if own:
        larger = "larger" if max(map(size, own)) > size(defender) else "smaller"
        seen[how, "prey", f"a {larger} own board is open"] = None


def _passed_over(seen: "Seen", state: State, attacker: Species, than: tuple[int, int, int]) -> None:
    """The blocked boards that the attacker would have liked better than what it got."""
    count = 0
    for boards in state.others:
        better = [at for at, board in enumerate(boards) if size(board) > than]
        open_to_attack = list(targets(attacker, boards)) if better else []
        for at in better:
            if at not in open_to_attack:
                _pair(seen, attacker, boards, at, "passed over")
                count += 1
                if count == MOST_PAIRS:
                    return


def _not_attacked(seen: "Seen", state: State, how: str) -> None:
    """Nobody was attacked, though there may be hungry carnivores."""
    hunters = [board for board in state.boards if hungry(board) and is_carnivore(board)]
    seen[how, "nobody attacks", f"{min(len(hunters), 2)} hunters"] = None
    for hunter in hunters[:2]:
        _passed_over(seen, state, hunter, (0, 0, 0))
        if any(True for _ in targets(hunter, state.boards)):
            seen[how, "nobody attacks", "an own board is open"] = None


def _pair(seen: "Seen", attacker: Species, boards: list[Species], at: int, stage: str) -> None:
    left = boards[at - 1] if at else None
    right = boards[at + 1] if at + 1 < len(boards) else None
    pair_events(seen, attacker, boards[at], left, right, stage)
