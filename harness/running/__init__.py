"""Other people's programs, run within limits: one case, many cases, the journal of a run."""
