"""`python -m harness` is `harness`."""

from harness.start import harness

harness()
