"""A naive model of the rules of Evolution, to test the engine against.

It is a literal transcription of docs/rules.md (the section numbers below are its numbers) and shares no code
with the engine: clarity counts here, speed does not.  Its functions take and return JSON values as json.loads
gives them, expect well-formed input, and answer NOTHING where a program prints nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

Json = Any
Card = tuple[int, str]


class Nothing:
    """The type of NOTHING, the answer of a program that prints nothing."""

    def __repr__(self) -> str:
        return "NOTHING"


NOTHING = Nothing()


class IllegalActionError(Exception):
    """An Action4 is well-formed but not legal."""


# ------------------------------------------------------------------------------------------------------------
# 1. Things

TRAITS = [
    "ambush", "burrowing", "carnivore", "climbing", "cooperation", "fat-tissue", "fertile", "foraging",
    "hard-shell", "herding", "horns", "long-neck", "pack-hunting", "scavenger", "symbiosis", "warning-call",
]  # fmt: skip


def card_order(card: Card) -> tuple[str, int]:
    """The sort key of card order: trait name alphabetically, then food value ascending."""
    value, trait = card
    return (trait, value)


def full_deck() -> list[Card]:
    """The 122 cards, in card order."""
    cards: list[Card] = []
    for trait in TRAITS:
        limit = 8 if trait == "carnivore" else 3
        for value in range(-limit, limit + 1):
            cards.append((value, trait))
    return sorted(cards, key=card_order)


# Equality of the following three is identity (eq=False): boards that look the same may yet be two.


@dataclass(eq=False)
class Board:
    food: int
    body: int
    population: int
    traits: list[str]
    fat_food: int

    def has(self, trait: str) -> bool:
        return trait in self.traits

    def hungry(self) -> bool:
        return self.food < self.population

    def fat_need(self) -> int:
        return self.body - self.fat_food if self.has("fat-tissue") else 0


@dataclass(eq=False)
class Player:
    id: int
    boards: list[Board]
    bag: int
    hand: list[Card]


@dataclass(eq=False)
class Table:
    players: list[Player]  # in turn order
    hole: int
    deck: list[Card]


def left_neighbour(boards: list[Board], board: Board) -> Board | None:
    position = boards.index(board)
    return boards[position - 1] if position > 0 else None


def right_neighbour(boards: list[Board], board: Board) -> Board | None:
    position = boards.index(board)
    return boards[position + 1] if position + 1 < len(boards) else None


def size(board: Board) -> tuple[int, int, int]:
    return (board.population, board.food, board.body)


def in_size_order(boards: list[Board]) -> list[Board]:
    """Larger first; equal: the earlier board (a reversed sort keeps the order of equals)."""
    return sorted(boards, key=size, reverse=True)


def from_player_on(table: Table, player: Player) -> list[Player]:
    """All players in turn order, starting with the given one and wrapping around."""
    position = table.players.index(player)
    return table.players[position:] + table.players[:position]


def others_of(table: Table, player: Player) -> list[Player]:
    """The other players in turn order, starting with the one after the given one and wrapping around."""
    return from_player_on(table, player)[1:]


# ------------------------------------------------------------------------------------------------------------
# Reading and writing JSON


def read_board(value: Json) -> Board:
    fields = dict(value)
    traits = list(fields["traits"])
    fat_food = fields.get("fat-food", 0) if "fat-tissue" in traits else 0
    return Board(fields["food"], fields["body"], fields["population"], traits, fat_food)


def read_boards(value: Json) -> list[Board]:
    return [read_board(board) for board in value]


def read_cards(value: Json) -> list[Card]:
    return [(food_value, trait) for food_value, trait in value]


def read_player(value: Json) -> Player:
    fields = dict(value)
    return Player(
        fields["id"], read_boards(fields["species"]), fields["bag"], read_cards(fields.get("cards", []))
    )


def read_configuration(value: Json) -> Table:
    players, hole, deck = value
    return Table([read_player(player) for player in players], hole, read_cards(deck))


def read_state(value: Json) -> Table:
    """A State is a table with no deck, its owner first, and the others with empty hands."""
    bag, boards, hand, hole, others = value
    players = [Player(1, read_boards(boards), bag, read_cards(hand))]
    for other in others:
        players.append(Player(len(players) + 1, read_boards(other), 0, []))
    return Table(players, hole, [])


def write_board(board: Board) -> Json:
    pairs: list[Json] = [
        ["food", board.food],
        ["body", board.body],
        ["population", board.population],
        ["traits", list(board.traits)],
    ]
    if board.has("fat-tissue") and board.fat_food > 0:
        pairs.append(["fat-food", board.fat_food])
    return pairs


def write_boards(boards: list[Board]) -> Json:
    return [write_board(board) for board in boards]


def write_cards(cards: list[Card]) -> Json:
    return [[value, trait] for value, trait in cards]


def write_player(player: Player) -> Json:
    pairs: list[Json] = [["id", player.id], ["species", write_boards(player.boards)], ["bag", player.bag]]
    if player.hand:
        pairs.append(["cards", write_cards(player.hand)])
    return pairs


def write_configuration(table: Table) -> Json:
    return [[write_player(player) for player in table.players], table.hole, write_cards(table.deck)]


def write_state(table: Table) -> Json:
    owner = table.players[0]
    others = [write_boards(player.boards) for player in table.players[1:]]
    return [owner.bag, write_boards(owner.boards), write_cards(owner.hand), table.hole, others]


# ------------------------------------------------------------------------------------------------------------
# 2. Who can attack whom


def reasons(attacker: Board, defender: Board, left: Board | None, right: Board | None) -> list[str]:
    """Everything that keeps the attacker from attacking the defender, in the order of the rules' table."""
    result: list[str] = []

    if not attacker.has("carnivore"):
        result.append("not a carnivore")

    warned_from_left = left is not None and left.has("warning-call")
    warned_from_right = right is not None and right.has("warning-call")
    if (warned_from_left or warned_from_right) and not attacker.has("ambush"):
        result.append("warning-call")

    if defender.has("burrowing") and defender.food == defender.population:
        result.append("burrowing")

    if defender.has("climbing") and not attacker.has("climbing"):
        result.append("climbing")

    attacker_body = attacker.body
    if attacker.has("pack-hunting"):
        attacker_body = attacker.body + attacker.population
    if defender.has("hard-shell") and attacker_body - defender.body < 4:
        result.append("hard-shell")

    if defender.has("herding") and attacker.population <= defender.population:
        result.append("herding")

    if defender.has("symbiosis") and right is not None and right.body > defender.body:
        result.append("symbiosis")

    return result


def can_attack(attacker: Board, defender: Board, defenders: list[Board]) -> bool:
    """Whether the attacker can attack the defender, which lies among the given boards of one player."""
    if attacker is defender:
        return False
    left = left_neighbour(defenders, defender)
    right = right_neighbour(defenders, defender)
    return reasons(attacker, defender, left, right) == []


def blocked_by(situation: Json) -> list[str]:
    """Why the defender of a Situation cannot be attacked; empty if it can."""
    defender, attacker, left, right = situation
    return reasons(
        read_board(attacker),
        read_board(defender),
        None if left is False else read_board(left),
        None if right is False else read_board(right),
    )


def attackable(situation: Json) -> bool:
    return blocked_by(situation) == []


def xattack(value: Json) -> Json:
    """A State comes with a CarnivoreChoice, in which the number of others means the owner."""
    if len(value) == 4:
        return attackable(value)
    state, (own, who, which) = value
    owner, *others = read_state(state).players
    rows = [*(other.boards for other in others), owner.boards]
    if own >= len(owner.boards) or who >= len(rows) or which >= len(rows[who]):
        return NOTHING
    return can_attack(owner.boards[own], rows[who][which], rows[who])


# ------------------------------------------------------------------------------------------------------------
# 3. Eating


def eat(table: Table, board: Board) -> bool:
    """The board eats one token from the hole, if it can; tells whether it did."""
    if table.hole == 0 or not board.hungry():
        return False
    table.hole -= 1
    board.food += 1
    return True


def feed(table: Table, player: Player, board: Board) -> None:
    """Feed a board: the one routine behind every token."""
    eaten = 0
    if eat(table, board):
        eaten = 1
        if board.has("foraging") and eat(table, board):
            eaten = 2
    if board.has("cooperation"):
        right = right_neighbour(player.boards, board)
        if right is not None:
            for _ in range(eaten):
                feed(table, player, right)


def draw(table: Table, player: Player, count: int) -> None:
    """Cards come off the front of the deck and are put, in deck order, in front of the hand."""
    drawn = table.deck[:count]
    table.deck = table.deck[count:]
    player.hand = drawn + player.hand


def remove_extinct(table: Table, player: Player, board: Board) -> None:
    player.boards.remove(board)
    draw(table, player, 2)


def lose_one(table: Table, player: Player, board: Board) -> None:
    """The board loses one population; its food drops with it if needed; if extinct, it goes."""
    board.population -= 1
    board.food = min(board.food, board.population)
    if board.population == 0:
        remove_extinct(table, player, board)


def attack(table: Table, player: Player, attacker: Board, owner: Player, defender: Board) -> None:
    """The attacker, a board of the player, attacks the defender, a board of the owner."""
    lose_one(table, owner, defender)
    if defender.has("horns"):
        lose_one(table, player, attacker)
        if attacker.population == 0:
            return
    feed(table, player, attacker)
    for other in from_player_on(table, player):
        for board in other.boards:
            if board.has("scavenger"):
                feed(table, other, board)


def store_fat(table: Table, board: Board, count: int) -> None:
    taken = min(count, table.hole)
    table.hole -= taken
    board.fat_food += taken


# ------------------------------------------------------------------------------------------------------------
# 4. One feeding step


@dataclass(frozen=True)
class Option:
    """Something that a player can do in a feeding step."""

    kind: str  # "fat", "vegetarian" or "attack"
    board: Board
    owner: Player | None = None  # of the target of an attack
    target: Board | None = None  # of an attack


def options(table: Table, player: Player) -> list[Option]:
    result: list[Option] = []
    for board in player.boards:
        if board.fat_need() > 0:
            result.append(Option("fat", board))
    for board in player.boards:
        if board.hungry() and not board.has("carnivore"):
            result.append(Option("vegetarian", board))
    for board in player.boards:
        if board.hungry() and board.has("carnivore"):
            for owner in table.players:
                for target in owner.boards:
                    if can_attack(board, target, owner.boards):
                        result.append(Option("attack", board, owner, target))
    return result


def carry_out(table: Table, player: Player, option: Option, count: int) -> None:
    """Carry out an option; the count is that of a fat store."""
    if option.kind == "fat":
        store_fat(table, option.board, count)
    elif option.kind == "vegetarian":
        feed(table, player, option.board)
    else:
        assert option.owner is not None
        assert option.target is not None
        attack(table, player, option.board, option.owner, option.target)


def feeding_step(table: Table, player: Player) -> bool:
    """One feeding step of a Silly player; tells whether it is still in the feeding cycle after it."""
    possible = options(table, player)
    if table.hole == 0 or possible == []:
        return False

    only = possible[0]
    if len(possible) == 1 and not (only.kind == "attack" and only.owner is player):
        carry_out(table, player, only, only.board.fat_need())
        return True

    others = others_of(table, player)
    choice = silly_feed(player.boards, table.hole, [other.boards for other in others])
    if choice is False:
        return False
    chosen, count = meaning(player, others, choice)
    assert chosen in possible, "the Silly player never cheats"
    carry_out(table, player, chosen, count)
    return True


def meaning(player: Player, others: list[Player], choice: Json) -> tuple[Option, int]:
    """The option, and the count of a fat store, that a FeedingChoice other than false means."""
    if isinstance(choice, int):
        return Option("vegetarian", player.boards[choice]), 0
    if len(choice) == 2:
        index, count = choice
        return Option("fat", player.boards[index]), count
    own, who, which = choice
    owner = [*others, player][who]
    return Option("attack", player.boards[own], owner, owner.boards[which]), 0


def xstep(value: Json) -> Json:
    if len(value) == 5:
        table = read_state(value)
        feeding_step(table, table.players[0])
        return write_state(table)
    table = read_configuration(value)
    feeding_step(table, table.players[0])
    return write_configuration(table)


# ------------------------------------------------------------------------------------------------------------
# 5. A turn


def pair_of(grow: Json) -> tuple[int, int]:
    """The board and the card of a GP or GB, labelled or not."""
    if len(grow) == 3:
        _label, board, card = grow
    else:
        board, card = grow
    return (board, card)


def check_cards(player: Player, action: Json) -> None:
    """Every card index of an Action4 must be in range, and none used twice."""
    food_card, gps, gbs, bts, rts = action
    used: list[int] = [food_card]
    for grow in gps + gbs:
        used.append(pair_of(grow)[1])
    for bt in bts:
        used.extend(bt)
    for _board, _slot, card in rts:
        used.append(card)
    for card in used:
        if card >= len(player.hand):
            raise IllegalActionError(f"there is no card {card}")
        if used.count(card) > 1:
            raise IllegalActionError(f"card {card} is used twice")


def named_board(player: Player, index: int) -> Board:
    if index >= len(player.boards):
        raise IllegalActionError(f"there is no board {index}")
    return player.boards[index]


def exchange(player: Player, action: Json) -> int:
    """Execute a player's Action4 but for its food card, whose value is returned."""
    check_cards(player, action)
    food_card, gps, gbs, bts, rts = action
    hand = player.hand
    food_value: int = hand[food_card][0]

    for bt in bts:
        traits = [hand[card][1] for card in bt[1:]]
        player.boards.append(Board(food=0, body=0, population=1, traits=traits, fat_food=0))
    for index, slot, card in rts:
        board = named_board(player, index)
        if slot >= len(board.traits):
            raise IllegalActionError(f"board {index} has no trait slot {slot}")
        board.traits[slot] = hand[card][1]
    for board in player.boards:
        if not board.has("fat-tissue"):
            board.fat_food = 0
    for grow in gps:
        named_board(player, pair_of(grow)[0]).population += 1
    for grow in gbs:
        named_board(player, pair_of(grow)[0]).body += 1

    for board in player.boards:
        for trait in board.traits:
            if board.traits.count(trait) > 1:
                raise IllegalActionError(f"a board would have {trait} twice")
        if board.population > 7 or board.body > 7:
            raise IllegalActionError("a population or body would be above 7")

    used = [food_card]
    used += [pair_of(grow)[1] for grow in gps + gbs]
    used += [card for bt in bts for card in bt]
    used += [card for _board, _slot, card in rts]
    player.hand = [card for position, card in enumerate(hand) if position not in used]
    return food_value


def exchanges_and_step_4(table: Table, actions: Json) -> None:
    """From the exchanges to the end of the feeding cycle; raises IllegalActionError."""
    food_values: list[int] = []
    for player, action in zip(table.players, actions, strict=False):
        food_values.append(exchange(player, action))
    for value in food_values:
        table.hole = max(0, table.hole + value)

    for player in table.players:
        for board in player.boards:
            if board.has("fertile"):
                board.population = min(7, board.population + 1)
    for player in table.players:
        for board in player.boards:
            if board.has("long-neck"):
                feed(table, player, board)
    for player in table.players:
        for board in player.boards:
            if board.has("fat-tissue"):
                moved = min(board.population - board.food, board.fat_food)
                board.fat_food -= moved
                board.food += moved

    feeding_cycle(table)


def feeding_cycle(table: Table) -> None:
    still_in = list(table.players)
    while table.hole > 0 and still_in != []:
        for player in table.players:
            if player in still_in and not feeding_step(table, player):
                still_in.remove(player)


def xstep4(value: Json) -> Json:
    """A State comes with its owner's Action4 alone: the others exchange nothing and reveal no food card."""
    first, actions = value
    of_state = len(first) == 5
    table = read_state(first) if of_state else read_configuration(first)
    try:
        exchanges_and_step_4(table, [actions] if of_state else actions)
    except IllegalActionError:
        return NOTHING
    return write_state(table) if of_state else write_configuration(table)


def cards_needed(player: Player) -> int:
    return 3 + max(1, len(player.boards))


def step_1(table: Table) -> None:
    for player in table.players:
        needed = cards_needed(player)
        if player.boards == []:
            player.boards.append(Board(food=0, body=0, population=1, traits=[], fat_food=0))
        draw(table, player, needed)


def end_of_turn(table: Table) -> None:
    for player in table.players:
        for board in list(player.boards):
            board.population = board.food
            if board.population == 0:
                remove_extinct(table, player, board)
            else:
                player.bag += board.food
                board.food = 0
    table.players = table.players[1:] + table.players[:1]


def score(player: Player) -> int:
    result = player.bag
    for board in player.boards:
        result += board.population + len(board.traits)
    return result


def play(number_of_players: int, deck: Json = None) -> list[tuple[int, int]]:
    """A whole game of Silly players: (id, score) in ranking order; the deck in card order unless given."""
    cards = full_deck() if deck is None else read_cards(deck)
    first_order = [Player(number, [], 0, []) for number in range(1, number_of_players + 1)]
    table = Table(list(first_order), 0, cards)
    while len(table.deck) >= sum(cards_needed(player) for player in table.players):
        step_1(table)
        actions = [silly_choose(player.boards, player.hand) for player in table.players]
        exchanges_and_step_4(table, actions)
        end_of_turn(table)
    results = [(player.id, score(player)) for player in first_order]
    return sorted(
        results, key=lambda result: -result[1]
    )  # stable: equal scores stay in turn order of the first turn


# ------------------------------------------------------------------------------------------------------------
# 7. The Silly player


def silly_feed(own: list[Board], hole: int, others: list[list[Board]]) -> Json:
    """The Silly player's FeedingChoice, NOTHING if there is no choice to make; others in turn order."""
    # (1) the largest fat need; of equals max takes the first, in size order
    needy = [board for board in in_size_order(own) if board.fat_need() > 0]
    if needy:
        neediest = max(needy, key=Board.fat_need)
        return [own.index(neediest), min(neediest.fat_need(), hole)]

    hungry = [board for board in in_size_order(own) if board.hungry()]

    # (2) the largest hungry vegetarian
    for board in hungry:
        if not board.has("carnivore"):
            return own.index(board)

    # (3) the largest hungry carnivore that can attack, on the largest board that it can attack
    carnivores = [board for board in hungry if board.has("carnivore")]
    for carnivore in carnivores:
        best: tuple[Board, list[int]] | None = None
        for who, boards in enumerate(others):
            for which, target in enumerate(boards):
                larger = best is None or size(target) > size(best[0])
                if larger and can_attack(carnivore, target, boards):
                    best = (target, [who, which])
        if best is not None:
            return [own.index(carnivore)] + best[1]

    # (4) and (5)
    if carnivores:
        return False
    return NOTHING


def xfeed(value: Json) -> Json:
    if len(value) == 5:
        _bag, boards, _hand, hole, others = value
        return silly_feed(read_boards(boards), hole, [read_boards(other) for other in others])
    player, hole, players = value
    return silly_feed(read_player(player).boards, hole, [read_player(other).boards for other in players])


def silly_choose(boards: list[Board], hand: list[Card]) -> Json:
    """The Silly player's Action4, GP and GB unlabelled."""
    cards = sorted(range(len(hand)), key=lambda index: card_order(hand[index]))  # stable
    new = len(boards)
    action: Json = [cards[0], [], [], [[cards[1], cards[2]]], []]
    if len(cards) >= 4:
        action[1].append([new, cards[3]])
    if len(cards) >= 5:
        action[2].append([new, cards[4]])
    if len(cards) >= 6:
        action[4].append([new, 0, cards[5]])
    return action


def xsilly(value: Json) -> Json:
    owner = read_state(value).players[0] if len(value) == 5 else read_player(value[0])
    return silly_choose(owner.boards, owner.hand)
