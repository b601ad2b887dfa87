"""A client that does next to nothing: started as FILE BEHAVIOUR PORT."""

import socket
import sys
import time

EASIEST = b"[0,[],[],[],[]] "


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
        chosen = 0
        while data := server.recv(1 << 16):
            if data.count(b"[[") and not data.startswith(b"[0,") and data.endswith(b"]]") and chosen < 1:
                chosen += 1
                server.sendall(EASIEST)
                if behaviour == "chooses-once":
                    return


main()
