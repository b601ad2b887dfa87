"""A network of one's own: a namespace with nothing in it but the way back to itself.

Who enters it, and all that it starts, reach each other at 127.0.0.1 and nobody else.
"""

import fcntl
import os
import socket
import struct

CLONE_NEWUSER, CLONE_NEWNET = 0x10000000, 0x40000000
SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP = 0x8913, 0x8914, 1


def enter_own_network() -> None:
    """Let this process and all that it will start have one. It must have one thread only. Raises OSError."""
    user, group = os.getuid(), os.getgid()
    if user == 0:
        _unshare(CLONE_NEWNET)
    else:
        _unshare(CLONE_NEWUSER | CLONE_NEWNET)
        for file, text in (
            ("uid_map", f"{user} {user} 1"),
            ("setgroups", "deny"),
            ("gid_map", f"{group} {group} 1"),
        ):
            with open(f"/proc/self/{file}", "w") as opened:
                opened.write(text)
    with socket.socket() as any_socket:
        request = struct.pack("16sH14x", b"lo", 0)
        (flags,) = struct.unpack_from("H", fcntl.ioctl(any_socket, SIOCGIFFLAGS, request), 16)
        fcntl.ioctl(any_socket, SIOCSIFFLAGS, struct.pack("16sH14x", b"lo", flags | IFF_UP))


def is_own_address(host: str) -> bool:
    """Whether a name or address is one that a machine has for itself."""
    return host in ("localhost", "::1") or host.startswith("127.")


def _unshare(flags: int) -> None:
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(flags):
        raise OSError(
            ctypes.get_errno(), f"cannot make a network of its own: {os.strerror(ctypes.get_errno())}"
        )
