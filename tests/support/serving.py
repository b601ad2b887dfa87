"""A server in a process of its own, and peers of every kind that talk to it over real sockets."""

import asyncio
import json
import re
import socket
import struct
import subprocess
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

from evolution.remote.client import connect
from evolution.remote.connection import Connection, Lost
from evolution.remote.proxy import RemoteDealer
from evolution.silly import Silly
from tests.support.helpers import BIN

PATIENCE = 120.0


class XServer:
    """An xserver that listens on a free port."""

    def __init__(self, *options: str, files: int = 1000) -> None:
        """With these options, and no more than so many files and connections."""
        self.process = subprocess.Popen(
            ["sh", "-c", f'ulimit -n {files}; exec "$@"', "sh", BIN / "xserver", "--port", "0", *options],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stderr is not None
        self.said = self.process.stderr.readline()
        found = re.fullmatch(r"xserver: listening on 127\.0\.0\.1:(\d+)\n", self.said)
        assert found, self.said + self.process.stderr.read()
        self.port = found[1]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()

    def client(self, *options: str) -> "subprocess.Popen[str]":
        """An xclient in a process of its own."""
        return subprocess.Popen(
            [BIN / "xclient", "--port", self.port, *options],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def results(self) -> list[str]:
        """Its result lines, when it has ended as it should."""
        out, err = self.process.communicate(timeout=PATIENCE)
        assert (err, self.process.returncode) == ("", 0)
        return out.splitlines()


class Peer:
    """The other end of a connection to a server, that can do as it likes."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer
        self._text = ""

    @classmethod
    async def at(cls, port: str, room: int = 0) -> "Peer":
        """A peer of the server at this port, perhaps with little room for what it is sent."""
        connected = socket.socket()
        if room:
            connected.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
        connected.setblocking(False)
        await asyncio.get_running_loop().sock_connect(connected, ("127.0.0.1", int(port)))
        return cls(*await asyncio.open_connection(sock=connected))

    async def hear(self) -> Any:
        """The next message."""
        while True:
            try:
                value, end = json.JSONDecoder().raw_decode(self._text)
            except ValueError:
                piece = await self.reader.read(1 << 16)
                assert piece, f"the server closed the connection after {self._text!r}"
                self._text += piece.decode()
            else:
                self._text = self._text[end:].lstrip()
                return value

    async def say(self, *pieces: bytes, pause: float = 0.0) -> None:
        """Send this, each piece in a segment of its own."""
        for piece in pieces:
            self.writer.write(piece)
            await self.writer.drain()
            await asyncio.sleep(pause)

    async def sign_up(self, name: str) -> None:
        """Sign up as it should be done."""
        await self.say(json.dumps(name).encode())
        assert await self.hear() == "ok"

    async def end(self) -> bytes:
        """What is still sent, up to the end of the connection."""
        try:
            return await self.reader.read()
        except ConnectionError:
            return b""

    def half_close(self) -> None:
        """Say that nothing more will be said."""
        self.writer.write_eof()

    def reset(self) -> None:
        """End the connection without a goodbye."""
        connected = self.writer.get_extra_info("socket")
        connected.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.writer.transport.abort()

    def close(self) -> None:
        """End the connection."""
        self.writer.close()


async def honest(port: str, name: str, signed_up: Callable[[], None]) -> None:
    """A Silly player that plays by the protocol until the server closes the connection."""
    connection: Connection = await connect("127.0.0.1", int(port), PATIENCE)
    dealer = RemoteDealer(Silly())
    try:
        await connection.send(json.dumps(name))
        assert await connection.receive() == "ok"
        signed_up()
        while True:
            answer = dealer.reply(await connection.receive())
            if answer is not None:
                await connection.send(answer)
    except Lost:
        pass
    finally:
        connection.abort()
