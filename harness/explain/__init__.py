"""The rules in words: what they make of a value, step by step, and why.

Nothing here knows a rule of its own. The engine plays, on a table that is watched, and every
movement of a token or a card that it makes is written down as it happens.
"""
