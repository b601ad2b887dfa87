# make          set up, then run all fixtures of test-fixtures/ against the programs in bin/
# make test     set up, then run all tests: the game, measuring what they cover; the rest, two at once;
#               and those that need the machine for themselves
# make docs     write docs/harness.md anew, by the commands that it shows
# make lint     ruff and mypy
# make bench    the benchmarks, side by side
# make mutants  change the engine in small ways and see that the tests notice (long)
# make soak     the tests that take long: many kills, many random cases
# make clean    remove everything that was made
PYTHON ?= python3
VENV = .venv
READY = $(VENV)/ready
PY = $(VENV)/bin/python

.DEFAULT_GOAL := run
.PHONY: run setup test docs lint bench mutants soak clean

run: $(READY)
	@bin/harness run test-fixtures

setup: $(READY)

$(READY): setup.cfg pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	    || { echo "make: Python 3.11 or later is needed; try: make PYTHON=python3.12" >&2; exit 1; }
	@echo "setting up $(VENV) (once) ..."
	@$(PYTHON) -m venv $(VENV)
	@$(PY) -m pip install --quiet --disable-pip-version-check \
	    --config-settings editable_mode=compat --editable '.[dev]'
	@$(PY) -m compileall -q evolution harness
	@touch $@

test: $(READY)
	$(PY) -m coverage run -m pytest tests/evolution
	$(PY) -m coverage report
	$(PY) -m pytest --ignore=tests/evolution -m "not alone" -n 2 --dist worksteal
	$(PY) -m pytest --ignore=tests/evolution -m alone

docs: $(READY)
	$(PY) -m tests.harness_page

lint: $(READY)
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy

bench: $(READY)
	$(PY) -m bench

mutants: $(READY)
	rm -rf mutants
	$(PY) -m mutmut run
	$(PY) -m mutmut results

soak: $(READY)
	SOAK=1 MODEL_CASES=20000 $(PY) -m pytest tests/test_run.py tests/evolution/test_against_model.py tests/evolution/test_soak.py tests/test_generate.py tests/test_server.py

clean:
	rm -rf $(VENV) build dist *.egg-info .coverage .mypy_cache .ruff_cache .pytest_cache .hypothesis mutants .harness
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
