"""What holds for all tests: what they need is tried once and told, and what was not run is counted."""

import os
import signal
from collections import Counter

import pytest
from hypothesis import settings

from tests.support import tally
from tests.support.capabilities import CAPABILITIES, missing, reason, summary

# How long an example takes says more about the machine than about what is tested.
settings.register_profile("patient", deadline=None)
settings.register_profile("brief", deadline=None, max_examples=30)  # where nothing may take long

# Whoever is started can be interrupted, even if the tests themselves cannot: a handler is not inherited.
for _number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM, signal.SIGQUIT):
    if signal.getsignal(_number) is signal.SIG_IGN:
        signal.signal(_number, lambda *_: None)

CI = os.environ.get("CI") == "true"  # where nothing may be skipped


class Counted:
    """How many tests passed, failed, or were not run and why, counted by the process that reports."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._skipped: Counter[str] = Counter()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.skipped:
            self._skip(report.longrepr)
        elif report.failed or report.when == "call":
            self._counts[report.outcome] += 1

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.skipped:
            self._skip(report.longrepr)
        elif report.failed:
            self._counts["failed"] += 1

    def _skip(self, longrepr: object) -> None:
        assert isinstance(longrepr, tuple)
        self._skipped[longrepr[2].removeprefix("Skipped: ")] += 1

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if CI and self._skipped and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
        tally.record(tally.Tally(self._counts["passed"], self._counts["failed"], dict(self._skipped)))

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if not tally.is_collected():
            for line in tally.not_run(dict(self._skipped)):
                terminalreporter.write_line(line)
        if CI and self._skipped:
            terminalreporter.write_line("CI=true: nothing may be skipped", red=True)


def pytest_configure(config: pytest.Config) -> None:
    settings.load_profile("brief" if "not long" in config.option.markexpr else "patient")
    if not hasattr(config, "workerinput"):
        missing()  # found out here, for all workers
        config.pluginmanager.register(Counted())


def pytest_sessionstart(session: pytest.Session) -> None:
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None and not tally.is_collected():
        for line in summary(missing()):
            reporter.write_line(line)


@pytest.hookimpl(tryfirst=True)  # before those are left out that are long
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        for mark in item.iter_markers("every"):
            count, name = mark.args
            if item.callspec.indices[name] % count:  # type: ignore[attr-defined]
                item.add_marker(pytest.mark.long)
        for name in _needs(item):
            if name not in CAPABILITIES:
                raise pytest.UsageError(f"{item.nodeid} needs {name!r}; there are {', '.join(CAPABILITIES)}")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    absent = missing()
    for name in _needs(item):
        if name in absent:
            said = reason(name, absent[name])
            pytest.fail(f"CI=true: {said}", pytrace=False) if CI else pytest.skip(said)


def _needs(item: pytest.Item) -> list[str]:
    return [name for mark in item.iter_markers("needs") for name in mark.args]
