"""A plugin that measures what tests cover of evolution/, in each process that runs some."""

import pytest
from coverage import Coverage


class Measuring:
    """The measuring in one process; what it has found goes to a file of its own, to be combined."""

    def __init__(self) -> None:
        self._coverage = Coverage(data_suffix=True)
        self._coverage.start()

    def pytest_unconfigure(self) -> None:
        self._coverage.stop()
        self._coverage.save()


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    hands_out = bool(getattr(config.option, "numprocesses", None)) and not hasattr(config, "workerinput")
    if not hands_out:
        config.pluginmanager.register(Measuring())
