"""Whole games: played, written down, played again."""
