"""Players of all designs at one table over the network: real processes, and the same end as at home."""

import re
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.games.test_designs import EXAMPLES, word, xmain
from tests.support.helpers import BIN, ROOT

PATIENCE = 300  # seconds; a busy machine takes its time
WORDS = {name: word(design) for design, (_, name) in EXAMPLES.items()}
WORDS |= {"Modest": "docs/modest.py:Modest", "silly": "silly"}
LINE = re.compile(r'(\d) player id: (\d) score: (\d+) name: "(\w+)"')


@pytest.fixture
def processes() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def start(processes: ExitStack, *command: str | Path) -> "subprocess.Popen[str]":
    process = subprocess.Popen(
        command, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL
    )
    processes.callback(process.communicate)
    processes.callback(process.kill)
    return process


def serve(processes: ExitStack, seed: str, *options: str) -> "tuple[subprocess.Popen[str], str]":
    """A server for a game of five, and its port."""
    server = start(
        processes, BIN / "xserver", "--port", "0", "--min", "5", "--max", "5",
        "--timeout", "60", "--seed", seed, *options,
    )  # fmt: skip
    assert server.stderr is not None
    said = server.stderr.readline()
    return server, said.strip().rpartition(":")[2]


@pytest.mark.long
@pytest.mark.parametrize("seed", ["6", "11"])
def test_a_mixed_table_ends_over_the_network_as_it_ends_here(processes: ExitStack, seed: str) -> None:
    server, port = serve(processes, seed)
    clients = [
        start(
            processes, BIN / "xclient", "--port", port, "--wait", "60", "--timeout", "60", "--player", player
        )
        for player in WORDS.values()
    ]
    out, _ = server.communicate(timeout=PATIENCE)
    assert [client.wait(PATIENCE) for client in clients] == [0] * 5
    found = [LINE.fullmatch(line) for line in out.splitlines()]
    lines = [line for line in found if line is not None]
    assert len(lines) == 5, out
    # Whoever signs up first sits first: at home they are given the same seats.
    seated = sorted((line[2], line[4]) for line in lines)
    here = xmain("--seed", seed, "--players", ",".join(WORDS[name] for _, name in seated))
    assert here.stdout == "".join(f"{line[1]} player id: {line[2]} score: {line[3]}\n" for line in lines)


CHEATS = """
import sys

sys.path.insert(0, {examples!r})
from cardwise import Breeder
from stepwise import Settler


class Hasty(Settler):
    def select_species_order(self, boards, player, opponents):
        return [1, 0]


class Keeps(Breeder):
    def use_cards(self, hand):
        return []
"""


def test_a_client_says_what_was_wrong_with_its_player_and_the_others_finish(
    processes: ExitStack, tmp_path: Path
) -> None:
    file = tmp_path / "cheats.py"
    file.write_text(CHEATS.format(examples=str(ROOT / "docs" / "players")))
    server, port = serve(processes, "6", "--bots", "3")
    hasty, keeps = (
        start(
            processes, BIN / "xclient", "--port", port, "--wait", "60", "--timeout", "60", "--player", player
        )
        for player in (f"stepwise:{file}:Hasty", f"cardwise:{file}:Keeps")
    )
    out, _ = server.communicate(timeout=PATIENCE)
    _, said = hasty.communicate(timeout=PATIENCE)
    assert hasty.returncode == 1
    assert said == "xclient: the player: select_species_order: the boards stay in their order, [0, 1]\n"
    _, said = keeps.communicate(timeout=PATIENCE)
    assert keeps.returncode == 0, said
    assert said.splitlines()[0].startswith("Keeps: use_cards: the hand has 4 cards, but there are 0 actions")
    assert len([line for line in out.splitlines() if " score: " in line]) == 4, out
    assert 'name: "Hasty"' in out.splitlines()[-1]
    assert "thrown out" in out.splitlines()[-1]
