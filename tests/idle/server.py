"""A server that does next to nothing, and prints results: started as FILE BEHAVIOUR PORT."""

import json
import socket
import sys
import time
from collections.abc import Callable
from typing import Any

from evolution.cards import full_deck, shuffled_deck
from evolution.game import Game
from evolution.player import Start
from evolution.wire import messages
from evolution.wire.action4 import action4
from harness.conformance.rehearsal import Rehearsal

FIRST_BOARD = [["food", 0], ["body", 0], ["population", 1], ["traits", []]]
HANDS = [[[food, "ambush"] for food in range(-3, 1)], [[food, "burrowing"] for food in range(-3, 1)],
         [[food, "climbing"] for food in range(-3, 1)]]  # fmt: skip


class Client:
    """A client that has signed up; a player of a game that may be broken off."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        self.turns = 0
        self.last_turn = 99

    def say(self, value: object) -> None:
        self.connection.sendall(json.dumps(value).encode())
        time.sleep(0.005)

    def hear(self) -> Any:
        text = b""
        while True:
            text += self.connection.recv(1 << 16)
            try:
                return json.loads(text)
            except ValueError:
                continue

    def start(self, view: Start) -> None:
        self.turns += 1
        if self.turns > self.last_turn:
            self.connection.close()
        self.say(json.loads(messages.write_start(view)))

    def choose(self, before: Any, after: Any) -> Any:
        self.say(json.loads(messages.write_choose(before, after)))
        return action4(self.hear())

    def feed_next(self, state: Any) -> Any:
        self.say(json.loads(messages.write_state(state)))
        return messages.read_feeding_choice(self.hear())

    def game_over(self, result: object) -> None:
        pass


def one_start_each(clients: list[Client]) -> None:
    for client, hand in zip(clients, HANDS, strict=True):
        client.say([0, 0, [FIRST_BOARD], hand])


def one_start_then_silence(clients: list[Client]) -> None:
    one_start_each(clients)
    time.sleep(60)


def never_feeds(clients: list[Client]) -> None:
    one_start_each(clients)
    for number, client in enumerate(clients):
        client.say([[[FIRST_BOARD]] * number, [[FIRST_BOARD]] * (2 - number)])
        client.hear()


def repeats_the_first_turn(clients: list[Client]) -> None:
    for _ in range(6):
        never_feeds(clients)


def deals_and_hears_nothing(clients: list[Client]) -> None:
    cards = full_deck()
    while len(cards) >= 12:
        for client in clients:
            client.say([0, 0, [FIRST_BOARD], cards[:4]])
            del cards[:4]
        for number, client in enumerate(clients):
            client.say([[[FIRST_BOARD]] * number, [[FIRST_BOARD]] * (2 - number)])
            client.hear()


def closes(clients: list[Client]) -> None:
    pass


def tells_a_recorded_game(clients: list[Client]) -> None:
    for client, told in zip(clients, Rehearsal(3).told, strict=True):
        for each in told:
            client.say(json.loads(each.text))
    time.sleep(0.5)  # what was said is read before the connections are reset


def plays(seed: str = "", last_turns: tuple[int, ...] = (99, 99, 99)) -> Callable[[list[Client]], None]:
    def play(clients: list[Client]) -> None:
        for client, last in zip(clients, last_turns, strict=True):
            client.last_turn = last
        Game(list(clients), shuffled_deck(seed) if seed else None).play()

    return play


BEHAVIOURS: dict[str, Callable[[list[Client]], None]] = {
    "closes": closes,
    "one-start-each": one_start_each,
    "one-start-then-silence": one_start_then_silence,
    "never-feeds": never_feeds,
    "deals-and-hears-nothing": deals_and_hears_nothing,
    "repeats-the-first-turn": repeats_the_first_turn,
    "tells-a-recorded-game": tells_a_recorded_game,
    "kicks-everybody-in-turn-3": plays(last_turns=(2, 2, 2)),
    "kicks-one-in-turn-3": plays(last_turns=(2, 99, 99)),
    "kicks-everybody-on-another-deck": plays("1", (2, 2, 2)),
}


def main() -> None:
    behaviour, port = sys.argv[1:]
    if behaviour == "ends":
        return
    with socket.create_server(("127.0.0.1", int(port))) as listener:
        if behaviour == "listens":
            time.sleep(60)
        clients: list[Client] = []
        while len(clients) < 3:
            client = Client(listener.accept()[0])
            client.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            client.hear()
            client.say("ok")
            clients.append(client)
    BEHAVIOURS[behaviour](clients)
    # Those of the game in card order, whoever was there to play it.
    print('1 player id: 2 score: 7 name: "Bert"\n2 player id: 3 score: 7 name: "Cleo"')
    print('3 player id: 1 score: 5 name: "Anna"', flush=True)


main()
