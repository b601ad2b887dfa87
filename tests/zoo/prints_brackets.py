"""Opens a hundred thousand lists."""

print("[" * 100_000)
