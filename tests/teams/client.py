"""A client in the manner of a team: started as FILE MANNER PORT. It plays as the Silly player does."""

import json
import socket
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

from evolution.feeding import state_of
from evolution.silly import Silly
from evolution.wire import messages
from evolution.wire.action4 import write_action4
from evolution.wire.reading import configuration_or_state
from evolution.wire.writing import feeding_choice

# --- how messages are read -------------------------------------------------------------------------


def one_a_segment(server: socket.socket) -> Iterator[Any]:
    """Whatever comes at once is one message; two of them would be the end."""
    while data := server.recv(1 << 16):
        yield json.loads(data)


def the_first_of_a_segment(server: socket.socket) -> Iterator[Any]:
    """Of what comes at once, the first message; what follows is lost."""
    while data := server.recv(1 << 16):
        yield json.JSONDecoder().raw_decode(data.decode())[0]


def lines(server: socket.socket) -> Iterator[Any]:
    """Each line is a message."""
    for line in server.makefile():
        yield json.loads(line)


def byte_by_byte(server: socket.socket) -> Iterator[Any]:
    """Brackets are counted; a message is over when they are closed."""
    text, depth, quoted = "", 0, False
    while byte := server.recv(1).decode():
        text += byte
        quoted ^= byte == '"'
        depth += 0 if quoted else (byte in "[{") - (byte in "]}")
        if not depth and not quoted and text.strip():
            yield json.loads(text)
            text = ""


def buffered(size: int) -> Callable[[socket.socket], Iterator[Any]]:
    """Pieces are joined until they are messages."""

    def read(server: socket.socket) -> Iterator[Any]:
        text = ""
        while data := server.recv(size).decode():
            text += data
            while text.strip():
                try:
                    value, end = json.JSONDecoder().raw_decode(text.lstrip())
                except ValueError:
                    break
                text = text.lstrip()[end:]
                yield value

    return read


# --- how answers are written -----------------------------------------------------------------------


def alone(server: socket.socket, answer: str) -> None:
    server.sendall(answer.encode())


def on_a_line(server: socket.socket, answer: str) -> None:
    server.sendall(f"{answer}\n".encode())


def pretty(server: socket.socket, answer: str) -> None:
    server.sendall(json.dumps(json.loads(answer), indent=4).encode() + b"\n\n")


def in_two_pieces(server: socket.socket, answer: str) -> None:
    server.sendall(answer[:1].encode())
    time.sleep(0.002)
    server.sendall(answer[1:].encode() + b" ")


def labelled(server: socket.socket, answer: str) -> None:
    value = json.loads(answer)
    if isinstance(value, list) and len(value) == 5:
        value[1] = [["population", *growth] for growth in value[1]]
        value[2] = [["body", *growth] for growth in value[2]]
    server.sendall(json.dumps(value).encode())


MANNERS = {
    "trusting": (one_a_segment, alone),
    "hasty": (the_first_of_a_segment, on_a_line),
    "reading-lines": (lines, on_a_line),
    "careful": (byte_by_byte, alone),
    "by-the-book": (buffered(1 << 16), pretty),
    "slow": (buffered(7), in_two_pieces),
    "labelling": (buffered(1024), labelled),
}


def main() -> None:
    manner, port = sys.argv[1:]
    read, write = MANNERS[manner]
    player = Silly()
    with socket.create_connection(("127.0.0.1", int(port))) as server:
        server.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        write(server, json.dumps(manner))
        for message in read(server):
            if message == "ok":
                continue
            if len(message) == 4:
                player.start(messages.read_start(message))
            elif len(message) == 2:
                write(server, write_action4(player.choose(*messages.read_choose(message))))
            else:
                table = configuration_or_state(message)
                choice = player.feed_next(state_of(table, table.players[0]))
                write(server, "false" if choice is None else feeding_choice(choice))


if __name__ == "__main__":
    main()
