"""Tournaments: many games of the same players, fairly paired, and the standings that follow from them."""
