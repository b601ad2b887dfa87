"""Misreadings of one feeding step: who is asked for what, and what a State says (rules 4)."""

from collections.abc import Callable, Iterable

from evolution import feeding, silly, turn
from evolution.choices import DECLINE, Attack, Decline, FeedingChoice, State, StoreFat
from evolution.feeding import feeding_step, forced_choice, state_of
from evolution.species import Species, fat_need, hungry, is_carnivore, size
from evolution.table import Player, Table
from evolution.wire import writing
from evolution.wire.errors import Illegal
from evolution.wire.reading import is_state
from harness.misreadings.decorators import Target, cycles, reads_state
from harness.misreadings.planting import adapted, replaces

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evolution.feeding import Feeder
    from harness.misreadings.decorators import Eating, Step

Line = Callable[[list[Player]], Iterable[Player]]

largest_target, write_state, write_configuration = silly.largest_target, writing.state, writing.configuration


# --- the options (rules 4.1) ---------------------------------------------------------------------


@replaces("4.1", fat_need)
def carnivores_store_no_fat(board: Species) -> int:
    """A carnivore stores no fat."""
    return 0 if is_carnivore(board) else fat_need(board)


@replaces("4.1", feeding_step)
def carnivores_without_prey_eat_plants(table: Table, player: Player, feeder: "Feeder") -> bool:
    """A hungry carnivore that can attack nobody is fed like a vegetarian."""
    if feeding_step(table, player, feeder):
        return True
    starving = [board for board in player.boards if hungry(board) and is_carnivore(board)]
    if not table.hole or not starving:
        return False
    table.feed(player, max(starving, key=size), "choice")
    return True


@replaces("4.1", hungry)
def full_carnivores_attack(board: Species) -> bool:
    """A carnivore attacks though it has eaten its fill."""
    return is_carnivore(board) or hungry(board)


@replaces("4.1", feeding_step)
def everybody_feeds_in_a_step(table: Table, player: Player, feeder: "Feeder") -> bool:
    """A feeding step feeds for every player, not only for the first."""
    for one in table.from_player(player):
        feeding_step(table, one, feeder)
    return True


@replaces("4.1", feeding_step)
def food_is_revealed_in_every_step(table: Table, player: Player, feeder: "Feeder") -> bool:
    """Fertile, long-neck and fat-tissue act before each feeding step."""
    turn.food_revealed(table)
    return feeding_step(table, player, feeder)


# --- when the player is asked (rules 4.2) --------------------------------------------------------


@replaces("4.2", forced_choice)
def a_sole_attack_on_an_own_board_is_forced(state: State) -> FeedingChoice | None:
    """A carnivore whose only possible prey is a board of its own player attacks it unasked."""
    possible = feeding.options(state)
    only = next(possible, DECLINE)
    return None if next(possible, None) is not None else only


@replaces("4.2", forced_choice)
def whole_fat_needs_only(state: State) -> FeedingChoice | None:
    """A sole fat need is not filled if the hole has fewer tokens."""
    choice = forced_choice(state)
    too_much = isinstance(choice, StoreFat) and choice.tokens > state.hole
    return DECLINE if too_much else choice


@replaces("4.2", feeding_step)
def an_empty_hole_does_not_stop_attacks(table: Table, player: Player, feeder: "Feeder") -> bool:
    """A hungry carnivore attacks though the hole is empty."""
    if table.hole:
        return feeding_step(table, player, feeder)
    choice = silly.attack(feeding.state_of(table, player))
    if choice is None:
        return False
    feeding.carry_out(table, player, choice)
    return True


@replaces("4.2", feeding_step)
def the_next_player_feeds_instead(table: Table, player: Player, feeder: "Feeder") -> bool:
    """If the first player cannot feed or declines, the next one feeds."""
    return any(feeding_step(table, one, feeder) for one in table.from_player(player))


@cycles("4.2")
def players_see_the_table_of_the_last_round(table: Table, eating: "Eating", step: "Step") -> None:
    """Players choose by the boards that the others had when the round began."""
    while eating and table.hole:
        seen = {player: [board.copy() for board in player.boards] for player in table.players}
        for one in list(eating):
            if not table.hole or not _stale_step(table, *one, seen):
                eating.remove(one)


def _stale_step(table: Table, player: Player, feeder: "Feeder", seen: dict[Player, list[Species]]) -> bool:
    """A feeding step in which the others are seen as they were; what cannot be done is not done."""
    state = state_of(table, player)
    choice = feeding.forced_choice(state)
    if choice is None:
        others = [seen[other] for other in table.from_player(player)[1:]]
        choice = feeder.feed_next(State(state.bag, state.boards, state.hand, state.hole, others)) or DECLINE
        try:
            feeding.check_choice(state, choice)
        except feeding.IllegalChoice:
            return False
    if isinstance(choice, Decline):
        return False
    feeding.carry_out(table, player, choice)
    return True


# --- the answer (rules 4.3) ----------------------------------------------------------------------


def lines_up(rule: str) -> "Callable[[Line], Line]":
    """In a feeding step the others are lined up like this, given them from the top of the table."""

    def adapt(line: Line) -> object:
        def misread(table: Table, player: Player, feeder: "Feeder") -> bool:
            if table.hole == 0:
                return False
            others = [*line([other for other in table.players if other is not player])]
            boards = [other.boards for other in others]
            state = State(player.bag, player.boards, player.hand, table.hole, boards)
            choice = feeding.forced_choice(state) or feeder.feed_next(state) or DECLINE
            if isinstance(choice, Decline):
                return False
            if isinstance(choice, Attack):
                owner = others[choice.player]
                target = owner.boards[choice.target]
                feeding.attack(table, player, player.boards[choice.board], owner, target)
            else:
                feeding.carry_out(table, player, choice)
            return True

        return misread

    return adapted(rule, feeding_step, adapt)


@lines_up("4.3")
def the_others_begin_with_the_first_player(others: list[Player]) -> list[Player]:
    """The other players are lined up from the first one of the table on, not from the next one on."""
    return others


@replaces("4.3", largest_target)
def players_without_boards_are_not_counted(attacker: Species, others: list[list[Species]]) -> Target | None:
    """The number of an attacked player counts only players that have boards."""
    target = largest_target(attacker, others)
    return target and (sum(1 for boards in others[: target[0]] if boards), target[1])


@reads_state("4.3")
def the_others_of_a_state_come_in_reverse(state: State) -> None:
    """The last list of boards in a State is that of the next player."""
    state.others.reverse()


# --- declining (rules 4.4) -----------------------------------------------------------------------


@cycles("4.4")
def who_is_out_does_not_scavenge(table: Table, eating: "Eating", step: "Step") -> None:
    """The scavengers of a player that is out are not fed."""
    everybody, traits_of = [player for player, _ in eating], {}
    while eating and table.hole:
        for one in list(eating):
            if not step(table, *one):
                eating.remove(one)
                for board in one[0].boards:  # until the cycle is over
                    traits_of[board] = board.traits
                    board.traits = [trait for trait in board.traits if trait != "scavenger"]
    for player in everybody:
        for board in player.boards:
            board.traits = traits_of.get(board, board.traits)


@cycles("4.4")
def who_is_out_is_safe(table: Table, eating: "Eating", step: "Step") -> None:
    """The boards of a player that is out cannot be attacked."""
    while eating and table.hole:
        for one in list(eating):
            player, feeder = one
            still_in = [other for other, _ in eating]
            others = [other.boards if other in still_in else [] for other in table.from_player(player)[1:]]
            state = State(player.bag, player.boards, player.hand, table.hole, others)
            choice = table.hole and (feeding.forced_choice(state) or feeder.feed_next(state))
            if not choice or isinstance(choice, Decline):
                eating.remove(one)
            else:
                feeding.carry_out(table, player, choice)


def has_option(table: Table, player: Player) -> bool:
    """Whether there is something that the player may choose."""
    return next(feeding.options(state_of(table, player)), None) is not None


@cycles("4.4")
def who_declines_comes_back(table: Table, eating: "Eating", step: "Step") -> None:
    """A player that declined is asked again in the next round, unless nobody has eaten in this one."""
    fed = True
    while fed and table.hole:
        fed = False
        for one in list(eating):
            if not has_option(table, one[0]):
                eating.remove(one)
            elif step(table, *one):
                fed = True


# --- what stays (rules 4.5) ----------------------------------------------------------------------


@replaces("4.5", write_configuration)
def a_feeding_step_turns_the_table(table: Table) -> str:
    """After a feeding step its player comes last."""
    return write_configuration(Table([*table.players[1:], *table.players[:1]], table.hole, table.deck))


@reads_state("4.5")
def fat_of_others_in_a_state_is_lost(state: State) -> None:
    """The fat stores of the other players of a State are empty."""
    for boards in state.others:
        for board in boards:
            board.fat_food = 0


@reads_state("4.5")
def own_fat_in_a_state_is_lost(state: State) -> None:
    """The fat stores of the owner of a State are empty."""
    for board in state.boards:
        board.fat_food = 0


@replaces("4.5", is_state)
def a_state_becomes_a_configuration(value: object) -> bool:
    """A State is answered with a Configuration."""
    return False


@reads_state("4.5")
def a_state_begins_with_its_tokens(state: State) -> None:
    """The first number of a State is taken for the hole, the fourth one for the bag."""
    state.bag, state.hole = state.hole, state.bag


@reads_state("4.5")
def a_state_without_tokens_is_refused(state: State) -> None:
    """Nothing is printed for a State without tokens, though nobody is to feed at once."""
    if state.hole == 0:
        raise Illegal("there are no tokens")


@replaces("4.5", write_state)
def a_state_loses_its_bag(table: Table) -> str:
    """The bag of a State is empty in the answer."""
    table.players[0].bag = 0
    return write_state(table)


@replaces("4.5", write_state)
def a_state_loses_its_hand(table: Table) -> str:
    """The hand of a State is empty in the answer."""
    table.players[0].hand = []
    return write_state(table)


@replaces("4.5", write_state)
def a_state_loses_its_empty_rows(table: Table) -> str:
    """A player that has lost its last board is missing from a State."""
    first, *others = table.players
    return write_state(Table([first, *(one for one in others if one.boards)], table.hole))
