"""Players: whoever decides what to do with cards and whom to feed."""
