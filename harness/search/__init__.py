"""Where a program is wrong: guided fuzzing, smallest cases, findings in groups."""
