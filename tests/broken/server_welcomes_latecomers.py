"""Says "ok" to those who come when the game has begun."""

import threading

from tests.broken.plain_server import Server


class WelcomesLatecomers(Server):
    def begin(self) -> None:
        threading.Thread(target=self.welcome_all, daemon=True).start()

    def welcome_all(self) -> None:
        while True:
            connection, _ = self.listener.accept()
            connection.sendall(b'"ok"')
            self.late = connection


WelcomesLatecomers().run()
