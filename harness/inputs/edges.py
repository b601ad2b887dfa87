"""Action4s at the edge of the rules: legal by a hair, or illegal in exactly one way (rules 5.5)."""

from evolution.traits import MOST
from harness.inputs.boards import fields, put
from harness.inputs.chance import below, between, chance, pick, shuffle

TYPE_CHECKING = False
if TYPE_CHECKING:
    from harness.inputs.actions import Plan


def edge(plan: "Plan") -> None:
    """Make the action legal by a hair, in one way."""
    pick(plan.rng, EDGES)(plan)


def illegality(plan: "Plan") -> None:
    """Make the action illegal, in one way."""
    pick(plan.rng, ILLEGALITIES)(plan)


# --- legal by a hair ---------------------------------------------------------------------------------


def equal_for_a_moment(plan: "Plan") -> None:
    """A slot gets the trait of another slot, which then gets a different one."""
    board = plan.board_with(2)
    if board is None:
        return
    traits = plan.traits[board]
    slots = list(range(len(traits)))
    shuffle(plan.rng, slots)
    one, two = slots[:2]
    old = traits[one]
    plan.put_trait(board, one, plan.card_with(traits[two]))
    # half of the time the two traits change places
    plan.put_trait(board, two, plan.card_with(old) if chance(plan.rng, 0.5) else plan.other_card(traits))


def slot_twice(plan: "Plan") -> None:
    """Two replacements of one slot, the first perhaps by a trait that the board has already."""
    board = plan.board_with(1)
    if board is None:
        return
    traits = plan.traits[board]
    slot = below(plan.rng, len(traits))
    first = plan.card_with(pick(plan.rng, traits)) if chance(plan.rng, 0.5) else plan.any_card()
    if traits[slot] == "fat-tissue" and chance(plan.rng, 0.6):
        second = plan.card_with("fat-tissue")
    else:
        second = plan.other_card(plan.others(board, slot))
    plan.put_trait(board, slot, first)
    plan.put_trait(board, slot, second)


def fat_moves(plan: "Plan") -> None:
    """Fat-tissue goes, and perhaps comes back elsewhere; or it comes where a fat-food pair was idle."""
    for board, pairs in enumerate(plan.old):
        traits = plan.traits[board]
        if "fat-food" in fields(pairs) and traits and "fat-tissue" not in traits:
            plan.put_trait(board, below(plan.rng, len(traits)), plan.card_with("fat-tissue"))
            return
    for board, traits in enumerate(plan.traits):
        if "fat-tissue" in traits:
            slot = traits.index("fat-tissue")
            plan.put_trait(board, slot, plan.other_card(traits))
            if len(traits) > 1 and chance(plan.rng, 0.6):
                plan.put_trait(board, (slot + 1) % len(traits), plan.card_with("fat-tissue"))
            return


def mended_board(plan: "Plan") -> None:
    """A new board with a trait twice, one of which is replaced."""
    plan.buy(pick(plan.rng, [1, 1, 2]))
    board = len(plan.traits) - 1
    twice = pick(plan.rng, plan.traits[board])
    plan.bts[-1].append(plan.card_with(twice))
    plan.traits[board].append(twice)
    slot = pick(plan.rng, [plan.traits[board].index(twice), len(plan.traits[board]) - 1])
    plan.put_trait(board, slot, plan.other_card(plan.traits[board]))


def new_board_to_the_most(plan: "Plan") -> None:
    """A new board with a population or a body of exactly 7."""
    _grow_new(plan, MOST)


def _grow_new(plan: "Plan", limit: int) -> None:
    plan.buy(0)
    board = len(plan.traits) - 1
    sizes, growth = pick(plan.rng, [(plan.populations, plan.gps), (plan.bodies, plan.gbs)])
    while sizes[board] < limit:
        growth.append([board, plan.any_card()])
        sizes[board] += 1


def population_to_the_most(plan: "Plan") -> None:
    """A population of exactly 7."""
    _grow_to(plan, "population", plan.populations, plan.gps, MOST)


def body_to_the_most(plan: "Plan") -> None:
    """A body of exactly 7."""
    _grow_to(plan, "body", plan.bodies, plan.gbs, MOST)


def _grow_to(plan: "Plan", key: str, sizes: list[int], growth: list[list[int]], limit: int) -> None:
    """Grow an old board to exactly the limit, with few cards: the board itself is made larger first."""
    if not plan.old:
        return
    board = below(plan.rng, len(plan.old))
    before = fields(plan.old[board])[key]
    grown = sizes[board] - before
    start = min(MOST, max(before, limit - grown - between(plan.rng, 1, 2)))
    put(plan.old[board], key, start)
    sizes[board] = start + grown
    while sizes[board] < limit:
        growth.append([board, plan.any_card()])
        sizes[board] += 1


EDGES = [
    equal_for_a_moment,
    slot_twice,
    fat_moves,
    mended_board,
    population_to_the_most,
    body_to_the_most,
    new_board_to_the_most,
]


# --- illegal -----------------------------------------------------------------------------------------


def card_out_of_range(plan: "Plan") -> None:
    """A card that the hand does not have."""
    beyond = pick(plan.rng, [0, 0, 1, 1000])
    if chance(plan.rng, 0.4):
        plan.food = len(plan.hand) + beyond
        return
    payment = plan.any_card()  # before the hand is measured, for it may add a card
    card = len(plan.hand) + beyond
    kind = below(plan.rng, 4)
    board = plan.any_board()
    slotted = plan.board_with(1)
    if kind == 0 and board is not None:
        plan.gps.append([board, card])
    elif kind == 1 and board is not None:
        plan.gbs.append([board, card])
    elif kind == 2 and slotted is not None:
        plan.rts.append([slotted, 0, card])
    else:
        plan.bts.append(pick(plan.rng, [[payment, card], [card], [card, payment]]))


def card_twice(plan: "Plan") -> None:
    """A card in two exchanges."""
    used = [exchange[-1] for exchange in [*plan.gps, *plan.gbs, *plan.rts]]
    used += [card for bt in plan.bts for card in bt]
    if not used:
        plan.buy(0)
        used = plan.bts[-1]
    _some_exchange(plan, pick(plan.rng, used))


def food_card_reused(plan: "Plan") -> None:
    """The food card in an exchange."""
    _some_exchange(plan, plan.food)


def _some_exchange(plan: "Plan", card: int) -> None:
    """An exchange of any kind with that card, legal but for the use of the card."""
    kind = below(plan.rng, 5)
    small = [board for board, population in enumerate(plan.populations) if population < MOST]
    thin = [board for board, body in enumerate(plan.bodies) if body < MOST]
    fitting = [
        (board, slot)
        for board, traits in enumerate(plan.traits)
        for slot in range(len(traits))
        if plan.trait(card) not in plan.others(board, slot)
    ]
    if kind == 0 and small:
        plan.gps.append([pick(plan.rng, small), card])
    elif kind == 1 and thin:
        plan.gbs.append([pick(plan.rng, thin), card])
    elif kind == 2 and fitting:
        plan.rts.append([*pick(plan.rng, fitting), card])
    elif kind == 3:
        plan.bts.append([plan.any_card(), card])
    else:
        plan.bts.append([card])


def missing_board(plan: "Plan") -> None:
    """A board that is not there."""
    board = len(plan.traits) + pick(plan.rng, [0, 0, 1, 50])
    kind = below(plan.rng, 3)
    if kind == 0:
        plan.gps.append([board, plan.any_card()])
    elif kind == 1:
        plan.gbs.append([board, plan.any_card()])
    else:
        plan.rts.append([board, 0, plan.any_card()])


def missing_slot(plan: "Plan") -> None:
    """A trait slot that is not there."""
    if not plan.traits or chance(plan.rng, 0.3):
        plan.buy(pick(plan.rng, [0, 1, 2]))
    board = plan.any_board()
    assert board is not None
    slot = len(plan.traits[board]) + pick(plan.rng, [0, 0, 1, 7])
    plan.rts.append([board, slot, plan.other_card(plan.traits[board])])


def equal_traits(plan: "Plan") -> None:
    """A board with a trait twice."""
    board = plan.board_with(2)
    if board is not None and chance(plan.rng, 0.6):
        slot = below(plan.rng, len(plan.traits[board]))
        plan.rts.append([board, slot, plan.card_with(pick(plan.rng, plan.others(board, slot)))])
        return
    first = plan.any_card()
    bt = [first, plan.card_with(plan.trait(first))]
    if chance(plan.rng, 0.4):
        bt.append(plan.any_card())
    plan.bts.append([plan.any_card(), *bt])


def too_large(plan: "Plan") -> None:
    """A population or a body of 8."""
    if not plan.old or chance(plan.rng, 0.2):
        _grow_new(plan, MOST + 1)
    elif chance(plan.rng, 0.5):
        _grow_to(plan, "population", plan.populations, plan.gps, MOST + 1)
    else:
        _grow_to(plan, "body", plan.bodies, plan.gbs, MOST + 1)


ILLEGALITIES = [
    card_out_of_range,
    card_twice,
    food_card_reused,
    missing_board,
    missing_slot,
    equal_traits,
    too_large,
]
