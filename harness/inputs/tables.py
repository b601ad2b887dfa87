"""Players and tables by chance: whole inputs for the programs that feed."""

from random import Random

from evolution.cards import full_deck
from harness.inputs.boards import besieged, cooperating, copy, hunting, los, storing, style
from harness.inputs.chance import below, between, chance, pick, shuffle

TYPE_CHECKING = False
if TYPE_CHECKING:
    from harness.inputs.boards import Style
    from harness.inputs.chance import Json

CARDS: "list[Json]" = [list(card) for card in full_deck()]
PLAYERS = [1, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5, 6, 6, 7, 7, 8, 8]
TOKENS = [0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 4, 4, 5, 6, 8, 12, 30]


class Pile:
    """Cards that can be drawn, face down: any of them may come next."""

    def __init__(self, rng: Random, cards: "list[Json] | None" = None) -> None:
        self._rng = rng
        self._cards = (CARDS if cards is None else cards)[:]

    def draw(self) -> "Json":
        """The next card; one that has been there before if there are no more."""
        if not self._cards:
            return list(pick(self._rng, CARDS))
        cards = self._cards
        at = below(self._rng, len(cards))
        cards[at], cards[-1] = cards[-1], cards[at]
        return list(cards.pop())

    def some(self, low: int, high: int) -> "list[Json]":
        """From low to high cards, now and then an equal one twice."""
        found: list[Json] = []
        for _ in range(between(self._rng, low, high)):
            twice = found and chance(self._rng, 0.04)
            found.append(list(pick(self._rng, found)) if twice else self.draw())
        return found


def number_of_players(rng: Random) -> int:
    """From 1 to 8."""
    return pick(rng, PLAYERS)


def tokens(rng: Random, low: int) -> int:
    """Few tokens, mostly, but at least low."""
    return max(low, pick(rng, TOKENS))


def make_player(number: int, boards: "list[Json]", bag: int, hand: "list[Json] | None") -> "Json":
    """A Player+; without a cards pair if the hand is None."""
    pairs: list[Json] = [["id", number], ["species", boards], ["bag", bag]]
    if hand is not None:
        pairs.append(["cards", hand])
    return pairs


def ids(rng: Random, count: int) -> list[int]:
    """Numbers for so many players: mostly 1, 2, 3 and so on, sometimes equal ones."""
    numbers = list(range(1, count + 1))
    if chance(rng, 0.15):
        return [between(rng, 1, 2) for _ in numbers]
    if chance(rng, 0.3):
        shuffle(rng, numbers)
    return numbers


def boards_of_all(rng: Random, count: int) -> "list[list[Json]]":
    """The boards of each of so many players; the first one is often left with nothing but attacks."""
    if chance(rng, 0.06):
        return besieged(rng, count)
    look = style(rng)
    most = pick(rng, [2, 3, 4, 5]) if count < 7 else pick(rng, [3, 4])
    least = 2 if most > 3 else 1
    boards: list[list[Json]] = []
    for number in range(count):
        own = _own_style(rng, look, number == 0)
        low = least if number == 0 or chance(rng, 0.85) else 0
        boards.append([] if chance(rng, 0.04) else los(rng, own, low, most))
    if count > 1 and chance(rng, 0.12):  # a tie between boards of different players
        donor = boards[1 + below(rng, count - 1)]
        if donor:
            boards[1 + below(rng, count - 1)].append(copy(pick(rng, donor)))
    if count > 1 and chance(rng, 0.05):  # nobody to attack but oneself
        boards[1:] = [[] for _ in boards[1:]]
    return boards


def _own_style(rng: Random, look: "Style", first: bool) -> "Style":
    """The style of one player; the first one, who is asked to feed, is often a special one."""
    if chance(rng, 0.55 if first else 0.15):
        return hunting(rng, look)
    if chance(rng, 0.3 if first else 0.1):
        return storing(rng, look)
    if chance(rng, 0.3 if first else 0.1):
        return cooperating(rng, look)
    return look


def _hand(rng: Random, pile: Pile, high: int) -> "list[Json] | None":
    if chance(rng, 0.35):
        return [] if chance(rng, 0.3) else None
    return pile.some(1, high)


def players(rng: Random, pile: Pile, high: int) -> "list[Json]":
    """From 1 to 8 players, with up to high cards each."""
    count = number_of_players(rng)
    numbers = ids(rng, count)
    return [
        make_player(number, own, pick(rng, [0, 0, 1, 5, 23]), _hand(rng, pile, high))
        for number, own in zip(numbers, boards_of_all(rng, count), strict=True)
    ]


def deck(rng: Random, pile: Pile) -> "list[Json]":
    """The rest of a deck, mostly a short one."""
    return pile.some(0, pick(rng, [0, 1, 2, 3, 4, 6, 10, 60]))


def feeding(rng: Random) -> "Json":
    """A Feeding."""
    everyone = players(rng, Pile(rng), 3)
    return [everyone[0], tokens(rng, 1), everyone[1:]]


def state(rng: Random) -> "Json":
    """A State."""
    boards = boards_of_all(rng, number_of_players(rng))
    return [pick(rng, [0, 0, 2, 11]), boards[0], Pile(rng).some(0, 4), tokens(rng, 1), boards[1:]]


def state_with_hand(rng: Random) -> "Json":
    """A State whose owner can choose with its hand."""
    boards = boards_of_all(rng, number_of_players(rng))
    return [pick(rng, [0, 1, 7]), boards[0], _hand_to_choose_with(rng), tokens(rng, 0), boards[1:]]


def state_and_choice(rng: Random) -> "Json":
    """A State and a CarnivoreChoice; now and then it names what is not there."""
    rows = boards_of_all(rng, number_of_players(rng))
    own, others = rows[0], rows[1:]
    player = below(rng, len(others) + 1) if chance(rng, 0.4) or not others else below(rng, len(others))
    theirs = [*others, own][player]
    hunters = [at for at, board in enumerate(own) if "carnivore" in board[3][1]]
    board = pick(rng, hunters) if hunters and chance(rng, 0.8) else below(rng, max(1, len(own)))
    chosen = [board, player, below(rng, max(1, len(theirs)))]
    if chance(rng, 0.06):
        place = below(rng, 3)
        chosen[place] = [len(own), len(others) + 1, len(theirs)][place] + pick(rng, [0, 0, 1, 50])
    return [[pick(rng, [0, 0, 2, 11]), own, Pile(rng).some(0, 2), tokens(rng, 0), others], chosen]


def configuration(rng: Random) -> "Json":
    """A Configuration."""
    pile = Pile(rng)
    everyone = players(rng, pile, 8)
    return [everyone, tokens(rng, 0), deck(rng, pile)]


def choice(rng: Random) -> "Json":
    """A Choice."""
    boards = boards_of_all(rng, number_of_players(rng))
    place = below(rng, len(boards))
    hand = _hand_to_choose_with(rng)
    player = make_player(between(rng, 1, 8), boards[place], pick(rng, [0, 1, 7]), hand)
    return [player, boards[:place], boards[place + 1 :]]


def _hand_to_choose_with(rng: Random) -> "list[Json]":
    """At least three cards."""
    pile = Pile(rng)
    if chance(rng, 0.3):  # few different cards, so that equal ones are common
        few = pile.some(5, 5)
        pile = Pile(rng, [pick(rng, few) for _ in range(12)])
    return pile.some(3, pick(rng, [3, 4, 5, 6, 7, 9, 12]))
