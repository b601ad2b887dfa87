"""A client that does next to nothing: started as FILE BEHAVIOUR PORT."""

import json
import socket
import sys
import time

EASIEST = b"[0,[],[],[],[]] "


def play_until(server: socket.socket, last_turn: int) -> None:
    """Decline everything, and leave when the choice of a turn is made."""
    turns = 0
    while data := server.recv(1 << 16):
        parts = len(json.loads(data))
        turns += parts == 4
        if parts != 4:
            server.sendall(EASIEST if parts == 2 else b"false ")
        if parts == 2 and turns == last_turn:
            return


def main() -> None:
    behaviour, port = sys.argv[1:]
    if behaviour == "ends":
        return
    with socket.create_connection(("127.0.0.1", int(port))) as server:
        if behaviour == "connects":
            return
        server.sendall(b'"Idle" ')
        if behaviour == "signs-up":
            return
        server.recv(1 << 16)
        if behaviour == "hears-ok":
            return
        if behaviour == "says-nothing":
            time.sleep(60)
        if behaviour == "leaves-after-its-last-answer":
            play_until(server, 6)
            return
        chosen = 0
        while data := server.recv(1 << 16):
            if data.count(b"[[") and not data.startswith(b"[0,") and data.endswith(b"]]") and chosen < 1:
                chosen += 1
                server.sendall(EASIEST)
                if behaviour == "chooses-once":
                    return


main()
