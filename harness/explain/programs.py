"""What each program makes of its input, told step by step."""

from functools import partial

from evolution.actions import Action4, IllegalAction, execute
from evolution.attack import MissingBoard, sides, targets
from evolution.cards import Card, card_order
from evolution.choices import Attack, Decline, Eat, FeedingChoice, State, StoreFat
from evolution.feeding import feeding_cycle, feeding_step, forced_choice, options, state_of
from evolution.observed import ObservedTable
from evolution.reasons import why_blocked
from evolution.silly import Silly, choose, feed
from evolution.species import Species, fat_need, hungry, is_carnivore, size
from evolution.table import Player, Table
from evolution.turn import food_revealed
from evolution.wire import reading
from evolution.wire.action4 import table_and_actions
from harness.explain.attacks import in_words as reason_in_words
from harness.explain.narrator import HOLE, StepNarrator, board_name, card_text
from harness.explain.story import OWN, Story
from harness.programs.answering import PROGRAMS
from harness.programs.reference import function_at, reference, well_formed
from harness.text import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from evolution.feeding import Feeder


def explain(program: str, value: object) -> Story:
    """The story of a well-formed input, as far as the program's row says. Raises Malformed if it is none."""
    story = Story(program)
    story.answer = well_formed(reference(program, value)).text
    place = PROGRAMS[program].story
    if place:
        function_at(place)(story, value)
    story.depth = 0
    story.tell(f"the answer: {story.answer if story.answer is not None else 'nothing'}")
    return story


# --- attacks --------------------------------------------------------------------------------------


def xattack(story: Story, value: object) -> None:
    """Tell what blocks an attack."""
    boards = _chosen_boards(story, value) if _begins_with_state(value) else reading.situation(value)
    if boards is None:
        return
    defender, attacker, left, right = boards
    reasons = why_blocked(attacker, defender, left, right)
    for reason in reasons:
        story.tell(reason_in_words(reason), reason.rule)
    if not reasons:
        story.tell("nothing blocks the attack", "2")


def _begins_with_state(value: object) -> bool:
    return type(value) is list and len(value) == 2 and reading.is_state(value[0])


def _chosen_boards(
    story: Story, value: object
) -> "tuple[Species, Species, Species | None, Species | None] | None":
    """The boards that the choice beside a State means, as in a Situation; None if no attack is possible."""
    state, choice = reading.state_and_choice(value)
    try:
        attacker, row = sides(state, choice)
    except MissingBoard as missing:
        story.tell(f"the choice is illegal, [{missing.place}]: {missing}", "2.10")
        return None
    at = choice.target
    view = Seen(state, OWN, _others(state))
    names = {view.board(choice.board), view.board(at, choice.player)}
    story.tell(f"{view.board(choice.board)} is to attack {view.board(at, choice.player)}", "2.10", names)
    if row[at] is attacker:
        story.tell("a board never attacks itself", "2.10", names)
        return None
    return row[at], attacker, row[at - 1] if at else None, row[at + 1] if at + 1 < len(row) else None


def _others(state: State) -> list[str]:
    return [f"player {at} of the others" for at in range(len(state.others))]


class Seen:
    """The asking player's boards and the others', with what they are called."""

    def __init__(self, state: State, own: str, others: list[str]) -> None:
        self.state = state
        self.own = own
        self.rows = [*state.others, state.boards]
        self.titles = [*others, own]

    def board(self, at: int, row: int = -1) -> str:
        """What a board is called; without a row, one of the asking player's."""
        return board_name(self.titles[row], at)


def _tell_attacks(story: Story, view: Seen, carnivores: list[int]) -> None:
    """Who may attack whom, and which rule blocks whom."""
    for at in carnivores:
        attacker = view.state.boards[at]
        for row, boards in enumerate(view.rows):
            open_to_attack = set(targets(attacker, boards))
            for target, defender in enumerate(boards):
                if defender is attacker:
                    continue
                names = {view.board(at), view.board(target, row)}
                if target in open_to_attack:
                    story.tell(f"{view.board(at)} can attack {view.board(target, row)}", "2.1", names)
                    continue
                left = boards[target - 1] if target else None
                right = boards[target + 1] if target + 1 < len(boards) else None
                *others, last = why_blocked(attacker, defender, left, right)
                why = [f"{reason_in_words(reason)} (rules {reason.rule})" for reason in others]
                text = "; ".join([*why, reason_in_words(last)])
                story.tell(
                    f"{view.board(at)} cannot attack {view.board(target, row)}: {text}", last.rule, names
                )


# --- the Silly player's choice --------------------------------------------------------------------


def in_words(choice: "FeedingChoice | None", view: Seen) -> str:
    """A choice as it stands after "to"."""
    if choice is None or isinstance(choice, Decline):
        return "decline"
    if isinstance(choice, Eat):
        return f"feed board {choice.board}"
    if isinstance(choice, StoreFat):
        return f"store {counted(choice.tokens, 'token')} as fat on board {choice.board}"
    assert isinstance(choice, Attack)
    is_there = choice.player < len(view.rows)
    target = view.board(choice.target, choice.player) if is_there else f"player {choice.player} of the others"
    return f"attack {target} with board {choice.board}"


def _sizes(boards: list[Species], which: list[int]) -> str:
    return ", ".join(f"board {at} {size(boards[at])}" for at in which)


def tell_silly_choice(story: Story, view: Seen) -> None:
    """Why the Silly player chooses what it chooses."""
    state = view.state
    boards = state.boards
    needy = [at for at, board in enumerate(boards) if fat_need(board)]
    vegetarians = [at for at, board in enumerate(boards) if hungry(board) and not is_carnivore(board)]
    carnivores = [at for at, board in enumerate(boards) if hungry(board) and is_carnivore(board)]
    if needy:
        needs = ", ".join(f"board {at} needs {fat_need(boards[at])}" for at in needy)
        story.tell(f"the Silly player fills fat needs first, the largest need: {needs}", "7.1", {view.own})
    elif vegetarians:
        text = "with no fat need, the largest hungry vegetarian eats (population, food, body)"
        story.tell(f"{text}: {_sizes(boards, vegetarians)}", "7.1", {view.own})
    elif carnivores:
        text = "with no hungry vegetarian, the largest hungry carnivore that can attack another player does"
        story.tell(f"{text}: {_sizes(boards, carnivores)}", "7.1", {view.own})
    else:
        story.tell("nobody needs food: there is no choice to make", "7.1", {view.own})
        return
    choice = feed(state)
    about = {view.own}
    if isinstance(choice, Attack):
        about |= {view.board(choice.board), view.board(choice.target, choice.player)}
    elif isinstance(choice, Eat | StoreFat):
        about.add(view.board(choice.board))
    story.tell(f"so it chooses to {in_words(choice, view)}", "7.1", about, decides=True)


def xfeed(story: Story, value: object) -> None:
    """Tell what the Silly player feeds."""
    state = reading.feeding_or_state(value)
    view = Seen(state, OWN, _others(state))
    if not any(fat_need(board) or (hungry(board) and not is_carnivore(board)) for board in state.boards):
        carnivores = [at for at, board in enumerate(state.boards) if hungry(board) and is_carnivore(board)]
        _tell_attacks(story, view, carnivores)
    tell_silly_choice(story, view)


# --- feeding --------------------------------------------------------------------------------------


def _narrated(table: Table, value: object, story: Story) -> "tuple[ObservedTable, StepNarrator]":
    """The table of an input, which tells its story from now on, and who tells it."""
    narrator = StepNarrator(story, table.players, _titles(value, table.players))
    return ObservedTable(table.players, table.hole, table.deck, narrator), narrator


def _tell_step(narrator: StepNarrator, table: Table, player: Player, feeder: "Feeder") -> bool:
    """One feeding step, told; the same as the engine's."""
    story = narrator.story
    title = narrator.title(player)
    story.depth = 0
    turn = {"kind": "step", "player": table.players.index(player)}
    tokens = counted(table.hole, "token")
    story.tell(f"{title} is to feed; {tokens} in the hole", "4", {title, HOLE}, turn, decides=True)
    story.depth = 1
    if table.hole:
        others = table.from_player(player)[1:]
        view = Seen(state_of(table, player), title, [narrator.title(other) for other in others])
        if tell_options(story, view):
            tell_silly_choice(story, view)
    else:
        story.tell("there is no token left: nothing happens, and it is out", "4.2", {title})
    stays = feeding_step(table, player, feeder)
    if not stays and table.hole:
        story.tell(f"{title} is out of this feeding cycle", "4.4", {title})
    story.depth = 0
    narrator.number_boards()
    return stays


def tell_options(story: Story, view: Seen) -> bool:
    """What the asking player may do; whether it is asked."""
    state = view.state
    carnivores = [at for at, board in enumerate(state.boards) if hungry(board) and is_carnivore(board)]
    _tell_attacks(story, view, carnivores)
    possible = [in_words(option, view) for option in options(state)]
    about = {view.own}
    if not possible:
        story.tell("it has no option: nothing happens, and it is out", "4.2", about)
        return False
    story.tell(f"its options: {'; '.join(possible)}", "4.1", about)
    forced = forced_choice(state)
    if forced is not None:
        story.tell(
            f"it has only this one, so the dealer does it unasked: {in_words(forced, view)}",
            "4.2",
            about,
            decides=True,
        )
        return False
    story.tell("so it is asked", "4.2", about)
    return True


def _titles(value: object, players: list[Player]) -> list[str]:
    if reading.is_state(value):
        return [OWN, *(f"player {at} of the others" for at in range(len(players) - 1))]
    return [f"player {at} (id {player.id})" for at, player in enumerate(players)]


def xstep(story: Story, value: object) -> None:
    """Tell one feeding step."""
    table, narrator = _narrated(reading.configuration_or_state(value), value, story)
    _tell_step(narrator, table, table.players[0], Silly())


def xstep4(story: Story, value: "Any") -> None:
    """Tell a whole step 4."""
    plain, actions = table_and_actions(value)
    table, narrator = _narrated(plain, value[0], story)
    for player, action in zip(table.players, actions, strict=False):
        try:
            _tell_exchanges(narrator, table, player, action)
        except IllegalAction as illegal:
            place = "".join(f"[{at}]" for at in illegal.place)
            where = f", {place}" if place else ""
            story.tell(f"{narrator.title(player)}'s action is illegal{where}: {illegal.reason}", "5.5")
            return
    if len(actions) < len(table.players):
        story.tell("the others of a State exchange nothing and reveal no food card", "5.6")
    story.tell("the traits that react to revealed food, one after the other over all boards", "5.6")
    story.depth = 1
    narrator.number_boards()
    food_revealed(table)
    story.depth = 0
    story.tell("the feeding cycle begins", "5.11")
    feeding_cycle(table, [Silly()] * len(table.players), partial(_tell_step, narrator))
    story.tell("the hole is empty" if not table.hole else "everybody is out of the cycle", "5.11", {HOLE})


def _tell_exchanges(narrator: StepNarrator, table: Table, player: Player, action: Action4) -> None:
    """What a player's cards are exchanged for, and its food card."""
    story, title, hand, boards = narrator.story, narrator.title(player), player.hand[:], len(player.boards)
    food = execute(player, action)
    story.tell(f"{title} exchanges its cards", "5.4", {title, f"{title}, hand"})
    story.depth = 1
    tell_exchanges(story, title, hand, boards, action)
    used = sorted(card for card, _ in action.cards())
    event = {"kind": "play", "player": table.players.index(player), "cards": used}
    tell_used_cards(story, title, len(used), player.hand, event)
    table.reveal(player, food)
    story.depth = 0


def tell_exchanges(story: Story, title: str, hand: list[Card], boards: int, action: Action4) -> None:
    """What the cards of a hand are exchanged for by a player with so many boards."""
    about = {title, f"{title}, hand"}
    for at, (pays, *traits) in enumerate(action.new_boards, boards):
        names = ", ".join(hand[card][1] for card in traits) or "no trait"
        text = f"{card_text(hand[pays])} pays for a new board {at} at the right end, with {names}"
        story.tell(text, "5.4", {*about, f"{title}, board {at}"})
    for board, slot, card in action.replace_traits:
        text = f"trait slot {slot} of board {board} becomes {hand[card][1]}"
        story.tell(text, "5.4", {*about, f"{title}, board {board}"})
    for what, growths in (("population", action.grow_population), ("body", action.grow_body)):
        for board, card in growths:
            text = f"{card_text(hand[card])} lets the {what} of board {board} grow by one"
            story.tell(text, "5.4", {*about, f"{title}, board {board}"})


def tell_used_cards(
    story: Story, title: str, used: int, left: list[Card], event: "dict[str, Any] | None" = None
) -> None:
    """That the cards which were used are gone, and which are left."""
    cards = " ".join(card_text(card) for card in left) or "nothing"
    leave = "used card leaves" if used == 1 else f"{used} used cards leave"
    text = f"the {leave} the hand; left: {cards}"
    story.tell(text, "5.4", {title, f"{title}, hand"}, event)


# --- cards ----------------------------------------------------------------------------------------


def xsilly(story: Story, value: object) -> None:
    """Tell what the Silly player does with its cards."""
    player = reading.choice_or_state(value)
    order = sorted(range(len(player.hand)), key=lambda at: card_order(player.hand[at]))
    listed = ", ".join(f"{at} {card_text(player.hand[at])}" for at in order)
    story.tell(f"the hand in card order, with each card's place in the hand: {listed}", "7.2")
    action = choose(player.boards, player.hand)
    new = len(player.boards)
    story.tell(f"the first, card {action.food_card}, is the food card", "7.2")
    pays, trait = action.new_boards[0]
    story.tell(
        f"the second, card {pays}, pays for a new board {new}; the third, card {trait}, is its trait", "7.2"
    )
    for _, card in action.grow_population:
        story.tell(f"the fourth, card {card}, grows its population", "7.2")
    for _, card in action.grow_body:
        story.tell(f"the fifth, card {card}, grows its body", "7.2")
    for _, _, card in action.replace_traits:
        story.tell(f"the sixth, card {card}, replaces its trait", "7.2")
    if len(order) > 6:
        story.tell(f"the other {len(order) - 6} stay in the hand", "7.2")
