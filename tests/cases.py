"""Seeded random generators of well-formed inputs, for tests that compare two implementations of the rules.

Each generator takes a random.Random and returns a JSON value as json.loads would give it.  They are dense in
what makes implementations differ: traits that interact, ties, partial fat stores, short decks, few tokens,
and (in step4) actions that are legal by a hair or illegal in exactly one way.  Only methods of random.Random
whose results do not change between versions of Python are used: random, randrange, choice and shuffle.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

Json = Any

TRAITS = [
    "carnivore", "ambush", "burrowing", "climbing", "cooperation", "fat-tissue", "fertile", "foraging",
    "hard-shell", "herding", "horns", "long-neck", "pack-hunting", "scavenger", "symbiosis", "warning-call",
]  # fmt: skip

CARDS = [[value, "carnivore"] for value in range(-8, 9)] + [
    [value, trait] for trait in TRAITS if trait != "carnivore" for value in range(-3, 4)
]

ATTACK = ["ambush", "climbing", "pack-hunting"]
DEFENCE = ["burrowing", "climbing", "hard-shell", "herding", "horns", "symbiosis", "warning-call"]
EATING = ["cooperation", "foraging", "scavenger", "cooperation", "foraging", "scavenger", "fat-tissue"]
GROWTH = ["fat-tissue", "fertile", "long-neck", "cooperation", "foraging"]
PLAIN = [trait for trait in TRAITS if trait != "carnivore"]


def chance(rng: Random, probability: float) -> bool:
    return rng.random() < probability


def between(rng: Random, low: int, high: int) -> int:
    """A number from low to high, both inclusive."""
    return low + rng.randrange(high - low + 1)


# ------------------------------------------------------------------------------------------------------------
# Boards


@dataclass
class Style:
    """What the boards of one case, or of one player in it, look like."""

    populations: list[int]
    bodies: list[int]
    traits: list[str]  # drawn from, besides carnivore
    carnivores: float  # how likely a board is a carnivore
    full_vegetarians: float  # how likely a vegetarian is not hungry
    full_carnivores: float
    full_stores: float  # how likely a fat store has no need
    common: str | None = None  # a trait that nearly every board has
    stray_fat: float = 0.03  # how likely a board without fat-tissue has a fat-food pair


def style(rng: Random) -> Style:
    if chance(rng, 0.5):  # sizes near each other, for ties
        population = between(rng, 1, 6)
        body = between(rng, 0, 6)
        populations = [population, population, population + 1]
        bodies = [body, body, body + 1]
    elif chance(rng, 0.6):  # small
        populations = rng.choice([[1, 1, 1, 2], [1, 2, 2, 3]])
        bodies = [0, 1, 2, 3, 4, 5]
    else:
        populations = [1, 2, 3, 4, 5, 6, 7]
        bodies = [0, 1, 2, 3, 4, 5, 6, 7]
    themes = [ATTACK + DEFENCE, DEFENCE, [*EATING, "horns"], EATING + DEFENCE, GROWTH, PLAIN, PLAIN]
    look = Style(populations, bodies, rng.choice(themes), 0.4, 0.35, 0.25, 0.35)
    if chance(rng, 0.3):
        look.common = rng.choice(
            ["cooperation", "foraging", "hard-shell", "herding", "horns", "scavenger", "warning-call"]
        )
    if chance(rng, 0.1):
        look.stray_fat = 0.5
    return look


def hunting(rng: Random, base: Style) -> Style:
    """The style of a player to whom little but attacks is left: carnivores, full vegetarians, full stores."""
    traits = rng.choice([[*ATTACK, "scavenger", "foraging", "cooperation"], EATING, base.traits, PLAIN])
    bodies = base.bodies
    if chance(rng, 0.3):  # near enough, or just not, to break a hard shell
        bodies = [min(7, body + more) for body in bodies for more in (3, 4)]
    full_carnivores = rng.choice([0.0, 0.1, 0.2])
    return Style(base.populations, bodies, traits, 0.85, 0.97, full_carnivores, 0.97)


def cooperating(rng: Random, base: Style) -> Style:
    """The style of a player whose boards feed each other, and are hungry enough for that."""
    populations = rng.choice([base.populations, [3, 4, 5], [4, 6, 7]])
    traits = ["cooperation", "cooperation", "foraging", "foraging", "scavenger", "long-neck"]
    return Style(populations, base.bodies, traits, rng.choice([0.1, 0.9]), 0.1, 0.1, 0.9)


def storing(rng: Random, base: Style) -> Style:
    """The style of a player with many fat stores to fill."""
    traits = [*rng.choice([EATING, GROWTH, base.traits]), "fat-tissue", "fat-tissue", "fat-tissue"]
    bodies = rng.choice([base.bodies, [1, 2], [2, 3]])
    return Style(base.populations, bodies, traits, 0.3, 0.6, 0.4, 0.15)


def lot(rng: Random, look: Style) -> list[str]:
    """Up to three different traits, in any order."""
    traits: list[str] = []
    if chance(rng, look.carnivores):
        traits.append("carnivore")
    if look.common is not None and chance(rng, 0.85):
        traits.append(look.common)
    for _ in range(rng.choice([0, 1, 1, 2, 2, 2, 3, 3])):
        trait = rng.choice(look.traits)
        if trait not in traits and len(traits) < 3:
            traits.append(trait)
    rng.shuffle(traits)
    return traits


def make_species(food: int, body: int, population: int, traits: list[str], fat_food: int | None) -> Json:
    """A Species+; without a fat-food pair if that is None."""
    pairs: list[Json] = [["food", food], ["body", body], ["population", population], ["traits", traits]]
    if fat_food is not None:
        pairs.append(["fat-food", fat_food])
    return pairs


def species(rng: Random, look: Style) -> Json:
    population = rng.choice(look.populations)
    body = rng.choice(look.bodies)
    traits = lot(rng, look)
    full = look.full_carnivores if "carnivore" in traits else look.full_vegetarians
    if chance(rng, full):
        food = population
    elif chance(rng, 0.4):
        food = population - 1
    elif chance(rng, 0.4):
        food = 0
    else:
        food = rng.randrange(population)

    fat_food: int | None = None
    if "fat-tissue" in traits:
        fat_food = body if chance(rng, look.full_stores) else rng.randrange(body + 1)
        if fat_food == 0 and chance(rng, 0.5):
            fat_food = None
    elif chance(rng, look.stray_fat):
        fat_food = rng.choice([0, rng.randrange(body + 1)])
    return make_species(food, body, population, traits, fat_food)


def copy(board: Json) -> Json:
    return [[key, list(value) if key == "traits" else value] for key, value in board]


def los(rng: Random, look: Style, low: int, high: int) -> list[Json]:
    """From low to high boards; now and then two equal ones."""
    boards: list[Json] = []
    for _ in range(between(rng, low, high)):
        if boards and chance(rng, 0.12):
            boards.append(copy(rng.choice(boards)))
        else:
            boards.append(species(rng, look))
    return boards


def situation(rng: Random) -> Json:
    """A Situation: nearly half of the defenders are attackable, the others mostly blocked for one reason."""
    look = style(rng)
    look.traits = rng.choice([DEFENCE, DEFENCE, PLAIN])
    defender = species(rng, look)
    attacking = Style(look.populations, look.bodies, rng.choice([ATTACK, ATTACK, PLAIN]), 0.9, 0.5, 0.3, 0.5)
    attacker = species(rng, attacking)
    if chance(rng, 0.4):  # the attacker's body, or body and population, near the defender's + 4
        grown = fields(defender)["body"] + between(rng, 3, 5)
        if "pack-hunting" in fields(attacker)["traits"]:
            grown -= fields(attacker)["population"]
        put(attacker, "body", min(7, max(grown, fields(attacker).get("fat-food", 0))))
    neighbours: list[Json] = []
    for _ in range(2):
        if chance(rng, 0.4):
            neighbours.append(False)
        else:
            neighbours.append(species(rng, rng.choice([look, look, style(rng)])))
    if chance(rng, 0.05):  # the attacker lies next to the defender
        neighbours[rng.randrange(2)] = copy(attacker)
    return [defender, attacker, *neighbours]


# ------------------------------------------------------------------------------------------------------------
# Players and tables


def fields(pairs: Json) -> dict[str, Json]:
    return dict(pairs)


def put(pairs: Json, key: str, value: Json) -> None:
    """Give a pair that is there a new value."""
    for pair in pairs:
        if pair[0] == key:
            pair[1] = value


def cards(rng: Random, pile: list[Json], low: int, high: int) -> list[Json]:
    """From low to high cards from the front of a pile, now and then an equal one twice."""
    result: list[Json] = []
    for _ in range(between(rng, low, high)):
        if result and (pile == [] or chance(rng, 0.04)):
            result.append(list(rng.choice(result)))
        elif pile:
            result.append(pile.pop(0))
        else:
            result.append(list(rng.choice(CARDS)))
    return result


def shuffled_pile(rng: Random) -> list[Json]:
    pile = [list(card) for card in CARDS]
    rng.shuffle(pile)
    return pile


def number_of_players(rng: Random) -> int:
    return rng.choice([1, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5, 6, 6, 7, 7, 8, 8])


def tokens(rng: Random, low: int) -> int:
    """Few tokens, mostly, but at least low."""
    return max(low, rng.choice([0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 4, 4, 5, 6, 8, 12, 30]))


def make_player(number: int, boards: list[Json], bag: int, hand: list[Json] | None) -> Json:
    """A Player+; without a cards pair if the hand is None."""
    pairs: list[Json] = [["id", number], ["species", boards], ["bag", bag]]
    if hand is not None:
        pairs.append(["cards", hand])
    return pairs


def optional_hand(rng: Random, pile: list[Json], high: int) -> list[Json] | None:
    if chance(rng, 0.35):
        return [] if chance(rng, 0.3) else None
    return cards(rng, pile, 1, high)


def ids(rng: Random, count: int) -> list[int]:
    numbers = list(range(1, count + 1))
    if chance(rng, 0.15):
        return [between(rng, 1, 2) for _ in numbers]
    if chance(rng, 0.3):
        rng.shuffle(numbers)
    return numbers


def boards_of_all(rng: Random, count: int) -> list[list[Json]]:
    """The boards of each of so many players; the first one is often left with nothing but attacks."""
    if chance(rng, 0.06):
        return besieged(rng, count)
    look = style(rng)
    most = rng.choice([2, 3, 4, 5]) if count < 7 else rng.choice([3, 4])
    least = 2 if most > 3 else 1
    result: list[list[Json]] = []
    for number in range(count):
        own = look
        if chance(rng, 0.55 if number == 0 else 0.15):
            own = hunting(rng, look)
        elif chance(rng, 0.3 if number == 0 else 0.1):
            own = storing(rng, look)
        elif chance(rng, 0.3 if number == 0 else 0.1):
            own = cooperating(rng, look)
        low = least if number == 0 or chance(rng, 0.85) else 0
        if chance(rng, 0.04):
            result.append([])
        else:
            result.append(los(rng, own, low, most))
    if count > 1 and chance(rng, 0.12):  # a tie between boards of different players
        donor = result[rng.randrange(1, count)]
        if donor:
            result[rng.randrange(1, count)].append(copy(rng.choice(donor)))
    if count > 1 and chance(rng, 0.05):  # nobody to attack but oneself
        result[1:] = [[] for _ in result[1:]]
    return result


def besieged(rng: Random, count: int) -> list[list[Json]]:
    """Boards of so many players, all protected, so that who can attack whom changes with each attack."""
    population = between(rng, 2, 6)
    result: list[list[Json]] = []
    for _ in range(count):
        carnivores = rng.choice([0.4, 0.7, 1.0])
        own: list[Json] = []
        for _ in range(rng.choice([1, 1, 2, 3])):
            traits = [
                rng.choice(
                    ["herding", "herding", "herding", "burrowing", "warning-call", "climbing", "hard-shell"]
                )
            ]
            if chance(rng, carnivores):
                traits.insert(rng.randrange(2), "carnivore")
                helpful = rng.choice(ATTACK)
                if helpful not in traits and chance(rng, 0.3):
                    traits.insert(rng.randrange(3), helpful)
            own.append(
                make_species(0, between(rng, 0, 5), population + rng.choice([0, 0, 0, 1]), traits, None)
            )
        result.append(own)
    return result


def players(rng: Random, pile: list[Json], high: int) -> list[Json]:
    """From 1 to 8 players, with up to high cards each."""
    count = number_of_players(rng)
    numbers = ids(rng, count)
    boards = boards_of_all(rng, count)
    result = []
    for number, own in zip(numbers, boards, strict=True):
        result.append(make_player(number, own, rng.choice([0, 0, 1, 5, 23]), optional_hand(rng, pile, high)))
    return result


def feeding(rng: Random) -> Json:
    """A Feeding."""
    everyone = players(rng, shuffled_pile(rng), 3)
    return [everyone[0], tokens(rng, 1), everyone[1:]]


def state(rng: Random) -> Json:
    """A State."""
    boards = boards_of_all(rng, number_of_players(rng))
    hand = cards(rng, shuffled_pile(rng), 0, 4)
    return [rng.choice([0, 0, 2, 11]), boards[0], hand, tokens(rng, 1), boards[1:]]


def deck(rng: Random, pile: list[Json]) -> list[Json]:
    """The rest of a deck, mostly a short one."""
    return cards(rng, pile, 0, rng.choice([0, 1, 2, 3, 4, 6, 10, 60]))


def configuration(rng: Random) -> Json:
    """A Configuration."""
    pile = shuffled_pile(rng)
    everyone = players(rng, pile, 8)
    return [everyone, tokens(rng, 0), deck(rng, pile)]


def choice(rng: Random) -> Json:
    """A Choice."""
    boards = boards_of_all(rng, number_of_players(rng))
    place = rng.randrange(len(boards))
    pile = shuffled_pile(rng)
    if chance(rng, 0.3):  # few different cards, so that equal ones are common
        pile = [list(rng.choice(pile[:5])) for _ in range(12)]
    hand = cards(rng, pile, 3, rng.choice([3, 4, 5, 6, 7, 9, 12]))
    player = make_player(between(rng, 1, 8), boards[place], rng.choice([0, 1, 7]), hand)
    return [player, boards[:place], boards[place + 1 :]]


# ------------------------------------------------------------------------------------------------------------
# Actions


class Plan:
    """A legal Action4 in the making, for one player, and what the player's boards would be after it.

    The player's hand is shuffled at the end of the making, so that any card may come to be at any index:
    until then a card is meant by its place in the unshuffled hand, and cards may still be added to the hand.
    """

    def __init__(self, rng: Random, player: Json) -> None:
        self.rng = rng
        self.player = player
        self.hand: list[Json] = list(fields(player)["cards"])
        self.old: list[Json] = fields(player)["species"]
        self.traits: list[list[str]] = [list(fields(board)["traits"]) for board in self.old]
        self.populations: list[int] = [fields(board)["population"] for board in self.old]
        self.bodies: list[int] = [fields(board)["body"] for board in self.old]
        self.food = 0
        self.gps: list[list[int]] = []
        self.gbs: list[list[int]] = []
        self.bts: list[list[int]] = []
        self.rts: list[list[int]] = []
        self.free: list[int] = list(range(1, len(self.hand)))

    def trait(self, card: int) -> str:
        return str(self.hand[card][1])

    def any_board(self) -> int | None:
        """A board by its index, new ones included and preferred; None if there is none."""
        if self.traits == []:
            return None
        if len(self.traits) > len(self.old) and chance(self.rng, 0.5):
            return self.rng.randrange(len(self.old), len(self.traits))
        return self.rng.randrange(len(self.traits))

    def board_with(self, slots: int) -> int | None:
        """A board with at least so many trait slots; None if there is none."""
        boards = [board for board, traits in enumerate(self.traits) if len(traits) >= slots]
        return self.rng.choice(boards) if boards else None

    def card_with(self, trait: str) -> int:
        """A card with that trait: a free one, or else one that is added to the hand."""
        for card in self.free:
            if self.trait(card) == trait:
                self.free.remove(card)
                return card
        self.hand.append(list(self.rng.choice([card for card in CARDS if card[1] == trait])))
        return len(self.hand) - 1

    def other_card(self, traits: list[str]) -> int:
        """A card with none of these traits: a free one, or else one that is added to the hand."""
        for card in self.free:
            if self.trait(card) not in traits:
                self.free.remove(card)
                return card
        return self.card_with(self.rng.choice([trait for trait in TRAITS if trait not in traits]))

    def any_card(self) -> int:
        return self.other_card([])

    # legal exchanges, each with free cards as far as there are some

    def buy(self, slots: int) -> None:
        bt = [self.any_card()]
        traits: list[str] = []
        for _ in range(slots):
            card = self.other_card(traits)
            bt.append(card)
            traits.append(self.trait(card))
        self.bts.append(bt)
        self.traits.append(traits)
        self.populations.append(1)
        self.bodies.append(0)

    def grow_population(self) -> None:
        board = self.any_board()
        if board is not None and self.populations[board] < 7:
            self.gps.append([board, self.any_card()])
            self.populations[board] += 1

    def grow_body(self) -> None:
        board = self.any_board()
        if board is not None and self.bodies[board] < 7:
            self.gbs.append([board, self.any_card()])
            self.bodies[board] += 1

    def replace(self) -> None:
        board = self.board_with(1)
        if board is not None:
            traits = self.traits[board]
            slot = self.rng.randrange(len(traits))
            card = self.other_card(traits[:slot] + traits[slot + 1 :])
            self.rts.append([board, slot, card])
            traits[slot] = self.trait(card)

    def random_exchange(self) -> None:
        kind = self.rng.randrange(10)
        if kind < 2:
            slots = self.rng.choice([0, 1, 1, 2, 2, 3])
            self.buy(min(slots, max(0, len(self.free) - 1)))
        elif kind < 5:
            self.grow_population()
        elif kind < 7:
            self.grow_body()
        else:
            self.replace()

    # legal by a hair

    def equal_for_a_moment(self) -> None:
        """A slot gets the trait of another slot, which then gets a different one."""
        board = self.board_with(2)
        if board is not None:
            traits = self.traits[board]
            slots = list(range(len(traits)))
            self.rng.shuffle(slots)
            one, two = slots[0], slots[1]
            card = self.card_with(traits[two])
            self.rts.append([board, one, card])
            old = traits[one]
            traits[one] = self.trait(card)
            # half of the time the two traits change places
            card = self.card_with(old) if chance(self.rng, 0.5) else self.other_card(traits)
            self.rts.append([board, two, card])
            traits[two] = self.trait(card)

    def slot_twice(self) -> None:
        """Two replacements of one slot, the first perhaps by a trait that the board has already."""
        board = self.board_with(1)
        if board is not None:
            traits = self.traits[board]
            slot = self.rng.randrange(len(traits))
            first = self.card_with(self.rng.choice(traits)) if chance(self.rng, 0.5) else self.any_card()
            second = self.other_card(traits[:slot] + traits[slot + 1 :])
            if traits[slot] == "fat-tissue" and chance(self.rng, 0.6):
                second = self.card_with("fat-tissue")
            self.rts.append([board, slot, first])
            self.rts.append([board, slot, second])
            traits[slot] = self.trait(second)

    def fat_moves(self) -> None:
        """Fat-tissue goes, and perhaps comes back elsewhere; or it comes where a fat-food pair was idle."""
        for board, pairs in enumerate(self.old):
            traits = self.traits[board]
            if "fat-food" in fields(pairs) and traits and "fat-tissue" not in traits:
                slot = self.rng.randrange(len(traits))
                self.rts.append([board, slot, self.card_with("fat-tissue")])
                traits[slot] = "fat-tissue"
                return
        for board, traits in enumerate(self.traits):
            if "fat-tissue" in traits:
                slot = traits.index("fat-tissue")
                card = self.other_card(traits)
                self.rts.append([board, slot, card])
                traits[slot] = self.trait(card)
                if len(traits) > 1 and chance(self.rng, 0.6):
                    slot = (slot + 1) % len(traits)
                    card = self.card_with("fat-tissue")
                    self.rts.append([board, slot, card])
                    traits[slot] = "fat-tissue"
                return

    def raise_old(self, key: str, board: int, value: int) -> None:
        """Change the player's board itself: its population or body, before any exchange, becomes so large."""
        put(self.old[board], key, value)

    def population_to(self, limit: int) -> None:
        """Grow an old board's population to exactly the limit, with few cards."""
        if self.old:
            board = self.rng.randrange(len(self.old))
            grown = self.populations[board] - fields(self.old[board])["population"]
            count = between(self.rng, 1, 2)
            start = max(limit - grown - count, fields(self.old[board])["population"])
            start = min(start, 7)
            self.raise_old("population", board, start)
            self.populations[board] = start + grown
            while self.populations[board] < limit:
                self.gps.append([board, self.any_card()])
                self.populations[board] += 1

    def body_to(self, limit: int) -> None:
        """Grow an old board's body to exactly the limit, with few cards."""
        if self.old:
            board = self.rng.randrange(len(self.old))
            grown = self.bodies[board] - fields(self.old[board])["body"]
            count = between(self.rng, 1, 2)
            start = max(limit - grown - count, fields(self.old[board])["body"])
            start = min(start, 7)
            self.raise_old("body", board, start)
            self.bodies[board] = start + grown
            while self.bodies[board] < limit:
                self.gbs.append([board, self.any_card()])
                self.bodies[board] += 1

    def edge(self) -> None:
        kind = self.rng.randrange(5)
        if kind == 0:
            self.equal_for_a_moment()
        elif kind == 1:
            self.slot_twice()
        elif kind == 2:
            self.fat_moves()
        elif kind == 3:
            self.population_to(7)
        else:
            self.body_to(7)

    # illegal

    def some_exchange(self, card: int) -> None:
        """An exchange of any kind with that card, legal but for the use of the card."""
        kind = self.rng.randrange(5)
        small = [board for board, population in enumerate(self.populations) if population < 7]
        thin = [board for board, body in enumerate(self.bodies) if body < 7]
        fitting = [
            (board, slot)
            for board, traits in enumerate(self.traits)
            for slot in range(len(traits))
            if self.trait(card) not in traits[:slot] + traits[slot + 1 :]
        ]
        if kind == 0 and small:
            self.gps.append([self.rng.choice(small), card])
        elif kind == 1 and thin:
            self.gbs.append([self.rng.choice(thin), card])
        elif kind == 2 and fitting:
            board, slot = self.rng.choice(fitting)
            self.rts.append([board, slot, card])
        elif kind == 3:
            self.bts.append([self.any_card(), card])
        else:
            self.bts.append([card])

    def card_out_of_range(self) -> None:
        beyond = self.rng.choice([0, 0, 1, 1000])
        if chance(self.rng, 0.4):
            self.food = len(self.hand) + beyond
        else:
            payment = self.any_card()  # before the hand is measured, for it may add a card
            card = len(self.hand) + beyond
            kind = self.rng.randrange(4)
            board = self.any_board()
            slotted = self.board_with(1)
            if kind == 0 and board is not None:
                self.gps.append([board, card])
            elif kind == 1 and board is not None:
                self.gbs.append([board, card])
            elif kind == 2 and slotted is not None:
                self.rts.append([slotted, 0, card])
            else:
                self.bts.append(self.rng.choice([[payment, card], [card], [card, payment]]))

    def used_cards(self) -> list[int]:
        """The cards used in exchanges, that is, without the food card."""
        used = [exchange[-1] for exchange in [*self.gps, *self.gbs, *self.rts]]
        for bt in self.bts:
            used.extend(bt)
        return used

    def card_twice(self) -> None:
        if self.used_cards() == []:
            self.buy(0)
        self.some_exchange(self.rng.choice(self.used_cards()))

    def food_card_reused(self) -> None:
        self.some_exchange(self.food)

    def missing_board(self) -> None:
        board = len(self.traits) + self.rng.choice([0, 0, 1, 50])
        kind = self.rng.randrange(3)
        if kind == 0:
            self.gps.append([board, self.any_card()])
        elif kind == 1:
            self.gbs.append([board, self.any_card()])
        else:
            self.rts.append([board, 0, self.any_card()])

    def missing_slot(self) -> None:
        if self.traits == []:
            self.buy(0)
        board = self.any_board()
        assert board is not None
        slot = len(self.traits[board]) + self.rng.choice([0, 0, 1, 7])
        self.rts.append([board, slot, self.other_card(self.traits[board])])

    def equal_traits(self) -> None:
        board = self.board_with(2)
        if board is not None and chance(self.rng, 0.6):
            traits = self.traits[board]
            slot = self.rng.randrange(len(traits))
            card = self.card_with(self.rng.choice(traits[:slot] + traits[slot + 1 :]))
            self.rts.append([board, slot, card])
        else:
            first = self.any_card()
            bt = [first, self.card_with(self.trait(first))]
            if chance(self.rng, 0.4):
                bt.append(self.any_card())
            self.bts.append([self.any_card(), *bt])

    def too_large(self) -> None:
        if self.old == []:
            self.missing_board()
        elif chance(self.rng, 0.5):
            self.population_to(8)
        else:
            self.body_to(8)

    def illegality(self) -> None:
        """Make this action illegal, in one way."""
        ways = [
            self.card_out_of_range,
            self.card_twice,
            self.food_card_reused,
            self.missing_board,
            self.missing_slot,
            self.equal_traits,
            self.too_large,
        ]
        self.rng.choice(ways)()

    # the end of the making

    def finish(self, labelled: float) -> Json:
        """Shuffle the hand, give it to the player, and return the Action4, labelled with that likelihood."""
        order = list(range(len(self.hand)))
        self.rng.shuffle(order)
        put(self.player, "cards", [self.hand[card] for card in order])
        at = {card: index for index, card in enumerate(order)}

        def place(card: int) -> int:
            return at.get(card, card)  # one that is out of range stays so

        def grow(label: str, pair: list[int]) -> Json:
            board, card = pair
            if chance(self.rng, labelled):
                return [label, board, place(card)]
            return [board, place(card)]

        if chance(self.rng, 0.5):
            self.rng.shuffle(self.gps)
            self.rng.shuffle(self.gbs)
        return [
            place(self.food),
            [grow("population", pair) for pair in self.gps],
            [grow("body", pair) for pair in self.gbs],
            [[place(card) for card in bt] for bt in self.bts],
            [[board, slot, place(card)] for board, slot, card in self.rts],
        ]


def step4(rng: Random) -> Json:
    """A Configuration and a Step4 for it; about three in ten have one illegal Action4."""
    pile = shuffled_pile(rng)
    count = number_of_players(rng)
    numbers = ids(rng, count)
    boards = boards_of_all(rng, count)
    siege = chance(rng, 0.1)
    if siege:
        boards = besieged(rng, count)
    if siege or chance(rng, 0.5):  # as in a game: nothing eaten yet
        for own in boards:
            for board in own:
                put(board, "food", 0)
    most = 2 if siege else rng.choice([2, 4, 7, 10])
    everyone = []
    for number, own in zip(numbers, boards, strict=True):
        everyone.append(make_player(number, own, rng.choice([0, 0, 3, 12]), cards(rng, pile, 1, most)))

    illegal = rng.randrange(count) if chance(rng, 0.3) else None
    labelled = rng.choice([0.0, 0.0, 0.5, 1.0])
    actions: list[Json] = []
    for number, player in enumerate(everyone):
        plan = Plan(rng, player)
        kept = rng.choice([0, 0, 0, 1, 3])
        for _ in range(12):
            if len(plan.free) > kept:
                plan.random_exchange()
        if chance(rng, 0.2):
            plan.edge()
        if number == illegal:
            plan.illegality()
        actions.append(plan.finish(labelled))

    if illegal is not None and chance(rng, 0.04):  # no card at all, hence no food card
        put(everyone[illegal], "cards", [])
        actions[illegal] = [0, [], [], [], []]
        if chance(rng, 0.5):
            everyone[illegal].pop()
    return [[everyone, tokens(rng, 6 if siege else 0), deck(rng, pile)], actions]
