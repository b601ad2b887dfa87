"""A player in a process of its own, and how it is asked through JSON."""
