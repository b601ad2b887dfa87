"""The programs as they are started: from anywhere, with any option, and with ends that are not there."""

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from harness import __version__
from tests.support.helpers import (
    ANSWERING,
    BIN,
    PATIENCE,
    PROGRAMS,
    ROOT,
    SAMPLE_OF,
    Conversation,
    Json,
    Outcome,
    copied_checkout,
    json_bytes,
    run,
    shell,
    species,
)

REFUSED = 65
NOT_SET_UP = 69
NO_OUTPUT = 74
INSTALLED = Path(sys.executable).parent

VALUE = {program: json_bytes(SAMPLE_OF.get(program, [1])) for program in PROGRAMS}
ATTACK = VALUE["xattack"]


def start(
    *command: str | Path, given: bytes = ATTACK, cwd: Path | None = None, env: dict[str, str] | None = None
) -> Outcome:
    """One run of some command."""
    done = subprocess.run(
        command, input=given, capture_output=True, check=False, timeout=PATIENCE, cwd=cwd, env=env
    )
    return Outcome(done.stdout, done.stderr, done.returncode)


# --- where it is started, and how -------------------------------------------------------------

TRUE = Outcome(b"true\n", b"", 0)


@pytest.mark.parametrize(
    ("cwd", "command"),
    [
        (ROOT, "bin/xattack"),
        (ROOT, "./bin/xattack"),
        (ROOT, "tests/../bin/xattack"),
        (BIN, "./xattack"),
        (ROOT / "tests", "../bin/xattack"),
        (Path("/"), BIN / "xattack"),
    ],
)
def test_a_program_can_be_started_from_any_working_directory(cwd: Path, command: str | Path) -> None:
    assert start(command, cwd=cwd) == TRUE
    assert start(command, "--stream", cwd=cwd) == TRUE


@pytest.mark.parametrize("cwd", [Path("/"), BIN, ROOT])
def test_a_program_can_be_started_by_its_name_alone(cwd: Path) -> None:
    env = {"PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"}
    assert start("sh", "-c", "xattack", cwd=cwd, env=env) == TRUE


def test_a_program_can_be_given_to_the_shell() -> None:
    assert start("sh", "bin/xattack", cwd=ROOT) == TRUE
    assert start("sh", BIN / "xattack", cwd=Path("/")) == TRUE
    assert start("sh", "./xattack", cwd=BIN) == TRUE


def test_a_program_can_be_given_to_the_shell_without_a_slash() -> None:
    assert start("sh", "xattack", cwd=BIN) == TRUE


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_can_be_started_through_a_link_to_it(program: str, tmp_path: Path) -> None:
    (tmp_path / "there").symlink_to(BIN / program)
    (tmp_path / "deeper").mkdir()
    (tmp_path / "deeper/relative").symlink_to(Path("../there"))
    given = VALUE[program]
    answer = run(program, given=given)
    assert answer.status == 0
    assert start(tmp_path / "there", given=given) == answer
    assert start(tmp_path / "deeper/relative", given=given) == answer
    assert start("./there", given=given, cwd=tmp_path) == answer
    assert start("deeper/relative", given=given, cwd=tmp_path) == answer
    assert start("sh", "./there", given=given, cwd=tmp_path) == answer


def test_a_program_can_be_started_through_a_relative_link_to_it(tmp_path: Path) -> None:
    (tmp_path / "attack").symlink_to(os.path.relpath(BIN / "xattack", tmp_path))
    assert start("./attack", cwd=tmp_path) == TRUE
    assert start(tmp_path / "attack", cwd=ROOT) == TRUE
    assert start(tmp_path / "attack", "--stream", cwd=ROOT) == TRUE


def test_a_program_can_be_started_through_a_link_to_its_directory(tmp_path: Path) -> None:
    (tmp_path / "tools").symlink_to(BIN)
    (tmp_path / "relative").symlink_to(os.path.relpath(BIN, tmp_path))
    for command in ("tools/xattack", "./relative/xattack", tmp_path / "tools/xattack"):
        assert start(command, cwd=tmp_path) == TRUE
        assert start(command, "--stream", cwd=tmp_path) == TRUE


def test_a_program_can_be_started_through_a_link_to_the_checkout(tmp_path: Path) -> None:
    (tmp_path / "checkout").symlink_to(ROOT)
    assert start("checkout/bin/xattack", cwd=tmp_path) == TRUE
    assert start("../bin/xattack", "--stream", cwd=tmp_path / "checkout/tests") == TRUE


def test_a_program_needs_nothing_from_its_environment() -> None:
    for options in ((), ("--stream",)):
        assert start(BIN / "xattack", *options, env={}) == TRUE


def test_what_lies_about_in_the_working_directory_does_no_harm(tmp_path: Path) -> None:
    for name in ("_json", "click", "evolution", "harness", "json", "orjson", "re", "site", "sitecustomize"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('taken from the working directory')")
    env = {"PYTHONPATH": str(tmp_path), "PYTHONHOME": str(tmp_path), "PYTHONSTARTUP": str(tmp_path / "re.py")}
    for options in ((), ("--stream",)):
        assert start(BIN / "xattack", *options, cwd=tmp_path, env=os.environ | env) == TRUE


def test_a_checkout_may_have_any_name(tmp_path: Path) -> None:
    here = copied_checkout(tmp_path / 'it\'s a "checkout" of $HOME; (new) é\\n *')
    package = here / "harness/__init__.py"
    package.write_text(package.read_text().replace(f'"{__version__}"', '"the copy"'))
    for program in PROGRAMS:
        command, given = here / "bin" / program, VALUE[program]
        assert start(command, given=given) == run(program, given=given)
        assert start(f"bin/{program}", given=given, cwd=here) == run(program, given=given)
        assert start(f"./{program}", given=b"nonsense", cwd=here / "bin").status == REFUSED
        assert start(command, "--version") == (f"{program}, version the copy\n".encode(), b"", 0)
    (tmp_path / "a link").symlink_to(here / "bin/xattack")
    assert start(tmp_path / "a link") == TRUE
    assert start(here / "bin/xattack", "--stream") == TRUE


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_says_what_to_type_when_the_checkout_is_not_set_up(program: str, tmp_path: Path) -> None:
    here = copied_checkout(tmp_path / "new", set_up=False)
    line = f"{program}: this checkout is not set up yet; type: make -C {here}\n".encode()
    for arguments in ((), ("--help",), ("--stream",)):
        assert start(here / "bin" / program, *arguments) == (b"", line, NOT_SET_UP)
    assert start(f"./{program}", cwd=here / "bin") == (b"", line, NOT_SET_UP)
    assert start(f"new/bin/{program}", cwd=tmp_path) == (b"", line, NOT_SET_UP)


def test_what_to_type_is_right_through_a_link_to_the_directory_too(tmp_path: Path) -> None:
    here = copied_checkout(tmp_path / "new", set_up=False)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere/tools").symlink_to(here / "bin")
    line = f"xattack: this checkout is not set up yet; type: make -C {here}\n".encode()
    assert start(tmp_path / "elsewhere/tools/xattack") == (b"", line, NOT_SET_UP)


# --- options ----------------------------------------------------------------------------------

OPTIONS = {
    **dict.fromkeys(ANSWERING, ("--stream", "--explain")),
    "xsilly": ("--stream", "--explain", "--labelled"),
    "xstream": (),
}


@pytest.mark.every(2, "option")
@pytest.mark.parametrize("option", ["--help", "-h"])
@pytest.mark.parametrize("program", PROGRAMS)
def test_help_tells_how_a_program_is_used_and_how_it_ends(program: str, option: str) -> None:
    outcome = run(program, option)
    assert (outcome.err, outcome.status) == (b"", 0)
    text = outcome.out.decode()
    assert text.startswith(f"Usage: {program} [OPTIONS]\n")
    assert "Exit status: 0 answered" in text
    for status in ("65 the input is refused", "2 the command line is wrong", "74 the input could not be"):
        assert status in text.replace("\n", " ").replace("  ", " ")
    for known in ("--help", "--version", *OPTIONS[program]):
        assert f"{known}" in text
    for unknown in {"--stream", "--explain", "--labelled"} - {*OPTIONS[program]}:
        assert unknown not in text


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_version_is_that_of_the_package(program: str) -> None:
    assert run(program, "--version") == (f"{program}, version {__version__}\n".encode(), b"", 0)


@pytest.mark.every(2, "arguments")
@pytest.mark.parametrize(
    "arguments", [("--nonsense",), ("-x",), ("--stream=yes",), ("--stream", "--streams")]
)
@pytest.mark.parametrize("program", PROGRAMS)
def test_a_wrong_option_is_answered_with_the_usage(program: str, arguments: tuple[str, ...]) -> None:
    outcome = run(program, *arguments, given=VALUE[program])
    assert (outcome.out, outcome.status) == (b"", 2)
    assert outcome.err.decode().startswith(f"Usage: {program} [OPTIONS]\n")
    assert "Error: " in outcome.err.decode()


@pytest.mark.parametrize(
    ("program", "option"),
    [("xfeed", "--labelled"), ("xattack", "--labelled"), ("xstream", "--stream"), ("xstream", "--explain")],
)
def test_an_option_of_another_program_is_a_wrong_one(program: str, option: str) -> None:
    outcome = run(program, option, given=VALUE[program])
    assert (outcome.out, outcome.status) == (b"", 2)
    assert f"No such option '{option}'" in outcome.err.decode()


@pytest.mark.parametrize(
    ("program", "arguments"),
    [
        *((program, ("case.json",)) for program in PROGRAMS),
        ("xattack", ("-",)),
        ("xfeed", ("",)),
        ("xstep", ("--", "--help")),
        ("xstream", ("8",)),
    ],
)
def test_an_argument_is_answered_with_the_usage(program: str, arguments: tuple[str, ...]) -> None:
    outcome = run(program, *arguments, given=VALUE[program])
    assert (outcome.out, outcome.status) == (b"", 2)
    assert outcome.err.decode().startswith(f"Usage: {program} [OPTIONS]\n")


# --- ends that are not there ------------------------------------------------------------------

WAYS: list[tuple[str, ...]] = [
    *((program,) for program in PROGRAMS),
    *((program, "--stream") for program in ANSWERING),
    ("xsilly", "--labelled"),
    ("xattack", "--explain", "--stream"),
]
TALKING: list[tuple[str, ...]] = [*WAYS, ("xattack", "--help"), ("xstream", "--version")]


def with_output(descriptor: int, way: Sequence[str]) -> Outcome:
    """A program whose answers go there."""
    program, *options = way
    done = subprocess.run(
        [BIN / program, *options],
        input=VALUE[program],
        stdout=descriptor,
        stderr=subprocess.PIPE,
        check=False,
        timeout=PATIENCE,
    )
    return Outcome(b"", done.stderr, done.returncode)


def quiet(way: Sequence[str], err: bytes) -> bool:
    """Whether standard error has only what was asked for."""
    return err == (b"xattack: nothing blocks the attack (rules 2)\n" if "--explain" in way else b"")


@pytest.mark.parametrize("way", TALKING, ids=" ".join)
def test_a_closed_standard_output_ends_a_program_quietly(way: tuple[str, ...], tmp_path: Path) -> None:
    program, *options = way
    (tmp_path / "value").write_bytes(VALUE[program])
    outcome = shell('value=$1; shift; "$@" <"$value" >&-', tmp_path / "value", BIN / program, *options)
    assert quiet(way, outcome.err)
    assert outcome.status == NO_OUTPUT


@pytest.mark.every(2, "way")
@pytest.mark.parametrize("way", TALKING, ids=" ".join)
def test_a_closed_pipe_ends_a_program_quietly(way: tuple[str, ...]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        outcome = with_output(writing, way)
    finally:
        os.close(writing)
    assert quiet(way, outcome.err)
    assert outcome.status == NO_OUTPUT


def test_a_pipe_that_is_closed_in_the_middle_of_a_stream_ends_it_quietly() -> None:
    with subprocess.Popen(
        [BIN / "xattack", "--stream"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdin.write(ATTACK)
        process.stdin.flush()
        assert process.stdout.readline() == b"true\n"
        process.stdout.close()
        process.stdin.write(ATTACK)
        process.stdin.close()
        assert process.stderr.read() == b""
        assert process.wait(PATIENCE) == NO_OUTPUT


@pytest.mark.every(2, "way")
@pytest.mark.parametrize("way", [way for way in TALKING if "--explain" not in way], ids=" ".join)
def test_a_full_device_is_complained_about_in_one_line(way: tuple[str, ...]) -> None:
    with Path("/dev/full").open("wb") as full:
        outcome = with_output(full.fileno(), way)
    assert outcome.err.startswith(f"{way[0]}: cannot write".encode())
    assert outcome.err.endswith(b": No space left on device\n")
    assert outcome.err.count(b"\n") == 1
    assert outcome.status == NO_OUTPUT


@pytest.mark.parametrize("err", ["2>&-", "2>/dev/full"])
def test_a_program_can_do_without_standard_error(err: str, tmp_path: Path) -> None:
    (tmp_path / "right").write_bytes(ATTACK)
    (tmp_path / "wrong").write_bytes(b"[]")
    right, wrong = f'"$1" <right {err}', f'"$1" <wrong {err}'
    assert shell(right, BIN / "xattack", cwd=tmp_path) == TRUE
    assert shell(wrong, BIN / "xattack", cwd=tmp_path) == (b"", b"", REFUSED)
    assert shell(f'"$1" --stream <right {err}', BIN / "xattack", cwd=tmp_path) == TRUE
    assert shell(f'"$1" --stream <wrong {err}', BIN / "xattack", cwd=tmp_path) == (b"\n", b"", REFUSED)
    assert shell(f'"$1" --explain <right {err}', BIN / "xattack", cwd=tmp_path) == TRUE
    assert shell(f'"$1" --nonsense <right {err}', BIN / "xattack", cwd=tmp_path) == (b"", b"", 2)
    assert shell(f'echo x | "$1" {err}', BIN / "xstream", cwd=tmp_path) == (b"", b"", REFUSED)


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_can_do_without_any_of_its_three_ends(program: str) -> None:
    outcome = shell('"$1" <&- >&- 2>&-', BIN / program)
    assert outcome == (b"", b"", NO_OUTPUT if program == "xstream" else REFUSED)


@pytest.mark.every(2, "way")
@pytest.mark.parametrize("way", WAYS, ids=" ".join)
def test_a_standard_input_that_cannot_be_read_is_complained_about(
    way: tuple[str, ...], tmp_path: Path
) -> None:
    program, *options = way
    outcome = shell('"$@" 0>unreadable', BIN / program, *options, cwd=tmp_path)
    line = f"{program}: cannot read standard input: Bad file descriptor\n".encode()
    assert outcome == (b"", line, NO_OUTPUT)


@pytest.mark.every(2, "way")
@pytest.mark.parametrize("way", WAYS, ids=" ".join)
def test_a_directory_as_standard_input_is_complained_about(way: tuple[str, ...]) -> None:
    program, *options = way
    outcome = shell('"$@" </', BIN / program, *options)
    line = f"{program}: cannot read standard input: it is a directory\n".encode()
    assert outcome == (b"", line, NO_OUTPUT)


@pytest.mark.parametrize("where", [BIN, INSTALLED], ids=["bin", "installed"])
@pytest.mark.parametrize(
    "way", [("xattack",), ("xstep4",), ("xattack", "--stream"), ("xstream",)], ids=" ".join
)
def test_an_interrupt_ends_a_program_that_waits_for_input_quietly(where: Path, way: tuple[str, ...]) -> None:
    program, *options = way
    with Conversation(where / program, *options) as talk:
        talk.say(b"[")
        talk.signal(signal.SIGINT)
        assert talk.wait() == (b"", b"", 130)


def test_an_interrupt_leaves_the_answers_that_have_been_given() -> None:
    with Conversation(BIN / "xattack", "--stream") as talk:
        talk.say(ATTACK + b"\n[]\n")
        assert talk.hear() == b"true\n"
        assert talk.hear() == b"\n"
        talk.signal(signal.SIGINT)
        out, err, status = talk.wait()
        assert (out, status) == (b"", 130)
        assert err.count(b"\n") == 1


# --- the installed commands -------------------------------------------------------------------


@pytest.mark.every(len(PROGRAMS), "program")
@pytest.mark.parametrize("program", PROGRAMS)
def test_the_installed_command_does_the_same(program: str, tmp_path: Path) -> None:
    command = INSTALLED / program
    for given in (VALUE[program], b"[", b"17"):
        assert start(command, given=given, cwd=tmp_path) == run(program, given=given)
    for option in ("--help", "--nonsense", *OPTIONS[program]):
        given = VALUE[program] + b" 17 "
        assert start(command, option, given=given, cwd=tmp_path) == run(program, option, given=given)


# --- --explain --------------------------------------------------------------------------------

WOLF = species(0, 3, 3, ["carnivore"])
SHEEP = species(0, 1, 2)
CALLER = species(0, 0, 1, ["warning-call"])

EXPLANATIONS: list[tuple[Json, list[str]]] = [
    ([SHEEP, WOLF, False, False], ["nothing blocks the attack (rules 2)"]),
    ([SHEEP, SHEEP, False, False], ["the attacker is not a carnivore (rules 2.2)"]),
    (
        [SHEEP, WOLF, CALLER, SHEEP],
        ["the left neighbour has warning-call, and the attacker has no ambush (rules 2.8)"],
    ),
    (
        [SHEEP, WOLF, False, CALLER],
        ["the right neighbour has warning-call, and the attacker has no ambush (rules 2.8)"],
    ),
    (
        [SHEEP, WOLF, CALLER, CALLER],
        ["the left and the right neighbour has warning-call, and the attacker has no ambush (rules 2.8)"],
    ),
    (
        [species(2, 1, 2, ["burrowing"]), WOLF, False, False],
        ["the defender has burrowing and has eaten its fill: food 2 of population 2 (rules 2.5)"],
    ),
    (
        [species(0, 1, 2, ["climbing"]), WOLF, False, False],
        ["the defender has climbing, and the attacker has not (rules 2.6)"],
    ),
    (
        [species(0, 1, 2, ["hard-shell"]), WOLF, False, False],
        [
            "the defender has hard-shell, and the attacker's body 3 minus the defender's body 1 is 2; "
            "it must be at least 4 (rules 2.3)"
        ],
    ),
    (
        [species(0, 3, 2, ["hard-shell"]), species(0, 3, 3, ["carnivore", "pack-hunting"]), False, False],
        [
            "the defender has hard-shell, and the attacker's body 3 + population 3 (pack-hunting) minus the "
            "defender's body 3 is 3; it must be at least 4 (rules 2.3)"
        ],
    ),
    (
        [species(0, 1, 3, ["herding"]), WOLF, False, False],
        [
            "the defender has herding, and the attacker's population 3 is not larger than the defender's 3 "
            "(rules 2.4)"
        ],
    ),
    (
        [species(0, 1, 2, ["symbiosis"]), WOLF, False, species(0, 2, 1)],
        ["the defender has symbiosis, and its right neighbour's body 2 is larger than its own 1 (rules 2.7)"],
    ),
    (
        [species(2, 1, 2, ["climbing", "burrowing"]), SHEEP, CALLER, False],
        [
            "the attacker is not a carnivore (rules 2.2)",
            "the left neighbour has warning-call, and the attacker has no ambush (rules 2.8)",
            "the defender has burrowing and has eaten its fill: food 2 of population 2 (rules 2.5)",
            "the defender has climbing, and the attacker has not (rules 2.6)",
        ],
    ),
]


@pytest.mark.every(2, "situation")
@pytest.mark.parametrize(("situation", "reasons"), EXPLANATIONS, ids=[lines[0] for _, lines in EXPLANATIONS])
def test_xattack_explains_in_words_what_blocks_the_attack(situation: Json, reasons: list[str]) -> None:
    given = json_bytes(situation)
    answer = run("xattack", given=given)
    assert answer == (b"true\n" if "nothing" in reasons[0] else b"false\n", b"", 0)
    lines = "".join(f"xattack: {reason}\n" for reason in reasons).encode()
    assert run("xattack", "--explain", given=given) == (answer.out, lines, 0)


# Something that each program says about its sample, with the rule behind it.
TOLD = {
    "xattack": "nothing blocks the attack (rules 2)",
    "xfeed": "so it chooses to ",
    "xstep": "is to feed; 5 tokens in the hole (rules 4)",
    "xstep4": "the feeding cycle begins (rules 5.11)",
    "xsilly": "is the food card (rules 7.2)",
}


@pytest.mark.parametrize("program", ANSWERING)
def test_every_program_explains_its_answer_in_the_words_of_harness_explain(program: str) -> None:
    plain = run(program, given=VALUE[program])
    outcome = run(program, "--explain", given=VALUE[program])
    assert (outcome.out, outcome.status) == (plain.out, 0)
    *story, last = run("harness", "explain", "--program", program, "-", given=VALUE[program]).out.splitlines()
    assert outcome.err == b"".join(f"{program}: ".encode() + line + b"\n" for line in story)
    assert last == b"the answer: " + plain.out.strip()
    assert TOLD[program] in outcome.err.decode()


@pytest.mark.every(3, "program")
@pytest.mark.parametrize("program", ANSWERING)
def test_nothing_that_is_refused_is_explained(program: str) -> None:
    for given in (b"[]", b"[", b"[" * 3000, json_bytes([SHEEP, SHEEP, False, 0])):
        plain = run(program, given=given)
        assert plain.status == REFUSED
        assert run(program, "--explain", given=given) == plain


def test_an_illegal_action_is_explained_before_it_is_refused() -> None:
    (players, hole, deck), (first, *others) = SAMPLE_OF["xstep4"]
    given = json_bytes([[players, hole, deck], [[99, *first[1:]], *others]])
    plain = run("xstep4", given=given)
    outcome = run("xstep4", "--explain", given=given)
    assert (plain.status, outcome.status, outcome.out) == (REFUSED, REFUSED, b"")
    why = "action is illegal, [0]: card 99 does not exist: the hand has 7 (rules 5.5)"
    line = f"xstep4: player 0 (id 3)'s {why}\n"
    assert outcome.err == line.encode() + plain.err


def test_options_of_a_program_go_together_with_an_explanation() -> None:
    outcome = run("xsilly", "--explain", "--labelled", given=VALUE["xsilly"])
    assert outcome.out == run("xsilly", "--labelled", given=VALUE["xsilly"]).out
    assert outcome.err == run("xsilly", "--explain", given=VALUE["xsilly"]).err
