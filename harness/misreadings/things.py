"""Misreadings of cards, boards, neighbours, sizes, players and ids (rules 1)."""

from collections.abc import Iterable, Iterator
from typing import Any

from evolution import attack, feeding
from evolution.attack import attackable, targets
from evolution.cards import Card, card_order
from evolution.choices import DECLINE, Attack, Decline, State
from evolution.feeding import feeding_cycle, feeding_step, state_of
from evolution.silly import attack as attack_with
from evolution.silly import eat, largest_target, store_fat
from evolution.species import Species, fat_need, hungry, size
from evolution.table import Player, Table
from evolution.traits import TRAITS
from evolution.turn import food_revealed
from evolution.wire import reading, writing
from harness.misreadings.decorators import (
    Hunt,
    Key,
    Side,
    Target,
    attacking,
    chooses,
    cooperates,
    cycles,
    eating,
    looks,
    preying,
    reads_configuration,
    scavenges,
    sharing,
    storing,
    turns_over,
    used,
)
from harness.misreadings.feeding_step import lines_up
from harness.misreadings.planting import adapted, add, add_in_several_places, replaces

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from evolution.actions import Action4
    from evolution.feeding import Feeder
    from evolution.traits import Fed
    from harness.misreadings.decorators import Eating, Step

    Neighbours = Callable[[list[Species], int], tuple[Side, Side]]

draw, from_player = Table.draw, Table.from_player
read_species, read_boards, read_player = reading.species, reading.boards, reading.player
natural, natural_plus = reading.natural, reading.natural_plus
read_feeding, feeding_or_state = reading.feeding, reading.feeding_or_state
write_species, write_player, write_configuration = writing.species, writing.player, writing.configuration


# --- cards (rules 1.2) ---------------------------------------------------------------------------

# By what cards are sorted.
CARD_ORDERS: "dict[str, tuple[str, Callable[[Card], Any]]]" = {
    "cards-are-sorted-by-food-first": ("cards are sorted by food value before trait", lambda card: card),
    "cards-are-sorted-by-trait-alone": (
        "cards of one trait stay in the order of the hand",
        lambda card: card[1],
    ),
    "larger-food-values-come-first": (
        "among cards of one trait the largest food value comes first",
        lambda card: (card[1], -card[0]),
    ),
    "food-values-are-sorted-without-sign": (
        "food values are compared without their sign",
        lambda card: (card[1], abs(card[0])),
    ),
    "food-values-are-sorted-as-text": (
        "food values are compared as text, so that −1 comes before −2",
        lambda card: (card[1], str(card[0])),
    ),
    "carnivore-comes-first": (
        "carnivore cards come before all others",
        lambda card: (card[1] != "carnivore", *card_order(card)),
    ),
    "the-alphabet-is-turned-around": (
        "traits are sorted from the end of the alphabet",
        lambda card: ([-ord(letter) for letter in card[1]], card[0]),
    ),
    "cards-are-sorted-by-their-first-letter": (
        "of a trait's name only the first letter counts in card order",
        lambda card: (card[1][0], card[0]),
    ),
}

for name, (sentence, order) in CARD_ORDERS.items():
    add("1.2", name, sentence, card_order, order)


@reads_configuration("1.2")
def equal_cards_of_a_hand_are_one(table: Table) -> None:
    """Of equal cards in a hand there is only one."""
    for player in table.players:
        player.hand[:] = dict.fromkeys(player.hand)


@reads_configuration("1.2")
def equal_cards_of_the_deck_are_one(table: Table) -> None:
    """Of equal cards in the deck there is only one."""
    table.deck[:] = dict.fromkeys(table.deck)


# --- boards (rules 1.3 and 1.4) ------------------------------------------------------------------


@replaces("1.3", targets)
def lookalikes_of_the_attacker_are_safe(attacker: Species, boards: list[Species]) -> Iterator[int]:
    """A board that looks like the attacker cannot be attacked by it, as if it were the same one."""
    return (at for at in targets(attacker, boards) if looks(boards[at]) != looks(attacker))


@reads_configuration("1.3")
def fat_of_others_is_lost(table: Table) -> None:
    """The fat stores of all players but the first are empty."""
    for player in table.players[1:]:
        for board in player.boards:
            board.fat_food = 0


@replaces("1.3", read_boards)
def equal_boards_are_one(value: object) -> list[Species]:
    """Of boards of a player that look the same there is only one."""
    found: list[Species] = []
    for board in read_boards(value):
        if looks(board) not in map(looks, found):
            found.append(board)
    return found


class _Store(int):
    """A store that is there though it may be empty."""

    def __bool__(self) -> bool:
        return True


@replaces("1.3", read_species)
def an_empty_store_that_came_is_written(value: Any) -> Species:
    """A store that came as fat-food 0 is written as that."""
    board = read_species(value)
    if len(value) == 5 and "fat-tissue" in board.traits:
        board.fat_food = _Store(board.fat_food)
    return board


@replaces("1.3", write_species)
def an_empty_store_is_written(board: Species) -> str:
    """An empty fat store is written as fat-food 0."""
    text = write_species(board)
    empty = "fat-tissue" in board.traits and not board.fat_food
    return f'{text[:-1]},["fat-food",0]]' if empty else text


@replaces("1.3", write_species)
def fat_food_is_not_written(board: Species) -> str:
    """Fat-food is missing from the answer."""
    return write_species(board).replace(f',["fat-food",{board.fat_food}]', "")


@replaces("1.3", read_species)
def stray_fat_is_kept(value: Any) -> Species:
    """Fat-food is kept on a board that has no fat-tissue."""
    board = read_species(value)
    board.fat_food = dict(value).get("fat-food", 0)
    return board


@replaces("1.4", fat_need)
def fat_is_limited_by_the_population(board: Species) -> int:
    """A board can store as much fat as it has population."""
    return max(0, board.population - board.fat_food) if "fat-tissue" in board.traits else 0


@replaces("1.4", fat_need)
def fat_need_ignores_the_store(board: Species) -> int:
    """The fat need is the whole body, however much fat there is already."""
    return board.body if "fat-tissue" in board.traits else 0


@replaces("1.4", fat_need)
def fat_need_is_what_the_population_lacks(board: Species) -> int:
    """The fat need is the population less the food, whatever the body and the store are."""
    return board.population - board.food if "fat-tissue" in board.traits else 0


@replaces("1.4", hungry)
def stored_fat_stills_hunger(board: Species) -> bool:
    """A board whose food and fat together reach its population is not hungry."""
    return board.food + board.fat_food < board.population


# --- neighbours (rules 1.5) ----------------------------------------------------------------------


def _targets_between(sides: "Neighbours") -> object:
    def misread(attacker: Species, boards: list[Species]) -> Iterator[int]:
        for at, defender in enumerate(boards):
            if defender is not attacker and attackable(attacker, defender, *sides(boards, at)):
                yield at

    return misread


def neighbours(rule: str) -> "Callable[[Neighbours], Neighbours]":
    """Whether a board can be attacked depends on these neighbours."""
    return adapted(rule, targets, _targets_between)


def _in_a_row(boards: list[Species], at: int) -> tuple[Side, Side]:
    return boards[at - 1] if at else None, boards[at + 1] if at + 1 < len(boards) else None


def _in_a_ring(boards: list[Species], at: int) -> tuple[Side, Side]:
    return (boards[at - 1], boards[(at + 1) % len(boards)]) if len(boards) > 1 else (None, None)


@neighbours("1.5")
def rows_are_rings(boards: list[Species], at: int) -> tuple[Side, Side]:
    """The first and the last board of a row are neighbours."""
    return _in_a_ring(boards, at)


@neighbours("1.5")
def the_last_board_is_left_of_the_first(boards: list[Species], at: int) -> tuple[Side, Side]:
    """The last board of a row is the left neighbour of the first, as a list index of -1 has it."""
    return _in_a_ring(boards, at)[0], _in_a_row(boards, at)[1]


@neighbours("1.5")
def the_first_board_is_right_of_the_last(boards: list[Species], at: int) -> tuple[Side, Side]:
    """The first board of a row is the right neighbour of the last."""
    return _in_a_row(boards, at)[0], _in_a_ring(boards, at)[1]


@neighbours("1.5")
def lookalikes_have_the_same_neighbours(boards: list[Species], at: int) -> tuple[Side, Side]:
    """Whether a board can be attacked depends on the neighbours of the first board that looks like it."""
    return _in_a_row(boards, [looks(board) for board in boards].index(looks(boards[at])))


@replaces("1.5", largest_target)
def silly_sees_neighbours_across_players(attacker: Species, others: list[list[Species]]) -> Target | None:
    """The Silly player takes the boards of two players that follow each other for neighbours."""
    row = [board for boards in others for board in boards]
    places = [(player, at) for player, boards in enumerate(others) for at in range(len(boards))]
    best = max(attack.targets(attacker, row), key=lambda at: size(row[at]), default=None)
    return None if best is None else places[best]


@cooperates("1.5")
def neighbours_are_found_by_looks(
    table: Table, player: Player, owner: Species, tokens: int
) -> "Iterator[Fed]":
    """Of boards that look the same the first one is taken when a neighbour is looked for."""
    for _ in range(tokens):
        at = [looks(board) for board in player.boards].index(looks(owner)) + 1
        if at < len(player.boards):
            yield player, player.boards[at], "cooperation"


def _without_the_last(boards: list[Species], at: int) -> tuple[Side, Side]:
    """The neighbours if the loop over the boards ends one too early."""
    left, right = _in_a_row(boards, at)
    return left, right if at + 2 < len(boards) else None


def _share_without_the_last(table: Table, player: Player, owner: Species, tokens: int) -> "Iterator[Fed]":
    _, right = _without_the_last(player.boards, player.boards.index(owner))
    if right is not None:
        for _ in range(tokens):
            yield player, right, "cooperation"


add_in_several_places(
    "1.5",
    "the-last-board-is-nobodys-right-neighbour",
    "the last board of a row is not the right neighbour of the one before it: "
    "it neither protects it nor is it fed by it",
    {
        targets: _targets_between(_without_the_last),
        TRAITS["cooperation"]: sharing(_share_without_the_last),
    },
)


# --- size order (rules 1.6) ----------------------------------------------------------------------

# By what boards are compared.
SIZES: dict[str, tuple[str, Key]] = {
    "size-ignores-food": (
        "of boards with equal populations the one with the larger body is the larger, whatever their food",
        lambda board: (board.population, board.body),
    ),
    "size-ignores-the-body": (
        "boards with equal populations and food are equally large, whatever their bodies",
        lambda board: (board.population, board.food),
    ),
    "size-looks-at-the-body-before-the-food": (
        "among equal populations the body counts before the food",
        lambda board: (board.population, board.body, board.food),
    ),
    "size-looks-at-the-food-first": (
        "the food counts before the population",
        lambda board: (board.food, board.population, board.body),
    ),
    "size-looks-at-the-body-first": (
        "the body counts before the population",
        lambda board: (board.body, board.population, board.food),
    ),
    "less-food-is-larger": (
        "among equal populations the board with less food comes first",
        lambda board: (board.population, -board.food, board.body),
    ),
    "size-is-a-sum": (
        "population, food and body are added up to compare boards",
        lambda board: board.population + board.food + board.body,
    ),
    "size-counts-stored-fat": (
        "stored fat counts as food when boards are compared",
        lambda board: (board.population, board.food + board.fat_food, board.body),
    ),
    "the-smallest-comes-first": (
        "the smallest board comes first",
        lambda board: (-board.population, -board.food, -board.body),
    ),
    "size-is-a-number-of-base-seven": (
        "boards are compared by 49 times their population, 7 times their food and their body, added up",
        lambda board: (49 * board.population + 7 * board.food + board.body,),
    ),
}

for name, (sentence, key) in SIZES.items():
    add("1.6", name, sentence, size, key)


def _last_in_size_order(state: State, carnivores: list[int]) -> list[int]:
    return sorted(carnivores, key=lambda at: (size(state.boards[at]), at), reverse=True)


add_in_several_places(
    "1.6",
    "ties-go-to-the-later-board",
    "of equally large boards the later one counts as larger, wherever boards are compared",
    {
        store_fat: storing(lambda state, at: (fat_need(state.boards[at]), size(state.boards[at]), at)),
        eat: eating(lambda state, at: (size(state.boards[at]), at)),
        attack_with: attacking(_last_in_size_order),
        largest_target: preying(lambda others, target: (size(others[target[0]][target[1]]), target)),
    },
)


# --- players and the table (rules 1.7) -----------------------------------------------------------


@chooses("1.7")
def boards_are_counted_from_one(new: int, order: list[int]) -> "Action4":
    """Boards are counted from 1."""
    return used(new + 1, *order)


@replaces("1.7", Table.from_player)
def the_others_come_in_the_order_of_the_table(table: Table, player: Player) -> list[Player]:
    """The others of a player are those of the table from its first one on, the player left out."""
    return [player, *(one for one in table.players if one is not player)]


@replaces("1.7", natural)
def bags_are_doubles(value: object) -> int:
    """A bag is kept as a floating-point number, which a large one does not fit."""
    return int(float(natural(value)))


@reads_configuration("1.7")
def bags_of_others_are_lost(table: Table) -> None:
    """The bags of all players but the first are empty in the answer."""
    for player in table.players[1:]:
        player.bag = 0


@reads_configuration("1.7")
def the_bag_of_the_first_player_is_lost(table: Table) -> None:
    """The bag of the first player is empty in the answer."""
    table.players[0].bag = 0


@reads_configuration("1.7")
def hands_of_others_are_lost(table: Table) -> None:
    """The hands of all players but the first are empty."""
    for player in table.players[1:]:
        player.hand.clear()


class _Hand(list[Card]):
    """A hand that is there though it may be empty."""

    def __bool__(self) -> bool:
        return True


@replaces("1.7", read_player)
def an_empty_hand_that_came_is_written(value: Any) -> Player:
    """A hand that came as an empty list of cards is written as one."""
    player = read_player(value)
    if len(value) == 4:
        player.hand = _Hand(player.hand)
    return player


@replaces("1.7", write_player)
def an_empty_hand_is_written(one: Player) -> str:
    """An empty hand is written as an empty list of cards."""
    text = write_player(one)
    return text if one.hand else f'{text[:-1]},["cards",[]]]'


@replaces("1.7", write_player)
def hands_are_written_in_card_order(one: Player) -> str:
    """Hands are written in card order."""
    return write_player(Player(one.id, one.boards, one.bag, sorted(one.hand, key=card_order)))


@replaces("1.7", write_configuration)
def players_without_boards_are_left_out(table: Table) -> str:
    """A player that has lost its last board is missing from the answer."""
    return write_configuration(Table([one for one in table.players if one.boards], table.hole, table.deck))


# --- ids (rules 1.8) -----------------------------------------------------------------------------


def _id(player: Player) -> int:
    return player.id


@replaces("1.8", Table.draw)
def players_are_found_by_id(table: Table, player: Player, count: int) -> None:
    """Drawn cards go to the first player that has the same id."""
    draw(table, next(one for one in table.players if one.id == player.id), count)


@replaces("1.8", state_of)
def players_with_an_equal_id_are_one(table: Table, player: Player) -> State:
    """Players who have the id of the asking player do not count as others."""
    others = [one.boards if one.id != player.id else [] for one in table.from_player(player)[1:]]
    return State(player.bag, player.boards, player.hand, table.hole, others)


@cycles("1.8")
def who_is_out_is_known_by_id(table: Table, eating: "Eating", step: "Step") -> None:
    """With a player that is out, everybody is out who has the same id."""
    still_in = {player.id for player, _ in eating}
    while still_in and table.hole:
        for player, feeder in eating:
            if player.id in still_in and not step(table, player, feeder):
                still_in.discard(player.id)


@replaces("1.8", Table.from_player)
def who_has_the_same_id_is_not_there(table: Table, player: Player) -> list[Player]:
    """Other players with the id of the one that feeds are neither attacked nor do they scavenge."""
    return [one for one in from_player(table, player) if one is player or one.id != player.id]


@replaces("1.8", feeding_step)
def who_has_the_same_id_is_not_seen(table: Table, player: Player, feeder: "Feeder") -> bool:
    """A player that is asked does not see the boards of others with its own id."""
    if table.hole == 0:
        return False
    state = state_of(table, player)
    choice = feeding.forced_choice(state)
    if choice is None:
        everybody = table.from_player(player)[1:]
        others = [one for one in everybody if one.id != player.id]
        seen = State(state.bag, state.boards, state.hand, state.hole, [one.boards for one in others])
        choice = feeder.feed_next(seen) or DECLINE
        if isinstance(choice, Attack):
            choice = Attack(choice.board, everybody.index(others[choice.player]), choice.target)
    if isinstance(choice, Decline):
        return False
    feeding.carry_out(table, player, choice)
    return True


@replaces("1.8", natural_plus)
def ids_are_doubles(value: object) -> int:
    """An id is kept as a floating-point number, which a large one does not fit."""
    return int(float(natural_plus(value)))


@reads_configuration("1.8")
def players_are_numbered_anew(table: Table) -> None:
    """The players have the ids 1, 2, 3 in the answer."""
    for number, player in enumerate(table.players, 1):
        player.id = number


@replaces("1.8", write_configuration)
def the_deck_is_not_written(table: Table) -> str:
    """The deck is empty in the answer."""
    return write_configuration(Table(table.players, table.hole))


def _by_ids(original: "Callable[..., None]") -> object:
    """A function of the engine finds the players in the order of their ids."""

    def misread(table: Table, *rest: Any) -> None:
        order = table.players[:]
        table.players.sort(key=_id)
        original(table, *rest)
        table.players[:] = order

    return misread


add(
    "1.8",
    "the-cycle-goes-by-ids",
    "the players feed in the order of their ids",
    feeding_cycle,
    _by_ids(feeding_cycle),
)
add(
    "1.8",
    "food-is-revealed-by-ids",
    "fertile, long-neck and fat-tissue act for the players in the order of their ids",
    food_revealed,
    _by_ids(food_revealed),
)


@turns_over("1.8")
def food_cards_come_by_ids(table: Table, foods: list[int]) -> Iterable[int]:
    """The food cards are turned over in the order of the players' ids."""
    pairs = sorted(zip(table.players, foods, strict=False), key=lambda pair: pair[0].id)
    return [food for _, food in pairs]


@scavenges("1.8")
def scavengers_eat_by_ids(hunt: Hunt) -> None:
    """Scavengers are fed in the order of their players' ids."""
    hunt.scavenge(sorted(hunt.table.players, key=_id))


@lines_up("1.8")
def others_are_lined_up_by_ids(others: list[Player]) -> list[Player]:
    """The other players are lined up in the order of their ids."""
    return sorted(others, key=_id)


@replaces("1.8", read_feeding)
def others_of_a_feeding_come_by_ids(value: Any) -> State:
    """The other players of a Feeding are lined up in the order of their ids."""
    asking, tokens, others = value
    return read_feeding([asking, tokens, sorted(others, key=lambda other: other[0][1])])


@replaces("1.8", feeding_or_state)
def others_have_other_ids(value: Any) -> State:
    """Players who have the id of the feeding player are left out of the others."""
    if len(value) == 3:
        asking, tokens, others = value
        value = [asking, tokens, [one for one in others if one[0] != asking[0]]]
    return feeding_or_state(value)


@replaces("1.8", write_configuration)
def players_are_written_in_the_order_of_their_ids(table: Table) -> str:
    """Players are written in the order of their ids."""
    return write_configuration(Table(sorted(table.players, key=_id), table.hole, table.deck))
