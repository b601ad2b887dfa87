"""A story: the steps by which the rules come to an answer, in words and as data."""

from harness.judging import difference

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Set
    from typing import Any

    Event = dict[str, Any]

OWN = difference.OWN  # the owner of a State, who has no number


class Step:
    """One sentence, the section of docs/rules.md it rests on, and what moved, if anything did.

    decides: whether the rest of its paragraph would be another one if this went another way.
    """

    __slots__ = ("about", "decides", "depth", "event", "rule", "text")

    def __init__(
        self, text: str, rule: str, depth: int, about: set[str], event: "Event | None", decides: bool
    ) -> None:
        self.text = text
        self.rule = rule
        self.depth = depth
        self.about = about  # the boards, players and other things that the sentence is about
        self.event = event
        self.decides = decides

    def line(self) -> str:
        """The step as a line of text."""
        rule = f" (rules {self.rule})" if self.rule else ""
        return f"{'  ' * self.depth}{self.text}{rule}"

    def data(self) -> "Event":
        """The step for tools."""
        data: Event = {"text": self.text, "rule": self.rule, "depth": self.depth}
        if self.event is not None:
            data["event"] = self.event
        return data


class Story:
    """All steps, and the answer that they lead to."""

    def __init__(self, program: str) -> None:
        self.program = program
        self.steps: list[Step] = []
        self.answer: str | None = None
        self.depth = 0

    def tell(
        self,
        text: str,
        rule: str = "",
        about: "set[str] | None" = None,
        event: "Event | None" = None,
        decides: bool = False,
    ) -> None:
        """Add a step."""
        self.steps.append(Step(text, rule, self.depth, about or set(), event, decides))

    @property
    def rules(self) -> set[str]:
        """The sections of docs/rules.md that its steps rest on."""
        return {step.rule for step in self.steps if step.rule}

    def lines(self) -> list[str]:
        """The whole story as text."""
        return [step.line() for step in self.steps]

    def reasons(self) -> list[str]:
        """The story without its last line, which is the answer."""
        return self.lines()[:-1]

    def lines_about(self, places: "Set[str]") -> list[str]:
        """The part of the story that concerns these places; all of it if none does.

        Of each paragraph with something in it that concerns them, what decides is told as well.
        """
        chosen: list[str] = []
        for paragraph in self._paragraphs():
            if any(step.about & places for step in paragraph):
                chosen += [step.line() for step in paragraph if step.decides or step.about & places]
        return chosen or self.lines()

    def _paragraphs(self) -> list[list[Step]]:
        """The steps, with those that are set in put to what they are set in under."""
        found: list[list[Step]] = []
        for step in self.steps:
            if step.depth == 0 or not found:
                found.append([])
            found[-1].append(step)
        return found

    def data(self) -> "Event":
        """The story for tools."""
        steps = [step.data() for step in self.steps]
        return {"program": self.program, "answer": self.answer, "steps": steps}
