"""docs/harness.md, written by the commands that it is about: `make docs` does it.

Each command is shown with its help and with what it really prints. A test sees that the page is what
would be written now.
"""

from harness.cli.group import COMMANDS
from tests.support.console import Command, outputs
from tests.support.helpers import ROOT

PAGE = "docs/harness.md"

HEAD = """\
# The harness command

Every subcommand, with its help and with what it prints. The examples are run on the three cases and two
programs of `docs/example/`: an `xattack` to which everything can be attacked, and an `xstep` that does
nothing. `make docs` writes this page anew.

```console
{help}```

"""

RUN = "bin/harness run -j 1 --bin docs/example/bin docs/example/cases"

# For each command, sentences and what is typed to show it. Nothing may depend on where the checkout is or
# how long something takes.
EXAMPLES: dict[str, list[tuple[str, list[str]]]] = {
    "run": [
        (
            "Two of the three cases fail, each with the difference in words:",
            [f'{RUN} --failures-only | grep -v "see it again"'],
        ),
        (
            "With `--explain`, what the rules make of it stands below:",
            [f'{RUN} -k xattack --explain | grep -A 2 "by the rules"'],
        ),
    ],
    "report": [
        (
            "The same words as those of the run, from its journal:",
            [
                "journal=$(mktemp -u)",
                f"{RUN} --json $journal > /dev/null",
                'bin/harness report $journal -k xattack --failures-only | grep -v "see it again"',
                "bin/harness report $journal --junit - 2> /dev/null | head -n 2 | cut -c 1-60",
            ],
        )
    ],
    "cases": [
        (
            "What is written out is yours to edit, and to run:",
            [
                "bin/harness cases",
                "mine=$(mktemp -d)",
                "bin/harness cases --copy $mine > /dev/null",
                "bin/harness run --failures-only $mine/xattack",
            ],
        )
    ],
    "rules": [
        ("What a message means that refers to rules 2.4:", ["bin/harness rules 2.4"]),
        ("A word of a title leads to its number:", ["bin/harness rules herding"]),
    ],
    "explain": [("", ["bin/harness explain docs/example/cases/xattack/hard-shell-difference-three"])],
    "show": [
        (
            "What differs is marked in both pictures:",
            [
                "bin/harness show docs/example/cases/xstep/attack-takes-population-and-feeds "
                "--bin docs/example/bin"
            ],
        )
    ],
    "shrink": [
        (
            "",
            [
                "bin/harness shrink docs/example/cases/xstep/attack-takes-population-and-feeds "
                "docs/example/bin/xstep"
            ],
        )
    ],
    "dialect": [("", ["bin/harness dialect docs/example/bin"])],
    "diff": [
        (
            "",
            [
                "docs/example/bin/xstep < docs/example/cases/xstep/attack-takes-population-and-feeds-in.json "
                "| bin/harness diff docs/example/cases/xstep/attack-takes-population-and-feeds-out.json -"
            ],
        )
    ],
    "check": [("", ["bin/harness check docs/example/cases"])],
    "bless": [
        (
            "Nothing is written here, because the rules and the cases agree:",
            ["bin/harness bless docs/example/cases"],
        ),
        (
            "What the `xstep` of the example would make of the case:",
            ["bin/harness bless --dry-run --program docs/example/bin/xstep docs/example/cases/xstep"],
        ),
    ],
    "chaff": [("", ["bin/harness chaff docs/example/cases | tail -n 1"])],
    "generate": [("", ["bin/harness generate xattack -n 2 --seed 1"])],
    "fuzz": [
        (
            "The first of what it finds in the example:",
            [
                "found=$(mktemp -d)",
                "bin/harness fuzz docs/example/bin/xattack --cases 100 -o $found | grep '^1\\.'",
            ],
        )
    ],
    "convert": [
        (
            "",
            [
                'echo \'[[[["id",1],["species",[]],["bag",2]]],3,[]]\' '
                "| bin/harness convert --from configuration --to cardwise --lossy"
            ],
        )
    ],
    "grade": [
        (
            "",
            [
                "grades=$(mktemp -d)",
                "bin/harness grade docs/example --suite docs/example/cases --out $grades | head -n 8",
                "ls $grades",
            ],
        )
    ],
    "fest": [
        (
            "Two teams that are the same find nothing in each other that they do not have themselves:",
            [
                "fest=$(mktemp -d)",
                "mkdir $fest/a && cp -r docs/example/bin $fest/a && cp -r docs/example/cases $fest/a/tests",
                "cp -r $fest/a $fest/b",
                "bin/harness fest $fest/a $fest/b --out $fest/out | head -n 3",
            ],
        )
    ],
    "vote": [("", ["bin/harness vote docs/example/cases/xattack docs/example"])],
    "tournament": [
        (
            "What has been played, and how evenly it was shared out:",
            [
                "out=$(mktemp -d)",
                "bin/harness tournament silly silly silly silly --games 8 --out $out | head -n 2",
            ],
        )
    ],
    "remote": [("", ["bin/harness remote --list | head -n 5"])],
    "watch": [],
    "doctor": [
        (
            "Of all that it prints, the line about the interpreter that the two programs name:",
            ["bin/harness doctor docs/example/bin | grep -o '.*  /bin/sh  '"],
        )
    ],
    "ci": [("", ["bin/harness ci gitlab --install 'pip install evolution-harness' tests"])],
    "completion": [("", ["bin/harness completion bash | head -n 3"])],
    "help": [("", ["bin/harness help", "bin/harness help comparing"])],
}


def console(commands: list[str]) -> str:
    """What is typed and what comes back, as a page shows it."""
    printed = outputs([Command(line, []) for line in commands])
    shown = ["\n".join([f"$ {line}", *answer]) for line, answer in zip(commands, printed, strict=True)]
    return "\n".join(shown) + "\n"


def section(name: str) -> str:
    """The part of the page about one command."""
    parts = [f"## harness {name}\n", f"```console\n{console([f'bin/harness {name} --help'])}```\n"]
    for sentence, commands in EXAMPLES.get(name, []):
        parts += [f"{sentence}\n"] if sentence else []
        parts.append(f"```console\n{console(commands)}```\n")
    return "\n".join(parts)


def page() -> str:
    """The whole page as it should be."""
    head = HEAD.format(help=console(["bin/harness --help"]))
    return head + "\n".join(section(name) for name in COMMANDS)


def main() -> None:
    """Write the page."""
    (ROOT / PAGE).write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
