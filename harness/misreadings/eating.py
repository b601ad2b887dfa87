"""Misreadings of eating, attacks, drawn cards and stored fat (rules 3)."""

from collections.abc import Callable, Iterable, Iterator

from evolution.choices import Attack, Eat, State, StoreFat
from evolution.feeding import attack, carry_out
from evolution.silly import store_fat as silly_store_fat
from evolution.species import Species, fat_need, hungry, is_carnivore
from evolution.table import CARDS_FOR_EXTINCTION, Player, Table
from evolution.traits import TRAITS, Trait
from harness.misreadings.decorators import (
    Hunt,
    cooperates,
    feed_without,
    forages,
    has,
    hunts,
    looks,
    scavenges,
    sharing,
)
from harness.misreadings.planting import adapted, add, add_in_several_places, replaces

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evolution.traits import Fed

# Each as the rules have it.
eat, feeding, draw, store_fat, wound = Table.eat, Table.feeding, Table.draw, Table.store_fat, Table.wound

for section, trait, name, sentence in (
    ("3.2", "foraging", "foraging-is-ignored", "foraging adds no token"),
    ("3.3", "cooperation", "cooperation-is-ignored", "cooperation feeds nobody"),
    ("3.5", "horns", "horns-are-ignored", "horns cost the attacker nothing"),
    ("3.6", "scavenger", "scavengers-are-ignored", "scavengers are never fed"),
):
    add(section, name, sentence, TRAITS[trait], Trait())


def _free(reason: str) -> object:
    """What is eaten for this reason does not come from the hole."""

    def eat_for_free(table: Table, player: Player, board: Species, why: str) -> int:
        hole = table.hole
        eaten = eat(table, player, board, why)
        if why == reason:
            table.hole = hole
        return eaten

    return eat_for_free


for section, reason, name, sentence in (
    (
        "3.3",
        "cooperation",
        "cooperation-is-free",
        "the neighbour's token comes from a supply of its own, not from the hole",
    ),
    (
        "3.4",
        "attack",
        "the-token-comes-from-the-victim",
        "the attacker's token is its prey, and the hole loses nothing",
    ),
    ("3.6", "scavenger", "scavengers-eat-for-free", "what scavengers eat does not come from the hole"),
):
    add(section, name, sentence, eat, _free(reason))


# --- feeding a board (rules 3.1) -----------------------------------------------------------------


@replaces("3.1", eat)
def full_boards_eat_on(table: Table, player: Player, board: Species, why: str) -> int:
    """A board that is fed eats though it has eaten its fill."""
    if table.hole == 0:
        return 0
    table.hole -= 1
    board.food += 1
    return 1


@replaces("3.1", eat)
def an_empty_hole_feeds_on(table: Table, player: Player, board: Species, why: str) -> int:
    """A board that is fed eats though the hole is empty."""
    if board.food == board.population:
        return 0
    table.hole = max(0, table.hole - 1)
    board.food += 1
    return 1


@replaces("3.1", eat)
def full_boards_store_their_token(table: Table, player: Player, board: Species, why: str) -> int:
    """A full board that is fed stores the token as fat if it can."""
    if table.hole > 0 and not hungry(board) and fat_need(board) > 0:
        table.hole -= 1
        board.fat_food += 1
        return 0
    return eat(table, player, board, why)


# --- foraging (rules 3.2) ------------------------------------------------------------------------


@forages("3.2")
def foragers_eat_until_they_are_full(table: Table, player: Player, owner: Species) -> int:
    """A forager goes on eating until it is full or the hole is empty."""
    eaten = 0
    while table.eat(player, owner, "foraging"):
        eaten += 1
    return eaten


@forages("3.2")
def foragers_waste_the_second_token(table: Table, player: Player, owner: Species) -> int:
    """A forager takes two tokens from the hole though it needs one only."""
    eaten = table.eat(player, owner, "foraging")
    if not eaten:
        table.hole = max(0, table.hole - 1)
    return eaten


@forages("3.2")
def foragers_leave_the_last_token(table: Table, player: Player, owner: Species) -> int:
    """A forager does not eat a second token if that is the last one in the hole."""
    return table.eat(player, owner, "foraging") if table.hole > 1 else 0


@forages("3.2")
def carnivores_do_not_forage(table: Table, player: Player, owner: Species) -> int:
    """Foraging does nothing for a carnivore."""
    return 0 if is_carnivore(owner) else table.eat(player, owner, "foraging")


for section, reason, name, sentence in (
    (
        "3.2",
        "attack",
        "attackers-do-not-forage",
        "foraging adds no token to what an attacker eats after its attack",
    ),
    ("3.2", "scavenger", "scavengers-do-not-forage", "foraging adds no token to what a scavenger eats"),
    (
        "3.3",
        "cooperation",
        "fed-neighbours-do-not-forage",
        "foraging adds no token to what cooperation gives",
    ),
):
    add(section, name, sentence, feeding, feed_without("foraging", reason))


# --- cooperation (rules 3.3) ---------------------------------------------------------------------


def _share(player: Player, boards: Iterable[Species], tokens: int = 1) -> "Iterator[Fed]":
    """Have all these boards fed once for each token."""
    for board in boards:
        for _ in range(tokens):
            yield player, board, "cooperation"


def _right_of(player: Player, owner: Species) -> list[Species]:
    """All boards to the right of one."""
    return player.boards[player.boards.index(owner) + 1 :]


def _left_of(player: Player, owner: Species) -> list[Species]:
    """The board directly to the left of one, if there is one."""
    at = player.boards.index(owner)
    return player.boards[max(0, at - 1) : at]


Sharers = Callable[[Player, Species], Iterable[Species]]


def _shared_with(boards: Sharers) -> object:
    return sharing(lambda table, player, owner, tokens: _share(player, boards(player, owner), tokens))


def shares(rule: str) -> "Callable[[Sharers], Sharers]":
    """A cooperator feeds these boards, once for each token that it has eaten."""
    return adapted(rule, TRAITS["cooperation"], _shared_with)


@cooperates("3.3")
def cooperation_passes_on_once(table: Table, player: Player, owner: Species, tokens: int) -> "Iterator[Fed]":
    """A forager that eats two tokens feeds its neighbour only once."""
    return _share(player, _right_of(player, owner)[:1], min(1, tokens))


@shares("3.3")
def cooperation_feeds_to_the_left(player: Player, owner: Species) -> list[Species]:
    """Cooperation feeds the left neighbour instead of the right one."""
    return _left_of(player, owner)


@shares("3.3")
def cooperation_feeds_both_sides(player: Player, owner: Species) -> list[Species]:
    """Cooperation feeds the right and then the left neighbour."""
    return [*_right_of(player, owner)[:1], *_left_of(player, owner)]


@shares("3.3")
def cooperation_feeds_the_whole_row(player: Player, owner: Species) -> list[Species]:
    """Cooperation feeds all boards to the right."""
    return _right_of(player, owner)


@shares("3.3")
def cooperation_skips_full_neighbours(player: Player, owner: Species) -> list[Species]:
    """Cooperation feeds the next board to the right that is hungry."""
    return [board for board in _right_of(player, owner) if hungry(board)][:1]


@shares("3.3")
def cooperation_turns_left(player: Player, owner: Species) -> list[Species]:
    """A cooperator whose right neighbour is full feeds the left one."""
    right = _right_of(player, owner)[:1]
    return _left_of(player, owner) if right and right[0].food == right[0].population else right


@shares("3.3")
def cooperation_wraps_around(player: Player, owner: Species) -> list[Species]:
    """A cooperator at the right end feeds the first board of its row."""
    return (_right_of(player, owner) or [board for board in player.boards if board is not owner])[:1]


@cooperates("3.3")
def cooperation_crosses_the_table(
    table: Table, player: Player, owner: Species, tokens: int
) -> "Iterator[Fed]":
    """A cooperator at the right end feeds the first board of the next player."""
    boards = _right_of(player, owner)
    if not boards:
        player = (table.from_player(player) * 2)[1]
        boards = player.boards
    return _share(player, [board for board in boards[:1] if board is not owner], tokens)


add(
    "3.3",
    "cooperation-is-not-handed-on",
    "a board that is fed by cooperation does not cooperate itself",
    feeding,
    feed_without("cooperation", "cooperation"),
)


@replaces("3.3", feeding)
def cooperation_comes_before_foraging(
    table: Table, player: Player, board: Species, why: str
) -> "Iterator[Fed]":
    """A forager feeds its neighbour after its first token, before it eats the second one."""
    shares = TRAITS["cooperation"].food_eaten if "cooperation" in board.traits else None
    if table.eat(player, board, why):
        if shares:
            yield from shares(board, 1, board, table, player) or ()
        if "foraging" in board.traits and table.eat(player, board, "foraging") and shares:
            yield from shares(board, 1, board, table, player) or ()


@cooperates("3.3")
def cooperation_gives_own_food(table: Table, player: Player, owner: Species, tokens: int) -> "Iterator[Fed]":
    """The neighbour's token comes from the cooperator's own food, not from the hole."""
    for right in _right_of(player, owner)[:1]:
        for _ in range(tokens):
            if right.food < right.population and owner.food:
                owner.food -= 1
                right.food += 1
    return iter(())


@replaces("3.3", feeding)
def cooperation_shares_in_rounds(table: Table, player: Player, board: Species, why: str) -> "Iterator[Fed]":
    """A neighbour that is fed twice shares with the next board only after its second feeding."""
    eaten = _eaten(table, player, board, why)
    for right in _right_of(player, board):
        if not eaten or "cooperation" not in board.traits:
            break
        eaten = sum([_eaten(table, player, right, "cooperation") for _ in range(eaten)])
        board = right
    return iter(())


def _eaten(table: Table, player: Player, board: Species, why: str) -> int:
    """How many tokens the board eats by itself, if it is fed."""
    eaten = table.eat(player, board, why)
    return eaten + table.eat(player, board, "foraging") if eaten and "foraging" in board.traits else eaten


@shares("3.3")
def cooperation_feeds_vegetarians_only(player: Player, owner: Species) -> list[Species]:
    """Cooperation does not feed a carnivore."""
    return [board for board in _right_of(player, owner)[:1] if not is_carnivore(board)]


@shares("3.3")
def carnivores_do_not_cooperate(player: Player, owner: Species) -> list[Species]:
    """A carnivore with cooperation shares nothing."""
    return [] if is_carnivore(owner) else _right_of(player, owner)[:1]


@cooperates("3.3")
def carnivores_do_not_hand_on(table: Table, player: Player, owner: Species, tokens: int) -> "Iterator[Fed]":
    """A carnivore that cooperation has fed does not feed its own neighbour by cooperation."""
    for right in _right_of(player, owner)[:1]:
        traits = right.traits
        for _ in range(tokens):
            if is_carnivore(right):
                right.traits = [trait for trait in traits if trait != "cooperation"]
            yield player, right, "cooperation"
            right.traits = traits


add(
    "3.3",
    "scavengers-do-not-cooperate",
    "a scavenger with cooperation shares nothing of what it scavenges",
    feeding,
    feed_without("cooperation", "scavenger"),
)


@replaces("3.3", feeding)
def cooperation_passes_on_what_was_not_eaten(
    table: Table, player: Player, board: Species, why: str
) -> "Iterator[Fed]":
    """A full board with cooperation that is fed hands the token on."""
    full = table.hole > 0 and board.food == board.population
    yield from feeding(table, player, board, why)
    if full and "cooperation" in board.traits:
        yield from _share(player, _right_of(player, board)[:1])


@cooperates("3.3")
def foragers_always_share_two_tokens(
    table: Table, player: Player, owner: Species, tokens: int
) -> "Iterator[Fed]":
    """A forager that cooperates feeds its neighbour twice even if it ate one token only."""
    return _share(player, _right_of(player, owner)[:1], 2 if has(owner, "foraging") else 1)


# --- attacks (rules 3.4) -------------------------------------------------------------------------


@replaces("3.4", wound)
def food_stays_when_the_population_falls(table: Table, player: Player, board: Species, why: str) -> None:
    """A board that loses population keeps food that no longer fits."""
    food = board.food
    wound(table, player, board, why)
    board.food = food


@replaces("3.4", wound)
def an_attack_takes_food_too(table: Table, player: Player, board: Species, why: str) -> None:
    """A board that loses population always loses a token of food with it."""
    board.food = max(0, board.food - 1)
    wound(table, player, board, why)


@replaces("3.4", wound)
def extinct_boards_stay(table: Table, player: Player, board: Species, why: str) -> None:
    """An extinct board stays on the table with population 0."""
    if board.population:
        board.population -= 1
        board.food = min(board.food, board.population)
        if board.population == 0:
            table.draw(player, CARDS_FOR_EXTINCTION)


@replaces("3.4", wound)
def an_attack_takes_fat_too(table: Table, player: Player, board: Species, why: str) -> None:
    """A board that loses population loses a token of stored fat with it."""
    wound(table, player, board, why)
    board.fat_food = max(0, board.fat_food - 1)


@replaces("3.4", wound)
def fat_saves_the_last_population(table: Table, player: Player, board: Species, why: str) -> None:
    """A board loses stored fat instead of its last population."""
    if board.population == 1 and board.fat_food:
        board.fat_food -= 1
    else:
        wound(table, player, board, why)


@replaces("3.4", wound)
def the_last_board_takes_the_place_of_the_dead(
    table: Table, player: Player, board: Species, why: str
) -> None:
    """The last board of the row moves to the place of an extinct one."""
    last = player.boards[-1]
    if board.population == 1 and board is not last:
        for part in Species.__slots__:
            setattr(board, part, getattr(last, part))
        player.boards.pop()
        table.draw(player, CARDS_FOR_EXTINCTION)
    else:
        wound(table, player, board, why)


def _first_like(board: Species, boards: list[Species]) -> int:
    """Where the first board lies that looks like this one."""
    return [looks(other) for other in boards].index(looks(board))


@replaces("3.4", wound)
def the_first_lookalike_dies(table: Table, player: Player, board: Species, why: str) -> None:
    """Of boards of a player that look the same the first one is removed, whichever dies."""
    boards = player.boards
    first = _first_like(board, boards)
    board.population -= 1
    board.food = min(board.food, board.population)
    if board.population == 0:
        boards[boards.index(board)] = boards[first]
        del boards[first]
        table.draw(player, CARDS_FOR_EXTINCTION)


@hunts("3.4")
def the_first_lookalike_is_attacked(hunt: Hunt) -> None:
    """Of boards of a player that look the same the first one is attacked, whichever was chosen."""
    boards = hunt.owner.boards
    hunt.defender = boards[_first_like(hunt.defender, boards)]
    hunt.as_it_is()


@hunts("3.4")
def an_attacker_eats_the_dead_only(hunt: Hunt) -> None:
    """The attacker is fed only if its prey died."""
    hunt.hit()
    hunt.horns()
    if hunt.attacker.population:
        if hunt.defender.population == 0:
            hunt.eat()
        hunt.scavenge()


@hunts("3.4")
def an_attacker_eats_by_the_body_of_its_prey(hunt: Hunt) -> None:
    """The attacker is fed once for each body size of its prey."""
    hunt.hit()
    hunt.horns()
    if hunt.attacker.population:
        for _ in range(max(1, hunt.defender.body)):
            hunt.eat()
        hunt.scavenge()


@hunts("3.4")
def scavengers_eat_before_the_attacker(hunt: Hunt) -> None:
    """The scavengers are fed before the attacker."""
    hunt.hit()
    hunt.horns()
    if hunt.attacker.population:
        hunt.scavenge()
        hunt.eat()


@hunts("3.4")
def the_dead_leave_a_gap(hunt: Hunt) -> None:
    """An extinct board keeps its place until the scavengers have eaten, so nobody shares over it."""
    at = hunt.owner.boards.index(hunt.defender)
    hunt.hit()
    if hunt.defender.population == 0:
        hunt.owner.boards.insert(at, hunt.defender)
    hunt.horns()
    if hunt.attacker.population:
        hunt.eat()
        hunt.scavenge()
    if hunt.defender.population == 0:
        hunt.owner.boards.remove(hunt.defender)


# --- horns (rules 3.5) ---------------------------------------------------------------------------


@hunts("3.5")
def horns_strike_after_the_meal(hunt: Hunt) -> None:
    """The attacker eats before the horns cost it population."""
    hunt.hit()
    hunt.eat()
    hunt.horns()
    if hunt.attacker.population:
        hunt.scavenge()


@hunts("3.5")
def horns_of_the_dying_are_harmless(hunt: Hunt) -> None:
    """Horns count only if the attacked board survives."""
    _hunt_with_horns(hunt, hunt.defender.population > 1)


@hunts("3.5")
def horns_of_survivors_are_harmless(hunt: Hunt) -> None:
    """Horns count only if the attacked board dies."""
    _hunt_with_horns(hunt, hunt.defender.population == 1)


def _hunt_with_horns(hunt: Hunt, horns: bool) -> None:
    hunt.hit()
    if horns:
        hunt.horns()
    if hunt.attacker.population:
        hunt.eat()
        hunt.scavenge()


@hunts("3.5")
def horns_spoil_the_meal(hunt: Hunt) -> None:
    """An attacker that survives horns eats nothing."""
    hunt.hit()
    hunt.horns()
    if not has(hunt.defender, "horns"):
        hunt.eat()
    if hunt.attacker.population:
        hunt.scavenge()


@hunts("3.5")
def scavengers_eat_though_the_attacker_died(hunt: Hunt) -> None:
    """Scavengers eat though the attacker died."""
    hunt.hit()
    hunt.horns()
    if hunt.attacker.population:
        hunt.eat()
    hunt.scavenge()


@hunts("3.5")
def a_dead_attacker_takes_its_token(hunt: Hunt) -> None:
    """An attacker that dies of horns takes its token from the hole all the same."""
    hunt.as_it_is()
    if hunt.attacker.population == 0:
        hunt.table.hole = max(0, hunt.table.hole - 1)


@hunts("3.5")
def no_scavenging_without_a_meal(hunt: Hunt) -> None:
    """Scavengers are not fed if the attacker, wounded by horns, could not eat."""
    hunt.hit()
    hunt.horns()
    if hunt.attacker.food < hunt.attacker.population and hunt.table.hole:
        hunt.eat()
        hunt.scavenge()


@replaces("3.5", wound)
def dead_attackers_draw_nothing(table: Table, player: Player, board: Species, why: str) -> None:
    """The owner of an attacker that dies of horns draws no cards."""
    if why == "horns" and board.population == 1:
        board.population = board.food = 0
        player.boards.remove(board)
    else:
        wound(table, player, board, why)


@hunts("3.5")
def the_attackers_owner_draws_first(hunt: Hunt) -> None:
    """If both boards die, the attacker's owner draws its cards first."""
    hunt.horns()
    hunt.hit()
    if hunt.attacker.population:
        hunt.eat()
        hunt.scavenge()


@replaces("3.5", wound)
def horns_spare_the_horned(table: Table, player: Player, board: Species, why: str) -> None:
    """An attacker that has horns itself loses nothing to horns."""
    if why != "horns" or "horns" not in board.traits:
        wound(table, player, board, why)


@replaces("3.5", wound)
def horns_take_food_too(table: Table, player: Player, board: Species, why: str) -> None:
    """Horns cost the attacker a token of food besides its population."""
    if why == "horns":
        board.food = max(0, board.food - 1)
    wound(table, player, board, why)


@hunts("3.5")
def horns_of_the_attacker_strike(hunt: Hunt) -> None:
    """An attacker with horns costs its prey two population."""
    if has(hunt.attacker, "horns") and hunt.defender.population > 1:
        hunt.hit()
    hunt.as_it_is()


# --- scavengers (rules 3.6) ----------------------------------------------------------------------


@scavenges("3.6")
def the_attacker_does_not_scavenge(hunt: Hunt) -> None:
    """An attacker with scavenger is not fed a second time."""
    hunt.scavenge(but=lambda board: board is hunt.attacker)


@scavenges("3.6")
def the_victim_does_not_scavenge(hunt: Hunt) -> None:
    """An attacked board with scavenger that survives is not fed."""
    hunt.scavenge(but=lambda board: board is hunt.defender)


@scavenges("3.6")
def only_others_scavenge(hunt: Hunt) -> None:
    """The scavengers of the attacker's own player are not fed."""
    hunt.scavenge(hunt.table.from_player(hunt.player)[1:])


@scavenges("3.6")
def only_own_boards_scavenge(hunt: Hunt) -> None:
    """The scavengers of other players are not fed."""
    hunt.scavenge([hunt.player])


@scavenges("3.6")
def scavenging_starts_with_the_first_player(hunt: Hunt) -> None:
    """Scavengers are fed from the first player of the table on, not from the attacker's."""
    hunt.scavenge(hunt.table.players)


@scavenges("3.6")
def scavenging_starts_after_the_attacker(hunt: Hunt) -> None:
    """Scavengers are fed from the player after the attacker's on, whose own come last."""
    hunt.scavenge([*hunt.table.from_player(hunt.player)[1:], hunt.player])


@scavenges("3.6")
def scavenging_starts_with_the_victim(hunt: Hunt) -> None:
    """Scavengers are fed from the attacked player on."""
    hunt.scavenge(hunt.table.from_player(hunt.owner))


@scavenges("3.6")
def scavenging_goes_against_turn_order(hunt: Hunt) -> None:
    """Scavengers are fed player by player against turn order."""
    hunt.scavenge([hunt.player, *reversed(hunt.table.from_player(hunt.player)[1:])])


@scavenges("3.6")
def scavenging_goes_right_to_left(hunt: Hunt) -> None:
    """The scavengers of a player are fed from right to left."""
    for player in hunt.table.from_player(hunt.player):
        for board in reversed(player.boards):
            if has(board, "scavenger"):
                hunt.table.feed(player, board, "scavenger")


@scavenges("3.6")
def one_scavenger_a_player(hunt: Hunt) -> None:
    """Only the first scavenger of each player is fed."""
    for player in hunt.table.from_player(hunt.player):
        first = next((board for board in player.boards if has(board, "scavenger")), None)
        if first:
            hunt.table.feed(player, first, "scavenger")


@scavenges("3.6")
def scavengers_wait_for_a_death(hunt: Hunt) -> None:
    """Scavengers are fed only if the attacked board died."""
    if hunt.defender.population == 0:
        hunt.scavenge()


@scavenges("3.6")
def carnivores_scavenge_only(hunt: Hunt) -> None:
    """Only carnivores scavenge."""
    hunt.scavenge(but=lambda board: not is_carnivore(board))


@scavenges("3.6")
def vegetarians_scavenge_only(hunt: Hunt) -> None:
    """Carnivores do not scavenge."""
    hunt.scavenge(but=is_carnivore)


@hunts("3.6")
def the_board_behind_the_dead_does_not_scavenge(hunt: Hunt) -> None:
    """The board that moves to the place of an extinct one is passed over when scavengers are fed."""
    at = hunt.owner.boards.index(hunt.defender)
    hunt.hit()
    behind = hunt.owner.boards[at : at + 1] if hunt.defender.population == 0 else []
    hunt.horns()
    if hunt.attacker.population:
        hunt.eat()
        hunt.scavenge(but=lambda board: board in behind)


@hunts("3.6")
def the_dead_scavenge(hunt: Hunt) -> None:
    """An extinct scavenger takes its token from the hole all the same."""
    hunt.as_it_is()
    if not hunt.defender.population and hunt.attacker.population and has(hunt.defender, "scavenger"):
        hunt.table.hole = max(0, hunt.table.hole - 1)


@hunts("3.6")
def who_was_fed_does_not_scavenge(hunt: Hunt) -> None:
    """A scavenger that cooperation has fed after an attack is not fed once more for that attack."""
    hunt.hit()
    hunt.horns()
    if hunt.attacker.population:
        before = _food(hunt.table)
        hunt.eat()
        fed = {board for board, food in before.items() if board.food > food and board is not hunt.attacker}
        hunt.scavenge(but=fed.__contains__)


def _food(table: Table) -> dict[Species, int]:
    """What each board of the table has eaten."""
    return {board: board.food for player in table.players for board in player.boards}


@scavenges("3.6")
def who_was_fed_by_a_scavenger_does_not_scavenge(hunt: Hunt) -> None:
    """A scavenger that another one has fed by cooperation is not fed once more for that attack."""
    before = _food(hunt.table)
    hunt.scavenge(but=lambda board: board.food > before[board])


@scavenges("3.6")
def the_attacker_scavenges_first(hunt: Hunt) -> None:
    """An attacker with scavenger is fed before the scavengers to its left."""
    if has(hunt.attacker, "scavenger"):
        hunt.table.feed(hunt.player, hunt.attacker, "scavenger")
    hunt.scavenge(but=lambda board: board is hunt.attacker)


@replaces("3.6", carry_out)
def scavengers_eat_after_every_feeding(table: Table, player: Player, choice: Eat | StoreFat | Attack) -> None:
    """Scavengers are fed whenever a vegetarian was, not only after attacks."""
    carry_out(table, player, choice)
    if isinstance(choice, Eat):
        board = player.boards[choice.board]
        Hunt(attack, table, player, board, player, board).scavenge()


# --- drawn cards (rules 3.4 and 3.7) -------------------------------------------------------------


@replaces("3.7", draw)
def drawn_cards_go_to_the_end(table: Table, player: Player, count: int) -> None:
    """Drawn cards go to the end of the hand."""
    player.hand += table.deck[:count]
    del table.deck[:count]


@replaces("3.7", draw)
def drawn_cards_come_one_by_one(table: Table, player: Player, count: int) -> None:
    """Each drawn card is put in front of the one before, which turns their order around."""
    for _ in range(count):
        draw(table, player, 1)


@replaces("3.7", draw)
def cards_come_from_the_end_of_the_deck(table: Table, player: Player, count: int) -> None:
    """Cards are drawn from the end of the deck."""
    player.hand[:0] = table.deck[-count:]
    del table.deck[-count:]


@replaces("3.7", draw)
def a_short_deck_brings_no_cards(table: Table, player: Player, count: int) -> None:
    """No card is drawn if the deck has fewer than two."""
    if len(table.deck) >= count:
        draw(table, player, count)


@replaces("3.4", draw)
def an_extinct_board_brings_one_card(table: Table, player: Player, count: int) -> None:
    """One card is drawn for an extinct board."""
    draw(table, player, 1)


@replaces("3.4", draw)
def an_extinct_board_brings_three_cards(table: Table, player: Player, count: int) -> None:
    """Three cards are drawn for an extinct board."""
    draw(table, player, 3)


@replaces("3.4", draw)
def an_extinct_board_brings_no_cards(table: Table, player: Player, count: int) -> None:
    """No cards are drawn for an extinct board."""


@replaces("3.4", wound)
def an_extinct_board_brings_a_card_a_trait(table: Table, player: Player, board: Species, why: str) -> None:
    """One card is drawn for each trait of an extinct board."""
    board.population -= 1
    board.food = min(board.food, board.population)
    if board.population == 0:
        player.boards.remove(board)
        table.draw(player, len(board.traits))


@replaces("3.4", draw)
def only_the_last_board_brings_cards(table: Table, player: Player, count: int) -> None:
    """Cards are drawn only when a player has lost its last board."""
    if not player.boards:
        draw(table, player, count)


@replaces("3.4", wound)
def every_wound_brings_cards(table: Table, player: Player, board: Species, why: str) -> None:
    """Cards are drawn for every board that is attacked, even if it survives."""
    wound(table, player, board, why)
    if board.population:
        table.draw(player, CARDS_FOR_EXTINCTION)


@hunts("3.4")
def the_hunter_draws_the_cards(hunt: Hunt) -> None:
    """The cards for an extinct prey go to the attacker's owner."""
    if hunt.defender.population == 1:
        hunt.owner.boards.remove(hunt.defender)
        hunt.defender.population = hunt.defender.food = 0
        hunt.table.draw(hunt.player, CARDS_FOR_EXTINCTION)
    else:
        hunt.hit()
    hunt.horns()
    if hunt.attacker.population:
        hunt.eat()
        hunt.scavenge()


# --- fat stores (rules 3.8) ----------------------------------------------------------------------


@replaces("3.8", fat_need)
def fat_is_stored_when_full_only(board: Species) -> int:
    """Only a board that has eaten its fill stores fat."""
    return 0 if hungry(board) else fat_need(board)


@replaces("3.8", fat_need)
def fat_is_stored_when_hungry_only(board: Species) -> int:
    """A board that has eaten its fill stores no fat."""
    return fat_need(board) if hungry(board) else 0


@replaces("3.8", store_fat)
def fat_is_stored_token_by_token(table: Table, player: Player, board: Species, tokens: int) -> None:
    """A feeding step stores one token of fat at a time."""
    store_fat(table, player, board, 1)


@replaces("3.8", store_fat)
def storing_fat_cooperates(table: Table, player: Player, board: Species, tokens: int) -> None:
    """A board with cooperation that stores fat feeds its neighbour once for each token."""
    before = board.fat_food
    store_fat(table, player, board, tokens)
    if "cooperation" in board.traits:
        for fed in _share(player, _right_of(player, board)[:1], board.fat_food - before):
            table.feed(*fed)


@replaces("3.8", store_fat)
def fat_is_stored_out_of_nothing(table: Table, player: Player, board: Species, tokens: int) -> None:
    """The dealer fills a fat need completely though the hole has less."""
    table.hole = max(0, table.hole - tokens)
    board.fat_food += tokens


def _choose_the_whole_need(state: State) -> StoreFat | None:
    """The Silly player's choice of fat, as large as the need."""
    choice = silly_store_fat(state)
    return choice and StoreFat(choice.board, fat_need(state.boards[choice.board]))


add_in_several_places(
    "3.8",
    "a-fat-store-takes-the-whole-need",
    "a fat need is filled completely, by the dealer or the Silly player, though the hole has less",
    {store_fat: fat_is_stored_out_of_nothing, silly_store_fat: _choose_the_whole_need},
)
