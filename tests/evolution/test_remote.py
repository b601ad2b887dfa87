"""The remote protocol in one process: connections, a server, clients, and peers that do not behave."""

import asyncio
import json
import socket
import time
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import Any

import pytest

from evolution.cards import full_deck, shuffled_deck
from evolution.game import Game, Result
from evolution.hosting.asked import NoAnswer
from evolution.hosting.unread import Unread
from evolution.remote.client import CutOff, NoGame, connect, play
from evolution.remote.connection import Connection, Lost, why_not
from evolution.remote.proxy import RemoteDealer, RemotePlayer
from evolution.remote.server import MOST_STRANGERS, Guest, Server, Terms, TooFew
from evolution.silly import Silly
from evolution.wire.errors import NotJSON
from evolution.wire.stream import Reader
from harness.conformance.rehearsal import Rehearsal
from tests.support import model

PATIENCE = 60.0
MOMENT = 0.01
LEGAL = b"[0,[],[],[],[]] "

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


def in_loop(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """A test that runs in an event loop, and not for ever."""

    async def patiently(*arguments: Any, **named: Any) -> None:
        async with asyncio.timeout(PATIENCE):
            await test(*arguments, **named)
            await asyncio.sleep(0.01)  # what was closed last is closed

    def run(*arguments: Any, **named: Any) -> None:
        asyncio.run(patiently(*arguments, **named))

    run.__name__ = test.__name__
    run.__signature__ = __import__("inspect").signature(test)  # type: ignore[attr-defined]
    return run


# --- one connection ----------------------------------------------------------------------------


async def pair(**how: Any) -> tuple[Connection, asyncio.StreamReader, asyncio.StreamWriter]:
    """A connection, and the two streams of the peer at its other end."""
    made: asyncio.Future[Connection] = asyncio.get_running_loop().create_future()
    listener = await asyncio.get_running_loop().create_server(
        lambda: Connection(made=made.set_result, **{"moment": MOMENT, **how}), "127.0.0.1", 0
    )
    reader, writer = await asyncio.open_connection(*listener.sockets[0].getsockname())
    connection = await made
    listener.close()
    return connection, reader, writer


async def settled(connection: Connection) -> None:
    """Wait until the connection knows that its peer is gone."""
    while not connection.lost:
        await asyncio.sleep(0.001)


MESSAGES: list[tuple[bytes, list[object]]] = [
    (b'"ok"', ["ok"]),
    (b'"ok"[0,0,[],[]][[],[]]', ["ok", [0, 0, [], []], [[], []]]),
    (b"[\n  0,\n  [ ]\n]\n\n  false\ttrue\r\n", [[0, []], False, True]),
    (b'1 22 "]" {"a":"[\\""}3 ', [1, 22, "]", {"a": '["'}, 3]),
    ('"š" null'.encode(), ["š", None]),
    (b"0 ", [0]),
    (b"[0]7[]", [[0], 7, []]),
    (b"-1.5e3\n", [-1500.0]),
]


@pytest.mark.parametrize(("text", "values"), MESSAGES)
@in_loop
async def test_messages_are_read_however_they_are_cut(text: bytes, values: list[object]) -> None:
    # A number that is cut in two is two numbers if there is a moment between its halves.
    connection, _, writer = await pair(moment=PATIENCE)
    for at in range(len(text) + 1):
        writer.write(text[:at])
        await asyncio.sleep(0.002)
        writer.write(text[at:])
        assert [await connection.receive() for _ in values] == values
        assert connection.silent
    writer.close()
    connection.abort()


@in_loop
async def test_a_number_is_complete_after_a_moment_of_silence_or_when_something_follows() -> None:
    connection, _, writer = await pair(moment=0.05)
    writer.write(b"1")
    began = time.monotonic()
    assert await connection.receive() == 1
    assert time.monotonic() - began >= 0.04
    writer.write(b"2 ")
    assert await connection.receive() == 2
    writer.write(b"3")
    writer.write_eof()
    assert await connection.receive() == 3
    with pytest.raises(Lost, match="it has closed the connection"):
        await connection.receive()
    writer.close()
    connection.abort()


@in_loop
async def test_half_a_number_is_not_complete_however_long_the_silence() -> None:
    connection, _, writer = await pair(moment=0.001)
    for half in (b"-", b"1.", b"2e"):
        writer.write(half)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await connection.receive()
        writer.write(b"5 ")
        await connection.receive()
    writer.close()
    connection.abort()


def test_a_reader_knows_whether_a_number_may_go_on() -> None:
    reader = Reader()
    assert not reader.unsettled
    for piece, unsettled in ((b" -", False), (b"1", True), (b"2", True), (b".", False), (b"5", True)):
        reader.feed(piece)
        assert (reader.in_number, reader.unsettled) == (True, unsettled)
        assert list(reader) == []
    reader.settle()
    assert not reader.unsettled
    assert [value.parse() for value in reader] == [-12.5]
    reader.feed(b"[1")
    assert (reader.in_number, reader.unsettled) == (False, False)


@in_loop
async def test_a_message_goes_out_whole_with_its_separator_and_a_gap_after_it() -> None:
    connection, reader, writer = await pair(separator="\n", gap=0.05)
    began = time.monotonic()
    for message in ('"ok"', "[]", "false"):
        await connection.send(message)
    assert time.monotonic() - began >= 0.1
    connection.close()
    assert await reader.read() == b'"ok"\n[]\nfalse\n'
    writer.close()


@in_loop
async def test_a_message_has_a_longest_length_and_white_space_counts() -> None:
    for flood in (b"[" * 2000, b" " * 2000, b'"' + b"a" * 2000, b"[1]" + b" " * 2000):
        connection, _, writer = await pair(longest=1000)
        writer.write(flood)
        with pytest.raises(Lost, match="it sent a message of more than 1000 bytes"):
            await connection.receive()
        connection.data_received(b"1")  # what was on its way is not kept
        writer.close()
        connection.abort()


@in_loop
async def test_messages_each_within_the_bound_are_read_however_many() -> None:
    connection, _, writer = await pair(longest=100)
    for number in range(200):
        writer.write(f" [{number}]".encode())
        assert await connection.receive() == [number]
    writer.close()
    connection.abort()


@in_loop
async def test_a_peer_that_does_not_read_is_noticed() -> None:
    connection, _, writer = await pair()

    def talk() -> None:
        while True:
            connection.write('"' + "x" * 65536 + '"')

    with pytest.raises(Lost, match="it does not read"):
        talk()
    connection.close()
    connection.abort()
    await settled(connection)
    with pytest.raises(Lost):
        connection.write("1")
    writer.close()


@in_loop
async def test_a_connection_that_is_reset_is_lost() -> None:
    connection, _, writer = await pair()
    writer.get_extra_info("socket").setsockopt(1, 13, b"\1\0\0\0\0\0\0\0")  # SO_LINGER, for no time
    writer.transport.abort()
    await settled(connection)
    assert connection.lost == "the connection was reset"


def test_what_is_not_json_is_told_without_its_place() -> None:
    assert why_not(NotJSON(7, "expected a value")) == "it sent what is not JSON: expected a value"
    assert why_not(Lost("gone")) == "gone"


# --- games ---------------------------------------------------------------------------------------


class Recorder:
    """Keeps the result of a game."""

    observer: Any = None

    def __init__(self, results: list[tuple[Result, list[str]]], names: list[str]) -> None:
        self.results = results
        self.names = names

    def ended(self, result: Result | None) -> None:
        if result:
            self.results.append((result, self.names))


class Party:
    """A server and what it has told so far."""

    def __init__(self, **terms: Any) -> None:
        self.address: asyncio.Future[tuple[str, int]] = asyncio.get_running_loop().create_future()
        self.results: list[tuple[Result, list[str]]] = []
        chosen = {"port": 0, "wait": 0.2, "timeout": PATIENCE, "gap": 0.0, "moment": MOMENT, **terms}
        self.server = Server(
            Terms(**chosen),
            lambda game: full_deck(),
            lambda addresses: self.address.set_result(addresses[0]),
            lambda names: Recorder(self.results, names),
        )
        self.served = asyncio.create_task(self.server.run())

    async def client(self, name: str, player: object | None = None) -> None:
        connection = await connect(*await self.address, wait=PATIENCE, moment=MOMENT)
        await play(connection, name, player or Silly())

    async def clients(self, number: int) -> None:
        await asyncio.gather(*(self.client(f"c{at}") for at in range(number)))

    async def raw(self) -> Streams:
        return await asyncio.open_connection(*await self.address)


@pytest.mark.parametrize("number", [3, 8])
@in_loop
async def test_clients_play_the_game_that_silly_players_play_at_one_table(number: int) -> None:
    party = Party(most=number)
    await asyncio.gather(party.served, party.clients(number))
    [(result, names)] = party.results
    assert result.ranking == model.play(number)
    assert result.thrown_out == []
    assert sorted(names) == [f"c{at}" for at in range(number)]


@in_loop
async def test_a_table_that_is_not_full_starts_a_while_after_enough_have_signed_up() -> None:
    party = Party(fewest=3, most=8, wait=0.5)
    await asyncio.gather(party.served, party.clients(4))
    assert party.results[0][0].ranking == model.play(4)


@in_loop
async def test_games_one_after_the_other_and_tables_at_once() -> None:
    party = Party(most=3, games=2, tables=3)

    async def persistent(name: str) -> None:
        while True:
            try:
                return await party.client(name)
            except NoGame:
                await asyncio.sleep(0.02)

    await asyncio.gather(party.served, *(persistent(f"c{at}") for at in range(18)))
    assert [result.ranking for result, _ in party.results] == [model.play(3)] * 6
    assert sorted(name for _, names in party.results for name in names) == sorted(
        f"c{at}" for at in range(18)
    )


@in_loop
async def test_who_signs_up_during_a_game_waits_for_the_next_unless_it_leaves() -> None:
    party = Party(most=3, bots=2, games=2)
    first, first_writer = await party.raw()
    first_writer.write(b'"first"')
    assert await first.readexactly(4) == b'"ok"'
    assert (await first.read(65536)).startswith(b"[0,0,")
    gone, gone_writer = await party.raw()
    gone_writer.write(b'"gone"')
    next_one, next_writer = await party.raw()
    next_writer.write(b'"next"')
    gone_writer.close()
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.1):
            await next_one.read(1)
    first_writer.close()  # it is thrown out, and its game goes on without it
    assert await next_one.readexactly(4) == b'"ok"'
    assert (await next_one.read(65536)).startswith(b"[0,0,")
    next_writer.close()
    await party.served
    assert [names[0] for _, names in party.results] == ["first", "next"]
    assert await gone.read() == b""


@in_loop
async def test_games_leave_no_tasks_behind() -> None:
    party = Party(most=3, bots=1, games=10)
    for game in range(10):
        reader, writer = await party.raw()  # it only connects
        await party.clients(2)
        writer.close()
        assert await reader.read() == b""
        while game < 9 and asyncio.all_tasks() != {asyncio.current_task(), party.served}:
            await asyncio.sleep(0.01)  # until the goodbyes are said
    await party.served
    assert [result.ranking for result, _ in party.results] == [model.play(3)] * 10
    assert asyncio.all_tasks() == {asyncio.current_task()}


@in_loop
async def test_a_client_that_comes_too_late_is_turned_away() -> None:
    party = Party(most=3, bots=2)
    reader, writer = await party.raw()
    idle, idle_writer = await party.raw()  # it has connected, but does not sign up
    writer.write(b'"early"')
    assert await reader.readexactly(4) == b'"ok"'
    assert (await reader.read(65536)).startswith(b"[0,0,")
    with pytest.raises(NoGame, match="not signed up: "):
        await party.client("late")
    assert await idle.read() == b""
    writer.close()
    idle_writer.close()
    await party.served
    [(result, names)] = party.results
    assert names == ["early", "bot 1", "bot 2"]
    assert [number for number, _ in result.thrown_out] == [1]


@in_loop
async def test_a_latecomer_that_has_signed_up_reads_why_it_is_turned_away_and_is_not_reset() -> None:
    party = Party(most=3, bots=2)
    reader, writer = await party.raw()
    writer.write(b'"early"')
    assert await reader.readexactly(4) == b'"ok"'
    late, late_writer = await party.raw()
    late_writer.write(b'"late" [[1, 2], ')
    assert await late.read() == b'"the game has begun"'
    for _ in range(20):  # whatever it still says is heard to the end
        late_writer.write(b"x" * 5000)
        await late_writer.drain()
    late_writer.write_eof()
    assert await late.read() == b""
    with pytest.raises(NoGame, match=r"not signed up: the server says: the game has begun$"):
        await party.client("later")
    for each in (writer, late_writer):
        each.close()
    await party.served


@in_loop
async def test_the_count_down_begins_when_enough_have_signed_up_and_nobody_postpones_it() -> None:
    party = Party(fewest=3, most=8, wait=0.6, bots=2)
    clock = asyncio.get_running_loop().time
    reader, writer = await party.raw()
    began = clock()
    writer.write(b'"first"')
    assert await reader.readexactly(4) == b'"ok"'
    starting = asyncio.ensure_future(reader.read(65536))
    restless = 0
    while not starting.done():  # somebody signs up and leaves, again and again
        other, other_writer = await party.raw()
        other_writer.write(b'"restless"')
        await asyncio.wait([starting, asyncio.ensure_future(other.read(4))], return_when="FIRST_COMPLETED")
        other_writer.close()
        await asyncio.sleep(0.05)
        restless += 1
    assert clock() - began >= 0.6
    assert restless > 1, "nobody could have postponed it"
    assert (await starting).startswith(b"[0,0,")
    writer.close()
    await party.served


@pytest.mark.long
@in_loop
async def test_if_too_few_are_left_at_its_end_the_count_down_begins_again_with_the_next_quorum() -> None:
    party = Party(fewest=4, most=8, wait=0.3, bots=2)
    clock = asyncio.get_running_loop().time
    first, first_writer = await party.raw()
    first_writer.write(b'"first"')
    assert await first.readexactly(4) == b'"ok"'
    gone, gone_writer = await party.raw()
    gone_writer.write(b'"gone"')
    assert await gone.readexactly(4) == b'"ok"'
    gone_writer.close()
    await asyncio.sleep(0.5)
    assert not party.results
    second, second_writer = await party.raw()
    began = clock()
    second_writer.write(b'"second"')
    assert await second.readexactly(4) == b'"ok"'
    assert (await second.read(65536)).startswith(b"[0,0,")
    assert clock() - began >= 0.3
    for each in (first_writer, second_writer):
        each.close()
    await party.served
    assert party.results[0][1][:2] == ["first", "second"]


@pytest.mark.parametrize("waiting", [0, 2])
@in_loop
async def test_a_server_gives_up_without_enough_players_and_lets_the_waiting_ones_go(waiting: int) -> None:
    party = Party(fewest=3, most=8, give_up=0.6)
    clock = asyncio.get_running_loop().time
    began = clock()
    guests = [await party.raw() for _ in range(waiting)]
    for _, writer in guests:
        writer.write(b'"waiting"')
    for reader, writer in guests:
        assert await reader.read() == b'"ok"'
        writer.close()
    with pytest.raises(TooFew, match=f"^gave up after 0.6 seconds: {waiting} of 3 players have signed up$"):
        await party.served
    assert clock() - began >= 0.6


@pytest.mark.long
@in_loop
async def test_giving_up_is_decided_at_the_end_of_a_count_down_that_is_running() -> None:
    party = Party(fewest=3, most=8, bots=2, wait=0.8, give_up=0.6)
    reader, writer = await party.raw()
    writer.write(b'"enough"')
    assert await reader.readexactly(4) == b'"ok"'
    assert (await reader.read(65536)).startswith(b"[0,0,"), "there were enough in time"
    writer.close()
    await party.served
    party = Party(fewest=3, most=8, bots=2, wait=0.8, give_up=0.6)
    reader, writer = await party.raw()
    writer.write(b'"enough, and gone"')
    assert await reader.readexactly(4) == b'"ok"'
    writer.close()
    with pytest.raises(TooFew):
        await party.served


class Remembers(Silly):
    """A Silly player that keeps the result."""

    result: Result | None = None

    def game_over(self, result: Result) -> None:
        self.result = result


@pytest.mark.parametrize("results", [False, True])
@in_loop
async def test_clients_are_told_the_results_only_if_the_server_tells_them(results: bool) -> None:
    party = Party(most=3, results=results)
    players = [Remembers() for _ in range(3)]
    names = ["A" * 70, "B", "C\ud800"]
    await asyncio.gather(party.served, *map(party.client, names, players))
    [(truth, signed_up)] = party.results
    told = [player.result for player in players]
    if not results:
        assert told == [None] * 3
        return
    for name, result in zip(names, told, strict=True):
        assert result is not None
        assert result.ranking == truth.ranking
        assert signed_up[result.ranking[result.place][0] - 1] == name
        assert [one.hand for one in result.players] == [one.hand for one in truth.players]
        assert [one.bag for one in result.players] == [one.bag for one in truth.players]


@in_loop
async def test_of_too_many_who_only_connect_the_oldest_is_sent_away() -> None:
    party = Party(most=3)
    crowd = [await party.raw() for _ in range(MOST_STRANGERS + 3)]
    for reader, writer in crowd[:3]:
        assert await reader.read() == b""
        writer.close()
    await asyncio.gather(party.served, party.clients(3))
    assert party.results[0][0].ranking == model.play(3)
    for reader, writer in crowd[3:]:
        assert await reader.read() == b""
        writer.close()


@in_loop
async def test_the_cap_on_strangers_holds_in_a_burst() -> None:
    party = Party(most=3)
    await party.address
    loop = asyncio.get_running_loop()
    crowd = [socket.create_connection(await party.address) for _ in range(100)]  # and the loop waits
    for each in crowd:
        each.setblocking(False)
    for each in crowd[: 100 - MOST_STRANGERS]:
        assert await loop.sock_recv(each, 1) == b""
    await asyncio.gather(party.served, party.clients(3))
    assert party.results[0][0].ranking == model.play(3)
    for each in crowd:
        each.close()


@pytest.mark.every(3, "text")
@pytest.mark.parametrize(
    "text", [b"17", b"[]", b"null", b'"half', b"nonsense", b"\xff", b'"\xff"', b"NaN", b""]
)
@in_loop
async def test_anything_but_a_string_is_no_sign_up(text: bytes) -> None:
    party = Party(most=3, bots=2, timeout=1.5)
    reader, writer = await party.raw()
    writer.write(text)
    assert await reader.read() == b""
    writer.close()
    await asyncio.gather(party.served, party.client("good"))
    [(result, names)] = party.results
    assert (result.thrown_out, names[0]) == ([], "good")


@in_loop
async def test_who_leaves_before_the_game_has_no_seat() -> None:
    party = Party(fewest=3, most=8, wait=0.2)
    for at in range(3):
        reader, writer = await party.raw()
        writer.write(json.dumps(f"leaver {at}").encode())
        assert await reader.readexactly(4) == b'"ok"'
        writer.close()
    await asyncio.gather(party.served, party.clients(3))
    [(result, names)] = party.results
    assert (result.ranking, len(names)) == (model.play(3), 3)


@in_loop
async def test_a_server_that_is_stopped_lets_everybody_go_and_tells_no_result() -> None:
    party = Party(most=3, bots=2, tables=2)
    playing, writer = await party.raw()
    writer.write(b'"player"')
    assert await playing.readexactly(4) == b'"ok"'
    assert await playing.read(65536)
    signed_up, other = await party.raw()
    party.served.cancel()
    with pytest.raises(asyncio.CancelledError):
        await party.served
    assert await signed_up.read() == b""
    while await playing.read(65536):
        pass
    assert party.results == []
    writer.close()
    other.close()


# --- clients that do not behave --------------------------------------------------------------------


async def at_choose(reader: asyncio.StreamReader) -> None:
    """Read what the server sends up to its question for a choice: a Start and two LOBs."""
    text, seen = "", 0
    while seen < 2:
        piece = await reader.read(65536)
        assert piece, "the server has closed the connection"
        text += piece.decode()
        try:
            _, end = json.JSONDecoder().raw_decode(text)
        except ValueError:
            continue
        text, seen = text[end:], seen + 1


async def answers(text: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await at_choose(reader)
    writer.write(text)


def at_once(text: bytes) -> Callable[..., Awaitable[None]]:
    return lambda reader, writer: answers(text, reader, writer)


async def speaks_before_it_is_asked(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(LEGAL)


async def closes(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await at_choose(reader)
    writer.close()


async def closes_in_a_value(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await at_choose(reader)
    writer.write(b"[0,[")
    writer.close()


async def says_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await at_choose(reader)


RUDE: list[tuple[Callable[..., Awaitable[None]], str]] = [
    (speaks_before_it_is_asked, "start: it spoke without being asked"),
    (closes, "choose: it has closed the connection"),
    (closes_in_a_value, "choose: it sent what is not JSON: the value is cut off"),
    (says_nothing, "choose: no answer within 2 s"),
    (at_once(LEGAL + LEGAL), "choose: it said more than its answer"),
    (at_once(LEGAL + b"x"), "choose: it said more than its answer"),
    (at_once(b"[0,[],[],[]]"), "choose: its answer is malformed: input: expected an action"),
    (at_once(b"[NaN]"), "choose: it sent what is not JSON: NaN and Infinity are not JSON"),
    (at_once(b"[" * 1000), "choose: it sent what is not JSON: nested deeper than 512 levels"),
    (at_once(b'"' + b"x" * 100_000), "choose: it sent a message of more than 65536 bytes"),
    (at_once(b"[99,[],[],[],[]]"), "choose: card 99 does not exist: the hand has 4"),
]


class Gone(Silly):
    """A player that is thrown out at its first start or choice."""

    def __init__(self, request: str) -> None:
        self.request = request

    def start(self, view: Any) -> None:
        if self.request == "start":
            raise NoAnswer
        super().start(view)

    def choose(self, before: Any, after: Any) -> Any:
        raise NoAnswer


@pytest.mark.every(3, "behave")
@pytest.mark.parametrize(("behave", "reason"), RUDE, ids=[reason for _, reason in RUDE])
@in_loop
async def test_a_rude_client_is_thrown_out_and_the_others_finish(
    behave: Callable[..., Awaitable[None]], reason: str
) -> None:
    # Between "ok" and the Start there must be time to speak.
    gap = 0.5 if behave is speaks_before_it_is_asked else 0.03
    party = Party(fewest=4, most=4, bots=3, timeout=2.0, gap=gap)
    reader, writer = await party.raw()
    writer.write(b'"rude"')
    assert await reader.readexactly(4) == b'"ok"'
    await behave(reader, writer)
    await party.served
    [(result, names)] = party.results
    [(number, why)] = result.thrown_out
    assert (number, names[0]) == (1, "rude")
    assert why.startswith(reason)
    assert result.ranking == Game([Gone(reason.partition(":")[0]), Silly(), Silly(), Silly()]).play().ranking
    while await reader.read(65536):
        pass  # the server has closed the connection
    writer.close()


@in_loop
async def test_a_connection_that_has_just_been_closed_gives_no_seat_and_no_answer() -> None:
    connection, _, writer = await pair()
    connection.close()
    with pytest.raises(NoAnswer, match="the connection is closed"):
        await RemotePlayer(connection, 1.0)._say("[]")
    server = Server(Terms(), lambda game: full_deck(), lambda _: None, lambda names: Recorder([], names))
    server._signed_up.append(Guest("just gone", connection))
    assert server._seat(8) == 0
    writer.close()


# --- servers that do not behave --------------------------------------------------------------------


async def against(*said: bytes, player: object | None = None, awaits: bytes = b"") -> None:
    """A client plays against a server that says this, piece by piece, and closes when it has heard that."""
    closed = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readexactly(1)
        for piece in said:
            writer.write(piece)
            await asyncio.sleep(0.01)
        if awaits:
            with suppress(ConnectionError, asyncio.IncompleteReadError):
                await reader.readuntil(awaits)
        writer.close()
        closed.set()

    listener = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        host, port = listener.sockets[0].getsockname()
        await play(await connect(host, port, 0, moment=MOMENT), "me", player or Silly())
    finally:
        await closed.wait()
        listener.close()


BOARD = b'[["food",0],["body",0],["population",1],["traits",[]]]'
START = b"[0,0,[" + BOARD + b'],[[0,"horns"],[1,"horns"],[2,"horns"],[3,"horns"]]]'
RESULTS = b'["results",0,[[1,"a",1,1,[],[]]],[]]'

BAD_SERVERS: list[tuple[tuple[bytes, ...], str]] = [
    ((), "not signed up: "),
    ((b'"no"',), "not signed up: the server says: no"),
    ((b"[]",), 'not signed up: the server did not answer "ok"'),
    ((b"nonsense",), "not signed up: it sent what is not JSON: expected a value"),
    ((b'"ok"',), "no game: it has closed the connection"),
    ((b'"ok"', b"[[],[]]"), "the server: it asks for a choice before a turn has begun"),
    ((b'"ok"', START, b"17"), "the server: expected a Start, a pair of LOBs or a State"),
    ((b'"ok"', START, b"[[],[],[]]"), "the server: expected a Start, a pair of LOBs or a State"),
    ((b'"ok"', START, b"[[],[[0]]]"), r"the server: choose: \[1\]\[0\]\[0\]: expected a species"),
    ((b'"ok"', b'[0,0,[],[[0,"horns"]]]', b"[[],[]]"), "the server: it asks for a choice from a hand of 1,"),
    ((b'"ok"', START + b" " * (1 << 23)), "no game: it sent a message of more than 4194304 bytes"),
    ((b'"ok"', RESULTS), "the server: it tells results before a turn has begun"),
    ((b'"ok"', START, RESULTS, START), "the server: it goes on after the results"),
    ((b'"ok"', START, b'["results",0,[],[]]'), r"the server: game_over: \[1\]: place 0 is none of the 0"),
    ((b'"ok"', START, b'["results",0]'), "the server: game_over: input: expected"),
    ((b'"ok"', START, b"[[],"), "the server: it sent what is not JSON: the value is cut off"),
]


@pytest.mark.parametrize(("said", "complaint"), BAD_SERVERS)
@in_loop
async def test_a_client_says_what_is_wrong_with_its_server(said: tuple[bytes, ...], complaint: str) -> None:
    with pytest.raises(NoGame, match=complaint):
        await against(*said)


@in_loop
async def test_messages_in_one_segment_are_all_answered() -> None:
    with pytest.raises(
        CutOff, match=r"^thrown out or cut off: it has closed the connection in turn 2, before"
    ):
        await against(b'"ok"' + START + b"[[],[]]" + START, awaits=b"]]")


@in_loop
async def test_a_client_that_loses_its_connection_when_the_game_cannot_be_over_says_so() -> None:
    with pytest.raises(CutOff, match=r"in turn 1, with 1\d\d cards or more in the deck$"):
        await against(b'"ok"' + START + b"[[[" + BOARD + b"]],[[" + BOARD + b"]]]", awaits=b"]]")


@pytest.mark.parametrize("players", [3, 5, 8])
def test_at_the_end_of_a_game_nobody_takes_it_for_unfinished(players: int) -> None:
    for seed in ("1", "2", "3", "4"):
        for told in Rehearsal(players, deck=shuffled_deck(seed)).told:
            dealer = RemoteDealer(Silly())
            for message in told:
                dealer.reply(json.loads(message.text))
            assert dealer.unfinished == ""


# --- what a peer has read, and what it needs -------------------------------------------------------


def test_the_kernel_tells_what_a_peer_on_this_machine_has_not_read() -> None:
    unread = Unread()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        peer = socket.create_connection(listener.getsockname())
        here, _ = listener.accept()
    with peer, here:
        assert unread.by_peer(here) == 0
        here.sendall(b"[0,0,[],[]]")
        assert unread.by_peer(here) == 11
        peer.recv(4)
        assert unread.by_peer(here) == 7
        peer.recv(100)
        assert unread.by_peer(here) == 0
    unread.close()
    assert unread.by_peer(here) is None, "and nothing, where it cannot be asked"


@in_loop
async def test_a_message_that_is_not_answered_is_followed_by_another_only_when_it_has_been_read() -> None:
    unread = Unread()
    connection, reader, writer = await pair(gap=unread)
    reader._transport.pause_reading()  # type: ignore[attr-defined]
    await asyncio.sleep(0.01)
    await connection.send('"start"')
    second = asyncio.create_task(connection.send('"choose"'))
    await asyncio.sleep(0.05)
    assert not second.done()
    reader._transport.resume_reading()  # type: ignore[attr-defined]
    await second
    writer.close()
    connection.abort()
    unread.close()


def test_of_a_peer_on_another_machine_it_is_not_known_what_it_has_read() -> None:
    unread = Unread()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as elsewhere:
        elsewhere.connect(("127.0.0.1", 9))  # of TCP there is no such connection
        assert unread.by_peer(elsewhere) is None
    assert unread.by_peer(elsewhere) is None, "and it is closed"
    unread.close()


@in_loop
async def test_where_that_is_not_known_there_is_a_pause_unless_the_message_was_answered() -> None:
    unread = Unread()
    unread.close()
    connection, _, writer = await pair(gap=unread)
    clock = asyncio.get_running_loop().time
    await connection.send('"start"')
    began = clock()
    await connection.send('"choose"')
    assert clock() - began >= 0.015
    writer.write(b"[]")
    assert await connection.receive() == []
    began = clock()
    await connection.gap()
    assert clock() - began < 0.015
    writer.close()
    connection.abort()


@in_loop
async def test_only_guests_sign_up_each_for_its_seats_and_all_bytes_are_traced() -> None:
    party = Party(most=3, bots=1, guests={"a": 1, "b": 1})
    traced: list[tuple[str, str, bytes]] = []
    party.server._trace = lambda *what: traced.append(what)
    for name, answer in (
        ("c", b'"not on the list of guests"'),
        ("a", b'"ok"'),
        ("a", b'"there is no other seat for this name"'),
    ):
        reader, writer = await party.raw()
        writer.write(json.dumps(name).encode())
        assert await reader.read(100) == answer
        if answer != b'"ok"':
            writer.close()
        else:
            seated, seated_writer = reader, writer
    other = asyncio.create_task(party.client("b"))
    assert (await seated.read(65536)).startswith(b"[0,0,")
    seated_writer.close()
    await other
    await party.served
    assert ("", "from", b'"c"') in traced
    assert ("b", "to", b'"ok"') in traced


@pytest.mark.parametrize(
    ("held", "largest", "beyond"),
    [
        (b"0", 5, True),
        (b"1", 9, True),
        (b"1", 10, False),
        (b"12", 99, True),
        (b"-1", 5, False),
        (b"[1", 0, False),
        (b"9" * 50, 5, False),
    ],
)
def test_a_number_is_complete_when_another_digit_would_make_it_too_large(
    held: bytes, largest: int, beyond: bool
) -> None:
    reader = Reader()
    reader.feed(held)
    assert reader.is_beyond(largest) == beyond


STATE = b"[0,[" + b",".join([BOARD.replace(b'"population",1', b'"population",2')] * 2) + b"],[],3,[]]"


@pytest.mark.parametrize(
    ("needs", "sent"), [(b"", [b"0", b"0"]), pytest.param(b" ", [b"0", b" ", b"0 "], marks=pytest.mark.long)]
)
@in_loop
async def test_a_client_finds_out_what_its_server_needs_behind_a_number(
    needs: bytes, sent: list[bytes]
) -> None:
    heard: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readexactly(4)
        writer.write(b'"ok"' + START)
        for _ in range(2):
            writer.write(STATE)
            answer = b""
            while not answer or not answer.endswith(needs):
                heard.append(await reader.read(100))
                answer += heard[-1]
        writer.close()

    listener = await asyncio.start_server(serve, "127.0.0.1", 0)
    host, port = listener.sockets[0].getsockname()
    with suppress(NoGame):
        await play(await connect(host, port, 0, moment=MOMENT), "me", Silly())
    assert heard == sent
    listener.close()


@pytest.mark.long
@in_loop
async def test_a_client_finds_out_that_its_server_reads_lines() -> None:
    heard: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heard.append(await reader.readline())
        writer.write(b'"ok"' + START + STATE)
        heard.append(await reader.readline())
        writer.close()

    listener = await asyncio.start_server(serve, "127.0.0.1", 0)
    host, port = listener.sockets[0].getsockname()
    with suppress(NoGame):
        await play(await connect(host, port, 0, moment=MOMENT), "me", Silly())
    assert heard == [b'"me"\n', b"0\n"]
    listener.close()


@in_loop
async def test_a_client_sends_nothing_behind_its_name_while_others_may_be_waited_for() -> None:
    heard: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heard.append(await reader.read(100))
        await asyncio.sleep(1)
        writer.write(b'"ok"' + START + STATE)
        heard.append(await reader.read(100))
        writer.close()

    listener = await asyncio.start_server(serve, "127.0.0.1", 0)
    host, port = listener.sockets[0].getsockname()
    with suppress(NoGame):
        await play(await connect(host, port, 0, moment=MOMENT), "me", Silly())
    assert heard == [b'"me"', b"0"]
    listener.close()


@pytest.mark.long
@in_loop
async def test_a_server_that_reads_lines_may_wait_for_others_before_it_says_ok(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("evolution.remote.client.NO_OK", 0.1)
    heard: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heard.append(await reader.readline())
        await asyncio.sleep(0.5)
        writer.write(b'"ok"' + START + STATE)
        heard.append(await reader.readline())
        await asyncio.sleep(0.5)
        writer.write(STATE)
        heard.append(await reader.read(100))
        writer.close()

    listener = await asyncio.start_server(serve, "127.0.0.1", 0)
    host, port = listener.sockets[0].getsockname()
    with suppress(NoGame):
        await play(await connect(host, port, 0, moment=MOMENT), "me", Silly())
    assert heard == [b'"me"\n', b"0\n", b"0\n"]
    listener.close()


@in_loop
async def test_who_signs_up_with_a_line_end_is_sent_lines_unless_all_are_told_otherwise() -> None:
    for terms, end in (({}, b"\n"), ({"separator": ""}, b"")):
        party = Party(most=3, bots=2, **terms)
        reader, writer = await party.raw()
        writer.write(b'"lines"\n')
        assert await reader.readexactly(4 + len(end)) == b'"ok"' + end
        assert (await reader.read(65536)).endswith(b"]" + end)
        writer.close()
        await party.served


class Ponders(Silly):
    def choose(self, before: Any, after: Any) -> Any:
        time.sleep(0.2)
        return super().choose(before, after)


class Fails(Silly):
    def choose(self, before: Any, after: Any) -> Any:
        raise NoAnswer("its process has ended")


class Stumbles(Silly):
    def choose(self, before: Any, after: Any) -> Any:
        raise RuntimeError("no\nidea")


@in_loop
async def test_a_player_in_the_clients_own_process_may_fail_in_any_way() -> None:
    with pytest.raises(
        NoGame, match=r"^the player: RuntimeError: no idea \(test_remote.py, line \d+: raise "
    ):
        await against(b'"ok"', START, b"[[],[]]", player=Stumbles())


@in_loop
async def test_a_client_ends_if_its_server_asks_and_never_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    class Speaks(Silly):
        def choose(self, before: Any, after: Any) -> Any:
            monkeypatch.setattr("evolution.remote.connection.MOST_UNREAD", -1)  # any answer is too much
            return super().choose(before, after)

    with pytest.raises(NoGame, match="the server: it does not read what it is sent"):
        await against(b'"ok"', START + b"[[],[]]", player=Speaks(), awaits=b"] ")


@in_loop
async def test_a_server_that_does_not_wait_and_a_player_that_fails_are_told_apart() -> None:
    with pytest.raises(NoGame, match="the server did not wait for an answer: it has closed the connection"):
        await against(b'"ok"', START, b"[[],[]]", player=Ponders())
    with pytest.raises(NoGame, match="the player: its process has ended"):
        await against(b'"ok"', START, b"[[],[]]", player=Fails())


@in_loop
async def test_a_client_keeps_trying_to_connect_for_a_while() -> None:
    listener = await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1", 0)
    host, port = listener.sockets[0].getsockname()
    listener.close()
    await listener.wait_closed()
    with pytest.raises(OSError, match="Connect call failed"):
        await connect(host, port, 0)
    early = asyncio.create_task(connect(host, port, PATIENCE))
    await asyncio.sleep(0.15)  # it has tried, and found nobody
    assert not early.done()
    party = Party(port=port, most=3)
    await asyncio.gather(party.served, play(await early, "early", Silly()), party.clients(2))
    assert party.results[0][0].ranking == model.play(3)
