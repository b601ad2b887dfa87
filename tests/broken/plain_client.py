"""A plain client of the remote protocol, with blocking sockets; the broken ones each change one thing of it.

Started as FILE PORT NAME, and where the server is if that is not 127.0.0.1.
"""

import json
import socket
import sys
from typing import Any

from evolution.feeding import state_of
from evolution.silly import Silly
from evolution.wire import messages
from evolution.wire.action4 import write_action4
from evolution.wire.reading import configuration_or_state
from evolution.wire.stream import Reader, Value
from evolution.wire.writing import feeding_choice


class Client:
    """Signs up, plays, and ends when the server closes the connection."""

    status = 0

    def __init__(self) -> None:
        port, self.name, *host = sys.argv[1:]
        self.connection = socket.create_connection((host[0] if host else "127.0.0.1", int(port)))
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.reader = Reader()
        self.values: list[object] = []
        self.player = Silly()

    def sign_up(self) -> str:
        return json.dumps(self.name)

    def send(self, text: str) -> None:
        self.connection.sendall(f"{text} ".encode())

    def receive(self) -> object:
        """The next message; raises EOFError when there are no more."""
        while not self.values:
            data = self.connection.recv(1 << 16)
            if not data:
                raise EOFError
            self.reader.feed(data)
            self.values += map(self.parsed, self.reader)
        return self.values.pop(0)

    def parsed(self, value: Value) -> object:
        return value.parse()

    def run(self) -> None:
        try:
            self.send(self.sign_up())
            if self.receive() != "ok":
                sys.exit("turned away")
        except EOFError:
            self.turned_away()
        try:
            while True:
                self.hear(self.receive())
        except EOFError:
            self.end()

    def turned_away(self) -> None:
        sys.exit("turned away")

    def end(self) -> None:
        sys.exit(self.status)

    def hear(self, message: Any) -> None:
        if len(message) == 4:
            self.player.start(messages.read_start(message))
        elif len(message) == 2:
            self.answer(self.choose(message))
        else:
            self.answer(self.feed(message))

    def choose(self, message: Any) -> str:
        return write_action4(self.player.choose(*messages.read_choose(message)))

    def feed(self, message: Any) -> str:
        table = configuration_or_state(message)
        choice = self.player.feed_next(state_of(table, table.players[0]))
        return "false" if choice is None else feeding_choice(choice)

    def answer(self, text: str) -> None:
        self.send(text)


if __name__ == "__main__":
    Client().run()
