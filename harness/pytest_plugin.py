"""A plugin for pytest: with `--harness-bin DIR`, each case of a fixture directory is a test.

Every pytest in whose environment this is installed loads it, so until that option is given it does
nothing and loads nothing.
"""

import os

import pytest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from harness.fixtures.cases import Case
    from harness.fixtures.naming import Names
    from harness.running.one_case import OneCaseRunner


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of this plugin."""
    group = parser.getgroup("harness", "cases of the game Evolution")
    group.addoption(
        "--harness-bin",
        metavar="DIR",
        help="Collect cases (NAME-in.json with NAME-out.json and the like), and run the executables in DIR "
        "on them, as harness run --bin does.",
    )
    group.addoption(
        "--harness-timeout", type=float, default=10.0, metavar="SECONDS", help="Time for one case (10)."
    )
    group.addoption(
        "--harness-sandbox",
        choices=("auto", "on", "strict", "off"),
        default="auto",
        help="Run the executables in a sandbox: if one works here (auto), or fail (on), "
        "with the harness hidden as well (strict), or do not (off).",
    )
    group.addoption(
        "--harness-names",
        action="append",
        default=[],
        metavar="PATTERN",
        help="How case files are named, if not in a usual way: {name}.input:{name}.expected (--names).",
    )
    parser.addini("harness_bin", "what --harness-bin is if it is not given, from the directory of this file")


def pytest_configure(config: pytest.Config) -> None:
    """See whether there is anything to do at all."""
    given, written = config.getoption("--harness-bin"), config.getini("harness_bin")
    if given:
        folder = os.path.join(config.invocation_params.dir, given)
        if not os.path.isdir(folder):
            raise pytest.UsageError(f"--harness-bin: {given} is not a directory")
    elif written:
        folder = os.path.join(config.rootpath, written)
    else:
        return
    config.pluginmanager.register(Cases(config, folder), "harness-cases")


class Cases:
    """The part of the plugin that does something: it collects cases, and can run them."""

    def __init__(self, config: pytest.Config, folder: str) -> None:
        self._config = config
        self._folder = folder
        self._runner: OneCaseRunner | None = None
        self._names = _names(config)

    def pytest_collect_file(self, file_path: "Path", parent: pytest.Collector) -> "CaseFile | None":
        """The case that a file belongs to, if it is met by this file."""
        from harness.fixtures.cases import case_of

        case = case_of(str(file_path), self._names)
        if case is None:
            if self._names.untaken is not None and self._is_asked_for(file_path):
                self._names.untaken.add(str(file_path))
            return None
        first = next((file for file in (case.input, case.expected) if os.path.isfile(file)), case.arguments)
        if file_path.samefile(first or file_path) or parent.session.isinitpath(file_path):
            return CaseFile.from_parent(parent, path=file_path, case=case, cases=self)
        return None

    def _is_asked_for(self, path: "Path") -> bool:
        """Whether a file is at one of the given paths, or below: pytest looks round above them, too."""
        started = self._config.invocation_params.dir
        given = (started / argument.partition("::")[0] for argument in self._config.args)
        return any(path.is_relative_to(one) for one in given)

    def pytest_report_collectionfinish(self) -> list[str]:
        """Which files look like cases and are not."""
        untaken = str(self._names.untaken)
        return [f"harness: {untaken.replace('--names', '--harness-names')}"] if untaken else []

    def runner(self) -> "OneCaseRunner":
        """What runs cases; there is one in a process, from its first case on."""
        if self._runner is None:
            from harness.running.one_case import OneCaseRunner
            from harness.running.sandbox import SandboxError

            if not os.path.isdir(self._folder):
                raise pytest.UsageError(f"harness_bin: {self._folder} is not a directory")
            try:
                self._runner = OneCaseRunner(
                    self._folder,
                    self._config.getoption("--harness-timeout"),
                    self._config.getoption("--harness-sandbox"),
                    [folder for folder in self._folders() if os.path.isdir(folder)],
                )
            except SandboxError as problem:
                raise pytest.UsageError(str(problem)) from None
        return self._runner

    def _folders(self) -> list[str]:
        """Where cases are looked for."""
        here = self._config.invocation_params.dir
        return [os.path.join(here, argument.partition("::")[0]) for argument in self._config.args]

    def pytest_unconfigure(self) -> None:
        """Leave nothing behind."""
        if self._runner is not None:
            self._runner.close()


def _names(config: pytest.Config) -> "Names":
    """The namings that are understood."""
    from harness.fixtures.naming import BadPattern, Names
    from harness.fixtures.untaken import Untaken

    try:
        return Names(config.getoption("--harness-names"), Untaken(str(config.invocation_params.dir)))
    except BadPattern as problem:
        raise pytest.UsageError(f"--harness-names: {problem}") from None


class CaseFile(pytest.File):
    """A file by which a case is met."""

    def __init__(self, *, case: "Case", cases: Cases, **known: object) -> None:
        super().__init__(**known)  # type: ignore[arg-type]
        self.case = case
        self.cases = cases

    def collect(self) -> "Iterator[CaseItem]":
        """The case."""
        yield CaseItem.from_parent(self, name=os.path.basename(self.case.name))


class CaseItem(pytest.Item):
    """A case, as a test."""

    def runtest(self) -> None:
        """Run the program, and say in the words of every report what is wrong."""
        from harness.judging.verdicts import KNOWN, PASS
        from harness.report.words import message, plain_failure

        assert isinstance(self.parent, CaseFile)
        case = self.parent.case
        case.name = os.path.relpath(case.name)
        result = self.parent.cases.runner().result(case)
        self.user_properties.append(("verdict", result.verdict))
        if result.verdict == KNOWN:
            pytest.xfail(message(result))
        if result.verdict != PASS:
            pytest.fail(plain_failure(result), pytrace=False)

    def reportinfo(self) -> "tuple[Path, int | None, str]":
        """Where the case is, for people."""
        return self.path, None, self.name
