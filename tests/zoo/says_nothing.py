"""Ends at once, well and silent."""
