"""Ends with an exit status that means failure."""

from tests.broken.plain_client import Client


class Status3(Client):
    status = 3


Status3().run()
