"""Whether two answers are the same, and if not, how they differ."""
