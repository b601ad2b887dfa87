"""Clients that do everything that a client must not do, on real sockets, against a real server.

All of them play at one server at the same time, each at a table of its own: with it sit an honest
client and two players of the server's. Each time the others finish, with the scores of a game in
which the rude one's seat is empty from the same moment on.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

import pytest

from evolution.cards import shuffled_deck
from evolution.game import Game
from evolution.hosting.asked import NoAnswer
from evolution.silly import Silly
from evolution.wire.action4 import action4
from evolution.wire.messages import read_feeding_choice
from tests.support.serving import PATIENCE, Peer, XServer, honest

# With this deck the first player has two cards with ambush in its first hand, and a board that eats
# plants and one that is a carnivore when it is first asked what to feed.
SEED = "217"
SILLY_CHOICE = b"[1,[[1,0]],[],[[3,2]],[]] "
TIMEOUT = "6"

pytestmark = pytest.mark.long

Behaviour = Callable[[Peer], Awaitable[None]]


class Rude(NamedTuple):
    """A client: what it does once it has signed up, where it is thrown out for it, and why."""

    name: str
    behave: Behaviour
    request: str  # what it is asked, or told, when it is thrown out
    reason: str
    times: int = 1  # for the how manieth time
    answer: Any = None  # what it answers then, if that can be read


# --- what they do ----------------------------------------------------------------------------------


async def to_choose(peer: Peer) -> None:
    """Go along until the first choice is asked for."""
    await peer.hear()
    await peer.hear()


async def chooses(peer: Peer) -> None:
    """Go along until the first choice is made."""
    await to_choose(peer)
    await peer.say(SILLY_CHOICE)


async def to_feed(peer: Peer) -> None:
    """Go along until the first feeding choice is asked for."""
    await chooses(peer)
    await peer.hear()


def says(stage: Behaviour, *pieces: bytes, pause: float = 0.0) -> Behaviour:
    async def behave(peer: Peer) -> None:
        await stage(peer)
        await peer.say(*pieces, pause=pause)

    return behave


def does(stage: Behaviour, deed: Callable[[Peer], None]) -> Behaviour:
    async def behave(peer: Peer) -> None:
        await stage(peer)
        deed(peer)

    return behave


async def nothing(peer: Peer) -> None:
    pass


async def floods(peer: Peer, piece: bytes = b"[" * (1 << 20), count: int = 100) -> None:
    """Send 100 MB, or as much as the server lets pass."""
    await to_choose(peer)
    try:
        for _ in range(count):
            await peer.say(piece)
    except ConnectionError:
        pass


async def floods_with_blanks(peer: Peer) -> None:
    await floods(peer, b" " * (1 << 20))


async def floods_with_a_string(peer: Peer) -> None:
    await to_choose(peer)
    await peer.say(b'"')
    await floods_on(peer, b"x" * (1 << 16))


async def floods_on(peer: Peer, piece: bytes) -> None:
    try:
        while True:
            await peer.say(piece)
    except ConnectionError:
        pass


async def drips(peer: Peer) -> None:
    """A right answer, one byte a second."""
    await to_choose(peer)
    try:
        for at in range(len(SILLY_CHOICE)):
            await peer.say(SILLY_CHOICE[at : at + 1], pause=1.0)
    except ConnectionError:
        pass


async def speaks_after_its_answer(peer: Peer) -> None:
    await to_choose(peer)
    await peer.say(b"[0,[],[],[],[]] ")
    await peer.say(b'"one more thing"', pause=0.05)


async def eats_twice(peer: Peer) -> None:
    await to_feed(peer)
    await peer.say(b"0 ")
    await peer.hear()
    await peer.say(b"0 ")


# --- who they are ----------------------------------------------------------------------------------


def choice(name: str, answer: str, reason: str) -> Rude:
    """A client that answers its first question for a choice like this."""
    return _answers(name, to_choose, "choose", answer, reason, action4)


def feeding(name: str, answer: str, reason: str) -> Rude:
    """A client that answers its first question for a feeding choice like this."""
    return _answers(name, to_feed, "feed_next", answer, reason, read_feeding_choice)


def _answers(
    name: str, stage: Behaviour, request: str, answer: str, reason: str, read: Callable[[object], object]
) -> Rude:
    legible = None if "malformed" in reason or "JSON" in reason else read(json.loads(answer))
    return Rude(name, says(stage, answer.encode()), request, reason, answer=legible)


MALFORMED = "its answer is malformed: "
NOT_JSON = "it sent what is not JSON: "
CLOSED = "it has closed the connection"
UNASKED = "it spoke without being asked"
MORE = "it said more than its answer"
SLOW = f"no answer within {TIMEOUT} s"
TOO_LONG = "it sent a message of more than 65536 bytes"
HUGE = "9" * 4000

RUDE = [
    # when it speaks, and how long it takes
    Rude("answers before it is asked", says(nothing, SILLY_CHOICE), "start", UNASKED),
    Rude("signs up again", says(nothing, b'"me too"'), "start", UNASKED),
    Rude("sends half a value before it is asked", says(nothing, b"[1,"), "start", UNASKED),
    Rude("gives two answers at once", says(to_choose, SILLY_CHOICE * 2), "choose", MORE),
    Rude("gives two answers without a space", says(to_choose, SILLY_CHOICE.strip() * 2), "choose", MORE),
    Rude("adds nonsense to its answer", says(to_choose, SILLY_CHOICE + b"please"), "choose", MORE),
    Rude("gives two feeding choices at once", says(to_feed, b"0 0 "), "feed_next", MORE),
    Rude("speaks after its answer", speaks_after_its_answer, "start or choose", UNASKED, 2),
    Rude("never answers", to_choose, "choose", SLOW),
    Rude("never chooses what to feed", to_feed, "feed_next", SLOW),
    Rude("never reads", nothing, "choose", SLOW),
    Rude("sends half a value", says(to_choose, b"[1,[[1,0]"), "choose", SLOW),
    Rude("sends half a number", says(to_feed, b"-"), "feed_next", SLOW),
    Rude("sends blanks only", says(to_choose, b" \n\t\r" * 100), "choose", SLOW),
    Rude("sends one byte a second", drips, "choose", SLOW),
    # what is too much
    Rude("sends 100 MB of brackets", floods, "choose", "it sent "),  # too long, or too deep: as it is cut
    Rude("sends 100 MB of blanks", floods_with_blanks, "choose", TOO_LONG),
    Rude("sends an endless string", floods_with_a_string, "choose", TOO_LONG),
    choice("nests deep", "[" * 5000 + "]" * 5000, f"{NOT_JSON}nested deeper than 512 levels"),
    choice("sends a number of 60,000 digits", "[" + "9" * 60_000 + ",[],[],[],[]]", f"{MALFORMED}[0]: "),
    choice("names a card of 4,000 digits", f"[{HUGE},[],[],[],[]]", f"card {HUGE[:200]}"),
    choice("sends a number beyond any", "[1e999,[],[],[],[]]", f"{MALFORMED}[0]: expected a whole number"),
    # what is not JSON
    Rude("sends bytes that are not UTF-8", says(to_choose, b'["\xff"]'), "choose", f"{NOT_JSON}not UTF-8"),
    Rude("sends a byte-order mark", says(to_choose, b"\xef\xbb\xbf" + SILLY_CHOICE), "choose", NOT_JSON),
    choice("sends NaN", "[NaN,[],[],[],[]]", f"{NOT_JSON}NaN and Infinity are not JSON"),
    choice("sends a word", "please", f"{NOT_JSON}expected a value"),
    choice("closes what it did not open", "]", f"{NOT_JSON}expected a value"),
    choice("sends a zero byte", "\0", f"{NOT_JSON}expected a value"),
    choice("mixes up its brackets", "[1,[[1,0}],[],[],[]]", NOT_JSON),
    # how it leaves
    Rude("closes after the start", does(Peer.hear, Peer.close), "choose", CLOSED),
    Rude("closes instead of choosing", does(to_choose, Peer.close), "choose", CLOSED),
    Rude("closes in the middle of a choice", does(says(to_choose, b"[1,["), Peer.close), "choose", NOT_JSON),
    Rude("closes instead of feeding", does(to_feed, Peer.close), "feed_next", CLOSED),
    Rude("closes after its choice", does(chooses, Peer.close), "feed_next", CLOSED),
    Rude("half-closes instead of choosing", does(to_choose, Peer.half_close), "choose", CLOSED),
    Rude("half-closes after its choice", does(chooses, Peer.half_close), "feed_next", CLOSED),
    Rude("resets instead of choosing", does(to_choose, Peer.reset), "choose", "the connection was reset"),
    Rude("resets instead of feeding", does(to_feed, Peer.reset), "feed_next", "the connection was reset"),
    # choices of every wrong shape
    choice("chooses nothing", "null", f"{MALFORMED}input: expected an action"),
    choice("chooses with false", "false", f"{MALFORMED}input: expected an action"),
    choice("chooses with a string", '"all"', f"{MALFORMED}input: expected an action"),
    choice("chooses with an object", '{"food":0}', f"{MALFORMED}input: expected an action"),
    choice("leaves a part out", "[0,[],[],[]]", f"{MALFORMED}input: expected an action"),
    choice("adds a part", "[0,[],[],[],[],[]]", f"{MALFORMED}input: expected an action"),
    choice("names a card by true", "[true,[],[],[],[]]", f"{MALFORMED}[0]: "),
    choice("names a card by 1.0", "[1.0,[],[],[],[]]", f"{MALFORMED}[0]: "),
    choice("names a card below 0", "[-1,[],[],[],[]]", f"{MALFORMED}[0]: "),
    choice("labels growth wrong", '[0,[["body",0,1]],[],[],[]]', f"{MALFORMED}[1][0][0]: expected the label"),
    choice("gives a board five cards", "[0,[],[],[[1,2,3,0,1]],[]]", f"{MALFORMED}[3][0]: "),
    # choices of every illegal kind
    choice("plays a card that it has not", "[4,[],[],[],[]]", "card 4 does not exist"),
    choice("plays a card twice", "[0,[[0,0]],[],[],[]]", "card 0 is used twice"),
    choice("grows a board that is not there", "[0,[[1,1]],[],[],[]]", "board 1 does not exist"),
    choice("replaces a trait that is not there", "[0,[],[],[],[[0,0,1]]]", "board 0 has no trait slot 0"),
    choice("wants ambush twice", "[0,[],[],[[2,1,3]],[]]", "board 1 would have ambush twice"),
    # feeding choices of every wrong shape and illegal kind
    feeding("feeds true", "true", f"{MALFORMED}input: expected false, a board"),
    feeding("feeds null", "null", f"{MALFORMED}input: expected false, a board"),
    feeding("feeds a list of one", "[0]", f"{MALFORMED}input: expected false, a board"),
    feeding("feeds below 0", "-1 ", f"{MALFORMED}input: "),
    feeding("feeds 0.0", "0.0 ", f"{MALFORMED}input: "),
    feeding("stores no tokens", "[0,0]", f"{MALFORMED}[1]: "),
    feeding("feeds a board that is not there", "2 ", "there is no own board 2"),
    feeding("feeds a carnivore plants", "1 ", "board 1 is a carnivore"),
    feeding("stores fat without fat-tissue", "[0,1]", "stores 1 as fat on board 0, whose need is 0"),
    feeding("attacks with a vegetarian", "[0,0,0]", "board 0 cannot attack board 0 of player 0"),
    feeding("attacks nobody", "[1,4,0]", "there is no player 4"),
    feeding("attacks a board that is not there", "[1,0,9]", "there is no board 9 of player 0"),
    feeding("attacks itself", "[1,3,1]", "board 1 attacks itself"),
    Rude("feeds a board that is full", eats_twice, "feed_next", "board 0 is not hungry", 2,
         read_feeding_choice(0)),
]  # fmt: skip


# --- the games -------------------------------------------------------------------------------------


class Stand(Silly):
    """Sits in the rude one's seat in a game at home, and is thrown out at the same moment."""

    def __init__(self, rude: Rude) -> None:
        self.rude = rude
        self.counts: dict[str, int] = {}

    def _is_the_moment(self, request: str) -> bool:
        self.counts[request] = self.counts.get(request, 0) + 1
        return self.rude.request.startswith(request) and self.counts[request] == self.rude.times

    def start(self, view: Any) -> None:
        if self._is_the_moment("start"):
            raise NoAnswer
        super().start(view)

    def choose(self, before: Any, after: Any) -> Any:
        if not self._is_the_moment("choose"):
            # What is chosen before an answer is rude; those who feed later have chosen as a Silly one.
            return (
                action4([0, [], [], [], []]) if " or " in self.rude.request else super().choose(before, after)
            )
        return self._answer()

    def feed_next(self, state: Any) -> Any:
        return self._answer() if self._is_the_moment("feed_next") else super().feed_next(state)

    def _answer(self) -> Any:
        if self.rude.answer is None:
            raise NoAnswer
        return self.rude.answer


def at_home(rude: Rude) -> list[str]:
    """The ranking when the seat is lost at home."""
    result = Game([Stand(rude), Silly(), Silly(), Silly()], shuffled_deck(SEED)).play()
    assert [number for number, _ in result.thrown_out] == [1]
    return result.lines()[:-1]


async def one_table(port: str, rude: Rude) -> tuple[Peer, "asyncio.Task[None]", "asyncio.Task[None]"]:
    """Seat a rude client and an honest one, in this order; the game begins."""
    peer = await Peer.at(port, room=4096 if rude.name == "never reads" else 0)
    await peer.sign_up(rude.name)
    signed_up = asyncio.Event()
    other = asyncio.create_task(honest(port, f"beside: {rude.name}", signed_up.set))

    async def behave() -> None:
        await rude.behave(peer)

    acting = asyncio.create_task(behave())
    await signed_up.wait()
    return peer, acting, other


async def all_tables(port: str) -> None:
    async with asyncio.timeout(PATIENCE):
        tables = [await one_table(port, rude) for rude in RUDE]
        for peer, acting, other in tables:
            await acting
            await other
            peer.close()


@pytest.fixture(scope="module")
def games() -> dict[str, list[str]]:
    """The lines of each game, by the name of its rude client."""
    options = (
        f"--max 4 --bots 2 --gap 0.005 --seed {SEED} --timeout {TIMEOUT} --tables {len(RUDE)} --same-deck"
    )
    with XServer(*options.split()) as server:
        asyncio.run(all_tables(server.port))
        lines = server.results()
    found = {}
    for at in range(0, len(lines), 4):
        game = lines[at : at + 4]
        found[json.loads(game[3].rpartition(" name: ")[2])] = game
    return found


def test_there_are_at_least_thirty_and_each_has_its_game(games: dict[str, list[str]]) -> None:
    assert len(RUDE) >= 30
    assert sorted(games) == sorted(rude.name for rude in RUDE)


@pytest.mark.parametrize("rude", RUDE, ids=[rude.name for rude in RUDE])
def test_a_rude_client_costs_nobody_else_anything(games: dict[str, list[str]], rude: Rude) -> None:
    *ranking, thrown_out = games[rude.name]
    names = {"2": f"beside: {rude.name}", "3": "bot 1", "4": "bot 2"}
    assert ranking == [f"{line} name: {json.dumps(names[line.split()[3]])}" for line in at_home(rude)]
    requests = rude.request.split(" or ")
    starts = tuple(f"- player id: 1 thrown out: {request}: {rude.reason}" for request in requests)
    if rude.behave is speaks_after_its_answer:  # it may speak when it has just been asked again
        starts += (f"- player id: 1 thrown out: choose: {MALFORMED}",)
    if rude.name == "closes after the start":  # it may have been asked by then, and has not read that
        starts += ("- player id: 1 thrown out: choose: the connection was reset",)
    assert thrown_out.startswith(starts)
    assert thrown_out.endswith(f" name: {json.dumps(rude.name)}")
