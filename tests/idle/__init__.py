"""Servers and clients that do almost nothing: no test may take that for a pass."""
