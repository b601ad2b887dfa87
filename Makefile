# make            set up, then run all cases of test-fixtures/ against the programs in bin/
# make setup      set up what running needs, or mend it; every other target does it by itself
# make test       the tests of every rule, program, command and report: some minutes
# make test-all   these, and the tests that take long by nature
# make docs       write docs/harness.md anew, by the commands that it shows
# make lint       ruff and mypy
# make bench      the benchmarks, side by side
# make mutants    change the engine in small ways and see that the tests notice (long)
# make soak       some tests with many more random cases and kills than usual (long)
# make clean      remove everything that was made
# make help       this list
#
# PYTHON=python3.13 uses another Python, 3.11 or later. As root with apt-get, `make test` and `make test-all`
# first fetch the tools without which tests are skipped; TOOLS=no leaves them alone.
TARGETS = run setup test test-all docs lint bench mutants soak clean help

PYTHON ?= python3
# An interpreter that was asked for must be the one of .venv; any other time what .venv has is good.
setup test-setup: export PYTHON := $(PYTHON)
setup test-setup: export PYTHON_GIVEN := $(filter-out file,$(origin PYTHON))
TOOLS ?= yes
PY = .venv/bin/python

.DEFAULT_GOAL := run
.PHONY: $(TARGETS) test-setup tools

UNKNOWN := $(filter-out $(TARGETS),$(MAKECMDGOALS))
ifneq ($(UNKNOWN),)
    $(error There is no target $(UNKNOWN). Did you mean one of these: $(TARGETS)? "make help" explains them)
endif

run: setup
	@bin/harness run test-fixtures

# What is whole is seen by the interpreter of .venv, at once; what is not is mended by $(PYTHON).
define set-up
@{ [ -z "$$PYTHON_GIVEN" ] && $(PY) -I -S bin/set_up.py check $(1); } >/dev/null 2>&1 || { \
    "$$PYTHON" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
        || { echo "make: $$PYTHON is not a Python of version 3.11 or later; name one: make PYTHON=python3.12" >&2; exit 1; }; \
    "$$PYTHON" -I bin/set_up.py make $(1); }
endef

setup:
	$(call set-up,run)

test-setup:
	$(call set-up,test)

tools: test-setup
	@[ "$(TOOLS)" = no ] || $(PY) bin/set_up.py tools

test: tools
	@$(PY) -m tests

test-all: tools
	@$(PY) -m tests --all

docs: test-setup
	$(PY) -m tests.harness_page

lint: test-setup
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy

bench: test-setup
	$(PY) -m bench

mutants: test-setup
	rm -rf mutants
	$(PY) -m mutmut run
	$(PY) -m mutmut results

soak: test-setup
	SOAK=1 MODEL_CASES=20000 $(PY) -m pytest tests/running/test_run.py tests/evolution/test_against_model.py tests/evolution/test_soak.py tests/authoring/test_generate.py tests/conformance/test_server.py

clean:
	rm -rf .venv build dist *.egg-info .coverage .coverage.* .mypy_cache .ruff_cache .pytest_cache .hypothesis mutants .harness
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

help:
	@sed -n '/^#/!q; s/^# \{0,1\}//p' Makefile
