"""Ends with an exit status that means failure."""

from tests.broken.plain_server import Server


class EndsWithStatus3(Server):
    status = 3


EndsWithStatus3().run()
