"""Cannot read a message that is spread over several lines."""

from tests.broken.plain_client import Client


class Stops(Client):
    def receive(self) -> object:
        while not self.values:
            data = self.connection.recv(1 << 16)
            if not data:
                raise EOFError
            self.reader.feed(data)
            for value in self.reader:
                if b"\n" in value.data:
                    raise SystemExit(f"not a message: {value.data[:20]!r}")
                self.values.append(value.parse())
        return self.values.pop(0)


Stops().run()
