"""`python -m harness` is `harness`."""

from harness.installed import harness

harness()
