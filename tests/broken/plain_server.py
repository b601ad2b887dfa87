"""A plain server of the remote protocol, with blocking sockets; the broken ones each change one thing of it.

Started as FILE PORT PLAYERS TIMEOUT, and where to listen if that is not at 127.0.0.1.
"""

import json
import socket
import sys
import time
from collections.abc import Callable
from typing import Any

from evolution.actions import Action4
from evolution.choices import FeedingChoice, State
from evolution.game import Game, Result
from evolution.player import Start
from evolution.species import Species
from evolution.wire import messages
from evolution.wire.action4 import action4
from evolution.wire.errors import BadInput
from evolution.wire.stream import Reader

GAP = 0.002


class RudeError(Exception):
    """A client has lost its seat."""


class Guest:
    """A client that has signed up, as the game sees it."""

    def __init__(self, connection: socket.socket, name: str, reader: Reader) -> None:
        self.connection = connection
        self.name = name
        self.reader = reader

    timeout = 5.0

    def tell(self, message: str) -> None:
        self.check_silence()
        time.sleep(GAP)
        self.connection.sendall(message.encode())

    def check_silence(self) -> None:
        self.connection.settimeout(0)
        try:
            self.reader.feed(self.connection.recv(1 << 16))
        except BlockingIOError:
            pass
        if not self.reader.blank:
            raise RudeError("it spoke unasked")

    def ask(self, message: str, read: Callable[[Any], Any]) -> Any:
        self.tell(message)
        value = self.receive(time.monotonic() + self.timeout)
        if not self.reader.blank:
            raise RudeError("it answered twice")
        try:
            return read(value)
        except BadInput as problem:
            raise RudeError(f"malformed: {problem}") from None

    def receive(self, deadline: float) -> object:
        taken = 0
        while True:
            for value in self.reader:
                return value.parse()
            unsettled = self.reader.unsettled
            self.connection.settimeout(
                max(0.001, min(deadline - time.monotonic(), 0.05 if unsettled else 60))
            )
            try:
                data = self.connection.recv(1 << 16)
            except TimeoutError:
                if not unsettled:
                    raise RudeError("no answer in time") from None
                self.reader.settle()
                continue
            taken += len(data)
            if not data or taken > 1 << 16:
                raise RudeError("it is gone" if not data else "too much")
            self.reader.feed(data)

    def start(self, view: Start) -> None:
        self.tell(messages.write_start(view))

    def choose(self, before: list[list[Species]], after: list[list[Species]]) -> Action4:
        action: Action4 = self.ask(messages.write_choose(before, after), action4)
        return action

    def feed_next(self, state: State) -> FeedingChoice:
        choice: FeedingChoice = self.ask(messages.write_state(state), messages.read_feeding_choice)
        return choice

    def game_over(self, result: Result) -> None:
        pass

    def thrown_out(self, reason: str) -> None:
        self.connection.close()


class Server:
    """Signs clients up, plays one game, prints its result."""

    guest: type[Guest] = Guest
    status = 0

    def __init__(self) -> None:
        port, players, timeout, *host = sys.argv[1:]
        self.guest.timeout = float(timeout)
        self.guests: list[Guest] = []
        self.listener = socket.create_server((host[0] if host else "127.0.0.1", int(port)))
        while len(self.guests) < int(players):
            connection, _ = self.listener.accept()
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.sign_up(connection)

    def sign_up(self, connection: socket.socket) -> None:
        guest = self.guest(connection, "", Reader())
        try:
            name = guest.receive(time.monotonic() + 20)
        except RudeError:  # such as one that has gone before it said anything
            name = None
        if not self.is_name(name):
            connection.close()
            return
        guest.name = str(name)
        connection.sendall(self.welcome().encode())
        self.guests.append(guest)

    def is_name(self, name: object) -> bool:
        return isinstance(name, str)

    def welcome(self) -> str:
        return '"ok"'

    def game(self) -> Game:
        return Game(list(self.guests))

    def points(self, points: int) -> int:
        return points

    def run(self) -> None:
        self.begin()
        result = self.game().play()
        for rank, (number, points) in enumerate(result.ranking, 1):
            name = json.dumps(self.guests[number - 1].name)
            print(f"{rank} player id: {number} score: {self.points(points)} name: {name}")
        for number, reason in result.thrown_out:
            name = json.dumps(self.guests[number - 1].name)
            print(f"- player id: {number} thrown out: {reason} name: {name}")
        sys.stdout.flush()
        self.end()

    def begin(self) -> None:
        self.listener.close()

    def end(self) -> None:
        for guest in self.guests:
            guest.connection.close()
        sys.exit(self.status)


if __name__ == "__main__":
    Server().run()
