"""What the tests of grading, fests and votes share: running `harness`, and reading what it wrote."""

import json
import re
import subprocess
from pathlib import Path

from tests.support.helpers import BIN, Json

PATIENCE = 280.0


def harness(folder: Path, *arguments: str | Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [BIN / "harness", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
        stdin=subprocess.DEVNULL,
    )


def lines(path: Path) -> list[Json]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def started(done: "subprocess.CompletedProcess[str]") -> int:
    found = re.search(r"programs started: (\d+);", done.stdout)
    assert found, done.stdout + done.stderr
    return int(found[1])


def embedded(page: str) -> Json:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found
    return json.loads(found[1])
