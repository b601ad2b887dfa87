"""Rule events: the names of what the rules do with an input.

An event is a tuple of words: a reason that blocks an attack, with a trait beside it; a tie and what
decides it; a token that is the last one. The functions of `harness.events.programs` run the engine
on an input, and note every event on the way; `harness.programs.reference.watch` does so for any program.
Two inputs with the same events are likely to fail the same programs, so a search for failures, or for a
small set of good cases, goes after events that are rare.
"""
