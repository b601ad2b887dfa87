"""The reports: the same results in every format, from a run and from its journal."""

import json
import os
import re
import resource
import shlex
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

import junitparser
import pytest
import xmlschema
import yaml

from harness.judging.result import Result
from harness.judging.verdicts import MANNER, NOT_GRADED, NOT_SHOWN, VERDICTS
from harness.report.words import message, plain_failure, safe
from tests.support.helpers import ROOT, shell
from tests.support.results import (
    HARNESS,
    ODD,
    REPORTS,
    Results,
    case,
    environment,
    harness,
    program,
    run_everything,
)

Record = dict[str, Any]
PYTHON = ROOT / ".venv/bin/python"
ERRORS = {"could not start", "broken case"}
SKIPPED = ("known failure", "withheld")
FINE = {"pass", "known failure", "withheld"}


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Results:
    return run_everything(tmp_path_factory.mktemp("results"))


@pytest.fixture(scope="module")
def records(results: Results) -> list[Record]:
    lines = results.file("journal").read_bytes().splitlines()
    return [json.loads(line) for line in lines]


@pytest.fixture(scope="module")
def failures(records: list[Record]) -> list[Record]:
    return [record for record in records if record["verdict"] not in FINE]


@pytest.fixture(scope="module")
def again(results: Results) -> "subprocess.CompletedProcess[str]":
    """The reports once more, from the journal."""
    (results.place / "again").mkdir()
    options = [f"again/{one}" if "." in one else one for one in REPORTS]
    summary = environment(results.place, GITHUB_STEP_SUMMARY=str(results.file("again/summary.md")))
    return harness(results.place, "report", "journal", *options, env=summary)


# --- readers of the formats, strict ones ---------------------------------------------------------


class Line(NamedTuple):
    """A result in a TAP file."""

    ok: bool
    number: int
    name: str
    directive: str
    block: dict[str, Any] | None


RESULT = re.compile(r"(not )?ok (\d+) - ((?:[^#\\]|\\[#\\])*?)( # (?:TODO|SKIP) .*)?")


def read_tap(text: str) -> tuple[list[Line], list[str]]:
    """The results of a TAP 14 file, and its comments. Whatever is not TAP is an error."""
    lines = iter(text.removesuffix("\n").split("\n"))
    assert next(lines) == "TAP version 14"
    found: list[Line] = []
    comments = []
    plan = ""
    for line in lines:
        matched = RESULT.fullmatch(line)
        if matched:
            assert not plan, "a result after the plan"
            name = re.sub(r"\\([#\\])", r"\1", matched[3])
            found.append(Line(not matched[1], int(matched[2]), name, matched[4] or "", None))
        elif line == "  ---":
            assert found
            assert found[-1].block is None
            block = yaml.safe_load("\n".join(read_block(lines)))
            found[-1] = found[-1]._replace(block=block)
        elif line.startswith("# "):
            comments.append(line[2:])
        else:
            assert re.fullmatch(r"1\.\.\d+", line), f"not TAP: {line!r}"
            assert not plan
            plan = line
    assert plan == f"1..{len(found)}"
    assert [one.number for one in found] == list(range(1, len(found) + 1))
    return found, comments


def read_block(lines: Iterator[str]) -> Iterator[str]:
    for line in lines:
        if line == "  ...":
            return
        assert line.startswith("  ")
        yield line[2:]
    raise AssertionError("a block is not closed")


def read_page(path: Path) -> tuple[Record, list[list[Any]], list[Record]]:
    """The data that a page carries: what is known, the rows, and the details."""
    text = path.read_text()
    parts = dict(re.findall(r'<script type="application/json" id="(\w+)">(.*?)</script>', text, re.DOTALL))
    assert len(parts) == 3
    assert not set("<>&\u2028\u2029") & set("".join(parts.values())), "nothing that a parser of HTML looks at"
    known, rows, details = (parts[name].split("\n") for name in ("known", "rows", "details"))
    return (
        json.loads("".join(known)),
        [json.loads(row) for row in rows if row],
        [json.loads(detail) for detail in details if detail],
    )


class Annotation(NamedTuple):
    """A workflow command."""

    name: str
    properties: dict[str, str]
    text: str


def unescaped(text: str, *signs: str) -> str:
    for sign in ("\r", "\n", *signs):
        text = text.replace(f"%{ord(sign):02X}", sign)
    return text.replace("%25", "%")


def read_commands(printed: str) -> list[Annotation]:
    """The workflow commands that are obeyed, as GitHub reads them."""
    found: list[Annotation] = []
    stopped = ""
    for line in printed.split("\n"):
        matched = re.fullmatch(r"\s*::([\w-]+)( [^:]*)?::(.*)", line)
        if not matched or (stopped and matched[1] != stopped):
            continue
        if matched[1] == stopped:
            stopped = ""
        elif matched[1] == "stop-commands":
            stopped = matched[3]
        else:
            pairs = (pair.split("=", 1) for pair in (matched[2] or "").strip().split(",") if pair)
            properties = {key: unescaped(value, ":", ",") for key, value in pairs}
            found.append(Annotation(matched[1], properties, unescaped(matched[3])))
    assert not stopped, "commands are never obeyed again"
    return found


def read_summary(text: str) -> tuple[dict[str, int], list[tuple[str, str]]]:
    """The total row of a summary's table, and what is folded: head and text."""
    lines = text.split("\n")
    heads = [
        cell.strip() for cell in next(line for line in lines if line.startswith("| | ")).split("|")[2:-1]
    ]
    last = next(line for line in lines if line.startswith("| **all** |"))
    counts = [int(cell.strip(" *")) for cell in last.split("|")[2:-1]]
    folded = re.findall(
        r"^<details><summary>([^\n]*)</summary>\n\n(`{3,})text\n(.*?)\n\2\n\n</details>$",
        text,
        re.DOTALL | re.MULTILINE,
    )
    return dict(zip(heads, counts, strict=True)), [(head, body) for head, _, body in folded]


# --- counts and words agree ----------------------------------------------------------------------


def test_the_run_is_what_it_was_meant_to_be(results: Results, records: list[Record]) -> None:
    assert results.done.returncode == 1, results.done.stderr
    assert results.done.stderr == ""
    assert Counter(record["verdict"] for record in records) == results.counts
    recorded = set(VERDICTS) - {NOT_GRADED, NOT_SHOWN, MANNER}  # the last two are those of `harness remote`
    assert set(results.counts) == recorded, "every verdict that is recorded is there"
    assert len(records) == 300


def test_the_terminal_says_each_failure_and_the_total(results: Results, failures: list[Record]) -> None:
    for record in failures:
        assert plain_failure(Result.from_json(record)) in results.done.stdout
    passed, known = results.counts["pass"], results.counts["known failure"]
    total = f"{passed} passed, {len(failures)} failed, {known} known failures, 2 withheld\n"
    assert total in results.done.stdout


def test_junit_has_the_same_counts_by_folder(results: Results, records: list[Record]) -> None:
    path = results.file("junit.xml")
    xmlschema.XMLSchema(str(ROOT / "tests" / "support" / "junit.xsd")).validate(str(path))
    read = junitparser.JUnitXml.fromfile(str(path))
    suites = {suite.name: suite for suite in read}
    by_folder: dict[str, list[Record]] = {}
    for record in records:
        by_folder.setdefault(safe(record["case"].rpartition("/")[0]), []).append(record)
    assert set(suites) == set(by_folder)
    for folder, inside in by_folder.items():
        errors = sum(record["verdict"] in ERRORS for record in inside)
        known = sum(record["verdict"] in SKIPPED for record in inside)
        passed = sum(record["verdict"] == "pass" for record in inside)
        suite = suites[folder]
        said = (suite.tests, suite.errors, suite.skipped, suite.failures)
        assert said == (len(inside), errors, known, len(inside) - errors - known - passed)
        assert len(list(suite)) == len(inside)
    read.update_statistics()  # type: ignore[no-untyped-call]  # counts what is there, whatever the attributes say
    counts = results.counts
    skipped = sum(map(counts.__getitem__, SKIPPED))
    assert (read.tests, read.errors) == (300, 2)
    assert (read.failures, read.skipped) == (300 - counts["pass"] - skipped - 2, skipped)


def test_junit_has_the_same_words(results: Results, records: list[Record]) -> None:
    told = {
        (one.classname, one.name): one.result
        for suite in junitparser.JUnitXml.fromfile(str(results.file("junit.xml")))
        for one in suite
    }
    for record in records:
        folder, _, name = record["case"].rpartition("/")
        found = told[safe(folder), safe(name)]
        if record["verdict"] == "pass":
            assert found == []
            continue
        [outcome] = found
        assert outcome.type == record["verdict"]
        assert outcome.message == message(Result.from_json(record))
        for line in plain_failure(Result.from_json(record)).split("\n")[:5]:
            assert line in outcome.text
        if "reproduce" in record:
            assert safe(record["reproduce"]) in outcome.text


def test_junit_has_the_differences_as_properties(results: Results, records: list[Record]) -> None:
    tree = ElementTree.parse(results.file("junit.xml"))  # noqa: S314 (our own)
    told = {
        (one.get("classname"), one.get("name")): [
            json.loads(found.get("value", ""))
            for found in one.iterfind("properties/property[@name='difference']")
        ]
        for one in tree.iter("testcase")
    }
    for record in records:
        folder, _, name = record["case"].rpartition("/")
        assert told[safe(folder), safe(name)] == record.get("changes", [])
    assert any(told.values())


def test_tap_has_the_same_counts_and_words(results: Results, records: list[Record]) -> None:
    lines, comments = read_tap(results.file("results.tap").read_text())
    assert [line.name for line in lines] == [safe(record["case"]) for record in records]
    for line, record in zip(lines, records, strict=True):
        assert line.ok == (record["verdict"] in ("pass", "withheld"))
        assert bool(line.directive) == (record["verdict"] in SKIPPED)
        if record["verdict"] == "pass":
            assert line.block is None
            continue
        assert line.block is not None
        assert line.block["message"] == message(Result.from_json(record))
        for key in ("verdict", "program", "exit", "seconds"):
            assert line.block.get(key) == record.get(key)
        for key in ("differences", "stdout", "stderr", "reproduce"):
            assert (line.block.get(key) or None) == (record.get(key) or None), key
    assert comments[-1] in results.done.stdout


def test_github_gets_the_same_counts_and_words(results: Results, failures: list[Record]) -> None:
    commands = read_commands(results.done.stdout)
    annotations = [command for command in commands if command.name == "error"]
    assert len(annotations) == 50
    assert [command.text for command in commands if command.name != "error"] == [
        f"{len(failures) - 50} more failures have no annotation"
    ]
    for annotation, record in zip(annotations, failures, strict=False):
        assert annotation.properties["title"] == f"{safe(record['case'])}: {record['verdict']}"
        assert annotation.properties["file"] == safe(record["input"])
        first, *rest = annotation.text.split("\n")
        assert first == message(Result.from_json(record))
        said = plain_failure(Result.from_json(record)).split("\n")[2 if record.get("differences") else 1 :]
        assert rest == [line.replace(f"{results.place}/cases/", "cases/") for line in said]


def test_the_step_summary_has_the_table_and_the_first_failures(
    results: Results, failures: list[Record]
) -> None:
    text = results.file("summary.md").read_text()
    counts, folded = read_summary(text)
    assert counts == results.counts
    assert "<img" not in text.replace("```", "").split("<details>")[0]
    assert len(folded) == 20
    for (head, body), record in zip(folded, failures, strict=False):
        assert "<" not in head
        assert body == plain_failure(Result.from_json(record))
    assert f"… and {len(failures) - 20} more failures" in text


def test_the_page_has_the_same_counts_and_words(results: Results, records: list[Record]) -> None:
    known, rows, details = read_page(results.file("page.html"))
    assert [(f"{known['folders'][row[0]]}/{row[1]}") for row in rows] == [
        safe(record["case"]) for record in records
    ]
    assert [known["verdicts"][row[2]] for row in rows] == [record["verdict"] for record in records]
    failed = [record for record in records if record["verdict"] != "pass"]
    assert [row[4] for row in rows if row[4]] == [message(Result.from_json(record)) for record in failed]
    for detail, record in zip(details, failed, strict=True):
        for key in ("detail", "differences", "smallest", "stdout", "stderr", "reproduce"):
            assert (detail.get(key) or None) == (record.get(key) or None), key
        for half in ("input", "expected"):
            file = results.place / record[half]
            assert detail[half].get("text") == (file.read_text() if file.exists() else None)
    [lone] = [detail for detail in details if "problem" in detail["expected"]]
    assert lone["expected"]["problem"] == "cannot be read: No such file or directory"


def test_from_the_journal_every_report_is_the_same(
    results: Results, again: "subprocess.CompletedProcess[str]"
) -> None:
    assert again.returncode == 1, again.stderr
    assert again.stderr == ""
    for name in ("junit.xml", "results.tap", "page.html", "summary.md"):
        assert results.file(f"again/{name}").read_bytes() == results.file(name).read_bytes(), name
    assert read_commands(again.stdout) == read_commands(results.done.stdout)


def test_without_a_report_a_journal_says_what_the_run_has_said(
    results: Results, failures: list[Record]
) -> None:
    done = harness(results.place, "report", "journal", "--failures-only")
    assert done.returncode == 1
    assert done.stdout.startswith("\n".join(plain_failure(Result.from_json(one)) for one in failures))
    assert done.stdout.splitlines()[-1].startswith(f"{results.counts['pass']} passed, {len(failures)} failed")


# --- what is left out ----------------------------------------------------------------------------


def test_a_pattern_chooses_cases(results: Results, tmp_path: Path) -> None:
    targets = ("--tap", str(tmp_path / "t"), "--junit", str(tmp_path / "j"), "--html", str(tmp_path / "h"))
    done = harness(results.place, "report", "journal", "-k", "odd/plain1/", *targets)
    assert done.returncode == 0, "all these passed"
    count = int(done.stdout.split()[0])
    assert 0 < count < 300
    assert len(read_tap((tmp_path / "t").read_text())[0]) == count
    assert junitparser.JUnitXml.fromfile(str(tmp_path / "j")).tests == count
    assert len(read_page(tmp_path / "h")[1]) == count


def test_failures_only_lists_failures_and_keeps_the_total(
    results: Results, failures: list[Record], tmp_path: Path
) -> None:
    targets = ("--tap", str(tmp_path / "t"), "--junit", str(tmp_path / "j"), "--html", str(tmp_path / "h"))
    done = harness(results.place, "report", "journal", "--failures-only", *targets)
    assert done.returncode == 1
    lines, comments = read_tap((tmp_path / "t").read_text())
    assert len(lines) == len(failures)
    assert comments == [done.stdout.strip()]
    assert done.stdout.startswith(f"{results.counts['pass']} passed, {len(failures)} failed")
    assert junitparser.JUnitXml.fromfile(str(tmp_path / "j")).tests == len(failures)
    assert len(read_page(tmp_path / "h")[1]) == len(failures)
    assert done.stdout.strip() in (tmp_path / "h").read_text()


def test_a_report_to_a_dash_has_standard_output_for_itself(results: Results) -> None:
    done = harness(results.place, "report", "journal", "-k", "odd/plain0/", "--tap", "-")
    lines, _ = read_tap(done.stdout)
    assert f"{len(lines)} passed, 0 failed\n" == done.stderr
    run = harness(results.place, "run", "--bin", "bin", "cases/odd/plain0", "--tap", "-", "--sandbox", "off")
    assert {line.name for line in read_tap(run.stdout)[0]} == {line.name for line in lines}
    assert f"{len(lines)} passed, 0 failed\n" in run.stderr


def test_github_without_its_variables(results: Results) -> None:
    done = harness(results.place, "report", "journal", "-k", "mended", "--github")
    [annotation] = read_commands(done.stdout)
    assert annotation.text.startswith("unexpected pass: remove it from ")


def test_annotations_name_files_as_the_repository_does(results: Results) -> None:
    elsewhere = environment(results.place, GITHUB_WORKSPACE=str(results.place / "cases"))
    done = harness(results.place, "report", "journal", "-k", "mended", "--github", env=elsewhere)
    assert read_commands(done.stdout)[0].properties["file"] == "odd/known/mended-in.json"


# --- nothing is lost -----------------------------------------------------------------------------


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """One program, two cases, and a journal of them."""
    program(tmp_path / "bin" / "odd", ODD)
    case(tmp_path / "cases" / "odd" / "good", '["pass",0]', '["pass",0]')
    case(tmp_path / "cases" / "odd" / "bad", '["wrong",0]', '["wrong",0]')
    done = harness(tmp_path, "run", "--bin", "bin", "cases", "--sandbox", "off", "--json", "journal")
    assert done.returncode == 1
    return tmp_path


REFUSED = [
    ("--tap", "journal", "is for the journal"),
    ("--html", "./journal", "is for the journal"),
    ("--junit", "link", "is for the journal"),
    ("--tap", "cases/odd/good-out.json", "has the name of a file of a case"),
    ("--tap", "cases/odd/other-in.json", "has the name of a file of a case"),
    ("--html", "notes.txt", "exists already and is something else"),
    ("--junit", "bin/odd", "exists already and is something else"),
    ("--tap", "cases", "is a directory"),
    ("--html", "nowhere/page.html", "No such file or directory"),
]


@pytest.mark.every(3, "option")
@pytest.mark.parametrize(("option", "path", "why"), REFUSED)
def test_a_report_never_replaces_anything_else(place: Path, option: str, path: str, why: str) -> None:
    (place / "notes.txt").write_text("mine")
    (place / "link").symlink_to("journal")
    before = {
        file: file.read_bytes() for file in place.rglob("*") if file.is_file() and "cache" not in str(file)
    }
    for command in (("report", "journal"), ("run", "--bin", "bin", "cases", "--json", "journal")):
        done = harness(place, *command, option, path)
        assert done.returncode == 2, done.stdout
        assert f"{option}: " in done.stderr
        assert why in done.stderr
        now = {
            file: file.read_bytes()
            for file in place.rglob("*")
            if file.is_file() and "cache" not in str(file)
        }
        assert now == before


def test_two_reports_do_not_go_to_one_file(place: Path) -> None:
    for one, other in (("out", "out"), ("out", "./out"), ("-", "-")):
        done = harness(place, "report", "journal", "--tap", one, "--html", other)
        assert done.returncode == 2
        assert "is for the report of --" in done.stderr
        assert not (place / "out").exists()
    done = harness(place, "report", "journal", "--tap", "-", "--github")
    assert (done.returncode, "no report can go to -" in done.stderr) == (2, True)


def test_a_journal_never_replaces_a_report(place: Path) -> None:
    harness(place, "report", "journal", "--tap", "t")
    done = harness(place, "run", "--bin", "bin", "cases", "--json", "t")
    assert done.returncode == 2
    assert "--json: t exists already and is something else" in done.stderr
    assert (place / "t").read_text().startswith("TAP version 14")


@pytest.mark.every(3, "kind")
@pytest.mark.parametrize("kind", ["tap", "junit", "html"])
def test_a_report_replaces_an_earlier_one_of_its_kind(place: Path, kind: str) -> None:
    assert harness(place, "report", "journal", f"--{kind}", "out").returncode == 1
    first = (place / "out").read_bytes()
    assert harness(place, "report", "journal", "-k", "good", f"--{kind}", "out").returncode == 0
    assert (place / "out").read_bytes() != first
    assert not list(place.glob(".*")), "nothing is left beside it"


def test_devices_take_reports_too(place: Path) -> None:
    done = harness(place, "report", "journal", "--tap", "/dev/null", "--html", "/dev/null")
    assert (done.returncode, done.stdout) == (1, "1 passed, 1 failed\n")
    full = harness(place, "report", "journal", "--tap", "/dev/full")
    assert full.returncode == 74
    assert full.stderr == "harness: cannot write: /dev/full: No space left on device\n"


def test_a_run_that_does_not_happen_leaves_no_report(place: Path) -> None:
    (place / "empty").mkdir()
    done = harness(place, "run", "--bin", "bin", "empty", "--tap", "out", "--html", "page")
    assert done.returncode == 2
    assert not (place / "out").exists()
    assert not list(place.glob(".*"))


def test_annotations_name_cases_below_the_current_directory_from_there(place: Path) -> None:
    absolute = harness(place, "run", "--bin", "bin", "--sandbox", "off", "--github", str(place / "cases"))
    [annotation] = [command for command in read_commands(absolute.stdout) if command.name == "error"]
    assert annotation.properties["title"].startswith("cases/odd/")
    assert annotation.properties["file"].startswith("cases/odd/")


@pytest.mark.long
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_what_ends_a_report_early_leaves_nothing_for_the_next(place: Path, number: int) -> None:
    os.mkfifo(place / "pipe")
    with (
        subprocess.Popen([HARNESS, "report", "pipe", "--html", "page"], cwd=place) as reporting,
        (place / "pipe").open("wb", buffering=0) as pipe,
    ):
        pipe.write((place / "journal").read_bytes().splitlines(keepends=True)[0])
        while not list(place.glob(".page.*.part")):
            assert reporting.poll() is None
            time.sleep(0.02)
        reporting.send_signal(number)
        reporting.wait(timeout=120)
    if number == signal.SIGKILL:
        assert list(place.glob(".page.*.part"))
        assert harness(place, "report", "journal", "--html", "page").returncode == 1
    else:
        assert reporting.returncode == 130
    assert not list(place.glob(".page.*.part"))


@pytest.mark.long
def test_a_closed_pipe_costs_no_report_and_no_journal(tmp_path: Path) -> None:
    # More is said than any Python holds back: it would not notice who is gone by its last write.
    given, expected = (json.dumps([[word * 200, number] for number in range(30)]) for word in "ab")
    for number in range(60):
        case(tmp_path / "cases" / f"a{number}", given, expected)
    run = '"$1" run --sandbox off --program /bin/cat cases --html h --junit x --json j'
    for more in ("", "--github", "--tap -"):
        line = f"{{ {run} {more}; echo $? >status; }} | head -n 1"
        outcome = shell(line, HARNESS, cwd=tmp_path)
        assert outcome.out.count(b"\n") == 1
        assert (tmp_path / "status").read_text() == "74\n"
        assert len((tmp_path / "j").read_text().splitlines()) == 60
        assert junitparser.JUnitXml.fromfile(str(tmp_path / "x")).tests == 60
        assert (tmp_path / "h").read_bytes().endswith(b"</html>\n")
        for name in "jxh":
            (tmp_path / name).unlink()


def test_an_interrupted_run_is_reported_as_such(tmp_path: Path) -> None:
    # The second case begins when the first has ended for good.
    begun = tmp_path / "begun"
    second = f"touch {begun}; sleep 600"
    program(
        tmp_path / "bin" / "odd", f"#!/bin/sh\nread what\ncase $what in 1) echo 1 ;; *) {second} ;; esac\n"
    )
    case(tmp_path / "cases" / "odd" / "a", "1\n", "1")
    case(tmp_path / "cases" / "odd" / "b", "2\n", "1")
    options = ("--bin", "bin", "--sandbox", "off", "--timeout", "500", "-j", "1")
    with subprocess.Popen(
        [HARNESS, "run", *options, "cases", "--tap", "t", "--html", "h", "--junit", "x"],
        cwd=tmp_path,
        env=environment(tmp_path),
        stdout=subprocess.PIPE,
    ) as running:
        while not begun.exists():
            assert running.poll() is None
            time.sleep(0.02)
        has_name = (tmp_path / "t").exists()
        running.send_signal(signal.SIGTERM)  # as good as ^C, which is ignored by what runs in the background
        running.communicate(timeout=120)
    assert not has_name, "it gets its name when it is complete"
    assert running.returncode == 130
    assert (tmp_path / "t").read_text() == (
        "TAP version 14\nok 1 - cases/odd/a\n# 1 passed, 0 failed\nBail out! interrupted\n"
    )
    assert "interrupted; these are the results so far" in (tmp_path / "h").read_text()
    assert junitparser.JUnitXml.fromfile(str(tmp_path / "x")).tests == 1


# --- journals ------------------------------------------------------------------------------------

GOOD = {"v": 1, "case": "c/a", "program": "p", "verdict": "pass", "input": "a", "expected": "b"}
BAD_JOURNALS = {
    "": "no case is recorded in it",
    "TAP version 14\n": ":1: not a line of a journal",
    "[]\n": ":1: not a line of a journal",
    "\x00\x01\n": ":1: not a line of a journal",
    json.dumps({**GOOD, "v": 99}) + "\n": "a journal of version 99",
    json.dumps({**GOOD, "verdict": "fine"}) + "\n": "its verdict is not as it should be",
    json.dumps({**GOOD, "case": 3}) + "\n": "its case is not as it should be",
    json.dumps({**GOOD, "differences": [1]}) + "\n": "its differences is not as it should be",
    json.dumps({**GOOD, "changes": ["a"]}) + "\n": "its changes is not as it should be",
    json.dumps({**GOOD, "changes": [{"path": [[]], "place": ""}]}) + "\n": "its changes is not as it",
    json.dumps({**GOOD, "smallest": ["a"]}) + "\n": "its smallest is not as it should be",
    json.dumps({**GOOD, "seconds": float("nan")}) + "\n": "its seconds is not as it should be",
    json.dumps({**GOOD, "more": 1}) + "\n": "its more is not as it should be",
    json.dumps(GOOD) + "\n{}\n": ":2: not a line of a journal",
}


def test_a_journal_with_differences_in_words_alone_is_read(tmp_path: Path) -> None:
    line = "watering hole: 4, should be 3"
    (tmp_path / "j").write_text(json.dumps({**GOOD, "verdict": "wrong answer", "differences": [line]}) + "\n")
    done = harness(tmp_path, "report", "j", "--junit", "xml")
    assert done.returncode == 1
    assert line in (tmp_path / "xml").read_text()
    assert "<properties>" not in (tmp_path / "xml").read_text()


@pytest.mark.every(2, "text")
@pytest.mark.parametrize("text", BAD_JOURNALS, ids=range(len(BAD_JOURNALS)))
def test_what_is_no_journal_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "j").write_text(text)
    done = harness(tmp_path, "report", "j", "--html", "page", "--tap", "tap", "--junit", "xml")
    assert done.returncode == 65
    assert BAD_JOURNALS[text] in done.stderr
    assert done.stderr.count("\n") == 1
    assert [file.name for file in tmp_path.iterdir()] == ["j"]


def test_wrong_use_is_said(place: Path) -> None:
    assert harness(place, "report").returncode == 2
    gone = harness(place, "report", "gone")
    assert (gone.returncode, "gone: no such file" in gone.stderr) == (2, True)
    none = harness(place, "report", "journal", "-k", "zzz")
    assert (none.returncode, "-k zzz matches none of the " in none.stderr) == (2, True)


def test_a_record_needs_no_more_than_the_schema_demands(tmp_path: Path) -> None:
    records = [{**GOOD, "case": verdict, "verdict": verdict} for verdict in VERDICTS]
    (tmp_path / "j").write_text("".join(f"{json.dumps(record)}\n" for record in records))
    done = harness(tmp_path, "report", "j", *REPORTS)
    assert done.returncode == 1, done.stderr
    assert len(read_page(tmp_path / "page.html")[1]) == len(VERDICTS)
    xmlschema.XMLSchema(str(ROOT / "tests" / "support" / "junit.xsd")).validate(str(tmp_path / "junit.xml"))
    assert len(read_tap((tmp_path / "results.tap").read_text())[0]) == len(VERDICTS)


def test_a_case_that_a_continued_run_has_recorded_twice_counts_once(place: Path) -> None:
    text = (place / "journal").read_text()
    (place / "journal").write_text(text + text + text[:40])
    assert harness(place, "report", "journal", "--tap", "t").stdout == "1 passed, 1 failed\n"


def test_a_journal_may_come_through_a_pipe(place: Path) -> None:
    with (place / "journal").open("rb") as journal:
        done = harness(place, "report", "/dev/stdin", "--tap", "t", stdin=journal)
    assert done.stdout == "1 passed, 1 failed\n"
    line = f"cat journal | {shlex.quote(str(HARNESS))} report /dev/stdin --failures-only | tail -1"
    piped = subprocess.run(["sh", "-c", line], cwd=place, capture_output=True, text=True, check=True)
    assert piped.stdout == "1 passed, 1 failed\n"


def test_the_files_of_cases_are_found_from_anywhere(
    place: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    harness(elsewhere, "report", str(place / "journal"), "--html", "page")
    [detail] = read_page(elsewhere / "page")[2]
    assert detail["input"]["text"] == '["wrong",0]'
    (place / "cases" / "odd" / "bad-in.json").unlink()
    harness(elsewhere, "report", str(place / "journal"), "--html", "page")
    [detail] = read_page(elsewhere / "page")[2]
    assert detail["input"]["problem"] == "cannot be read: No such file or directory"


def test_names_that_are_no_utf8(tmp_path: Path) -> None:
    program(tmp_path / "bin" / "odd", ODD)
    case(tmp_path / "cases" / "odd" / "bad-\udcff", '["wrong",0]', '["wrong",0]')
    done = harness(tmp_path, "run", "--bin", "bin", "cases", "--sandbox", "off", "--json", "j", *REPORTS)
    assert done.returncode == 1, done.stderr
    first = (tmp_path / "results.tap").read_bytes()
    assert b"bad-\\\\xff\n" in first
    assert harness(tmp_path, "report", "j", "--tap", "results.tap", "--html", "page.html").returncode == 1
    assert (tmp_path / "results.tap").read_bytes().split(b"  input:")[0] == first.split(b"  input:")[0]
    xmlschema.XMLSchema(str(ROOT / "tests" / "support" / "junit.xsd")).validate(str(tmp_path / "junit.xml"))


# --- what it costs -------------------------------------------------------------------------------

LOADED = """
import sys
from harness.start import run
status = run("harness", sys.argv[1:])
print("loaded:", *sorted(sys.modules))
"""
LIBRARIES = {"jinja2", "markupsafe", "html", "secrets", "hashlib"}


def loaded(place: Path, *arguments: str) -> set[str]:
    done = subprocess.run(
        [PYTHON, "-c", LOADED, *arguments],
        cwd=place,
        env=environment(place, PYTHONPATH=str(ROOT)),
        capture_output=True,
        text=True,
        check=True,
    )
    modules = set(done.stdout.rpartition("loaded:")[2].split())
    return {name for name in modules if name in LIBRARIES or name.startswith("harness.report.")}


ALWAYS = {"harness.report.bar", "harness.report.colours", "harness.report.terminal", "harness.report.words"}


def test_a_run_without_reports_loads_nothing_for_them(place: Path) -> None:
    assert loaded(place, "run", "--bin", "bin", "--sandbox", "off", "cases") == ALWAYS
    assert loaded(place, "report", "journal") == ALWAYS


@pytest.mark.parametrize(
    ("report", "libraries"),
    [
        (("--junit", "x"), {"harness.report.junit"}),
        (("--tap", "x"), {"harness.report.tap"}),
        (("--html", "x"), {"harness.report.html", "harness.report.page", "jinja2", "markupsafe", "hashlib"}),
    ],
)
def test_a_report_loads_no_library_of_another(place: Path, report: tuple[str], libraries: set[str]) -> None:
    assert loaded(place, "report", "journal", *report) - {"html"} == ALWAYS | libraries


def peak(*command: str, cwd: Path) -> int:
    """The most memory that a command used, in kB."""
    code = (
        "import resource, subprocess, sys; subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL);"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *command], cwd=cwd, capture_output=True, text=True, check=True
    )
    return int(done.stdout)


@pytest.mark.long
def test_a_long_run_needs_no_more_memory_than_a_short_one(tmp_path: Path) -> None:
    assert resource.getpagesize()  # the unit below is known on Linux
    wrong = {**GOOD, "verdict": "wrong answer", "stdout": "x" * 4000, "stderr": "", "detail": ""}
    peaks = []
    for many in (100, 5000):
        with (tmp_path / f"{many}").open("w") as journal:
            for number in range(many):
                journal.write(json.dumps({**wrong, "case": f"f{number % 7}/{number}"}) + "\n")
        reports = ("--tap", f"{many}.tap", "--junit", f"{many}.xml", "--html", f"{many}.html")
        peaks.append(peak(str(HARNESS), "report", f"{many}", *reports, cwd=tmp_path))
    assert (tmp_path / "5000.html").stat().st_size > 18_000_000
    assert peaks[1] < peaks[0] + 8_000
