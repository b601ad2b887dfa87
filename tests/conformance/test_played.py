"""What a server has played and printed, read without knowing its deck or its manner."""

import time
from socket import create_connection, create_server
from types import SimpleNamespace
from typing import NamedTuple

import pytest

from evolution.cards import shuffled_deck
from harness.conformance.manner import between
from harness.conformance.peers import Heard, Loop, Peer
from harness.conformance.played import seating
from harness.conformance.rehearsal import CHOOSE, Rehearsal, Told, rehearsed
from harness.conformance.result_lines import ResultLine, result_lines, wrong_results
from harness.conformance.servers import MUCH
from harness.conformance.verdict import Fault, Transcript
from harness.judging.verdicts import TIMEOUT


@pytest.mark.parametrize("players", [3, 8])
@pytest.mark.parametrize("seed", ["1", "2", "3"])
def test_a_game_is_played_again_from_what_the_players_were_told(players: int, seed: str) -> None:
    game = Rehearsal(players, deck=shuffled_deck(seed))
    again = rehearsed(game.told)
    assert again.told == game.told
    assert again.result.ranking == game.result.ranking
    half = rehearsed([told[: len(told) // 2] for told in game.told])
    assert [told[:2] for told in half.told] == [told[:2] for told in game.told]


def test_the_order_of_a_hand_does_not_matter() -> None:
    game = Rehearsal(3, deck=shuffled_deck("1"))
    sorted_hands = [[Told(*each[:2], tuple(sorted(each.hand))) for each in told] for told in game.told]
    assert rehearsed(sorted_hands).result.ranking == game.result.ranking


@pytest.mark.parametrize(
    ("line", "read"),
    [
        ('1 player id: 3 score: 5 name: "Anna"', ResultLine(3, 5, "Anna")),
        ("1 player id: 3 score: 5", ResultLine(3, 5, None)),
        ("1. Player id 3, score 5", ResultLine(3, 5, None)),
        ("  2) player 3: 5 ", ResultLine(3, 5, None)),
        ("player id: 3 name: Anna score: -5", ResultLine(3, -5, "Anna")),
        ('- player id: 3 thrown out: choose: no score: 7 name: "x"', ResultLine(3, None, "x")),
    ],
)
def test_a_result_line_is_read_in_the_common_variants(line: str, read: ResultLine) -> None:
    assert result_lines(f"the game is over\n{line}\n") == [read]


class Ended(NamedTuple):
    """How a game has ended."""

    ranking: list[tuple[int, int]]


def test_result_lines_are_compared_by_player_and_score_and_not_by_the_order_of_equals() -> None:
    result, names = Ended([(2, 7), (3, 7), (1, 5)]), ["Anna", "Bert", "Cleo"]

    def wrong(*lines: ResultLine) -> str:
        return wrong_results([*lines], result, names, [0, 1, 2])  # type: ignore[arg-type]

    assert wrong(ResultLine(3, 7, None), ResultLine(2, 7, "Bert"), ResultLine(1, 5, "Anna")) == ""
    assert "not in order of rank" in wrong(
        ResultLine(1, 5, None), ResultLine(2, 7, None), ResultLine(3, 7, None)
    )
    assert "by the rules it is 2 (Bert): 7, 3 (Cleo): 7, 1 (Anna): 5" in wrong(
        ResultLine(2, 7, None), ResultLine(3, 7, None), ResultLine(1, 4, None)
    )
    assert "say 2 (Cleo): 7" in wrong(
        ResultLine(2, 7, "Cleo"), ResultLine(3, 7, "Bert"), ResultLine(1, 5, None)
    )


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b'"ok"[1][2]', "nothing"),
        (b'"ok"\n[1]\n', "a line end"),
        (b'"ok" [1]', "a space or nothing"),
        (b"", "unknown"),
    ],
)
def test_what_stands_between_messages_is_told(raw: bytes, words: str) -> None:
    assert sorted(between(raw).split(" or ")) == sorted(words.split(" or "))


def test_a_seat_is_known_also_where_who_was_thrown_out_at_once_is_not_shown_any_more() -> None:
    row: list[object] = []
    from_the_left = [([row], []), ([], [row]), ([], [row, row])]  # Cleo has the first seat
    from_the_right = [([], [row]), ([row], []), ([row, row], [])]  # Cleo has the last one, and is asked first
    for asked, seats in ((from_the_left, [2, 1, 0]), (from_the_right, [0, 1, 2])):
        peers = [SimpleNamespace(heard=[Heard(CHOOSE, [*shown], (), 0)]) for shown in asked]
        assert seating(peers) == seats  # type: ignore[arg-type]


def test_a_server_that_does_not_read_one_client_does_not_keep_the_others_from_answering() -> None:
    loop = Loop(Transcript(), patience=30.0, scenario="throws-out-endless-answer")
    anna, cleo = Peer(loop, "Anna"), Peer(loop, "Cleo")
    with create_server(("127.0.0.1", 0)) as listener:
        for peer in (cleo, anna):
            peer.attach(create_connection(listener.getsockname()))
        with listener.accept()[0], listener.accept()[0] as server:
            cleo.send(MUCH)
            server.sendall(b'"ok"')
            loop.run(lambda: anna.signed_up, Fault("", "timeout", ""))
            loop.close()
    assert "the server has not read all that Cleo sent" in loop.transcript.lines[-1]


TURN = b'[0,0,[],[[1,"carnivore"],[2,"carnivore"],[3,"carnivore"],[4,"carnivore"]]][[],[]]'


@pytest.mark.parametrize("said", [b" ", TURN])
def test_a_server_that_only_keeps_its_connections_busy_is_not_waited_for(said: bytes) -> None:
    """White space is no message, and a game comes to an end."""
    loop = Loop(Transcript(), 0.2, "")
    loop.longest = 0.5
    peer = Peer(loop, "Anna")
    peer.signed_up = True
    with create_server(("127.0.0.1", 0)) as listening:
        peer.attach(create_connection(listening.getsockname()))
        server, _ = listening.accept()
    give_up = time.monotonic() + 5

    def is_done() -> bool:
        server.send(said)
        return time.monotonic() > give_up

    with server, pytest.raises(Fault):
        loop.run(is_done, Fault("signs-up", TIMEOUT, "nothing came"))
    loop.close()
