"""Which cluster is meant, and whether it may be used: a plain connection is for this machine alone."""

import json
import os
from typing import NamedTuple

from harness.errors import UserError, WrongUse
from harness.files import read_file
from harness.grading.teams import readable
from harness.text import number_in

LOCAL = "local"
MOST_LOCAL = 1024
TLS_FILES = {"tls_ca_file": "ca.pem", "tls_client_cert": "cert.pem", "tls_client_key": "key.pem"}
SCHEMES = ("tcp", "tls")
FORMS = "an address such as tcp://127.0.0.1:8786, a scheduler file, or local or local:4"
WHOEVER = "whoever reaches a scheduler over plain TCP can run code on all its machines"


class Cluster(NamedTuple):
    """A cluster to grade on: the address of its scheduler, or so many workers that are started here.

    tls: the folder with the certificates, if there are any.
    """

    address: str = ""
    local: int = 0
    tls: str = ""

    def __str__(self) -> str:
        return readable(self.address) or f"{LOCAL}:{self.local}"


def cluster_at(text: str, tls: str = "", insecure: bool = False, cores: int = 1) -> Cluster:
    """The cluster that an address, a file or a word names. Raises WrongUse, or UserError for a bad file."""
    _check_tls(tls)
    word, colon, count = text.partition(":")
    if word == LOCAL and "/" not in text:
        if tls:
            raise WrongUse("--cluster-tls is for other machines; local workers need none")
        number = number_in(count)
        if colon and not 1 <= number <= MOST_LOCAL:
            raise WrongUse(f"--cluster: {readable(text)}: write local:N with N from 1 to {MOST_LOCAL}")
        return Cluster(local=number if colon else cores)
    address = _address_in(text) if os.path.isfile(text) else text
    scheme, mark, rest = address.rpartition("://")
    host, colon, port = rest.rpartition(":")
    if not host or (mark and scheme not in SCHEMES) or not 0 < number_in(port) < 65536:
        raise WrongUse(f"--cluster: {readable(address)} is not known; name {FORMS}")
    is_encrypted = scheme == "tls" or bool(tls)
    if scheme == "tls" and not tls:
        raise WrongUse("--cluster: tls:// needs certificates; --cluster-tls DIR says where they are")
    if scheme == "tcp" and tls:
        raise WrongUse("--cluster: tcp:// is a plain connection; with --cluster-tls it is tls://")
    if not is_encrypted and not is_loopback(host) and not insecure:
        raise WrongUse(
            f"--cluster: {readable(host)} is another machine, and {WHOEVER}; "
            "give certificates with --cluster-tls DIR, or say --insecure if nobody else reaches it"
        )
    return Cluster(f"{'tls' if is_encrypted else 'tcp'}://{rest}", tls=tls)


def is_loopback(host: str) -> bool:
    """Whether a host is this machine, by its address; of names, only localhost."""
    from ipaddress import ip_address

    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def _address_in(path: str) -> str:
    """The address that a scheduler file says."""
    try:
        address = json.loads(read_file(path))["address"]
    except OSError as problem:
        raise UserError(f"{readable(path)}: {problem.strerror}") from None
    except (ValueError, KeyError, TypeError, RecursionError):
        raise UserError(f"{readable(path)}: not a scheduler file: it has no address") from None
    if not isinstance(address, str):
        raise UserError(f"{readable(path)}: address: it is not text")
    return address


def _check_tls(folder: str) -> None:
    if folder and not os.path.isdir(folder):
        raise WrongUse(f"--cluster-tls: {readable(folder)} is not a directory")
    needed = TLS_FILES.values() if folder else ()
    for name in needed:
        if not os.path.isfile(os.path.join(folder, name)):
            told = f"there is no {name} in {readable(folder)}; it needs {', '.join(needed)}"
            raise WrongUse(f"--cluster-tls: {told}")
