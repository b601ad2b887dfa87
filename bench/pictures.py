"""Pictures: a table as SVG and as text, against reading and writing its JSON; and what they cost a page.

The table has 8 players with 5 boards of 3 traits each; all cards are in hands of 6 and in the deck. All is
measured in rounds, so that a slow moment of the machine hits all alike. The page has 20,000 results; it is
opened in a browser with what draws pictures in it, and without. The page of a game has 8 players, all Silly,
or all of them spending every card on boards; the largest of some decks counts.
"""

import re
import tempfile
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter

from bench import print_table
from evolution.actions import Action4
from evolution.cards import shuffled_deck
from evolution.game import Game
from evolution.picture import draw
from evolution.player import Start
from evolution.silly import Silly
from evolution.species import Species
from evolution.table import Player, Table
from evolution.traits import TRAITS
from evolution.wire import reading, writing
from evolution.wire.text import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

ROUNDS = 60
AT_ONCE = 5
MOST_RATIO = 5
MOST_BYTES = 40_000
DECKS = 20
MOST_PAGE = 2_000_000


def full_table() -> Table:
    """A table as large as they get."""
    random, deck = Random(1), shuffled_deck(1)
    names = sorted(TRAITS)

    def board() -> Species:
        traits = random.sample(names, 3)
        population, body = random.randint(1, 7), random.randint(0, 7)
        fat = random.randint(0, body) if "fat-tissue" in traits else 0
        return Species(random.randint(0, population), body, population, traits, fat)

    players = [
        Player(at, [board() for _ in range(5)], 40, [deck.pop() for _ in range(6)]) for at in range(1, 9)
    ]
    return Table(players, 18, deck)


def seconds(work: "Callable[[], object]") -> float:
    """How long it takes, a few times in a row."""
    start = perf_counter()
    for _ in range(AT_ONCE):
        work()
    return (perf_counter() - start) / AT_ONCE


def side_by_side() -> None:
    """A table in all its forms."""
    table = full_table()
    data = writing.configuration(table).encode()
    after = reading.configuration(parse(data))
    after.players[0].boards[0].food = 0
    work: dict[str, Callable[[], str]] = {
        "JSON, read and written": lambda: writing.configuration(reading.configuration(parse(data))),
        "SVG": lambda: draw(table).svg,
        "SVG, changes marked": lambda: draw(after, since=table).svg,
        "text": lambda: draw(table).text(),
    }
    times: dict[str, list[float]] = {name: [] for name in work}
    for number in range(1 + ROUNDS):
        for name, one in work.items():
            taken = seconds(one)
            if number:
                times[name].append(taken)
    unit = median(times["JSON, read and written"])
    rows = [
        [
            name,
            f"{median(taken) * 1000:.2f}",
            f"{median(taken) / unit:.1f}",
            f"{len(work[name]().encode()) / 1000:.1f}",
        ]
        for name, taken in times.items()
    ]
    print_table([f"8 players, 5 boards each; {ROUNDS} rounds", "median ms", "ratio", "kB"], rows)
    print(f"allowed for SVG: ratio {MOST_RATIO}, {MOST_BYTES / 1000:.0f} kB")


SCRIPT = re.compile(r"// Pictures of tables.*?^}\)\(\);$", re.DOTALL | re.MULTILINE)
SYMBOLS = re.compile(r'<svg class="e-picture symbols".*?</svg>', re.DOTALL)
POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy"[^>]*>')
OPENINGS = 8


def opened() -> None:
    """A page of many results, with what draws pictures and without."""
    from playwright.sync_api import sync_playwright

    from bench.reports import RESULTS, taken, write_journal
    from tests.support.capabilities import browser

    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        taken(write_journal(Path(name)), {"html": f"{name}/page.html"})
        # Without its policy, which knows the fingerprint of the whole script.
        page = POLICY.sub("", Path(name, "page.html").read_text())
        pages = {"without pictures": SYMBOLS.sub("", SCRIPT.sub("", page)), "with pictures": page}
        assert len(pages["without pictures"]) < len(page) - 20_000
        for kind, text in pages.items():
            Path(name, f"{kind}.html").write_text(text)
        chromium = playwright.chromium.launch(executable_path=browser(), args=["--no-sandbox"])
        times: dict[str, list[float]] = {kind: [] for kind in pages}
        for number in range(1 + OPENINGS):
            for kind in pages:
                tab = chromium.new_page()
                start = perf_counter()
                tab.goto(Path(name, f"{kind}.html").as_uri())
                tab.locator(".case").first.wait_for()
                if number:
                    times[kind].append(perf_counter() - start)
                tab.close()
        chromium.close()
    unit = median(times["without pictures"])
    rows = [
        [kind, f"{median(found) * 1000:.0f}", f"{median(found) / unit:.2f}", f"{len(pages[kind]) / 1e6:.2f}"]
        for kind, found in times.items()
    ]
    print_table([f"a page of {RESULTS} results opens", "median ms", "ratio", "MB"], rows)


class Spender(Silly):
    """A player that makes a board of every two cards, so that there is much to see and to tell."""

    def start(self, view: Start) -> None:
        """Remember how many cards there are."""
        self._cards = len(view.hand)
        super().start(view)

    def choose(self, before: "list[list[Species]]", after: "list[list[Species]]") -> Action4:
        """A food card, and boards for the others."""
        rows = [[*range(first, min(first + 2, self._cards))] for first in range(1, self._cards, 2)]
        return Action4(0, new_boards=rows)


def whole_games() -> None:
    """The pages of whole games."""
    from harness.games.steps import DEALER, GameSteps
    from harness.report.game import game_page

    rows = []
    for kind in (Silly, Spender):
        sizes = []
        for seed in range(DECKS):
            steps: list[dict[str, object]] = []
            watching = GameSteps([kind.__name__] * 8, DEALER, steps.append)
            Game([kind() for _ in range(8)], shuffled_deck(seed), watching).play()
            sizes.append((len(game_page(DEALER, steps)), len(steps)))
        size, count = max(sizes)
        rows.append([f"8 {kind.__name__}s", str(count), f"{size / 1e6:.2f}"])
    print_table([f"the page of a game, the largest of {DECKS} decks", "steps", "MB"], rows)
    print(f"allowed: {MOST_PAGE / 1e6:.0f} MB")


def main() -> None:
    """Measure and print."""
    side_by_side()
    print()
    whole_games()
    print()
    opened()
