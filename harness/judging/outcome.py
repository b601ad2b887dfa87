"""What a program did with an input: what a verdict is given on."""


class Outcome:
    """What a program did: how it ended, what it printed, and what it used."""

    __slots__ = (
        "cpu",
        "cpu_seen",
        "detail",
        "ended",
        "exit",
        "memory",
        "printed",
        "seconds",
        "stderr",
        "stdout",
    )

    def __init__(self) -> None:
        self.ended: str | None = None  # the verdict that follows from the end alone, if one does
        self.detail = ""
        self.exit: int | None = None
        self.stdout = b""
        self.stderr = b""
        self.printed = 0  # bytes, both streams together, kept or not
        self.seconds = 0.0
        self.cpu = 0.0
        self.cpu_seen = 0.0  # the same, of what was still running at a time-out
        self.memory = 0  # bytes, peak
