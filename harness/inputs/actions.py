"""Action4s by chance: legal ones in the making, and whole inputs for step 4.

Actions that are legal by a hair, or illegal in one way, are made in `harness.inputs.edges`.
"""

from random import Random

from evolution.traits import MOST, TRAITS
from harness.inputs.boards import besieged, fields, put
from harness.inputs.chance import below, chance, pick, shuffle
from harness.inputs.tables import (
    CARDS,
    Pile,
    boards_of_all,
    deck,
    ids,
    make_player,
    number_of_players,
    tokens,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from harness.inputs.chance import Json

CARDS_OF: "dict[str, list[Json]]" = {trait: [card for card in CARDS if card[1] == trait] for trait in TRAITS}


class Plan:
    """A legal Action4 in the making, for one player, and what the player's boards would be after it.

    The player's hand is shuffled at the end, so that any card may come to be at any index: until
    then a card is meant by its place in the unshuffled hand, and cards may still be added to it.
    """

    def __init__(self, rng: Random, player: "Json") -> None:
        its = fields(player)
        self.rng = rng
        self.player = player
        self.hand: list[Json] = list(its["cards"])
        self.old: list[Json] = its["species"]
        boards = [fields(board) for board in self.old]
        self.traits: list[list[str]] = [list(board["traits"]) for board in boards]
        self.populations: list[int] = [board["population"] for board in boards]
        self.bodies: list[int] = [board["body"] for board in boards]
        self.food = 0
        self.gps: list[list[int]] = []
        self.gbs: list[list[int]] = []
        self.bts: list[list[int]] = []
        self.rts: list[list[int]] = []
        self.free: list[int] = list(range(1, len(self.hand)))

    # --- boards and cards ----------------------------------------------------------------------

    def trait(self, card: int) -> str:
        """The trait of a card."""
        return str(self.hand[card][1])

    def any_board(self) -> "int | None":
        """A board by its index, new ones included and preferred; None if there is none."""
        count, old = len(self.traits), len(self.old)
        if not count:
            return None
        if count > old and chance(self.rng, 0.5):
            return old + below(self.rng, count - old)
        return below(self.rng, count)

    def board_with(self, slots: int) -> "int | None":
        """A board with at least so many trait slots; None if there is none."""
        boards = [board for board, traits in enumerate(self.traits) if len(traits) >= slots]
        return pick(self.rng, boards) if boards else None

    def card_with(self, trait: str) -> int:
        """A card with that trait: a free one, or else one that is added to the hand."""
        for card in self.free:
            if self.trait(card) == trait:
                self.free.remove(card)
                return card
        self.hand.append(list(pick(self.rng, CARDS_OF[trait])))
        return len(self.hand) - 1

    def other_card(self, traits: list[str]) -> int:
        """A card with none of these traits: a free one, or else one that is added to the hand."""
        for card in self.free:
            if self.trait(card) not in traits:
                self.free.remove(card)
                return card
        return self.card_with(pick(self.rng, [trait for trait in TRAITS if trait not in traits]))

    def any_card(self) -> int:
        """A card of any trait."""
        return self.other_card([])

    # --- exchanges -----------------------------------------------------------------------------

    def buy(self, slots: int) -> None:
        """A new board with so many traits."""
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
        """One more population for some board, if there is one that can grow."""
        board = self.any_board()
        if board is not None and self.populations[board] < MOST:
            self.gps.append([board, self.any_card()])
            self.populations[board] += 1

    def grow_body(self) -> None:
        """One more body for some board, if there is one that can grow."""
        board = self.any_board()
        if board is not None and self.bodies[board] < MOST:
            self.gbs.append([board, self.any_card()])
            self.bodies[board] += 1

    def replace(self) -> None:
        """Another trait in some slot."""
        board = self.board_with(1)
        if board is not None:
            slot = below(self.rng, len(self.traits[board]))
            self.put_trait(board, slot, self.other_card(self.others(board, slot)))

    def others(self, board: int, slot: int) -> list[str]:
        """The traits of a board in all slots but this."""
        traits = self.traits[board]
        return traits[:slot] + traits[slot + 1 :]

    def put_trait(self, board: int, slot: int, card: int) -> None:
        """Replace a trait by that of the card."""
        self.rts.append([board, slot, card])
        self.traits[board][slot] = self.trait(card)

    def random_exchange(self) -> None:
        """Any exchange, with a free card."""
        kind = below(self.rng, 10)
        if kind < 2:
            slots = pick(self.rng, [0, 1, 1, 2, 2, 3])
            self.buy(min(slots, max(0, len(self.free) - 1)))
        elif kind < 5:
            self.grow_population()
        elif kind < 7:
            self.grow_body()
        else:
            self.replace()

    # --- the end -------------------------------------------------------------------------------

    def finish(self, labelled: float) -> "Json":
        """Shuffle the hand, give it to the player, and say the Action4, labelled that often."""
        order = list(range(len(self.hand)))
        shuffle(self.rng, order)
        put(self.player, "cards", [self.hand[card] for card in order])
        at = {card: index for index, card in enumerate(order)}
        if chance(self.rng, 0.5):
            shuffle(self.rng, self.gps)
            shuffle(self.rng, self.gbs)

        def place(card: int) -> int:
            return at.get(card, card)  # one that is out of range stays so

        def grow(label: str, pair: list[int]) -> "Json":
            board, card = pair
            return [label, board, place(card)] if chance(self.rng, labelled) else [board, place(card)]

        return [
            place(self.food),
            [grow("population", pair) for pair in self.gps],
            [grow("body", pair) for pair in self.gbs],
            [[place(card) for card in bt] for bt in self.bts],
            [[board, slot, place(card)] for board, slot, card in self.rts],
        ]


def step4(rng: Random) -> "Json":
    """A Configuration and a Step4 for it; about three in ten have one illegal Action4."""
    pile = Pile(rng)
    siege = chance(rng, 0.1)
    everyone = _players(rng, pile, siege)
    illegal = below(rng, len(everyone)) if chance(rng, 0.3) else None
    labelled = pick(rng, [0.0, 0.0, 0.5, 1.0])
    actions = [_action(rng, player, number == illegal, labelled) for number, player in enumerate(everyone)]
    if illegal is not None and chance(rng, 0.04):  # no card at all, hence no food card
        put(everyone[illegal], "cards", [])
        actions[illegal] = [0, [], [], [], []]
        if chance(rng, 0.5):
            everyone[illegal].pop()
    return [[everyone, tokens(rng, 6 if siege else 0), deck(rng, pile)], actions]


def state_and_action(rng: Random) -> "Json":
    """A State and an Action4 of its owner; about three in ten are illegal."""
    siege = chance(rng, 0.1)
    owner, *others = _players(rng, Pile(rng), siege)
    illegal = chance(rng, 0.3)
    action = _action(rng, owner, illegal, pick(rng, [0.0, 0.0, 0.5, 1.0]))
    its = fields(owner)
    hand, rows = its["cards"], [fields(other)["species"] for other in others]
    if illegal and chance(rng, 0.04):
        hand, action = [], [0, [], [], [], []]
    return [[its["bag"], its["species"], hand, tokens(rng, 6 if siege else 0), rows], action]


def _players(rng: Random, pile: Pile, siege: bool) -> "list[Json]":
    count = number_of_players(rng)
    boards = besieged(rng, count) if siege else boards_of_all(rng, count)
    if siege or chance(rng, 0.5):  # as in a game: nothing eaten yet
        for own in boards:
            for board in own:
                put(board, "food", 0)
    most = 2 if siege else pick(rng, [2, 4, 7, 10])
    return [
        make_player(number, own, pick(rng, [0, 0, 3, 12]), pile.some(1, most))
        for number, own in zip(ids(rng, count), boards, strict=True)
    ]


def _action(rng: Random, player: "Json", illegal: bool, labelled: float) -> "Json":
    plan = Plan(rng, player)
    kept = pick(rng, [0, 0, 0, 1, 3])
    for _ in range(12):
        if len(plan.free) > kept:
            plan.random_exchange()
    if chance(rng, 0.2):
        from harness.inputs.edges import edge

        edge(plan)
    if illegal:
        from harness.inputs.edges import illegality

        illegality(plan)
    return plan.finish(labelled)
