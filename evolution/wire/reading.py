"""From JSON values to engine objects: shape and ranges are checked here, and only here.

Every function takes a value as a JSON parser gives it and returns an engine object, or raises
Malformed with the path to the first part that is wrong. Booleans are not numbers here, and 1.0
is not an integer. The accepted grammar is in docs/formats.md. What only tables need is loaded with the
first table: a Situation has none.
"""

from evolution.species import Species
from evolution.traits import TRAITS
from evolution.wire.errors import Malformed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    from evolution.cards import Card
    from evolution.choices import Attack, State
    from evolution.table import Player, Table

    T = TypeVar("T")

MOST_PLAYERS = 8
MOST_TRAITS = 3
MOST_NAT = 7
SHOWN = 40  # characters of a wrong value in an error line


def shown(value: object) -> str:
    """The value as JSON, cut short, for an error line."""
    if type(value) is list:
        return f"a list of {len(value)}"
    if type(value) is dict:
        return "an object"
    if value is None or type(value) is bool:
        return {None: "null", True: "true", False: "false"}[value]
    if type(value) is str:
        # ascii() escapes whatever could disturb a terminal, and is bounded by the cut before it.
        text = ascii(value[:SHOWN])[1:-1]
        return f'"{text}…"' if len(value) > SHOWN else f'"{text}"'
    text = str(value)  # a number, or what stands for one that is too long
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


def parts(value: object, count: int, what: str) -> "list[object]":
    """The value as a list of exactly this many parts."""
    if type(value) is not list or len(value) != count:
        raise Malformed(f"expected {what}, a list of {count}, found {shown(value)}")
    return value


def list_of(read: "Callable[[object], T]", value: object, what: str) -> "list[T]":
    """The value as a list whose parts are all read alike."""
    if type(value) is not list:
        raise Malformed(f"expected a list of {what}, found {shown(value)}")
    found = []
    try:
        for part in value:
            found.append(read(part))
    except Malformed as wrong:
        raise wrong.below(len(found)) from None
    return found


def at(index: int, read: "Callable[[object], T]", value: "list[object]") -> "T":
    """One part of a list, read; its index goes into the path of what is wrong with it."""
    try:
        return read(value[index])
    except Malformed as wrong:
        raise wrong.below(index) from None


def shown_number(value: object) -> str:
    """What stands where an integer should, for an error line: one that is only written wrongly is told so."""
    if type(value) is float and value % 1 == 0:
        return f"{shown(value)}: an integer must be written without a point or an exponent"
    return shown(value)


def natural(value: object) -> int:
    """A Natural."""
    if type(value) is not int or value < 0:
        raise Malformed(f"expected a whole number, at least 0, found {shown_number(value)}")
    return value


def natural_plus(value: object) -> int:
    """A Natural+."""
    if type(value) is not int or value < 1:
        raise Malformed(f"expected a whole number, at least 1, found {shown_number(value)}")
    return value


def _are_traits(traits: list[object]) -> bool:
    """Whether this is a list of up to three different traits."""
    try:
        for trait in traits:
            if trait not in TRAITS:
                return False
        return len(traits) <= MOST_TRAITS and len(set(traits)) == len(traits)
    except TypeError:  # something that cannot be looked up, such as a list
        return False


def _wrong_nat(board: "list[Any]", place: int) -> Malformed:
    """What is wrong with the number in this pair of a board; the path starts at the board."""
    pair, key = board[place], SPECIES_KEYS[place]
    if type(pair) is not list:  # an object of two keys comes apart as if it were a pair
        return _wrong_pairs(board, "a species", SPECIES_KEYS)
    least = 1 if key == "population" else 0
    return Malformed(
        f"{key} must be a whole number from {least} to {MOST_NAT}, found {shown_number(pair[1])}", place, 1
    )


def _meant(trait: object) -> str:
    """The end of a complaint about something that is no trait: which one may be meant, if one is near."""
    if type(trait) is not str or len(trait) > SHOWN:
        return ""
    from difflib import get_close_matches

    near = get_close_matches(trait.lower(), TRAITS, n=1, cutoff=0.8)
    return f"; did you mean {near[0]}?" if near else ""


def _wrong_traits(board: "list[Any]") -> Malformed:
    """What is wrong with a board's traits; the path starts at the board."""
    if type(board[3]) is not list:
        return _wrong_pairs(board, "a species", SPECIES_KEYS)
    traits = board[3][1]
    if type(traits) is not list:
        return Malformed(f"expected a list of traits, found {shown(traits)}", 3, 1)
    if len(traits) > MOST_TRAITS:
        return Malformed(f"a board has at most {MOST_TRAITS} traits, found {len(traits)}", 3, 1)
    for place, trait in enumerate(traits):
        if type(trait) is not str or trait not in TRAITS:
            return Malformed(f"expected a trait, found {shown(trait)}{_meant(trait)}", 3, 1, place)
        if trait in traits[:place]:
            return Malformed(f"{trait} occurs here twice", 3, 1, place)
    raise AssertionError(f"these traits are right: {traits}")


SPECIES_KEYS = ["food", "body", "population", "traits", "fat-food"]
NO_FAT: "list[Any]" = [["fat-food", 0]]
PLAYER_KEYS = ["id", "species", "bag", "cards"]


def _wrong_pairs(value: object, what: str, keys: list[str]) -> Malformed:
    """What is wrong with a value that should be pairs with these keys, the last one optional."""
    most = len(keys)
    if type(value) is not list or not most - 1 <= len(value) <= most:
        return Malformed(f"expected {what} of {most - 1} or {most} pairs, found {shown(value)}")
    for place, (pair, key) in enumerate(zip(value, keys, strict=False)):
        if type(pair) is not list or len(pair) != 2:
            return Malformed(f'expected a pair ["{key}", …], found {shown(pair)}', place)
        if pair[0] != key:
            return Malformed(f'expected the key "{key}", found {shown(pair[0])}', place, 0)
    raise AssertionError(f"these pairs are right: {value}")


def species(value: "Any") -> Species:  # noqa: C901, PLR0912 (one function, for speed)
    """A Species+. Fat on a board without fat-tissue is checked and then forgotten."""
    # This function reads most of every input. Taking the pairs apart in one go and asking what
    # was wrong only afterwards makes it about three times as fast as pair by pair.
    fat_food: object = 0
    try:
        if len(value) == 5:
            *pairs, (key, fat_food) = value
            if key != "fat-food":
                raise ValueError
            value_pairs = pairs
        else:
            value_pairs = value
        (k_food, food), (k_body, body), (k_population, population), (k_traits, traits) = value_pairs
        if k_food != "food" or k_body != "body" or k_population != "population" or k_traits != "traits":
            raise ValueError
    except (TypeError, ValueError):
        raise _wrong_pairs(value, "a species", SPECIES_KEYS) from None
    if type(food) is not int or not 0 <= food <= MOST_NAT:
        raise _wrong_nat(value, 0)
    if type(body) is not int or not 0 <= body <= MOST_NAT:
        raise _wrong_nat(value, 1)
    if type(population) is not int or not 1 <= population <= MOST_NAT:
        raise _wrong_nat(value, 2)
    if type(traits) is not list or (traits and not _are_traits(traits)):
        raise _wrong_traits(value)
    if type(fat_food) is not int or fat_food:
        if type(fat_food) is not int or not 0 < fat_food <= MOST_NAT:
            raise _wrong_nat(value, 4)
        if fat_food > body:
            raise Malformed(f"fat-food is {fat_food} but body is {body}")
        if "fat-tissue" not in traits:
            fat_food = 0
    if food > population:
        raise Malformed(f"food is {food} but population is {population}")
    return Species(food, body, population, traits, fat_food)


def boards(value: object) -> list[Species]:
    """A LOS, one player's boards from left to right."""
    return list_of(species, value, "species")


def card(value: object) -> "Card":
    """A card that exists."""
    if type(value) is not list or len(value) != 2:
        raise Malformed(f"expected a card [food value, trait], found {shown(value)}")
    food, trait = value
    if type(trait) is not str or trait not in TRAITS:
        raise Malformed(f"expected a trait, found {shown(trait)}{_meant(trait)}", 1)
    most = TRAITS[trait].most_food
    if type(food) is not int or not -most <= food <= most:
        raise Malformed(
            f"{trait} cards have food values from {-most} to {most}, found {shown_number(food)}", 0
        )
    return (food, trait)


def cards(value: "Any") -> "list[Card]":
    """A hand or a deck."""
    # Hands and decks are long: take good ones in one go, and go card by card only to complain.
    try:
        found = [
            (food, trait)
            for food, trait in value
            if type(food) is int and abs(food) <= TRAITS[trait].most_food
        ]
        if type(value) is list and len(found) == len(value):
            return found
    except (KeyError, TypeError, ValueError):
        pass
    return list_of(card, value, "cards")


def player(value: "Any") -> "Player":
    """A Player+."""
    try:
        if len(value) == 4:
            (k_id, number), (k_species, los), (k_bag, bag), (k_cards, hand) = value
        else:
            (k_id, number), (k_species, los), (k_bag, bag) = value
            k_cards, hand = "cards", []
        if k_id != "id" or k_species != "species" or k_bag != "bag" or k_cards != "cards":
            raise ValueError
    except (TypeError, ValueError):
        raise _wrong_pairs(value, "a player", PLAYER_KEYS) from None
    place = 0
    try:
        number = natural_plus(number)
        place = 1
        los = boards(los)
        place = 2
        bag = natural(bag)
        place = 3
        hand = cards(hand)
    except Malformed as wrong:
        if type(value[place]) is not list:  # an object of two keys comes apart as if it were a pair
            raise _wrong_pairs(value, "a player", PLAYER_KEYS) from None
        raise wrong.below(place, 1) from None
    from evolution.table import Player

    return Player(number, los, bag, hand)


def _players(value: object) -> "list[Player]":
    found = list_of(player, value, "players")
    if not 1 <= len(found) <= MOST_PLAYERS:
        raise Malformed(f"expected 1 to {MOST_PLAYERS} players, found {len(found)}")
    return found


def _others(count: int) -> None:
    if count >= MOST_PLAYERS:
        raise Malformed(f"expected at most {MOST_PLAYERS - 1} other players, found {count}")


def situation(value: object) -> "tuple[Species, Species, Species | None, Species | None]":
    """A Situation: defender, attacker, the defender's left and right neighbour."""
    if type(value) is not list or len(value) != 4:
        raise Malformed(
            "expected a situation [defender, attacker, left, right], a list of 4, or [state, choice], "
            f"a list of 2, found {shown(value)}"
        )
    return at(0, species, value), at(1, species, value), at(2, _neighbour, value), at(3, _neighbour, value)


def _neighbour(value: object) -> "Species | None":
    if value is False:
        return None
    if type(value) is not list:
        raise Malformed(f"expected a species or false, found {shown(value)}")
    return species(value)


def _list_of_boards(value: object) -> list[list[Species]]:
    found = list_of(boards, value, "players' boards")
    _others(len(found))
    return found


def _feeding_others(value: object) -> list[list[Species]]:
    found = list_of(player, value, "players")
    _others(len(found))
    return [other.boards for other in found]


def feeding(value: list[object]) -> "State":
    """A Feeding, which is known to be a list of 3."""
    from evolution.choices import State

    asking = at(0, player, value)
    hole = at(1, natural_plus, value)
    return State(asking.bag, asking.boards, asking.hand, hole, at(2, _feeding_others, value))


def state(value: list[object], tokens: "Callable[[object], int]" = natural_plus) -> "State":
    """A State, which is known to be a list of 5; where nobody is to feed at once, it may have no tokens."""
    from evolution.choices import State

    return State(
        at(0, natural, value),
        at(1, boards, value),
        at(2, cards, value),
        at(3, tokens, value),
        at(4, _list_of_boards, value),
    )


def is_state(value: object) -> bool:
    """Whether the value, where a State may stand beside another shape, is meant as a State."""
    return type(value) is list and len(value) == 5


def _three_parts_or_state(value: object, what: str) -> list[object]:
    if type(value) is not list or len(value) not in (3, 5):
        raise Malformed(f"expected {what}, a list of 3, or a state, a list of 5, found {shown(value)}")
    return value


def feeding_or_state(value: object) -> "State":
    """What xfeed takes."""
    found = _three_parts_or_state(value, "a feeding")
    return state(found) if len(found) == 5 else feeding(found)


def state_and_choice(value: object) -> "tuple[State, Attack]":
    """What xattack takes beside a Situation: a State, and the attack that its owner thinks of."""
    found = parts(value, 2, "[state, choice]")
    return at(0, any_state, found), at(1, _carnivore_choice, found)


def any_state(value: object) -> "State":
    """A State, with tokens or without."""
    return state(parts(value, 5, "a state [bag, boards, hand, tokens, others]"), natural)


def _carnivore_choice(value: object) -> "Attack":
    from evolution.choices import Attack

    found = parts(value, 3, "a choice [own carnivore, other player, board]")
    return Attack(at(0, natural, found), at(1, natural, found), at(2, natural, found))


def choice_or_state(value: object) -> "Player":
    """What xsilly takes; of it all, the Silly player looks at its own things only."""
    found = _three_parts_or_state(value, "a choice")
    if len(found) == 3:
        return choice(found)
    from evolution.table import Player

    asked = state(found, natural)
    return Player(1, asked.boards, asked.bag, _enough_cards(asked.hand, 2))


def configuration_or_state(value: object, tokens: "Callable[[object], int]" = natural_plus) -> "Table":
    """What xstep takes; a State is a table without a deck whose first player asks."""
    found = _three_parts_or_state(value, "a configuration")
    if len(found) == 3:
        return configuration(found)
    from evolution.table import Player, Table

    asked = state(found, tokens)
    asking = Player(1, asked.boards, asked.bag, asked.hand)
    others = [Player(number, los) for number, los in enumerate(asked.others, 2)]
    return Table([asking, *others], asked.hole)


def configuration(value: object) -> "Table":
    """A Configuration."""
    from evolution.table import Table

    found = parts(value, 3, "a configuration [players, tokens, deck]")
    return Table(at(0, _players, found), at(1, natural, found), at(2, cards, found))


def _enough_cards(hand: "list[Card]", place: int) -> "list[Card]":
    """A hand that the Silly player can choose with."""
    if len(hand) < 3:
        raise Malformed(f"the hand must have at least 3 cards, found {len(hand)}", place)
    return hand


def choice(value: object) -> "Player":
    """A Choice."""
    found = parts(value, 3, "a choice [player, boards before, boards after]")
    asking = at(0, player, found)
    _enough_cards(asking.hand, 0)
    before = at(1, _list_of_boards, found)
    after = at(2, _list_of_boards, found)
    _others(len(before) + len(after))
    return asking
