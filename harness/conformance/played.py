"""The game that a server has played: who sat where, whether it came to its end, where it leaves the rules.

All of it is seen from what the clients were told and what they answered, whatever the deck was.
"""

import json
from typing import NamedTuple

from evolution.cards import full_deck
from evolution.game import CARDS_PER_TURN
from harness.conformance.rehearsal import CHOOSE, FEED, START, Rehearsal, rehearsed
from harness.judging.compare import differences, same

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from evolution.cards import Card
    from harness.conformance.peers import Peer
    from harness.judging.difference import Difference

MOST_LISTED = 10  # differences of a message
HAND = {START: 3, FEED: 2}  # where the hand is in a message
BOARDS = {START: 2, FEED: 1}
TRAITS = 3  # where they are in a board


class Departure(NamedTuple):
    """Where a game leaves the rules: in words, in values, and how much of the transcript leads to it."""

    detail: str
    differences: "list[Difference]"
    said: int


class Played:
    """A game as it was seen at all seats."""

    def __init__(self, peers: "list[Peer]", rude: int = -1, at: str = "") -> None:
        """The peers in order of sign-up; one of them loses its seat when it is first asked that."""
        self.order = seating(peers)  # which of the peers has which seat
        self.peers = [peers[number] for number in self.order]
        self.rude = self.order.index(rude) if rude >= 0 else -1
        self.at = at
        self._is_other = bool(peers[0].loop.scenario)
        self.rehearsal = rehearsed([peer.heard for peer in self.peers], self.rude, at, self._is_other)
        self.departure = self._departure(self.rehearsal)

    @property
    def honest(self) -> "list[Peer]":
        """Those who must have kept their seats."""
        return [peer for seat, peer in enumerate(self.peers) if seat != self.rude]

    @property
    def is_as_signed_up(self) -> bool:
        """Whether the seats are those of the order of sign-up."""
        return self.order == sorted(self.order)

    @property
    def is_whole(self) -> bool:
        """Whether all of them played to the end: by the rules, or else until the deck was used up."""
        if self.departure is None:
            return not self.cut_short
        chosen = all(peer.answers for peer in self.honest)
        together = len({turns_of(peer) for peer in self.honest}) == 1
        return chosen and together and cards_left(self.peers) < cards_due(self.honest)

    @property
    def cut_short(self) -> str:
        """Whose game ended before it should have, in words; empty if nobody's did."""
        for seat, peer in enumerate(self.peers):
            due = len(self.rehearsal.told[seat]) - len(peer.heard)
            if due > 0:
                heard = len(peer.heard)
                return f"the connection to {peer.name} was closed after {heard} messages; {due} more were due"
        return ""

    def out_of_card_order(self) -> "Departure | None":
        """The first message that would be another one with the deck in card order."""
        return self._departure(Rehearsal(len(self.peers), self.rude, self.at, is_other=self._is_other))

    def _departure(self, ours: Rehearsal) -> "Departure | None":
        """The first message that is not as it is in our own game."""
        for seat, at in ours.order:
            if at < len(self.peers[seat].heard):
                found = _difference(self.peers[seat], at, *ours.told[seat][at][:2])
                if found is not None:
                    return found
        for peer, told in zip(self.peers, ours.told, strict=True):
            for extra in peer.heard[len(told) :]:
                detail = f"{peer.name} gets a {extra.request}, where the game should be over for it"
                return Departure(detail, [], extra.said)
        return None


def seating(peers: "list[Peer]") -> list[int]:
    """The peers by seat, as their numbers: in the first turn they are shown who sits before and behind them.

    One that has just been thrown out may be missing among those before, or behind if they are asked the
    other way round.
    """
    chooses = [next((each.value for each in peer.heard if each.request == CHOOSE), None) for peer in peers]
    before = [-1 if choose is None else len(choose[0]) for choose in chooses]
    behind = [-1 if choose is None else len(peers) - 1 - len(choose[1]) for choose in chooses]
    for seats in (before, behind):
        if sorted(seats) == [*range(len(peers))]:
            return [seats.index(seat) for seat in range(len(peers))]
    return [*range(len(peers))]


def turns_of(peer: "Peer") -> int:
    """The turns that a client has seen begin."""
    return sum(each.request == START for each in peer.heard)


def cards_left(peers: "list[Peer]") -> int:
    """The cards in the deck, as far as the clients were shown what was dealt."""
    dealt = 0
    for peer in peers:
        answers = iter(peer.answers)
        held = 0
        for heard in peer.heard:
            if heard.request != CHOOSE:
                dealt += len(heard.hand) - held
                held = len(heard.hand)
                if heard.request == FEED:
                    next(answers, None)
            else:
                held -= len(_cards_used(next(answers, None)))
    return len(full_deck()) - dealt


def is_heeded(peer: "Peer") -> bool:
    """Whether a client's answers were read: its boards have shown traits of cards that it used."""
    answers = iter(peer.answers)
    hand: tuple[Card, ...] = ()
    used: set[str] = set()
    shown: set[str] = set()
    for heard in peer.heard:
        if heard.request == CHOOSE:
            used |= {hand[card][1] for card in _cards_used(next(answers, None)) if card < len(hand)}
        else:
            hand = heard.hand
            shown |= {trait for board in heard.value[BOARDS[heard.request]] for trait in board[TRAITS][1]}
            if heard.request == FEED:
                next(answers, None)
    return bool(shown) and shown <= used


def cards_due(peers: "list[Peer]") -> int:
    """More cards than another turn can take: a game that has so many left is not over.

    A board that dies gives two cards, and needs one less in the next turn.
    """
    boards = [_boards_at_most(peer) for peer in peers]
    return sum(CARDS_PER_TURN + count for count in boards) + sum(boards)


def _boards_at_most(peer: "Peer") -> int:
    """The boards that a client can have had at the end of its last turn."""
    shown = next((len(each.value[2]) for each in reversed(peer.heard) if each.request == START), 0)
    action = next((answer for request, answer in reversed(peer.answers) if request == CHOOSE), None)
    return max(1, shown + (len(json.loads(action)[3]) if action else 0))


def _cards_used(answer: "tuple[str, str] | None") -> list[int]:
    """The cards that an answer to choose takes from the hand."""
    if answer is None:
        return []
    food_card, populations, bodies, boards, traits = json.loads(answer[1])
    paid = [growth[-1] for growth in populations + bodies + traits]
    return [food_card, *paid, *(card for cards in boards for card in cards)]


def _difference(peer: "Peer", at: int, request: str, text: str) -> "Departure | None":
    """What is wrong with a message to this peer, which should be this one."""
    found = peer.heard[at]
    where = f"message {at + 1} to {peer.name}"
    if found.request != request:
        detail = f"{where} is a {found.request}, should be a {request}: {text[:300]}"
        return Departure(detail, [], found.said)
    wanted = json.loads(text)
    if same(wanted, found.value) or same(_sorted(request, wanted), _sorted(request, found.value)):
        return None
    listed = differences(wanted, found.value)[:MOST_LISTED]
    return Departure(f"{where}, a {request}, is not as it should be", listed, found.said)


def _sorted(request: str, message: "Any") -> "Any":
    """A message with its hand in card order: in which order cards are held, no rule says."""
    if request not in HAND:
        return message
    place = HAND[request]
    return [*message[:place], sorted(message[place], key=str), *message[place + 1 :]]
