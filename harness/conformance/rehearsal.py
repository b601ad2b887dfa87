"""The game as we play it ourselves: what every player should be told, and how it should end.

A server that plays by the rules says exactly this to the same players, if it deals the same cards. Which
cards it has dealt is seen from what it says, so its game can be played again with any deck.
"""

from typing import NamedTuple

from evolution.actions import Action4
from evolution.cards import Card, full_deck
from evolution.choices import FeedingChoice, State
from evolution.game import Game, Result
from evolution.player import Start
from evolution.silly import Silly
from evolution.species import Species
from evolution.wire import messages

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.conformance.peers import Heard

START, CHOOSE, FEED = "start", "choose", "feed_next"


class Misbehaves(Exception):
    """A player does what costs it its seat."""


class Told(NamedTuple):
    """A message to a player: what it is, its text, and the cards of the player's hand that are in it."""

    request: str
    text: str
    hand: tuple[Card, ...] = ()


class Player(Silly):
    """A Silly player, or one that takes another card of its first hand as food card: that with most food.

    A server that goes on as these cards demand has read the answers, and not only waited for them.
    """

    __slots__ = ("_is_other",)

    def __init__(self, is_other: bool) -> None:
        self._is_other = is_other

    def choose(self, before: list[list[Species]], after: list[list[Species]]) -> Action4:
        """What it does with its cards."""
        action = super().choose(before, after)
        if self._is_other and not action.grow_body:  # of a first hand's four cards, none is left for that
            self._is_other = False
            silly, best = action.food_card, self._hand.index(max(self._hand))
            role = {silly: best, best: silly}
            action.food_card = best
            action.grow_population = [(board, role.get(card, card)) for board, card in action.grow_population]
            action.new_boards = [[role.get(card, card) for card in cards] for cards in action.new_boards]
        return action


class Actor(Player):
    """A player that keeps what it is told, and misbehaves when it is first asked something."""

    __slots__ = ("_at", "_order", "_seat", "told")

    def __init__(
        self, seat: int, order: list[tuple[int, int]], misbehaves_at: str = "", is_other: bool = False
    ) -> None:
        super().__init__(is_other)
        self.told: list[Told] = []
        self._seat = seat
        self._order = order
        self._at = misbehaves_at

    def _hear(self, request: str, message: str, hand: "Sequence[Card]" = ()) -> None:
        self._order.append((self._seat, len(self.told)))
        self.told.append(Told(request, message, tuple(hand)))
        if request == self._at:
            raise Misbehaves

    def start(self, view: Start) -> None:
        """Keep the message."""
        self._hear(START, messages.write_start(view), view.hand)
        super().start(view)

    def choose(self, before: list[list[Species]], after: list[list[Species]]) -> Action4:
        """Keep the message, and choose."""
        self._hear(CHOOSE, messages.write_choose(before, after))
        return super().choose(before, after)

    def feed_next(self, state: State) -> "FeedingChoice | None":
        """Keep the message, and feed."""
        self._hear(FEED, messages.write_state(state), state.hand)
        return super().feed_next(state)


class Rehearsal:
    """One whole game of so many players, one of whom may misbehave."""

    def __init__(
        self,
        players: int,
        rude: int = -1,
        at: str = "",
        deck: "list[Card] | None" = None,
        is_other: bool = False,
    ) -> None:
        """is_other: whether they all play otherwise than Silly players do."""
        self.order: list[tuple[int, int]] = []  # of all messages: the seat, and which of its messages
        actors = [Actor(seat, self.order, at if seat == rude else "", is_other) for seat in range(players)]
        self.result: Result = Game(list(actors), deck and deck[:]).play()
        self.told = [actor.told for actor in actors]

    def last_asked(self, request: str) -> int:
        """The last of the players that is asked this at all; -1 if nobody is.

        All others have chosen before the last player does: it makes no difference to them whether it
        loses its seat when it answers or when the answers are carried out.
        """
        asked = [seat for seat, told in enumerate(self.told) if any(each.request == request for each in told)]
        return max(asked, default=-1)


def rehearsed(
    heard: "Sequence[Sequence[Heard | Told]]", rude: int = -1, at: str = "", is_other: bool = False
) -> Rehearsal:
    """The game with the cards that were dealt, as far as they were seen.

    heard: what the player at each seat was told. Where a card is not the one that our own deck has at its
    place, the two are exchanged and the game begins anew; this goes on until all cards that were seen are
    where they were, or until the two games differ in more than cards.
    """
    deck = full_deck()
    known: set[int] = set()  # places in the deck whose cards were seen
    while True:
        rehearsal = Rehearsal(len(heard), rude, at, deck, is_other)
        if not _adapted(deck, known, rehearsal, heard):
            return rehearsal


def _adapted(
    deck: list[Card], known: set[int], ours: Rehearsal, heard: "Sequence[Sequence[Heard | Told]]"
) -> bool:
    """Whether the deck had to be changed to be the one of which these messages tell."""
    place = {card: at for at, card in enumerate(deck)}
    for seat, at in ours.order:
        if at >= len(heard[seat]):
            continue
        told, found = ours.told[seat][at], heard[seat][at]
        if told.request != found.request or len(told.hand) != len(found.hand):
            return False
        open_places = [place[card] for card in told.hand if place[card] not in known]
        new = [card for card in found.hand if place[card] not in known or card not in told.hand]
        if not len(new) == len({*new}) == len(open_places) or any(place[card] in known for card in new):
            return False
        changed = False
        for here, card in zip(open_places, new, strict=True):
            there = place[card]
            if here != there:
                deck[here], deck[there] = card, deck[here]
                place[card], place[deck[there]] = here, there
                changed = True
            known.add(here)
        if changed:
            return True
    return False
