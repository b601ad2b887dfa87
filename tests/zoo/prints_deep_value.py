"""Opens a hundred thousand lists and closes them."""

print("[" * 100_000 + "]" * 100_000)
