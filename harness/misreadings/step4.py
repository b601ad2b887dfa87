"""Misreadings of step 4 of a turn, from the food cards to the feeding cycle (rules 5.6 to 5.12)."""

from collections.abc import Callable, Iterable

from evolution.actions import Action4, IllegalAction, execute, used_cards
from evolution.feeding import feeding_step
from evolution.species import Species, hungry, is_carnivore
from evolution.table import Player, Table
from evolution.traits import TRAITS, Trait
from evolution.turn import food_revealed
from harness.misreadings.decorators import Step4, cycles, feed_without, plays, react, reacts, turns_over
from harness.misreadings.feeding_step import has_option
from harness.misreadings.planting import add, replaces

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evolution.feeding import Feeder
    from harness.misreadings.decorators import Eating, Step

eat = Table.eat
REVEALED = ("fertile", "long-neck", "fat-tissue")  # what reacts to the revealed food, in this order

for section, trait, name, sentence in (
    ("5.8", "fertile", "fertile-is-ignored", "fertile boards do not grow"),
    ("5.9", "long-neck", "long-neck-is-ignored", "long-neck does nothing"),
    (
        "5.10",
        "fat-tissue",
        "stored-fat-is-not-eaten",
        "the revealed food does not make boards eat their stored fat",
    ),
):
    add(section, name, sentence, TRAITS[trait], Trait())


# --- the order of things (rules 5.6) -------------------------------------------------------------


def _reacting(*traits: str) -> Callable[[Table], None]:
    """These traits react to the revealed food in this order."""
    return lambda table: react(table, traits)


for order, name, sentence in (
    (
        ("long-neck", "fertile", "fat-tissue"),
        "long-neck-comes-before-fertile",
        "the long necks eat before the fertile boards grow",
    ),
    (
        ("fertile", "fat-tissue", "long-neck"),
        "fat-comes-before-long-neck",
        "stored fat is eaten before the long necks eat",
    ),
    (
        ("fat-tissue", "fertile", "long-neck"),
        "fat-comes-before-fertile",
        "stored fat is eaten before anything else",
    ),
):
    add("5.6", name, sentence, food_revealed, _reacting(*order))


@replaces("5.6", food_revealed)
def food_is_revealed_board_by_board(table: Table) -> None:
    """Fertile, long-neck and fat-tissue act on one board before they act on the next."""
    for player in table.players:
        for board in player.boards:
            for trait in REVEALED:
                _reveal_to(table, player, board, trait)


def _reveal_to(table: Table, player: Player, board: Species, trait: str) -> None:
    reaction = TRAITS[trait].food_revealed
    if trait in board.traits and reaction:
        reaction(table.hole, board, table, player)


@replaces("5.6", food_revealed)
def food_is_revealed_to_the_last_player_first(table: Table) -> None:
    """Fertile, long-neck and fat-tissue act for the last player first."""
    table.players.reverse()
    food_revealed(table)
    table.players.reverse()


@replaces("5.6", food_revealed)
def food_is_revealed_right_to_left(table: Table) -> None:
    """Fertile, long-neck and fat-tissue act on the boards of a player from right to left."""
    for trait in REVEALED:
        for player in table.players:
            for board in reversed(player.boards):
                _reveal_to(table, player, board, trait)


@plays("5.6")
def long_necks_eat_before_the_food_cards(step: Step4) -> None:
    """The long necks eat before the food cards are turned over."""
    foods = step.exchange()
    step.reveal("long-neck")
    step.turn_over(foods)
    step.reveal("fertile", "fat-tissue")
    step.cycle()


@plays("5.6")
def fat_is_eaten_after_the_cycle(step: Step4) -> None:
    """Stored fat is eaten when the feeding cycle is over, not before it."""
    step.turn_over(step.exchange())
    step.reveal("fertile", "long-neck")
    step.cycle()
    step.reveal("fat-tissue")


@plays("5.6")
def fertile_boards_grow_after_the_cycle(step: Step4) -> None:
    """Fertile boards grow when the feeding cycle is over, not before it."""
    step.turn_over(step.exchange())
    step.reveal("long-neck", "fat-tissue")
    step.cycle()
    step.reveal("fertile")


@plays("5.6")
def exchanges_come_after_the_food(step: Step4) -> None:
    """The food is revealed before the exchanges are carried out."""
    for player, action in step.pairs:
        used_cards(player, action)
    step.turn_over(player.hand[action.food_card][0] for player, action in step.pairs)
    step.reveal()
    step.exchange()
    step.cycle()


@plays("5.6")
def new_boards_wait_a_turn(step: Step4) -> None:
    """Boards that were bought neither act nor are attacked in the same turn."""
    step.turn_over(step.exchange())
    waiting = []
    for player, action in step.pairs:
        old = len(player.boards) - len(action.new_boards)
        waiting.append(player.boards[old:])
        del player.boards[old:]
    step.reveal()
    step.cycle()
    for player, boards in zip(step.table.players, waiting, strict=False):
        player.boards += boards


@plays("5.6")
def cards_are_dealt_before_step_4(step: Step4) -> None:
    """The cards of step 1 are dealt before the exchanges."""
    for player in step.table.players:
        step.table.draw(player, 3 + max(1, len(player.boards)))
    step.as_it_is()


@plays("5.6")
def boards_are_dealt_before_step_4(step: Step4) -> None:
    """A player without boards gets one before the exchanges."""
    for player in step.table.players:
        if not player.boards:
            player.boards.append(Species())
    step.as_it_is()


@plays("5.6")
def the_end_of_the_turn_is_played(step: Step4) -> None:
    """After the feeding cycle populations fall to their food, and the food goes to the bags."""
    step.as_it_is()
    for player in step.table.players:
        for board in player.boards[:]:
            step.table.end_turn(player, board)


@plays("5.6")
def step_4_turns_the_table(step: Step4) -> None:
    """After step 4 the first player comes last."""
    step.as_it_is()
    players = step.table.players
    players[:] = [*players[1:], *players[:1]]


# --- food cards (rules 5.7) ----------------------------------------------------------------------


@turns_over("5.7")
def the_hole_is_clamped_once(table: Table, foods: list[int]) -> Iterable[int]:
    """The food cards are added up, and only the sum is kept from going below 0."""
    return [sum(foods)]


@turns_over("5.7")
def food_cards_come_in_reverse(table: Table, foods: list[int]) -> Iterable[int]:
    """The food card of the last player is turned over first."""
    return reversed(foods)


@turns_over("5.7")
def negative_food_cards_are_ignored(table: Table, foods: list[int]) -> Iterable[int]:
    """A food card below 0 takes no tokens away."""
    return [max(0, food) for food in foods]


@turns_over("5.7")
def left_over_tokens_are_thrown_away(table: Table, foods: list[int]) -> Iterable[int]:
    """The hole is emptied before the food cards are turned over."""
    return [-table.hole, *foods]


@turns_over("5.7")
def one_food_card_counts(table: Table, foods: list[int]) -> Iterable[int]:
    """Only the food card of the first player brings food."""
    return foods[:1]


@turns_over("5.7")
def the_last_food_card_counts(table: Table, foods: list[int]) -> Iterable[int]:
    """Only the food card of the last player brings food."""
    return foods[-1:]


@turns_over("5.7")
def equal_food_cards_count_once(table: Table, foods: list[int]) -> Iterable[int]:
    """Food cards of equal value bring their food once."""
    return dict.fromkeys(foods)


@replaces("5.7", execute)
def exchanged_cards_bring_food(player: Player, action: Action4) -> int:
    """Every card that is used adds its food value to the hole, not only the food card."""
    hand = player.hand[:]
    execute(player, action)
    return sum(hand[card][0] for card, _ in action.cards())


# --- fertile (rules 5.8) -------------------------------------------------------------------------


@reacts("5.8", "fertile")
def fertile_needs_food(table: Table, player: Player, owner: Species) -> None:
    """Fertile boards grow only if there is a token in the hole."""
    if table.hole:
        table.grow(player, owner)


@reacts("5.8", "fertile")
def fertile_grows_beyond_seven(table: Table, player: Player, owner: Species) -> None:
    """A fertile board of population 7 grows to 8."""
    owner.population += 1


@reacts("5.8", "fertile")
def fertile_carnivores_do_not_grow(table: Table, player: Player, owner: Species) -> None:
    """Fertile does nothing for a carnivore."""
    if not is_carnivore(owner):
        table.grow(player, owner)


@reacts("5.8", "fertile")
def fertile_boards_grow_fed(table: Table, player: Player, owner: Species) -> None:
    """The population that fertile brings has eaten already."""
    before = owner.population
    table.grow(player, owner)
    owner.food += owner.population - before


# --- long-neck (rules 5.9) -----------------------------------------------------------------------


@reacts("5.9", "long-neck")
def long_necks_eat_for_free(table: Table, player: Player, owner: Species) -> None:
    """What a long neck eats does not come from the hole."""
    hole = table.hole
    table.feed(player, owner, "long-neck")
    table.hole = hole


@reacts("5.9", "long-neck")
def carnivores_have_no_long_neck(table: Table, player: Player, owner: Species) -> None:
    """Long-neck does nothing for a carnivore."""
    if not is_carnivore(owner):
        table.feed(player, owner, "long-neck")


@reacts("5.9", "long-neck")
def long_necks_eat_until_they_are_full(table: Table, player: Player, owner: Species) -> None:
    """A long neck eats until it is full or the hole is empty."""
    while table.hole and hungry(owner):
        table.feed(player, owner, "long-neck")


for trait, name, sentence in (
    ("foraging", "long-necks-do-not-forage", "foraging adds no token to what a long neck eats"),
    (
        "cooperation",
        "long-necks-do-not-cooperate",
        "a board with long-neck and cooperation shares nothing of what its neck brings",
    ),
):
    add("5.9", name, sentence, Table.feeding, feed_without(trait, "long-neck"))


# --- fat tissue (rules 5.10) ---------------------------------------------------------------------


@reacts("5.10", "fat-tissue")
def fat_that_does_not_fit_is_lost(table: Table, player: Player, owner: Species) -> None:
    """Fat-tissue empties its store, and what the board does not need is lost."""
    table.use_fat(player, owner)
    owner.fat_food = 0


@reacts("5.10", "fat-tissue")
def one_token_of_fat_is_eaten(table: Table, player: Player, owner: Species) -> None:
    """Fat-tissue moves one token to food at most."""
    if owner.fat_food and hungry(owner):
        owner.fat_food -= 1
        owner.food += 1


@reacts("5.10", "fat-tissue")
def fat_is_eaten_and_kept(table: Table, player: Player, owner: Species) -> None:
    """Eating stored fat does not lessen the store."""
    fat = owner.fat_food
    table.use_fat(player, owner)
    owner.fat_food = fat


@reacts("5.10", "fat-tissue")
def eating_fat_cooperates(table: Table, player: Player, owner: Species) -> None:
    """A board with cooperation that eats its fat feeds its neighbour."""
    fat = owner.fat_food
    table.use_fat(player, owner)
    right = player.right_of(owner)
    if right is not None and "cooperation" in owner.traits:
        for _ in range(fat - owner.fat_food):
            table.feed(player, right, "cooperation")


@reacts("5.10", "fat-tissue")
def fat_is_eaten_in_need_only(table: Table, player: Player, owner: Species) -> None:
    """Stored fat is eaten only if the hole is empty."""
    if table.hole == 0:
        table.use_fat(player, owner)


@reacts("5.10", "fat-tissue")
def carnivores_do_not_eat_their_fat(table: Table, player: Player, owner: Species) -> None:
    """The stored fat of a carnivore does not become food."""
    if not is_carnivore(owner):
        table.use_fat(player, owner)


# --- the feeding cycle (rules 5.11) --------------------------------------------------------------


@replaces("5.11", feeding_step)
def a_feeding_step_goes_on(table: Table, player: Player, feeder: "Feeder") -> bool:
    """A player feeds as long as it can before the next one's turn."""
    while feeding_step(table, player, feeder):
        pass
    return False


@cycles("5.11")
def who_is_out_comes_back(table: Table, eating: "Eating", step: "Step") -> None:
    """A player that declined or had no option is asked again in the next round."""
    fed = True
    while fed and table.hole:
        fed = [player for player, feeder in eating if step(table, player, feeder)] != []


@cycles("5.11")
def the_cycle_is_one_round(table: Table, eating: "Eating", step: "Step") -> None:
    """Every player feeds once, and then the cycle is over."""
    for player, feeder in eating:
        step(table, player, feeder)


@cycles("5.11")
def the_cycle_ends_with_the_first_player_out(table: Table, eating: "Eating", step: "Step") -> None:
    """The feeding cycle ends as soon as one player is out."""
    while all(step(table, player, feeder) for player, feeder in eating):
        pass


@cycles("5.11")
def the_cycle_goes_backwards(table: Table, eating: "Eating", step: "Step") -> None:
    """The last player feeds first."""
    while eating and table.hole:
        eating = [one for one in reversed(eating) if step(table, *one)][::-1]


@cycles("5.11")
def the_one_after_who_is_out_is_skipped(table: Table, eating: "Eating", step: "Step") -> None:
    """Whoever comes after a player that is just out is passed over in that round."""
    while eating and table.hole:
        for one in eating:
            if not step(table, *one):
                eating.remove(one)  # on purpose: whoever comes next is passed over


@cycles("5.11")
def who_has_nothing_at_first_is_out(table: Table, eating: "Eating", step: "Step") -> None:
    """A player without an option when the cycle begins is out, though attacks may give it one."""
    eating = [one for one in eating if has_option(table, one[0])]
    while eating and table.hole:
        eating = [one for one in eating if step(table, *one)]


@cycles("5.11")
def the_round_begins_again_when_somebody_is_out(table: Table, eating: "Eating", step: "Step") -> None:
    """When a player is out, the first of the others is next."""
    while eating and table.hole:
        for one in list(eating):
            if not step(table, *one):
                eating.remove(one)
                break


@cycles("5.11")
def who_loses_a_board_to_horns_is_out(table: Table, eating: "Eating", step: "Step") -> None:
    """A player whose attacker dies of horns is out of the cycle."""
    while eating and table.hole:
        for one in list(eating):
            boards = len(one[0].boards)
            if not step(table, *one) or len(one[0].boards) < boards:
                eating.remove(one)


# --- a State, in which only the owner acts (rules 5.6) -------------------------------------------


@plays("5.6")
def the_others_of_a_state_must_act(step: Step4) -> None:
    """The others of a State must reveal a food card, and since they have none, nothing is printed."""
    if step.others:
        raise IllegalAction("a player has no food card")
    step.as_it_is()


@plays("5.6")
def the_others_of_a_state_do_not_react(step: Step4) -> None:
    """The traits of the others of a State do not react to the revealed food."""
    others = step.others
    step.turn_over(step.exchange())
    step.table.players = step.table.players[: len(step.actions)]
    step.reveal()
    step.table.players = [*step.table.players, *others]
    step.cycle()


@plays("5.6")
def only_the_owner_of_a_state_is_fed(step: Step4) -> None:
    """The others of a State take no part in the feeding cycle."""
    step.turn_over(step.exchange())
    step.reveal()
    still_in = [(player, feeder) for player, feeder in step.feeding if player not in step.others]
    while still_in and step.table.hole:
        still_in = [one for one in still_in if feeding_step(step.table, *one)]


@plays("5.6")
def the_owner_of_a_state_is_fed_last(step: Step4) -> None:
    """The others of a State are fed before its owner."""
    acting = len(step.actions)
    step.turn_over(step.exchange())
    step.reveal()
    eating = step.feeding[acting:] + step.feeding[:acting] if step.others else step.feeding
    while eating and step.table.hole:
        eating = [one for one in eating if feeding_step(step.table, *one)]


@plays("5.6")
def a_state_is_fed_in_one_round(step: Step4) -> None:
    """The feeding of a State ends after one step of each player."""
    if not step.others:
        step.as_it_is()
        return
    step.turn_over(step.exchange())
    step.reveal()
    for player, feeder in step.feeding:
        feeding_step(step.table, player, feeder)


@plays("5.6")
def the_food_card_of_a_state_is_not_revealed(step: Step4) -> None:
    """The food card of a State's owner changes nothing, since the others reveal none."""
    foods = step.exchange()
    step.turn_over([] if step.others else foods)
    step.reveal()
    step.cycle()


@plays("5.6")
def an_illegal_action_leaves_a_state_as_it_is(step: Step4) -> None:
    """If the action of a State's owner is illegal, the State is printed as it was."""
    try:
        step.as_it_is()
    except IllegalAction:
        if not step.others:
            raise


# --- the end of the turn (rules 5.12) ------------------------------------------------------------


@replaces("5.12", eat)
def food_goes_to_the_bag(table: Table, player: Player, board: Species, why: str) -> int:
    """What a board eats is put into the bag at once."""
    eaten = eat(table, player, board, why)
    player.bag += eaten
    return eaten
