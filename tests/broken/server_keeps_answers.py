"""Takes what a client says too much for its next answer."""

from tests.broken.plain_server import Guest, Server


class Keeps(Guest):
    def check_silence(self) -> None:
        pass

    def ask(self, message: str, read: object) -> object:
        self.tell(message)
        import time

        return read(self.receive(time.monotonic() + self.timeout))  # type: ignore[operator]


class KeepsAnswers(Server):
    guest = Keeps


KeepsAnswers().run()
