"""A server in the manner of a team: started as FILE MANNER PORT PLAYERS TIMEOUT."""

import json
import select
import sys
import time

from tests.broken.plain_server import Guest, RudeError, Server


class OneASegment(Guest):
    """Takes whatever comes at once for the answer, and sends messages on lines."""

    def tell(self, message: str) -> None:
        time.sleep(0.002)
        self.connection.sendall(f"{message}\n".encode())

    def receive(self, deadline: float) -> object:
        self.connection.settimeout(max(0.001, deadline - time.monotonic()))
        try:
            return json.loads(self.connection.recv(1 << 16).decode())
        except (ValueError, OSError) as problem:
            raise RudeError(str(problem)) from None


class Lines(Guest):
    """Reads lines, and pretty-prints its messages."""

    def tell(self, message: str) -> None:
        time.sleep(0.002)
        self.connection.sendall(json.dumps(json.loads(message), indent=1).encode())

    def receive(self, deadline: float) -> object:
        line = b""
        while not line.endswith(b"\n"):
            self.connection.settimeout(max(0.001, deadline - time.monotonic()))
            try:
                data = self.connection.recv(1)
            except OSError as problem:
                raise RudeError(str(problem)) from None
            if not data:
                raise RudeError("it is gone")
            line = (line + data).lstrip()
        return json.loads(line)


class NeedsAByte(Guest):
    """Takes a number for complete when something follows."""

    def receive(self, deadline: float) -> object:
        while True:
            for value in self.reader:
                return value.parse()
            self.connection.settimeout(max(0.001, deadline - time.monotonic()))
            try:
                data = self.connection.recv(1 << 16)
            except OSError as problem:
                raise RudeError(str(problem)) from None
            if not data:
                raise RudeError("it is gone")
            self.reader.feed(data)


class BreaksOnAByte(OneASegment):
    """Takes whatever follows an answer for a second one."""

    def tell(self, message: str) -> None:
        if select.select([self.connection], [], [], 0.002)[0]:
            raise RudeError("it spoke unasked")
        self.connection.sendall(message.encode())

    def receive(self, deadline: float) -> object:
        self.connection.settimeout(max(0.001, deadline - time.monotonic()))
        try:
            text = self.connection.recv(1 << 16).decode()
        except OSError as problem:
            raise RudeError(str(problem)) from None
        if text != text.strip():
            raise RudeError("white space")
        return json.loads(text)

    def ask(self, message: str, read: object) -> object:
        self.tell(message)
        return read(self.receive(time.monotonic() + self.timeout))  # type: ignore[operator]


class InPieces(Guest):
    """Sends its messages in pieces."""

    def tell(self, message: str) -> None:
        self.check_silence()
        for at in range(0, len(message), 40):
            self.connection.sendall(message[at : at + 40].encode())
            time.sleep(0.0005)


MANNERS = {
    "plain": Guest,
    "one-a-segment": OneASegment,
    "lines": Lines,
    "needs-a-byte": NeedsAByte,
    "breaks-on-a-byte": BreaksOnAByte,
    "in-pieces": InPieces,
}


if __name__ == "__main__":
    Server.guest = MANNERS[sys.argv.pop(1)]
    Server().run()
