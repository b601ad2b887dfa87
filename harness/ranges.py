"""Which values limits and settings can have, on command lines and in configuration files alike."""


class Whole:
    """A whole number in a range."""

    def __init__(self, least: int, most: int) -> None:
        self.least = least
        self.most = most

    def __str__(self) -> str:
        return f"from {self.least} to {self.most}"

    def holds(self, value: object) -> bool:
        """Whether a value is such a number."""
        return type(value) is int and self.least <= value <= self.most


class Number:
    """A number in a range."""

    def __init__(self, least: float, most: float) -> None:
        self.least = least
        self.most = most

    def __str__(self) -> str:
        return f"from {self.least} to {self.most}"

    def holds(self, value: object) -> bool:
        """Whether a value is such a number."""
        return type(value) in (int, float) and self.least <= value <= self.most  # type: ignore[operator]


# What is limited is limited in the same bounds by all commands.
SECONDS = Number(0.01, 1_000_000)
WAIT = Number(0, 1_000_000)  # seconds, perhaps none
MEGABYTES = Whole(16, 1_000_000)
KILOBYTES = Whole(1, 1_000_000)
JOBS = Whole(1, 256)
SANDBOX = ("auto", "on", "strict", "off", "bwrap", "landlock")
