"""The everyday commands round the runner, from the command line."""

import json
import os
import pty
import shlex
import signal
import subprocess
import sys
import threading
from pathlib import Path

import click
import pytest

from harness.cli.group import COMMANDS
from harness.cli.group import harness as cli
from harness.cli.topics import STATUSES, TOPICS
from harness.judging.verdicts import VERDICTS
from tests.support.helpers import (
    BIN,
    PATIENCE,
    ROOT,
    Outcome,
    json_text,
    player,
    run,
    shell,
    species,
)

FIXTURES = ROOT / "test-fixtures"

WOLF = species(0, 0, 2, ["carnivore"])
HERD = [
    species(0, 0, 3, ["herding", "horns"]),
    species(0, 0, 3, ["horns", "herding"]),
]
BEFORE = [[player([species(population=2)])], 3, []]
AFTER = [[player([species(food=1, population=2)])], 2, []]


def harness(*arguments: str | Path, given: bytes = b"", cwd: Path | None = None) -> Outcome:
    command = [BIN / "harness", *arguments]
    done = subprocess.run(command, input=given, capture_output=True, check=False, timeout=PATIENCE, cwd=cwd)
    return Outcome(done.stdout, done.stderr, done.returncode)


def write(path: Path, value: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json_text(value))
    return path


def case(stem: Path, given: object, expected: object = None) -> None:
    write(stem.with_name(f"{stem.name}-in.json"), given)
    if expected is not None:
        write(stem.with_name(f"{stem.name}-out.json"), expected)


def program(path: Path, text: str) -> Path:
    path.write_text(text)
    path.chmod(0o755)
    return path


# --- diff ----------------------------------------------------------------------------------------


def test_diff_says_the_difference_in_the_words_of_the_game(tmp_path: Path) -> None:
    told = harness("diff", write(tmp_path / "right", AFTER), write(tmp_path / "mine", BEFORE))
    assert told.status == 1
    lines = told.out.decode().splitlines()
    assert lines[:2] == ["watering hole: 3, should be 2", "player 0 (id 1), board 0: food is 0, should be 1"]
    assert lines[2].split()[0] == "expected"
    assert lines[3].split()[0] == "printed"


def test_diff_compares_by_meaning_unless_exactly(tmp_path: Path) -> None:
    one, other = (write(tmp_path / str(at), [[player([board])], 3, []]) for at, board in enumerate(HERD))
    assert harness("diff", one, other) == Outcome(b"no difference\n", b"", 0)
    assert harness("diff", "--exact", one, other).status == 1


def test_diff_reads_one_side_from_standard_input(tmp_path: Path) -> None:
    right = write(tmp_path / "right", AFTER)
    assert harness("diff", right, "-", given=json_text(AFTER).encode()).status == 0
    assert harness("diff", "-", right, given=json_text(BEFORE).encode()).status == 1


def test_diff_tells_nothing_from_something(tmp_path: Path) -> None:
    something, nothing = write(tmp_path / "something", "3"), write(tmp_path / "nothing", "\n")
    assert harness("diff", something, nothing).out.startswith(b"no output: ")
    assert harness("diff", nothing, something).out == b"too many values: 1 printed, nothing expected\n"
    assert harness("diff", nothing, nothing).status == 0


@pytest.mark.parametrize("side", ["right", "mine"])
def test_diff_refuses_what_is_not_json_and_says_which_file(tmp_path: Path, side: str) -> None:
    write(tmp_path / "right", AFTER)
    write(tmp_path / "mine", BEFORE)
    write(tmp_path / side, "[1,")
    told = harness("diff", tmp_path / "right", tmp_path / "mine")
    assert (told.out, told.status) == (b"", 65)
    assert told.err.decode() == f"harness: {tmp_path / side}: not JSON at byte 3: the value is cut off\n"


def test_diff_refuses_what_is_not_json_even_if_it_is_the_same(tmp_path: Path) -> None:
    same = write(tmp_path / "same", "[1,")
    told = harness("diff", same, same)
    assert (told.out, told.status) == (b"", 65)
    assert told.err.decode() == f"harness: {same}: not JSON at byte 3: the value is cut off\n"


def test_diff_cannot_read_both_sides_from_standard_input() -> None:
    told = harness("diff", "-", "-", given=b"1")
    assert (told.out, told.status) == (b"", 2)
    assert b"only one of EXPECTED and ACTUAL can be -" in told.err


def test_diff_gives_tools_an_object(tmp_path: Path) -> None:
    told = harness("diff", "--json", write(tmp_path / "right", AFTER), write(tmp_path / "mine", BEFORE))
    found = json.loads(told.out)
    assert found["same"] is False
    assert found["differences"][0] == "watering hole: 3, should be 2"
    assert found["changes"][0] == {"path": [1], "place": "watering hole", "expected": 2, "actual": 3}
    assert len(found["changes"]) == len(found["differences"])


def test_diff_without_a_file_is_a_wrong_command_line(tmp_path: Path) -> None:
    told = harness("diff", tmp_path / "nowhere", tmp_path / "nowhere")
    assert told.status == 2
    assert b"No such file or directory" in told.err


# --- check ---------------------------------------------------------------------------------------


def test_nothing_is_wrong_with_our_own_cases() -> None:
    told = harness("check", FIXTURES)
    assert told.status == 0, told.out.decode()
    assert told.out.decode().endswith("cases checked: nothing is wrong\n")


def test_check_finds_each_kind_of_fault_and_says_what_it_is(tmp_path: Path) -> None:
    cases = tmp_path / "xstep"
    case(cases / "a-right", BEFORE, AFTER)
    case(cases / "b-twin", json_text(BEFORE).replace(",", " , "), AFTER)
    case(cases / "c-contradicted", [BEFORE[0], 5, []], AFTER)
    case(cases / "d-ill-formed", [BEFORE[0], -1, []], AFTER)
    case(cases / "e-refusal-is-meant", [BEFORE[0], -2, []], "")
    case(cases / "f-lone", BEFORE)
    case(cases / "g-not-json", [BEFORE[0], 6, []], "[1,")
    case(tmp_path / "elsewhere" / "h", BEFORE, AFTER)
    told = harness("check", tmp_path, "--json")
    found = {Path(line["case"]).name: line for line in map(json.loads, told.out.splitlines())}
    assert told.status == 1
    assert {name: line["kind"] for name, line in found.items()} == {
        "b-twin": "duplicate",
        "c-contradicted": "contradicted",
        "d-ill-formed": "ill-formed",
        "e-refusal-is-meant": "ill-formed",
        "f-lone": "lone file",
        "g-not-json": "contradicted",
        "h": "no program",
    }
    assert [name for name, line in found.items() if line["remark"]] == ["e-refusal-is-meant"]
    assert found["b-twin"]["words"] == [f"its input means the same as that of {cases / 'a-right'}"]
    assert found["c-contradicted"]["words"] == ["watering hole: 2, should be 4"]
    assert any("eats one token" in reason for reason in found["c-contradicted"]["reasons"])
    assert found["d-ill-formed"]["words"][0].startswith("its input is refused: [1]: ")
    assert found["f-lone"]["words"] == [
        "its expected output f-lone-out.json is missing",
        f"harness bless {cases}/f-lone-in.json writes what the rules answer",
    ]


def test_check_tells_people_the_same(tmp_path: Path) -> None:
    case(tmp_path / "xstep" / "wrong", [BEFORE[0], 5, []], AFTER)
    lines = harness("check", tmp_path).out.decode().splitlines()
    assert lines[0] == f"{tmp_path}/xstep/wrong: contradicted"
    assert lines[1] == "  watering hole: 2, should be 4"
    assert lines[2] == "    by the rules:"
    assert "eats one token" in "".join(lines)
    assert lines[-1] == "1 case checked: 1 contradicted"


def test_a_remark_alone_does_not_fail_a_check(tmp_path: Path) -> None:
    case(tmp_path / "xattack" / "refused", "[]", "")
    told = harness("check", tmp_path)
    assert told.status == 0
    assert b"ill-formed (a remark)" in told.out


def test_the_order_of_traits_makes_no_new_case_but_where_slots_are_named(tmp_path: Path) -> None:
    tables = [[[player([WOLF, board], [[0, "ambush"]])], 1, []] for board in HERD]
    for at, table in enumerate(tables):
        case(tmp_path / "xstep" / str(at), table)
        case(tmp_path / "xstep4" / str(at), [table, [[0, [], [], [], []]]])
    assert harness("bless", tmp_path).status == 0
    kinds = [json.loads(line)["case"] for line in harness("check", tmp_path, "--json").out.splitlines()]
    assert kinds == [str(tmp_path / "xstep" / "1")]


def test_an_empty_hand_that_is_written_makes_no_new_case(tmp_path: Path) -> None:
    case(tmp_path / "xstep" / "a", BEFORE, AFTER)
    case(tmp_path / "xstep" / "b", [[player([species(population=2, fat_food=0)], [])], 3, []], AFTER)
    assert b"1 duplicate" in harness("check", tmp_path).out


@pytest.mark.parametrize("command", ["check", "bless"])
def test_no_cases_and_no_folder_are_wrong_command_lines(tmp_path: Path, command: str) -> None:
    for path, words in ((tmp_path, b"no cases found in"), (tmp_path / "no", b"no such directory or case")):
        told = harness(command, path)
        assert (told.out, told.status) == (b"", 2)
        assert words in told.err


# --- bless ---------------------------------------------------------------------------------------


def test_bless_gives_a_new_case_what_the_rules_answer(tmp_path: Path) -> None:
    case(tmp_path / "xstep" / "new", BEFORE)
    told = harness("bless", tmp_path / "xstep" / "new-in.json")
    assert told.status == 0
    assert told.out.decode().splitlines() == [f"{tmp_path}/xstep/new: new", "1 new"]
    assert json.loads((tmp_path / "xstep" / "new-out.json").read_text()) == AFTER
    assert sorted(path.name for path in (tmp_path / "xstep").iterdir()) == ["new-in.json", "new-out.json"]
    assert harness("bless", tmp_path).out == b"1 unchanged\n"


def test_bless_writes_an_empty_output_where_the_rules_print_nothing(tmp_path: Path) -> None:
    case(tmp_path / "xstep4" / "illegal", [BEFORE, [[0, [], [], [], []]]])
    case(tmp_path / "xfeed" / "no-choice", [player([species(food=1)]), 3, []])
    assert harness("bless", tmp_path).status == 0
    assert (tmp_path / "xstep4" / "illegal-out.json").read_text() == ""
    assert (tmp_path / "xfeed" / "no-choice-out.json").read_text() == ""


def test_bless_says_which_side_has_nothing(tmp_path: Path) -> None:
    case(tmp_path / "xstep" / "a", BEFORE, BEFORE)
    case(tmp_path / "xstep" / "b", BEFORE, BEFORE)
    told = harness("bless", "--program", "true --quietly", "--dry-run", tmp_path)
    assert (told.status, told.err) == (1, b"")
    assert b"xstep/b: differs (it expects more than is answered)\n2 differ (nothing was written)" in told.out
    (tmp_path / "xstep" / "b-out.json").write_text("")
    assert (
        b"xstep/b: differs (it expects nothing, but there is an answer)\n" in harness("bless", tmp_path).out
    )


def test_bless_shows_a_difference_and_overwrites_only_when_told(tmp_path: Path) -> None:
    case(tmp_path / "xstep" / "old", BEFORE, [AFTER[0], 3, []])
    expected = tmp_path / "xstep" / "old-out.json"
    before = expected.read_text()
    told = harness("bless", tmp_path)
    assert told.status == 1
    assert expected.read_text() == before
    assert told.out.decode().splitlines()[:2] == [
        f"{tmp_path}/xstep/old: differs",
        "  watering hole: 3, should be 2",
    ]
    dry = harness("bless", "--overwrite", "--dry-run", tmp_path)
    assert dry.out.endswith(b"1 replaced (nothing was written)\n")
    assert expected.read_text() == before
    assert harness("bless", "--overwrite", tmp_path).status == 0
    assert json.loads(expected.read_text()) == AFTER


def test_bless_keeps_an_output_that_means_the_same_as_it_is_written(tmp_path: Path) -> None:
    boards = [WOLF, *HERD]
    table = [[player(boards)], 0, []]
    case(tmp_path / "xstep" / "same", table, [[player([WOLF, HERD[0], HERD[0]])], 0, []])
    before = (tmp_path / "xstep" / "same-out.json").read_bytes()
    harness("bless", "--overwrite", tmp_path)
    assert (tmp_path / "xstep" / "same-out.json").read_bytes() == before


def test_bless_does_not_bless_what_the_rules_refuse(tmp_path: Path) -> None:
    case(tmp_path / "xstep" / "bad", [BEFORE[0], -1, []])
    told = harness("bless", tmp_path)
    assert told.status == 1
    assert b"failed (its input is refused: [1]: " in told.out
    assert not (tmp_path / "xstep" / "bad-out.json").exists()


def test_bless_takes_the_answers_of_a_program(tmp_path: Path) -> None:
    case(tmp_path / "cases" / "one", "[1, 2]")
    write(tmp_path / "cases" / "two-in.json", "[]")
    write(tmp_path / "cases" / "two-args.json", '["hello", "you"]')
    echo = program(tmp_path / "echo", '#!/bin/sh\nif [ $# = 0 ]; then cat; else echo "$@"; fi\n')
    assert harness("bless", "--program", echo, tmp_path / "cases").status == 0
    assert (tmp_path / "cases" / "one-out.json").read_text() == "[1,2]\n"
    assert (tmp_path / "cases" / "two-out.json").read_text() == "hello you\n"


def test_bless_does_not_bless_a_program_that_fails(tmp_path: Path) -> None:
    case(tmp_path / "cases" / "one", "[1, 2]")
    for text, words in (("kill -9 $$", b"crashed (SIGKILL)"), ("echo [", b"what it prints is not JSON")):
        bad = program(tmp_path / "bad", f"#!/bin/sh\n{text}\n")
        told = harness("bless", "--program", bad, tmp_path / "cases")
        assert told.status == 1
        assert words in told.out
    assert not (tmp_path / "cases" / "one-out.json").exists()


def test_bless_can_be_told_which_program_a_case_is_for(tmp_path: Path) -> None:
    case(tmp_path / "one", BEFORE)
    assert b"no folder above it has a program's name" in harness("bless", tmp_path).out
    assert harness("bless", "--name", "xstep", tmp_path).status == 0
    assert json.loads((tmp_path / "one-out.json").read_text()) == AFTER


def test_bless_needs_a_program_that_can_be_started(tmp_path: Path) -> None:
    case(tmp_path / "cases" / "one", "[1, 2]")
    told = harness("bless", "--program", tmp_path / "none", tmp_path)
    assert (told.out, told.status) == (b"", 2)
    assert b"--program: " in told.err


# --- terminals -----------------------------------------------------------------------------------


@pytest.mark.needs("terminal")
@pytest.mark.parametrize(("variables", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_colours_are_for_terminals_that_want_them(
    tmp_path: Path, variables: dict[str, str], coloured: bool
) -> None:
    case(tmp_path / "xstep" / "wrong", BEFORE, BEFORE)
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", **variables}
    if coloured:
        environment.pop("NO_COLOR", None)
    command: list[str | Path] = [BIN / "harness", "check", tmp_path]
    subprocess.run(command, stdout=theirs, stderr=theirs, check=False, timeout=PATIENCE, env=environment)
    os.close(theirs)
    shown = os.read(ours, 1 << 16)
    os.close(ours)
    assert (b"\033[31m" in shown) is coloured


@pytest.mark.parametrize(
    "line",
    [
        "xattack",
        "xstream",
        "xstep --stream",
        "harness convert --from configuration --to stepwise",
        "harness explain --program xattack -",
        "harness show -",
        "harness diff - /dev/null",
    ],
)
def test_who_waits_for_input_at_a_terminal_says_so(line: str) -> None:
    ours, theirs = pty.openpty()
    name, *options = line.split()
    with subprocess.Popen(
        [BIN / name, *options], stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as waiting:
        os.close(theirs)
        assert waiting.stderr is not None
        told = waiting.stderr.readline()
        os.write(ours, b"\x04")  # Ctrl-D
        waiting.communicate(timeout=PATIENCE)
    os.close(ours)
    who = "harness convert" if "convert" in options else name
    assert told.decode() == f"{who}: reading JSON from the terminal; end with Ctrl-D\n"


def test_who_names_the_input_is_told_where_input_comes_from(tmp_path: Path) -> None:
    (tmp_path / "in.json").write_text("[]")
    for name in ("xattack", "xstream"):
        told = run(name, str(tmp_path / "in.json"))
        assert (told.status, told.out) == (2, b"")
        assert told.err.decode().endswith(
            f"the input comes from standard input: {name} < {tmp_path}/in.json\n"
        )
    assert b"standard input" not in run("xattack", "nowhere.json").err


# --- help, completion, suggestions ---------------------------------------------------------------


def test_help_lists_its_topics_and_explains_each() -> None:
    listed = harness("help").out.decode()
    for topic, page in TOPICS.items():
        assert f"  {topic} " in listed
        told = harness("help", topic)
        assert (told.out.decode(), told.status) == (page(), 0)


def test_help_of_a_command_is_its_help() -> None:
    told = harness("help", "check")
    assert told.out.decode().startswith("Usage: harness check [OPTIONS] [PATH]...\n")


def test_the_help_of_verdicts_has_them_all_and_that_of_statuses_too() -> None:
    told = harness("help", "verdicts").out.decode()
    assert all(f"  {verdict} " in told for verdict in VERDICTS)
    for status in STATUSES:
        assert f"\n  {status} " in harness("help", "statuses").out.decode()


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        (["chek"], "Did you mean check?"),
        (["help", "verdict"], "Did you mean verdicts?"),
        (["rles"], "Did you mean rules?"),
        (["run", "--sandboks", "off"], "Did you mean --sandbox?"),
        (["check", "--jsn"], "Did you mean --json?"),
    ],
)
def test_who_mistypes_is_told_what_may_be_meant(typed: list[str], meant: str) -> None:
    told = harness(*typed)
    assert (told.out, told.status) == (b"", 2)
    assert meant.lower() in told.err.decode().lower().replace("'", "")


def test_every_command_says_first_what_the_list_of_commands_says() -> None:
    for name, sentence in COMMANDS.items():
        found = cli.get_command(click.Context(cli), name)
        assert found is not None
        assert (found.help or "").split("\n\n")[0].replace("\n", " ").strip() == sentence, name


def completed(*words: str) -> list[str]:
    """What bash offers for the last word, by the same question that the script asks."""
    environment = {
        **os.environ,
        "_HARNESS_COMPLETE": "bash_complete",
        "COMP_WORDS": " ".join(words),
        "COMP_CWORD": str(len(words) - 1),
    }
    done = subprocess.run(
        [BIN / "harness"], capture_output=True, check=True, timeout=PATIENCE, env=environment
    )
    return [line.partition(",")[2] for line in done.stdout.decode().splitlines()]


def test_a_shell_completes_commands_options_values_and_topics() -> None:
    assert completed("harness", "ch") == ["check", "chaff"]
    assert "--json" in completed("harness", "check", "--")
    assert completed("harness", "run", "--sandbox", "o") == ["on", "off"]
    assert completed("harness", "help", "verd") == ["verdicts"]
    assert completed("harness", "help", "docs/ru") == ["docs/rules.md", "docs/running.md"]
    assert completed("harness", "rules", "2.1") == ["2.1", "2.10"]
    assert completed("harness", "completion", "") == ["bash", "zsh", "fish"]


@pytest.mark.parametrize(
    "typed",
    [
        ["run", "--bin"],
        ["run", "--json"],
        ["run"],
        ["check"],
        ["explain"],
        ["shrink", "case"],
        ["vote"],
        ["grade"],
        ["report"],
        ["diff", "a"],
    ],
)
def test_a_shell_completes_files_where_files_are_meant(typed: list[str]) -> None:
    environment = {"_HARNESS_COMPLETE": "bash_complete", "COMP_WORDS": " ".join(["harness", *typed, "x"])}
    environment |= {**os.environ, "COMP_CWORD": str(len(typed) + 1)}
    done = subprocess.run(
        [BIN / "harness"], capture_output=True, check=True, timeout=PATIENCE, env=environment
    )
    assert done.stdout == b"file,x\n"


def test_the_script_for_bash_completes_in_a_real_shell() -> None:
    line = (
        "source <(harness completion bash); COMP_WORDS=(harness chec); COMP_CWORD=1; "
        '_harness_completion harness; echo "$COMPREPLY"'
    )
    path = f"{BIN}:{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", line],
        capture_output=True,
        timeout=PATIENCE,
        check=True,
        env={**os.environ, "PATH": path},
    )
    assert done.stdout == b"check\n"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_there_is_a_script_for_each_shell(shell: str) -> None:
    told = harness("completion", shell)
    assert told.status == 0
    assert f"_HARNESS_COMPLETE={shell}_complete".encode() in told.out


# --- watch ---------------------------------------------------------------------------------------


def test_watch_runs_again_what_a_change_concerns(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    program(tmp_path / "bin" / "xstep", "#!/bin/sh\ncat\n")
    program(tmp_path / "bin" / "xfeed", "#!/bin/sh\ncat\n")
    for name in ("xstep/one", "xstep/two", "xfeed/three"):
        case(tmp_path / name, "1", "1")
    command = ["harness", "watch", "--sandbox", "off", "--bin", "bin", "xstep", "xfeed"]
    with Watched(command, tmp_path) as watched:
        assert watched.total() == "3 passed, 0 failed"
        watched.until("watching; Ctrl-C ends it")
        write(tmp_path / "new", "2").replace(tmp_path / "xstep" / "two-out.json")
        assert watched.total() == "0 passed, 1 failed"
        program(tmp_path / "new", "#!/bin/sh\necho 5\n").replace(tmp_path / "bin" / "xfeed")
        assert watched.total() == "0 passed, 1 failed"
        write(tmp_path / "new", "something that they all use").replace(tmp_path / "bin" / "library")
        assert watched.total() == "1 passed, 2 failed"
        (tmp_path / "xstep" / "one-out.json").unlink()
        assert "broken case" in watched.until("0 passed, 1 failed")
        assert watched.interrupt() == 130


class Watched:
    """A process that goes on printing, standard output and standard error together."""

    def __init__(self, command: list[str], cwd: Path) -> None:
        environment = {
            **os.environ,
            "PATH": f"{BIN}:{os.environ['PATH']}",
            "XDG_CACHE_HOME": str(cwd / "cache"),
        }
        self._process = subprocess.Popen(
            command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment, text=True
        )
        self._guard = threading.Timer(4 * PATIENCE, self._process.kill)
        self._guard.start()

    def __enter__(self) -> "Watched":
        return self

    def __exit__(self, *problem: object) -> None:
        self._guard.cancel()
        self._process.kill()
        self._process.communicate()

    def until(self, end: str) -> str:
        """What is printed up to a line that ends like this."""
        assert self._process.stdout is not None
        heard = ""
        for line in self._process.stdout:
            heard += line
            if line.rstrip().endswith(end):
                return heard
        raise AssertionError(f"it ended, and said only:\n{heard}")

    def total(self) -> str:
        """The next line with a total."""
        return self.until("failed").splitlines()[-1]

    def interrupt(self) -> int:
        """Its exit status when it is interrupted."""
        self._process.send_signal(signal.SIGINT)
        return self._process.wait(PATIENCE)


def test_watch_says_how_to_install_what_it_needs(tmp_path: Path) -> None:
    code = "import sys; sys.modules['watchfiles'] = None; from harness.start import harness; harness()"
    done = subprocess.run(
        [sys.executable, "-c", code, "watch"], capture_output=True, check=False, cwd=tmp_path
    )
    assert (done.stdout, done.returncode) == (b"", 69)
    install = f"{shlex.quote(sys.executable)} -m pip install 'evolution-harness[watch]'"
    assert done.stderr.decode() == f"harness: harness watch needs watchfiles; type: {install}\n"


# --- what is typed -------------------------------------------------------------------------------


def files_of(name: str) -> list[click.Parameter]:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    return [parameter for parameter in command.params if isinstance(parameter.type, click.Path)]


@pytest.mark.parametrize("name", [name for name in COMMANDS if files_of(name)])
def test_an_empty_name_of_a_file_is_a_wrong_command_line(name: str) -> None:
    for parameter in files_of(name):
        empty = "" if parameter.nargs == 1 and not parameter.multiple else [""]
        with pytest.raises(click.BadParameter, match="the name is empty") as refused:
            parameter.type_cast_value(click.Context(cli), empty)
        assert refused.value.param is parameter


@pytest.mark.every(3, "option")
@pytest.mark.parametrize(
    "option", ["--bin", "--program", "--json", "--resume", "--junit", "--tap", "--html", "PATH"]
)
def test_a_run_that_is_told_an_empty_name_tests_nothing(option: str, tmp_path: Path) -> None:
    case(tmp_path / "xattack" / "a", True, True)
    words = [] if option == "PATH" else [option]
    told = harness("run", "xattack", *words, "", cwd=tmp_path)
    assert (told.status, told.out) == (2, b"")
    assert option in told.err.decode().splitlines()[-1]
    assert told.err.endswith(b": the name is empty.\n")


def test_blessing_an_empty_name_writes_nothing(tmp_path: Path) -> None:
    case(tmp_path / "xstep" / "a", BEFORE, BEFORE)
    told = harness("bless", "--overwrite", "", cwd=tmp_path)
    assert (told.status, told.out) == (2, b"")
    assert json.loads((tmp_path / "xstep" / "a-out.json").read_text()) == BEFORE


def test_the_judge_of_a_fest_has_a_name(tmp_path: Path) -> None:
    told = harness("fest", "--judge", "", "team", cwd=tmp_path)
    assert told.status == 2
    assert b"'--judge': the name is empty." in told.err


NUMBERS = {
    *("fuzz --timeout", "fuzz --for", "shrink --timeout", "vote --timeout", "bless --timeout"),
    *("grade --timeout", "grade --team-budget", "grade --memory", "grade --output", "fest --timeout"),
    *("remote --timeout", "remote --wait", "remote --patience", "remote --gap"),
}


@pytest.mark.parametrize("value", ["nan", "inf", "-inf", "1e300", "-1", "99999999999999999999"])
@pytest.mark.parametrize("option", sorted(NUMBERS))
def test_a_limit_beyond_all_sense_is_a_wrong_command_line(option: str, value: str) -> None:
    name, word = option.split()
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    with pytest.raises(click.BadParameter) as refused:
        command.make_context(name, [word, value])
    assert refused.value.param is not None
    assert word in refused.value.param.opts


@pytest.mark.every(3, "value")
@pytest.mark.parametrize("value", ["nan", "inf", "1e300"])
@pytest.mark.parametrize(
    "words",
    [
        *("xmain 3 --timeout", "xserver --timeout", "xserver --wait", "xserver --gap", "xserver --moment"),
        *("xclient --timeout", "xclient --wait", "xclient --moment"),
    ],
)
def test_so_it_is_for_programs_that_wait(words: str, value: str) -> None:
    name, *options = words.split()
    told = run(name, *options, value)
    assert (told.status, told.out) == (2, b"")
    assert f"Invalid value for '{options[-1]}'" in told.err.decode()


def test_what_several_commands_take_has_one_name() -> None:
    called: dict[str, set[str | None]] = {"--timeout": set(), "--jobs": set(), "--seed": set()}
    for name in COMMANDS:
        command = cli.get_command(click.Context(cli), name)
        assert command is not None
        for parameter in command.params:
            for option in called.keys() & set(parameter.opts):
                called[option].add(parameter.metavar)
    assert called == {"--timeout": {"SECONDS"}, "--jobs": {"N"}, "--seed": {"S"}}


# --- nobody to hear it ---------------------------------------------------------------------------

ATTACK = [species(population=2), WOLF, False, False]
SPEAKING = [
    "--help",
    "--version",
    "help verdicts",
    "help docs/rules.md",
    "cases",
    "rules 2.3",
    "completion bash",
    "ci github --install true --bin .",
    "run --schema",
    "run cases",
    "explain cases/xattack/a",
    "generate xattack -n 2",
    "fuzz xattack --cases 20 -j 1 --sandbox off",
    "shrink cases/xattack/a xattack --sandbox off",
    "diff cases/xattack/a-in.json cases/xattack/a-out.json",
    "check cases",
    "bless cases",
    "chaff cases --table",
    "grade --schema",
    "vote cases/xattack/a xattack --sandbox off",
    "report journal",
    "remote --server true --list",
]


@pytest.mark.every(3, "line")
@pytest.mark.parametrize("line", SPEAKING)
def test_a_command_whose_standard_output_is_closed_ends_quietly(line: str, tmp_path: Path) -> None:
    case(tmp_path / "cases" / "xattack" / "a", ATTACK, True)
    program(tmp_path / "xattack", "#!/bin/sh\necho false\n")
    if "journal" in line:
        assert harness("run", "--json", "journal", "cases", cwd=tmp_path).status == 0
    told = shell(f'"$1" {line} >&-', BIN / "harness", cwd=tmp_path)
    assert (told.status, told.err) == (74, b"")


def test_what_goes_to_files_is_written_though_standard_output_is_closed(tmp_path: Path) -> None:
    case(tmp_path / "cases" / "xattack" / "a", ATTACK, True)
    told = shell('"$1" run cases --json j --junit x.xml --tap t >&-', BIN / "harness", cwd=tmp_path)
    assert (told.status, told.err) == (74, b"")
    assert (tmp_path / "t").read_text().endswith("\nok 1 - cases/xattack/a\n1..1\n# 1 passed, 0 failed\n")
    assert json.loads((tmp_path / "j").read_text())["verdict"] == "pass"
    assert 'tests="1"' in (tmp_path / "x.xml").read_text()


def test_a_report_to_a_closed_standard_output_is_not_written(tmp_path: Path) -> None:
    case(tmp_path / "cases" / "xattack" / "a", ATTACK, True)
    assert shell('"$1" run cases --junit - >&-', BIN / "harness", cwd=tmp_path).status == 74


def test_a_wrong_command_line_is_one_though_standard_output_is_closed() -> None:
    assert shell('"$1" run --bin "" >&-', BIN / "harness").status == 2
