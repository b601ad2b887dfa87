"""`python -m harness` is `harness`."""

from harness.cli.installed import harness

harness()
