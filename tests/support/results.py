"""A run with every verdict and hostile output in it, for the tests of the reports."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

from tests.support.helpers import BIN

HARNESS = BIN / "harness"
CASES = 300

# What it does says its input. A shell starts fast, so that time limits may be short on a slow machine.
ODD = r"""#!/bin/sh
read -r what
case $what in
*pass*) echo "$what" ;;
*wrong*) echo '["other",1]' ;;
*silent*) echo 'a reason, or none' >&2 ;;
*twice*) echo "$what"; echo "$what" ;;
*aborts*) kill -ABRT $$ ;;
*forever*) while :; do :; done ;;
*greedy*) head -c 200000000 /dev/zero | tail >/dev/null ;;
*chatty*) yes ;;
*tags*)
    printf '<script>window.owned = 1</script></script><img src=x onerror=window.owned=1>'
    printf '</script ><b>\n' ;;
*escapes*) printf '\033[2J\033]0;owned\007\r\b\0\001 \342\200\256 \342\200\250 \377\376\n' ;;
*cdata*) printf ']]>&amp;&lt;<!--{{ 7*7 }}\n' >&2; printf '"\\ud800' ;;
*tap*) printf '...\nok 1 - owned\n1..1\nBail out! owned\n  ---\n# TODO owned\n' ;;
*commands*) printf '::error::owned\n::set-output name=a::b\n##[error]owned\n%%0A%%25\n```\n````\n' ;;
*long*) head -c 1000000 /dev/zero | tr '\0' x ;;
esac
"""

# How many cases of each kind, and the verdict on them. The rest passes.
KINDS = {
    "wrong": (30, "wrong answer"),
    "silent": (8, "no output"),
    "twice": (5, "too many values"),
    "aborts": (4, "crashed"),
    "forever": (1, "timeout"),
    "greedy": (2, "memory"),
    "chatty": (2, "too much output"),
    "tags": (3, "not JSON"),
    "escapes": (3, "not JSON"),
    "cdata": (3, "not JSON"),
    "tap": (3, "not JSON"),
    "commands": (3, "not JSON"),
    "long": (3, "not JSON"),
}
ODD_NAMES = [
    "quote \" and ' apostrophe",
    "<b> & ]]> {{ name }}",
    "hash # TODO and back\\slash",
    "percent %0A, colon: comma",
    "naïve ☂ \u202e",
    "new\nline",
    "::error::owned",
    "| pipe `tick` *star* _under_",
]
# An action with a card that nobody has.
SEATS = ",".join(
    f'[["id",{number}],["species",[]],["bag",0],["cards",[[{number},"horns"]]]]' for number in (1, 2, 3)
)
ILLEGAL = f"[[[{SEATS}],0,[]],[[1,[],[],[],[]],[0,[],[],[],[]],[0,[],[],[],[]]]]"
# An input that not everybody reads.
EMPTY_STORE = [["food", 0], ["body", 1], ["population", 1], ["traits", ["fat-tissue"]], ["fat-food", 0]]
GENEROUS = [EMPTY_STORE, EMPTY_STORE, False, False]
ODD_FOLDER = "<img src=x onerror=window.owned=1> & | `tick`"


class Results(NamedTuple):
    """Where a run was, what it said, and what its verdicts must be."""

    place: Path
    done: "subprocess.CompletedProcess[str]"
    counts: dict[str, int]

    def file(self, name: str) -> Path:
        return self.place / name


def case(stem: Path, given: str, expected: str) -> None:
    stem.parent.mkdir(parents=True, exist_ok=True)
    stem.with_name(f"{stem.name}-in.json").write_text(given)
    stem.with_name(f"{stem.name}-out.json").write_text(expected)


def program(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)


def write_cases(place: Path) -> dict[str, int]:
    """Programs and 300 cases; how often each verdict must come out of them."""
    program(place / "bin" / "odd", ODD)
    program(place / "bin" / "gone", "#!/nowhere/at/all\n")
    cases = place / "cases"
    counts: dict[str, int] = {}

    def add(folder: str, name: str, kind: str, verdict: str) -> None:
        case(cases / folder / name, f'["{kind}",0]\n', f'["{kind}",0]\n')
        counts[verdict] = counts.get(verdict, 0) + 1

    for kind, (many, verdict) in KINDS.items():
        for number in range(many):
            add(f"odd/{kind}", f"{kind}-{number}", kind, verdict)
    for name in ODD_NAMES:
        add(f"odd/{ODD_FOLDER}", name, "wrong", "wrong answer")
    add("gone", "never", "pass", "could not start")
    program(place / "bin" / "xstep4", "#!/bin/sh\n")
    case(cases / "xstep4" / "illegal", ILLEGAL, "")
    program(place / "bin" / "xattack", "#!/bin/sh\necho false\n")
    for name in ("true", "false"):
        case(cases / "xattack" / name, "[]", name)
    counts["undeserved pass"] = counts["constant answer"] = 1
    counts["wrong answer"] += 1
    (cases / "odd" / "half-in.json").write_text("1")
    counts["broken case"] = 1
    for number in range(3):
        add("odd/known", f"failing-{number}", "wrong", "known failure")
    add("odd/known", "mended", "pass", "unexpected pass")
    listed = ["failing-0", "failing-1", "failing-2", "mended"]
    (cases / "odd" / "known" / "known-failures.txt").write_text("\n".join(listed))
    for number in range(2):
        case(cases / "xattack" / f"generous-{number}", json.dumps(GENEROUS), "true")
    counts["withheld"] = 2
    for number in range(CASES - sum(counts.values())):
        add(f"odd/plain{number % 3}", f"passing-{number}", "pass", "pass")
    return counts


def environment(place: Path, **more: str) -> dict[str, str]:
    """The environment for a run: with a memory of its own, and nothing of GitHub's."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GITHUB_")}
    return {**kept, "XDG_CACHE_HOME": str(place / "cache"), **more}


def harness(place: Path, *arguments: str, **more: Any) -> "subprocess.CompletedProcess[str]":
    """One call of harness from that place."""
    options: dict[str, Any] = {"env": environment(place), "timeout": 300, **more}
    return subprocess.run(
        [HARNESS, *arguments], cwd=place, capture_output=True, text=True, check=False, **options
    )


DIALECT = ("--dialect", "common")
REPORTS = ("--junit", "junit.xml", "--tap", "results.tap", "--html", "page.html", "--github")


def run_everything(place: Path) -> Results:
    """The run, with all reports at once, and the journal."""
    counts = write_cases(place)
    limits = (
        "--twins",
        "--json",
        "journal",
        "--timeout",
        "3",
        "--memory",
        "32",
        "--output",
        "2048",
        "--sandbox",
        "off",
    )
    summary = environment(place, GITHUB_STEP_SUMMARY=str(place / "summary.md"))
    done = harness(place, "run", "--bin", "bin", "cases", *limits, *DIALECT, *REPORTS, env=summary)
    return Results(place, done, counts)
