"""What a program did with an input: what a verdict is given on."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Outcome:
    """What a program did: how it ended, what it printed, and what it used."""

    __slots__ = (
        "cpu",
        "detail",
        "ended",
        "exit",
        "memory",
        "printed",
        "seconds",
        "stderr",
        "stdout",
    )

    KEPT = ("ended", "detail", "exit", "stdout", "stderr", "printed", "seconds", "cpu", "memory")

    def __init__(self) -> None:
        self.ended: str | None = None  # the verdict that follows from the end alone, if one does
        self.detail = ""
        self.exit: int | None = None
        self.stdout = b""
        self.stderr = b""
        self.printed = 0  # bytes, both streams together, kept or not
        self.seconds = 0.0
        self.cpu = 0.0
        self.memory = 0  # bytes, peak

    def fields(self) -> "tuple[Any, ...]":
        """Plain values that `of` makes an outcome like this one of."""
        return tuple(getattr(self, name) for name in self.KEPT)

    @classmethod
    def of(cls, fields: "tuple[Any, ...]") -> "Outcome":
        """The outcome that has these fields."""
        outcome = cls()
        for name, part in zip(cls.KEPT, fields, strict=True):
            setattr(outcome, name, part)
        return outcome
