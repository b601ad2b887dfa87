"""The examples of the documentation, run as they are written.

A console block is what is typed into a shell at the top of the checkout, and what comes back. A
line that begins with `$ ` is a command; it goes on as long as a quote or a here-document is open.
The lines up to the next command are what it prints, standard output and standard error as a
terminal shows them. A line `...` stands for any lines, if a time is among them. A python block is
a doctest. Whatever is neither says so: there are no blocks without a language. Only the two
commands that set up a checkout and run this test are not run.
"""

import doctest
import re
from typing import NamedTuple

import pytest

from tests.support.console import Command, lines, outputs
from tests.support.helpers import PROGRAMS, ROOT

PAGES = ["README.md", *sorted(f"docs/{page.name}" for page in (ROOT / "docs").glob("*.md"))]
TOURS = ["docs/tour.md", "docs/formats.md"]  # these show every program
LANGUAGES = {"console", "python", "text"}  # text is shown, and not run
SETUP = {"$ make\n", "$ make test\n"}
FENCE = re.compile(r"^```(.*)\n((?:.*\n)*?)```$", re.MULTILINE)
HERE_DOCUMENT = re.compile(r"<<\s*'?(\w+)'?")
# What takes long is said by other tests as well: those of all scenarios, of the score of test-fixtures/,
# of sets that cover everything, of what a search finds, and of each thing that a class is graded by.
LONG = (
    "bin/harness generate xattack --cover",
    "harness fuzz xattack --cases 70",
    "harness grade --init",
    "harness tournament silly",
    "bin/harness misreadings",
    "--gradescope",
    "bin/harness remote --quick --failures-only \\\n      --server",
    "bin/harness chaff test-fixtures --per-program",
)
TIME = re.compile(r"\d ?(?:s|ms|seconds)\b")


class Block(NamedTuple):
    """A fenced block: where it stands, its language and its text."""

    place: str
    language: str
    text: str


def read(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def blocks(page: str) -> list[Block]:
    text = read(page)
    return [
        Block(f"{page}:{text.count(chr(10), 0, fence.start()) + 1}", fence[1], fence[2])
        for fence in FENCE.finditer(text)
    ]


BLOCKS = [block for page in PAGES for block in blocks(page)]


def is_open(command: str) -> bool:
    """Whether a shell would wait for more lines of this command."""
    here = HERE_DOCUMENT.search(command)
    if here:
        return here[1] not in command.split("\n")[1:]
    return command.count("'") % 2 == 1 or command.endswith("\\")


def commands(block: Block) -> list[Command]:
    found: list[Command] = []
    for line in lines(block.text):
        if found and is_open(found[-1].text):
            found[-1] = Command(f"{found[-1].text}\n{line}", [])
        elif line.startswith("$ "):
            found.append(Command(line.removeprefix("$ "), []))
        else:
            assert found, f"{block.place}: begins with output, not with a command"
            found[-1].output.append(line)
    assert found, f"{block.place}: has no commands"
    assert not is_open(found[-1].text), f"{block.place}: a quote or a here-document stays open"
    return found


def agree(written: list[str], printed: list[str]) -> bool:
    """Whether the page shows what was printed."""
    if "..." not in written:
        return written == printed
    at = written.index("...")
    rest = written[at + 1 :]
    return written[:at] == printed[:at] and any(
        TIME.search("\n".join(printed[at:end])) and agree(rest, printed[end:])
        for end in range(at + 1, len(printed) + 1)
    )


def of_language(language: str) -> pytest.MarkDecorator:
    chosen = [block for block in BLOCKS if block.language == language and block.text not in SETUP]
    blocks = [pytest.param(block, id=block.place, marks=marks(at, block)) for at, block in enumerate(chosen)]
    return pytest.mark.parametrize("block", blocks)


def marks(at: int, block: Block) -> list[pytest.MarkDecorator]:
    """What an example needs, and whether it is long: one that takes long, and half of those in docs/."""
    found = []
    if "sandbox: no network" in block.text:
        found.append(pytest.mark.needs("sandbox"))
    is_one_of_many = block.language == "console" and block.place.startswith("docs/") and at % 2
    if is_one_of_many or any(words in block.text for words in LONG):
        found.append(pytest.mark.long)
    return found


@of_language("console")
def test_a_console_block_prints_what_the_page_shows(block: Block) -> None:
    typed = commands(block)
    for command, printed in zip(typed, outputs(typed), strict=True):
        assert agree(command.output, printed), (
            f"{block.place}: $ {command.text}\nthe page shows:\n"
            + "\n".join(command.output)
            + "\nbut it prints:\n"
            + "\n".join(printed)
            + ("\nif that is right, type: make docs" if "harness.md" in block.place else "")
        )


@of_language("python")
def test_a_python_example_holds(block: Block) -> None:
    example = doctest.DocTestParser().get_doctest(block.text, {}, block.place, block.place, 0)
    assert example.examples, f"{block.place}: has no >>> lines"
    said: list[str] = []
    doctest.DocTestRunner(verbose=False).run(example, out=said.append)
    assert said == []


def test_every_block_says_what_it_is() -> None:
    assert [block.place for block in BLOCKS if block.language not in LANGUAGES] == []


@pytest.mark.parametrize("page", PAGES)
def test_every_fence_is_closed(page: str) -> None:
    fences = re.findall(r"^ *```", read(page), re.MULTILINE)
    assert len(fences) == 2 * len(blocks(page))


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("page", TOURS)
def test_every_page_shows_every_program(page: str, program: str) -> None:
    shown = [
        command.text for block in blocks(page) if block.language == "console" for command in commands(block)
    ]
    assert any(re.search(rf"\bbin/{program}\b", command) for command in shown)


# --- the reader of the pages itself ----------------------------------------------------------


def typed(text: str) -> list[Command]:
    return commands(Block("here", "console", text))


def test_a_command_goes_on_while_something_is_open() -> None:
    assert typed("$ cat <<'END'\na\n$ b\nEND\na\n$ echo 'x\ny'\nx\ny\n") == [
        Command("cat <<'END'\na\n$ b\nEND", ["a"]),
        Command("echo 'x\ny'", ["x", "y"]),
    ]


def test_a_block_is_typed_into_one_shell() -> None:
    assert outputs(typed("$ (exit 7)\n$ echo $?\n$ echo a; echo b >&2\n")) == [[], ["7"], ["a", "b"]]
    assert outputs(typed("$ printf a\n")) == [["a (and no newline)"]]


@pytest.mark.parametrize("text", ["", "true\n", "$ echo 'a\n", "$ cat <<END\na\n"])
def test_a_block_without_whole_commands_is_refused(text: str) -> None:
    with pytest.raises(AssertionError, match=r"^here: "):
        typed(text)


@pytest.mark.parametrize(
    ("written", "printed", "right"),
    [
        (["a"], ["a"], True),
        (["a"], ["a", "b"], False),
        (["a", "..."], ["a", "took 3 s"], True),
        (["a", "...", "z"], ["a", "b", "took 0.3 ms", "z"], True),
        (["a", "...", "z"], ["a", "took 3 s", "y"], False),
        (["a", "..."], ["a"], False),
        (["a", "..."], ["a", "b"], False),
    ],
)
def test_dots_stand_for_times_only(written: list[str], printed: list[str], right: bool) -> None:
    assert agree(written, printed) is right
