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


class Actor(Silly):
    """A Silly player that keeps what it is told, and misbehaves when it is first asked something."""

    __slots__ = ("_at", "_order", "_seat", "told")

    def __init__(self, seat: int, order: list[tuple[int, int]], misbehaves_at: str = "") -> None:
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
    """One whole game of so many Silly players, one of whom may misbehave."""

    def __init__(self, players: int, rude: int = -1, at: str = "", deck: "list[Card] | None" = None) -> None:
        self.order: list[tuple[int, int]] = []  # of all messages: the seat, and which of its messages
        actors = [Actor(seat, self.order, at if seat == rude else "") for seat in range(players)]
        self.result: Result = Game(list(actors), deck and deck[:]).play()
        self.told = [actor.told for actor in actors]

    def last_asked(self, request: str) -> int:
        """The last of the players that is asked this at all; -1 if nobody is.

        All others have chosen before the last player does: it makes no difference to them whether it
        loses its seat when it answers or when the answers are carried out.
        """
        asked = [seat for seat, told in enumerate(self.told) if any(each.request == request for each in told)]
        return max(asked, default=-1)


def rehearsed(heard: "Sequence[Sequence[Heard | Told]]", rude: int = -1, at: str = "") -> Rehearsal:
    """The game with the cards that were dealt, as far as they were seen.

    heard: what the player at each seat was told. Where a card is not the one that our own deck has at its
    place, the two are exchanged and the game begins anew; this goes on until all cards that were seen are
    where they were, or until the two games differ in more than cards.
    """
    deck = full_deck()
    known: set[int] = set()  # places in the deck whose cards were seen
    while True:
        rehearsal = Rehearsal(len(heard), rude, at, deck)
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
