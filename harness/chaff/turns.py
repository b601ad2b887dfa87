"""Misreadings of a feeding step and of step 4 of a turn (rules 4 and 5)."""

from evolution import actions, feeding, silly, species, turn
from evolution.actions import Action4, IllegalAction
from evolution.choices import DECLINE, Attack, Decline, FeedingChoice, State
from evolution.species import Species, hungry, is_carnivore
from evolution.table import Player, Table
from evolution.traits import TRAITS, Trait
from harness.chaff.attacks import ignored
from harness.chaff.eating import STEPS, always, feeding_where
from harness.chaff.planting import Chaff, Patch, function, trait

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from evolution.feeding import Feeder

    Step = Callable[[Table, Player, Feeder], bool]

XSTEP4 = ("xstep4",)

_feeding_step = feeding.feeding_step
_feeding_cycle = feeding.feeding_cycle
_step4 = turn.step4
_execute = actions.execute
_food_revealed = turn.food_revealed


# --- one feeding step (rules 4) ------------------------------------------------------------------


def _attack_without_food(at: Table, player: Player, feeder: "Feeder") -> bool:
    if at.hole:
        return _feeding_step(at, player, feeder)
    choice = silly._attack(feeding.state_of(at, player))
    if choice is None:
        return False
    feeding.carry_out(at, player, choice)
    return True


def _eat_plants_without_prey(at: Table, player: Player, feeder: "Feeder") -> bool:
    if _feeding_step(at, player, feeder):
        return True
    starving = [board for board in player.boards if hungry(board) and is_carnivore(board)]
    if not at.hole or not starving:
        return False
    at.feed(player, max(starving, key=species.size), "choice")
    return True


def _go_on_while_possible(at: Table, player: Player, feeder: "Feeder") -> bool:
    while _feeding_step(at, player, feeder):
        pass
    return False


def _everybody_once(at: Table, player: Player, feeder: "Feeder") -> bool:
    for one in at.from_player(player):
        _feeding_step(at, one, feeder)
    return True


def _next_one_instead(at: Table, player: Player, feeder: "Feeder") -> bool:
    return any(_feeding_step(at, one, feeder) for one in at.from_player(player))


def _then_rotate(at: Table, player: Player, feeder: "Feeder") -> bool:
    fed = _feeding_step(at, player, feeder)
    at.players[:] = [*at.players[1:], *at.players[:1]]
    return fed


def lined_up(line: "Callable[[list[Player]], Iterable[Player]]") -> Patch:
    """A feeding step in which the others are lined up like this, given them from the top of the table."""

    def step(at: Table, player: Player, feeder: "Feeder") -> bool:
        if at.hole == 0:
            return False
        others = [*line([other for other in at.players if other is not player])]
        state = State(player.bag, player.boards, player.hand, at.hole, [other.boards for other in others])
        choice = feeding.forced_choice(state) or feeder.feed_next(state) or DECLINE
        if isinstance(choice, Decline):
            return False
        if isinstance(choice, Attack):
            owner = others[choice.player]
            feeding.attack(at, player, player.boards[choice.board], owner, owner.boards[choice.target])
        else:
            feeding.carry_out(at, player, choice)
        return True

    return function(_feeding_step, step)


def _forced_whatever_it_is(state: State) -> "FeedingChoice | None":
    possible = feeding.options(state)
    only = next(possible, DECLINE)
    return None if next(possible, None) is not None else only


FEEDING_STEP = [
    Chaff(
        "a-sole-attack-on-an-own-board-is-forced",
        "a carnivore whose only possible prey is a board of its own player attacks it unasked",
        "4.2",
        STEPS,
        function(feeding.forced_choice, _forced_whatever_it_is),
    ),
    Chaff(
        "an-empty-hole-does-not-stop-attacks",
        "a hungry carnivore attacks though the hole is empty",
        "4.2",
        STEPS,
        function(_feeding_step, _attack_without_food),
    ),
    Chaff(
        "carnivores-without-prey-eat-plants",
        "a hungry carnivore that can attack nobody is fed like a vegetarian",
        "4.1",
        STEPS,
        function(_feeding_step, _eat_plants_without_prey),
    ),
    Chaff(
        "full-carnivores-attack",
        "a carnivore attacks though it has eaten its fill",
        "4.1",
        ("xfeed", *STEPS),
        function(species.hungry, lambda board: is_carnivore(board) or board.food < board.population),
    ),
    Chaff(
        "a-feeding-step-goes-on",
        "a player feeds as long as it can before the next one's turn",
        "5.11",
        STEPS,
        function(_feeding_step, _go_on_while_possible),
    ),
    Chaff(
        "everybody-feeds-in-a-step",
        "a feeding step feeds for every player, not only for the first",
        "4.1",
        ("xstep",),
        function(_feeding_step, _everybody_once),
    ),
    Chaff(
        "the-next-player-feeds-instead",
        "if the first player cannot feed or declines, the next one feeds",
        "4.2",
        ("xstep",),
        function(_feeding_step, _next_one_instead),
    ),
    Chaff(
        "a-feeding-step-turns-the-table",
        "after a feeding step its player comes last",
        "4.5",
        ("xstep",),
        function(_feeding_step, _then_rotate),
    ),
    Chaff(
        "the-others-begin-with-the-first-player",
        "the other players are lined up from the first one of the table on, not from the next one on",
        "4.3",
        XSTEP4,
        lined_up(lambda others: others),
    ),
]


# --- the feeding cycle (rules 5.11) --------------------------------------------------------------


def cycle(run: "Callable[[Table, list[tuple[Player, Feeder]], Step], None]") -> Patch:
    """The feeding cycle is run in this way."""

    def feeding_cycle(at: Table, feeders: "Sequence[Feeder]", step: "Step" = _feeding_step) -> None:
        run(at, list(zip(at.players, feeders, strict=True)), step)

    return function(_feeding_cycle, feeding_cycle)


def _coming_back(at: Table, eating: "list[tuple[Player, Feeder]]", step: "Step") -> None:
    fed = True
    while fed and at.hole:
        fed = [player for player, feeder in eating if step(at, player, feeder)] != []


def _one_round(at: Table, eating: "list[tuple[Player, Feeder]]", step: "Step") -> None:
    for player, feeder in eating:
        step(at, player, feeder)


def _until_one_is_out(at: Table, eating: "list[tuple[Player, Feeder]]", step: "Step") -> None:
    while all(step(at, player, feeder) for player, feeder in eating):
        pass


def _backwards(at: Table, eating: "list[tuple[Player, Feeder]]", step: "Step") -> None:
    while eating and at.hole:
        eating = [one for one in reversed(eating) if step(at, *one)][::-1]


def _without_the_scavengers_of_the_out(
    at: Table, eating: "list[tuple[Player, Feeder]]", step: "Step"
) -> None:
    """As it is, but boards of players that are out lose scavenger as long as the cycle lasts."""
    everybody, traits_of = [player for player, _ in eating], {}
    while eating and at.hole:
        for one in list(eating):
            if not step(at, *one):
                eating.remove(one)
                for board in one[0].boards:
                    traits_of[board] = board.traits
                    board.traits = [name for name in board.traits if name != "scavenger"]
    for player in everybody:
        for board in player.boards:
            board.traits = traits_of.get(board, board.traits)


def _without_the_boards_of_the_out(at: Table, eating: "list[tuple[Player, Feeder]]", step: "Step") -> None:
    """As it is, but nobody sees the boards of players that are out."""
    while eating and at.hole:
        for one in list(eating):
            player, feeder = one
            still_in = [other for other, _ in eating]
            others = [other.boards if other in still_in else [] for other in at.from_player(player)[1:]]
            state = State(player.bag, player.boards, player.hand, at.hole, others)
            choice = at.hole and (feeding.forced_choice(state) or feeder.feed_next(state))
            if not choice or isinstance(choice, Decline):
                eating.remove(one)
            else:
                feeding.carry_out(at, player, choice)


CYCLE = [
    Chaff(
        "who-is-out-comes-back",
        "a player that declined or had no option is asked again in the next round",
        "5.11",
        XSTEP4,
        cycle(_coming_back),
    ),
    Chaff(
        "the-cycle-is-one-round",
        "every player feeds once, and then the cycle is over",
        "5.11",
        XSTEP4,
        cycle(_one_round),
    ),
    Chaff(
        "the-cycle-ends-with-the-first-player-out",
        "the feeding cycle ends as soon as one player is out",
        "5.11",
        XSTEP4,
        cycle(_until_one_is_out),
    ),
    Chaff(
        "the-cycle-goes-backwards",
        "the last player feeds first",
        "5.11",
        XSTEP4,
        cycle(_backwards),
    ),
    Chaff(
        "who-is-out-does-not-scavenge",
        "the scavengers of a player that is out are not fed",
        "4.4",
        XSTEP4,
        cycle(_without_the_scavengers_of_the_out),
    ),
    Chaff(
        "who-is-out-is-safe",
        "the boards of a player that is out cannot be attacked",
        "4.4",
        XSTEP4,
        cycle(_without_the_boards_of_the_out),
    ),
]


# --- food cards (rules 5.7) ----------------------------------------------------------------------


def revealing(reveal: "Callable[[Table, list[int]], None]") -> Patch:
    """The food cards change the hole in this way, given all their values in turn order."""

    def step4(at: Table, actions: list[Action4], feeders: "Sequence[Feeder]") -> None:
        foods = [_execute(player, action) for player, action in zip(at.players, actions, strict=True)]
        reveal(at, foods)
        _food_revealed(at)
        _feeding_cycle(at, feeders)

    return function(_step4, step4)


def _summed(at: Table, foods: list[int]) -> None:
    at.hole = max(0, at.hole + sum(foods))


def clamped(at: Table, foods: "Iterable[int]") -> None:
    """The hole with these food values, kept from going below 0 after each."""
    for food in foods:
        at.hole = max(0, at.hole + food)


def _into_an_empty_hole(at: Table, foods: list[int]) -> None:
    at.hole = 0
    clamped(at, foods)


def _long_necks_first(at: Table, actions: list[Action4], feeders: "Sequence[Feeder]") -> None:
    """As in `evolution.turn`, but the long necks eat from what was there before the food cards."""
    foods = [_execute(player, action) for player, action in zip(at.players, actions, strict=True)]
    react(at, ["long-neck"])
    clamped(at, foods)
    react(at, ["fertile", "fat-tissue"])
    _feeding_cycle(at, feeders)


def _food_of_all_used_cards(player: Player, action: Action4) -> int:
    hand = player.hand[:]
    _execute(player, action)
    return sum(hand[card][0] for card, _ in action.cards())


FOOD_CARDS = [
    Chaff(
        "the-hole-is-clamped-once",
        "the food cards are added up, and only the sum is kept from going below 0",
        "5.7",
        XSTEP4,
        revealing(_summed),
    ),
    Chaff(
        "food-cards-come-in-reverse",
        "the food card of the last player is turned over first",
        "5.7",
        XSTEP4,
        revealing(lambda at, foods: clamped(at, reversed(foods))),
    ),
    Chaff(
        "negative-food-cards-are-ignored",
        "a food card below 0 takes no tokens away",
        "5.7",
        XSTEP4,
        revealing(lambda at, foods: clamped(at, (max(0, food) for food in foods))),
    ),
    Chaff(
        "left-over-tokens-are-thrown-away",
        "the hole is emptied before the food cards are turned over",
        "5.7",
        XSTEP4,
        revealing(_into_an_empty_hole),
    ),
    Chaff(
        "exchanged-cards-bring-food",
        "every card that is used adds its food value to the hole, not only the food card",
        "5.7",
        XSTEP4,
        function(_execute, _food_of_all_used_cards),
    ),
    Chaff(
        "long-necks-eat-before-the-food-cards",
        "the long necks eat before the food cards are turned over",
        "5.6",
        XSTEP4,
        function(_step4, _long_necks_first),
    ),
]


# --- the revealed food (rules 5.8 to 5.10) -------------------------------------------------------


def react(at: Table, names: "Iterable[str]") -> None:
    """Let these traits react to the revealed food, one after the other."""
    for name in names:
        reaction = TRAITS[name].food_revealed
        assert reaction is not None
        for player in at.players:
            for board in player.boards:
                if name in board.traits:
                    reaction(at, player, board)


def in_order(*names: str) -> Patch:
    """These traits react to the revealed food in this order."""
    return function(_food_revealed, lambda at: react(at, names))


def _board_by_board(at: Table) -> None:
    for player in at.players:
        for board in player.boards:
            for name in ("fertile", "long-neck", "fat-tissue"):
                reaction = TRAITS[name].food_revealed
                if name in board.traits and reaction is not None:
                    reaction(at, player, board)


def _backwards_on_the_table(at: Table) -> None:
    at.players.reverse()
    _food_revealed(at)
    at.players.reverse()


def _right_to_left(at: Table) -> None:
    for trait_name in ("fertile", "long-neck", "fat-tissue"):
        for player in at.players:
            for board in reversed(player.boards):
                reaction = TRAITS[trait_name].food_revealed
                if trait_name in board.traits and reaction is not None:
                    reaction(at, player, board)


def _cycle_before_fat(at: Table, actions: list[Action4], feeders: "Sequence[Feeder]") -> None:
    for player, action in zip(at.players, actions, strict=True):
        at.reveal(player, _execute(player, action))
    react(at, ["fertile", "long-neck"])
    _feeding_cycle(at, feeders)
    react(at, ["fat-tissue"])


def _cycle_before_growth(at: Table, actions: list[Action4], feeders: "Sequence[Feeder]") -> None:
    for player, action in zip(at.players, actions, strict=True):
        at.reveal(player, _execute(player, action))
    react(at, ["long-neck", "fat-tissue"])
    _feeding_cycle(at, feeders)
    react(at, ["fertile"])


def reaction(name: str, react: "Callable[[Table, Player, Species], None]") -> Patch:
    """The trait reacts to the revealed food in this way."""
    return trait(name, Trait(food_revealed=react))


def _grow_if_there_is_food(at: Table, player: Player, owner: Species) -> None:
    if at.hole:
        at.grow(player, owner)


def _grow_without_end(at: Table, player: Player, owner: Species) -> None:
    owner.population += 1


def _stretch_for_free(at: Table, player: Player, owner: Species) -> None:
    hole = at.hole
    at.feed(player, owner, "long-neck")
    at.hole = hole


def _stretch_unless_carnivore(at: Table, player: Player, owner: Species) -> None:
    if not is_carnivore(owner):
        at.feed(player, owner, "long-neck")


def _stretch_until_full(at: Table, player: Player, owner: Species) -> None:
    while at.hole and hungry(owner):
        at.feed(player, owner, "long-neck")


def _burn_all(at: Table, player: Player, owner: Species) -> None:
    at.use_fat(player, owner)
    owner.fat_food = 0


def _burn_one(at: Table, player: Player, owner: Species) -> None:
    if owner.fat_food and hungry(owner):
        owner.fat_food -= 1
        owner.food += 1


def _burn_and_keep(at: Table, player: Player, owner: Species) -> None:
    fat = owner.fat_food
    at.use_fat(player, owner)
    owner.fat_food = fat


def _burn_and_share(at: Table, player: Player, owner: Species) -> None:
    fat = owner.fat_food
    at.use_fat(player, owner)
    right = player.right_of(owner)
    if right is not None and "cooperation" in owner.traits:
        for _ in range(fat - owner.fat_food):
            at.feed(player, right, "cooperation")


def _burn_in_need(at: Table, player: Player, owner: Species) -> None:
    if at.hole == 0:
        at.use_fat(player, owner)


REVEALED = [
    Chaff("fertile-is-ignored", "fertile boards do not grow", "5.8", XSTEP4, ignored("fertile")),
    Chaff(
        "fertile-needs-food",
        "fertile boards grow only if there is a token in the hole",
        "5.8",
        XSTEP4,
        reaction("fertile", _grow_if_there_is_food),
    ),
    Chaff(
        "fertile-grows-beyond-seven",
        "a fertile board of population 7 grows to 8",
        "5.8",
        XSTEP4,
        reaction("fertile", _grow_without_end),
    ),
    Chaff("long-neck-is-ignored", "long-neck does nothing", "5.9", XSTEP4, ignored("long-neck")),
    Chaff(
        "long-necks-eat-for-free",
        "what a long neck eats does not come from the hole",
        "5.9",
        XSTEP4,
        reaction("long-neck", _stretch_for_free),
    ),
    Chaff(
        "carnivores-have-no-long-neck",
        "long-neck does nothing for a carnivore",
        "5.9",
        XSTEP4,
        reaction("long-neck", _stretch_unless_carnivore),
    ),
    Chaff(
        "long-necks-eat-until-they-are-full",
        "a long neck eats until it is full or the hole is empty",
        "5.9",
        XSTEP4,
        reaction("long-neck", _stretch_until_full),
    ),
    Chaff(
        "long-necks-do-not-forage",
        "foraging adds no token to what a long neck eats",
        "5.9",
        XSTEP4,
        feeding_where(forages=lambda why: why != "long-neck", shares=always),
    ),
    Chaff(
        "long-necks-do-not-cooperate",
        "a board with long-neck and cooperation shares nothing of what its neck brings",
        "5.9",
        XSTEP4,
        feeding_where(forages=always, shares=lambda why: why != "long-neck"),
    ),
    Chaff(
        "stored-fat-is-not-eaten",
        "the revealed food does not make boards eat their stored fat",
        "5.10",
        XSTEP4,
        ignored("fat-tissue"),
    ),
    Chaff(
        "fat-that-does-not-fit-is-lost",
        "fat-tissue empties its store, and what the board does not need is lost",
        "5.10",
        XSTEP4,
        reaction("fat-tissue", _burn_all),
    ),
    Chaff(
        "one-token-of-fat-is-eaten",
        "fat-tissue moves one token to food at most",
        "5.10",
        XSTEP4,
        reaction("fat-tissue", _burn_one),
    ),
    Chaff(
        "fat-is-eaten-and-kept",
        "eating stored fat does not lessen the store",
        "5.10",
        XSTEP4,
        reaction("fat-tissue", _burn_and_keep),
    ),
    Chaff(
        "eating-fat-cooperates",
        "a board with cooperation that eats its fat feeds its neighbour",
        "5.10",
        XSTEP4,
        reaction("fat-tissue", _burn_and_share),
    ),
    Chaff(
        "fat-is-eaten-in-need-only",
        "stored fat is eaten only if the hole is empty",
        "5.10",
        XSTEP4,
        reaction("fat-tissue", _burn_in_need),
    ),
    Chaff(
        "fat-is-eaten-after-the-cycle",
        "stored fat is eaten when the feeding cycle is over, not before it",
        "5.6",
        XSTEP4,
        function(_step4, _cycle_before_fat),
    ),
    Chaff(
        "fertile-boards-grow-after-the-cycle",
        "fertile boards grow when the feeding cycle is over, not before it",
        "5.6",
        XSTEP4,
        function(_step4, _cycle_before_growth),
    ),
    Chaff(
        "long-neck-comes-before-fertile",
        "the long necks eat before the fertile boards grow",
        "5.6",
        XSTEP4,
        in_order("long-neck", "fertile", "fat-tissue"),
    ),
    Chaff(
        "fat-comes-before-long-neck",
        "stored fat is eaten before the long necks eat",
        "5.6",
        XSTEP4,
        in_order("fertile", "fat-tissue", "long-neck"),
    ),
    Chaff(
        "fat-comes-before-fertile",
        "stored fat is eaten before anything else",
        "5.6",
        XSTEP4,
        in_order("fat-tissue", "fertile", "long-neck"),
    ),
    Chaff(
        "food-is-revealed-board-by-board",
        "fertile, long-neck and fat-tissue act on one board before they act on the next",
        "5.6",
        XSTEP4,
        function(_food_revealed, _board_by_board),
    ),
    Chaff(
        "food-is-revealed-to-the-last-player-first",
        "fertile, long-neck and fat-tissue act for the last player first",
        "5.6",
        XSTEP4,
        function(_food_revealed, _backwards_on_the_table),
    ),
    Chaff(
        "food-is-revealed-right-to-left",
        "fertile, long-neck and fat-tissue act on the boards of a player from right to left",
        "5.6",
        XSTEP4,
        function(_food_revealed, _right_to_left),
    ),
]


# --- the whole of step 4 (rules 5.5, 5.6 and 5.12) -----------------------------------------------


def then(happens: "Callable[[Table], None]") -> Patch:
    """After step 4 something more happens."""

    def step4(at: Table, actions: list[Action4], feeders: "Sequence[Feeder]") -> None:
        _step4(at, actions, feeders)
        happens(at)

    return function(_step4, step4)


def _end_of_turn(at: Table) -> None:
    for player in at.players:
        for board in player.boards[:]:
            board.population = board.food
            if board.population == 0:
                player.boards.remove(board)
                at.draw(player, 2)
            player.bag += board.food
            board.food = 0


def _rotation(at: Table) -> None:
    at.players[:] = [*at.players[1:], *at.players[:1]]


def _boards_dealt_first(at: Table, actions: list[Action4], feeders: "Sequence[Feeder]") -> None:
    for player in at.players:
        if not player.boards:
            player.boards.append(Species())
    _step4(at, actions, feeders)


def _used_cards_under_the_deck(at: Table, actions: list[Action4], feeders: "Sequence[Feeder]") -> None:
    hands = [player.hand[:] for player in at.players]
    for player, action in zip(at.players, actions, strict=True):
        at.reveal(player, _execute(player, action))
    for hand, action in zip(hands, actions, strict=True):
        at.deck += [hand[card] for card, _ in action.cards()]
    _food_revealed(at)
    _feeding_cycle(at, feeders)


def _illegal_actions_skipped(at: Table, actions: list[Action4], feeders: "Sequence[Feeder]") -> None:
    for player, action in zip(at.players, actions, strict=True):
        try:
            at.reveal(player, _execute(player, action))
        except IllegalAction:
            pass
    _food_revealed(at)
    _feeding_cycle(at, feeders)


def _cheaters_thrown_out(at: Table, actions: list[Action4], feeders: "Sequence[Feeder]") -> None:
    honest = []
    for player, action in zip(at.players, actions, strict=True):
        try:
            at.reveal(player, _execute(player, action))
            honest.append(player)
        except IllegalAction:
            pass
    at.players[:] = honest
    _food_revealed(at)
    _feeding_cycle(at, feeders[: len(honest)])


def _as_it_was_if_illegal(at: Table, actions: list[Action4], feeders: "Sequence[Feeder]") -> None:
    before = [([board.copy() for board in player.boards], player.hand[:]) for player in at.players]
    hole = at.hole
    try:
        _step4(at, actions, feeders)
    except IllegalAction:
        for player, (boards, hand) in zip(at.players, before, strict=True):
            player.boards, player.hand = boards, hand
        at.hole = hole


WHOLE = [
    Chaff(
        "the-end-of-the-turn-is-played",
        "after the feeding cycle populations fall to their food, and the food goes to the bags",
        "5.6",
        XSTEP4,
        then(_end_of_turn),
    ),
    Chaff(
        "step-4-turns-the-table",
        "after step 4 the first player comes last",
        "5.6",
        XSTEP4,
        then(_rotation),
    ),
    Chaff(
        "boards-are-dealt-before-step-4",
        "a player without boards gets one before the exchanges",
        "5.6",
        XSTEP4,
        function(_step4, _boards_dealt_first),
    ),
    Chaff(
        "used-cards-go-under-the-deck",
        "cards that are used go under the deck and can be drawn again",
        "5.4",
        XSTEP4,
        function(_step4, _used_cards_under_the_deck),
    ),
    Chaff(
        "illegal-actions-are-skipped",
        "an illegal action is not carried out, but the others are",
        "5.5",
        XSTEP4,
        function(_step4, _illegal_actions_skipped),
    ),
    Chaff(
        "cheaters-are-thrown-out",
        "a player with an illegal action leaves the table, and the others go on",
        "5.5",
        XSTEP4,
        function(_step4, _cheaters_thrown_out),
    ),
    Chaff(
        "an-illegal-action-changes-nothing",
        "if an action is illegal, the table is printed as it was",
        "5.5",
        XSTEP4,
        function(_step4, _as_it_was_if_illegal),
    ),
]

MISREADINGS = [*FEEDING_STEP, *CYCLE, *FOOD_CARDS, *REVEALED, *WHOLE]
