"""Rule events: the names of what the rules do with an input.

An event is a tuple of words: a reason that blocks an attack, with a trait beside it; a tie and what
decides it; a token that is the last one. `watch` runs the engine on an input of any program, and notes
every event on the way. Two inputs with the same events are likely to fail the same programs, so a search
for failures, or for a small set of good cases, goes after events that are rare.
"""

from harness.events.programs import watch

__all__ = ["watch"]
