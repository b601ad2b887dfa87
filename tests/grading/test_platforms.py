"""What platforms of courses read: files by their schemas, and submissions that become marks."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
import zipfile
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.grading.config import Late
from harness.grading.platforms import MOST_BYTES, apportioned, rounded, within
from harness.grading.submission import lateness, read_metadata
from tests.support.grading_helpers import harness
from tests.support.helpers import BIN, ROOT, Json
from tests.support.keeper import write_program

SECRET = "whisper"
RUNNER = {
    "CLASSROOM": "games",
    "ASSIGNMENT": "evolution",
    "SUBMISSION_TAG": "submit/2026-11-01",
    "ASSIGNMENT_TYPE": "individual",
    "OWNER": "ada",
    "COMMIT_URL": "https://example.org/c",
    "RELEASE_URL": "https://example.org/r",
    "REVIEW_URL": "https://example.org/v",
}


def valid(path: Path, schema: str) -> Json:
    found = json.loads(path.read_text())
    jsonschema.validate(found, json.loads((ROOT / "docs" / f"{schema}.schema.json").read_text()))
    return found


def write_course(folder: Path) -> Path:
    """A submission that echoes its input, cases that it gets wrong, and a hidden suite; its grade.toml."""
    cases = sorted((ROOT / "test-fixtures" / "xstep").glob("*-in.json"))[:6]
    for at, case in enumerate(cases):
        suite = folder / "course" / ("open" if at < 4 else "hushed") / "xstep"
        suite.mkdir(parents=True, exist_ok=True)
        name = case.name.removesuffix("-in.json")
        for end in ("in", "out"):
            target = f"{SECRET}-{at}" if at >= 4 else name
            shutil.copy(case.with_name(f"{name}-{end}.json"), suite / f"{target}-{end}.json")
    write_program(folder / "submission" / "xstep", "#!/bin/sh\ncat\n")
    config = folder / "course" / "grade.toml"
    config.write_text(
        'teams = ["submissions/*"]\n[limits]\nsandbox = "off"\n[late]\nper-day = 0.1\n'
        '[[suite]]\nname = "open"\npath = "open"\npoints = 10\n'
        'feedback = [{ after-submissions = 2, degree = "everything" }, { degree = "rule" }]\n'
        f'[[suite]]\nname = "{SECRET}s"\npath = "hushed"\npoints = 5\nhidden = true\n'
    )
    return config


def test_each_platform_gets_a_file_by_its_schema_in_one_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in RUNNER.items():
        monkeypatch.setenv(name, value)
    config = write_course(tmp_path)
    files = ("--gradescope", "g.json", "--prairielearn", "p.json", "--classroom50", "c.json")
    (tmp_path / "late.json").write_text(
        '{"created_at": "2026-11-02T13:00:00.1-05:00", '
        '"assignment": {"due_date": "2026-11-01T12:00:00-05:00"}, "previous_submissions": [{}, {}]}'
    )
    options = (*files, "--metadata", "late.json", "--for", "students", "--dialect", "generous")
    done = harness(tmp_path, "grade", "--config", config, "submission", *options)
    assert done.returncode == 0, done.stderr
    gradescope, learn = valid(tmp_path / "g.json", "gradescope"), valid(tmp_path / "p.json", "prairielearn")
    classroom = valid(tmp_path / "c.json", "classroom50")
    assert "multiplied by 0.8\n2 days late\n" in gradescope["output"]
    assert {test["visibility"] for test in gradescope["tests"] if SECRET in test["name"]} == {"hidden"}
    assert any("should" in test["output"] for test in gradescope["tests"])  # the third submission
    assert learn["images"][0]["url"].startswith("data:image/svg+xml;base64,")
    assert learn["score"] == pytest.approx(gradescope["score"] / 15, abs=0.001)
    assert classroom["score"] == rounded(gradescope["score"]) == sum(t["score"] for t in classroom["tests"])
    assert classroom["max-score"] == 15
    assert (classroom["owner"], classroom["submission"]) == ("ada", "submit/2026-11-01")
    assert (tmp_path / "release-body.md").read_text().startswith("# submission\n")
    for file in ("p.json", "c.json", "release-body.md"):
        assert SECRET not in (tmp_path / file).read_text()


def test_what_the_runner_says_of_itself_costs_no_mark_whatever_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLASSROOM", "g\udcffmes")
    monkeypatch.setenv("SUBMISSION_TAG", "b\x1bc")
    done = harness(
        tmp_path, "grade", "--config", write_course(tmp_path), "submission", "--classroom50", "c.json"
    )
    assert done.returncode == 0, done.stderr
    found = valid(tmp_path / "c.json", "classroom50")
    assert (found["classroom"], found["submission"], found["max-score"]) == (
        "g\\xffmes",
        "submit/b\\x1bc",
        15,
    )


def test_a_file_of_a_platform_is_for_one_team(tmp_path: Path) -> None:
    config = write_course(tmp_path)
    shutil.copytree(tmp_path / "submission", tmp_path / "other")
    done = harness(tmp_path, "grade", "--config", config, "submission", "other", "--classroom50", "c.json")
    assert (done.returncode, done.stdout) == (2, "")
    assert "--classroom50 is for one team, and there are 2" in done.stderr


@given(
    st.lists(st.tuples(st.integers(0, 400), st.integers(0, 400)), min_size=1, max_size=6), st.integers(1, 7)
)
def test_integers_add_up_and_no_test_gets_more_than_there_is(pairs: list[tuple[int, int]], part: int) -> None:
    most = [max(pair) / part for pair in pairs]
    got = [min(pair) / part for pair in pairs]
    mosts = apportioned(most, rounded(sum(most)))
    scores = apportioned(got, rounded(sum(got)), mosts)
    assert (sum(mosts), sum(scores)) == (rounded(sum(most)), rounded(sum(got)))
    assert all(0 <= score <= of for score, of in zip(scores, mosts, strict=True))
    assert apportioned(most, rounded(sum(most)), mosts) == mosts


def test_what_is_too_large_loses_pictures_then_texts_and_never_a_mark() -> None:
    tests = [
        {"name": f"case {at}", "points": 1, "max_points": 2, "message": "m" * 100, "output": "é" * 2000}
        for at in range(2000)
    ]
    image = {"label": "a", "url": "data:image/svg+xml;base64," + "A" * 300_000}
    whole = {"gradable": True, "score": 0.5, "output": "", "images": [image] * 5, "tests": tests}
    few = within({**whole, "tests": tests[:10]}, MOST_BYTES, list)
    assert (len(few["images"]), "output" in few["tests"][-1]) == (3, True)
    kept = within(whole, MOST_BYTES, list)
    assert len(json.dumps(kept, ensure_ascii=False, indent=2).encode()) < MOST_BYTES
    assert (len(kept["images"]), [test["points"] for test in kept["tests"]]) == (0, [1] * 2000)
    assert within(whole, 1000, lambda: [{"name": "all", "points": 2000, "max_points": 4000}])["tests"] == [
        {"name": "all", "points": 2000, "max_points": 4000}
    ]


@pytest.mark.parametrize(
    ("late", "factor"),
    [(timedelta(), 1), (timedelta(minutes=15), 1), (timedelta(minutes=16), 0.9), (timedelta(days=30), 0)],
)
def test_a_late_submission_loses_a_part_for_each_day(late: timedelta, factor: float) -> None:
    assert lateness(Late(0.1, 15), late)[0] == pytest.approx(factor)


def told_of(folder: Path, metadata: Json) -> Json:
    """What a dry run says of a submission."""
    (folder / "m.json").write_text(json.dumps(metadata))
    config = folder / "course" / "grade.toml"
    done = harness(
        folder, "grade", "--config", config, "submission", "--metadata", "m.json", "--dry-run", "--json"
    )
    assert done.returncode == 0, done.stderr
    (team,) = json.loads(done.stdout)["teams"]
    return team


def test_a_day_ends_where_the_course_is_and_not_where_programs_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = write_course(tmp_path)
    here = datetime.now(UTC)
    # Of these two, one at least has another date than UTC.
    zones = [timezone(timedelta(hours=hours)) for hours in (-12, 12)]
    monkeypatch.setenv("TZ", "UTC")
    for zone in zones:
        day = here.astimezone(zone).date()
        before = f'{{ until = {day - timedelta(1)}, degree = "everything" }}'
        steps = f'[{before}, {{ until = {day}, degree = "rule" }}]'
        config.write_text(re.sub("feedback = .*", f"feedback = {steps}", config.read_text()))
        due = {"assignment": {"due_date": here.astimezone(zone).isoformat()}}
        assert told_of(tmp_path, due)["suites"]["open"] == "rule"


def test_who_has_got_more_time_is_not_late(tmp_path: Path) -> None:
    metadata = {
        "created_at": "2026-11-05T12:00:00-05:00",
        "assignment": {"due_date": "2026-11-01T12:00:00-05:00"},
        "users": [{"assignment": {"due_date": "2026-11-04T13:00:00-05:00"}}, {"name": "Ada"}, None],
    }
    (tmp_path / "m.json").write_text(json.dumps(metadata))
    assert read_metadata(str(tmp_path / "m.json")).late == timedelta(hours=23)


@pytest.mark.parametrize("metadata", [{}, {"created_at": 3, "assignment": {"due_date": "May"}}])
def test_what_is_not_known_of_a_submission_costs_nothing(tmp_path: Path, metadata: Json) -> None:
    write_course(tmp_path)
    team = told_of(tmp_path, metadata)
    assert (team["submissions"], team["suites"]["open"]) == (1, "rule")


def test_metadata_that_are_none_are_refused(tmp_path: Path) -> None:
    config = write_course(tmp_path)
    (tmp_path / "m.json").write_text("[")
    done = harness(tmp_path, "grade", "--config", config, "submission", "--metadata", "m.json", "--dry-run")
    assert (done.returncode, "m.json: not JSON" in done.stderr) == (65, True)


@pytest.mark.needs("sandbox")
@pytest.mark.long
@pytest.mark.parametrize("earlier", [0, 2, None])
def test_gradescope_goes_from_an_uploaded_zip_to_marks(tmp_path: Path, earlier: int | None) -> None:
    config = write_course(tmp_path)
    write_program(tmp_path / "submission" / "xstep", "#!/bin/sh\nid -u >&2\ncat\n")
    done = harness(tmp_path, "grade", "--config", config, "--gradescope-zip", "autograder.zip")
    assert done.returncode == 0, done.stderr
    top = tmp_path / "autograder"
    (top / "results").mkdir(parents=True)
    shutil.copytree(tmp_path / "submission", top / "submission")
    told = (
        '{"previous_submissions": NaN}'
        if earlier is None
        else json.dumps({"previous_submissions": [{}] * earlier})
    )
    (top / "submission_metadata.json").write_text(told)
    with zipfile.ZipFile(tmp_path / "autograder.zip") as archive:
        archive.extractall(top / "source")
    for name in ("setup.sh", "run_autograder"):
        (top / "source" / name).chmod(0o755)
    # What setup.sh would fetch is here already.
    (top / "venv" / "bin").mkdir(parents=True)
    (top / "venv" / "bin" / "python").write_text(f"#!/bin/sh\nexec '{sys.executable}' \"$@\"\n")
    (top / "venv" / "bin" / "python").chmod(0o755)
    subprocess.run(["sh", "-n", top / "source" / "setup.sh"], check=True)
    ran = subprocess.run(
        [top / "source" / "run_autograder"],
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "AUTOGRADER": str(top)},
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert ("graded as a first submission that is in time" in ran.stderr) == (earlier is None)
    found = valid(top / "results" / "results.json", "gradescope")
    open_tests = [test for test in found["tests"] if test["visibility"] == "visible"]
    assert [test["visibility"] for test in found["tests"]] == ["visible"] * 4 + ["hidden"] * 2
    if not earlier:
        assert [test["name"] for test in open_tests] == [f"open: case {at}" for at in (1, 2, 3, 4)]
        assert not any("should" in test["output"] for test in open_tests)
    else:
        users = {test["output"].rpartition("and on standard error\n")[2] for test in open_tests}
        assert users
        assert "0" not in users  # nothing of a submission is run as root


@pytest.mark.long
def test_gradescope_can_read_what_is_known_while_programs_run(tmp_path: Path) -> None:
    config = write_course(tmp_path)
    write_program(tmp_path / "submission" / "xstep", "#!/bin/sh\nsleep 1\ncat\n")
    results = tmp_path / "results.json"
    command = [str(BIN / "harness"), "grade", "--config", str(config), "submission", "-j", "1"]
    options = ["--gradescope", str(results), "--dialect", "generous"]
    with subprocess.Popen([*command, *options], cwd=tmp_path, stdout=subprocess.DEVNULL) as grading:
        while grading.poll() is None and not results.exists():
            time.sleep(0.05)
        partial = valid(results, "gradescope")
        assert re.match("The grading has not ended: [1-4] of 4 open cases", partial["output"])
        assert [test["name"] for test in partial["tests"]] == ["open", "hidden tests"]
        assert SECRET not in results.read_text()
    assert grading.returncode == 0
    assert "The grading" not in valid(results, "gradescope")["output"]


@pytest.mark.long
@pytest.mark.parametrize(
    ("platform", "schema"), [("prairielearn", "prairielearn"), ("classroom50", "classroom50")]
)
def test_a_submission_that_cannot_be_built_costs_no_attempt(
    tmp_path: Path, platform: str, schema: str
) -> None:
    config = write_course(tmp_path)
    write_program(tmp_path / "submission" / "compile", "#!/bin/sh\necho no compiler\nexit 1\n")
    done = harness(tmp_path, "grade", "--config", config, "submission", f"--{platform}", "r.json")
    assert done.returncode == 0, done.stderr
    found = valid(tmp_path / "r.json", schema)
    assert found["score"] == 0
    if platform == "prairielearn":
        assert (found["gradable"], "no compiler" in found["format_errors"][0]) == (False, True)
