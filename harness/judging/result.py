"""The result of a case: one value from the worker that ran it to the journal and every report.

Its fields are named as in a journal, whose lines are `Result.to_json`; `Result.from_json` reads one back.
"""

from typing import Any, NamedTuple

from harness.judging.verdicts import PASS, VERDICTS

VERSION = 1  # of the results in a journal

_TEXT = {"type": "string"}
_TEXTS = {"type": "array", "items": _TEXT}
_NUMBER = {"type": "number", "minimum": 0}
_COUNT = {"type": "integer", "minimum": 0}

_CHANGE: dict[str, Any] = {
    "type": "object",
    "required": ["path", "place"],
    "properties": {
        "path": {
            "type": "array",
            "items": {"type": ["integer", "string"]},
            "description": "the path to it in what was printed, or in what was expected if it is only there",
        },
        "place": {**_TEXT, "description": "the same in words; empty for the answer as a whole"},
        "expected": {"description": "what should be there; not given if nothing should"},
        "actual": {"description": "what is there; not given if nothing is"},
        "of": {
            "enum": ["count", "order"],
            "description": "what differs is the number of things, which is given, or their order",
        },
        "as_text": {
            "type": "array",
            "items": {"enum": ["expected", "actual"]},
            "description": "which of these is only the beginning of its JSON text, because it is too long",
        },
    },
    "additionalProperties": False,
}

SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "One line of a journal of `harness run`",
    "type": "object",
    "required": ["v", "case", "program", "verdict", "input", "expected"],
    "properties": {
        "v": {"const": VERSION, "description": "version of this schema"},
        "case": {**_TEXT, "description": "the case: the path of its files without their endings"},
        "program": {**_TEXT, "description": "the program's name; empty if no folder says it"},
        "verdict": {"enum": list(VERDICTS)},
        "input": {**_TEXT, "description": "the file with the input"},
        "expected": {**_TEXT, "description": "the file with the expected output"},
        "exit": {
            "type": ["integer", "null"],
            "description": "exit status; minus the signal's number if a signal ended the program",
        },
        "seconds": {**_NUMBER, "description": "from start to end"},
        "cpu": {**_NUMBER, "description": "seconds of processor time"},
        "memory": {
            **_COUNT,
            "description": "peak resident memory of the largest process, in bytes; at least the worker's own",
        },
        "printed": {**_COUNT, "description": "bytes printed, standard error included"},
        "detail": {**_TEXT, "description": "more about the verdict, if there is more to say"},
        "differences": {**_TEXTS, "description": "in words, most telling first"},
        "changes": {
            "type": "array",
            "items": _CHANGE,
            "description": "the same differences for tools, in the same order",
        },
        "smallest": {
            **_TEXTS,
            "minItems": 3,
            "maxItems": 3,
            "description": "the smallest part that differs: where, expected, printed",
        },
        "explanation": {**_TEXTS, "description": "with --explain: by the rules"},
        "transcript": {
            **_TEXTS,
            "description": "of `harness remote`: what was said up to the failure, with the seconds",
        },
        "sent": {**_TEXT, "description": "the input as it was sent, if that is not what is in the file"},
        "twin": {
            **_TEXT,
            "description": "the twin that the program was also given, as JSON; the output, the exit status "
            "and the line to see it again are then those of the twin",
        },
        "reproduce": {**_TEXT, "description": "the line to type to see it again"},
        "stdout": {**_TEXT, "description": "what was printed, cut, bad bytes escaped"},
        "stderr": {**_TEXT, "description": "the same of standard error"},
        "run": {"type": "object", "description": "in the first object: how the run was started"},
    },
    "additionalProperties": False,
}

# What grading adds to it.
GRADED_SCHEMA: dict[str, Any] = {
    **SCHEMA,
    "title": "One line of results.jsonl of `harness grade`",
    "required": [*SCHEMA["required"], "team", "suite"],
    "properties": {
        **SCHEMA["properties"],
        "team": {**_TEXT, "description": "whose program it is"},
        "suite": {**_TEXT, "description": "empty for a build that failed"},
        "unsteady": {
            "type": "object",
            "additionalProperties": {"type": "integer", "minimum": 1},
            "description": "with --repeat: how often which verdict, if not always the same",
        },
    },
}

_KINDS: dict[object, Any] = {
    "string": str,
    "number": (int, float),
    "integer": int,
    "array": list,
    "object": dict,
    None: (int, str),  # a constant, or one of several words
}
# Which Python values a part of a result may be when it is read.
KINDS: dict[str, Any] = {
    name: (int, type(None)) if name == "exit" else _KINDS[part.get("type")]
    for name, part in GRADED_SCHEMA["properties"].items()
}
MEASURED = ("seconds", "cpu", "memory", "printed")
MOST = 1e18  # of anything that is counted or measured


class BadResult(ValueError):
    """What is no result; `part` names what is wrong, and is empty if everything is."""

    def __init__(self, part: str = "") -> None:
        super().__init__(f"its {part} is not as it should be" if part else "it is not a result")
        self.part = part


class Result(NamedTuple):
    """What became of a case. What was not measured, because the program did not run, is None."""

    case: str
    program: str
    verdict: str
    input: str = ""
    expected: str = ""
    exit: int | None = None
    seconds: float | None = None
    cpu: float | None = None
    memory: int | None = None
    printed: int | None = None
    detail: str = ""
    differences: tuple[str, ...] = ()
    changes: tuple[dict[str, Any], ...] = ()
    reproduce: str = ""
    smallest: tuple[str, str, str] | None = None
    stdout: str = ""
    stderr: str = ""
    explanation: tuple[str, ...] = ()
    transcript: tuple[str, ...] = ()
    sent: str = ""  # the input as the program got it, if not as it is in the file
    twin: str = ""  # of an undeserved pass: the input that output, exit status and reproduce are of
    run: dict[str, Any] | None = None  # of the first result in a journal: how the run was started
    team: str | None = None  # of a graded result: whose program it is,
    suite: str | None = None  # which suite the case belongs to,
    unsteady: dict[str, int] | None = None  # and how often which verdict, if not always the same

    @property
    def ran(self) -> bool:
        """Whether the program was started at all."""
        return self.seconds is not None

    def to_json(self) -> dict[str, Any]:
        """The result as a line of a journal has it."""
        record: dict[str, Any] = {
            "v": VERSION,
            "case": self.case,
            "program": self.program,
            "verdict": self.verdict,
            "input": self.input,
            "expected": self.expected,
        }
        if self.ran or self.exit is not None:
            record["exit"] = self.exit
        for name in MEASURED:
            value = getattr(self, name)
            if value is not None:
                record[name] = value
        if self[DETAIL:] != PASSED:
            self._add_failure(record)
        return record

    def _add_failure(self, record: dict[str, Any]) -> None:
        """Add what is usually said of failures only, and what belongs to one of them even if it is empty."""
        always = () if self.verdict == PASS else ALWAYS_TOLD if self.ran else ALWAYS_TOLD[:-2]
        for name, value, default in zip(self._fields[DETAIL:], self[DETAIL:], PASSED, strict=True):
            if value != default or name in always:
                record[name] = value

    @classmethod
    def from_json(cls, record: Any) -> "Result":
        """The result that was written down like this. Raises BadResult, also for what it does not know."""
        if not isinstance(record, dict):
            raise BadResult
        for name in SCHEMA["required"]:
            if name not in record:
                raise BadResult(name)
        fields = {name: _checked(name, part) for name, part in record.items()}
        if fields.pop("v") != VERSION:
            raise BadResult("v")
        if record["verdict"] not in VERDICTS:
            raise BadResult("verdict")
        return cls(**fields)


DETAIL = Result._fields.index("detail")
PASSED = tuple(Result._field_defaults[name] for name in Result._fields[DETAIL:])
ALWAYS_TOLD = ("detail", "differences", "reproduce", "stdout", "stderr")  # the last two if a program ran


def _checked(name: str, part: Any) -> Any:
    """A part of a result, if it is as the schema has it. Its library takes a hundred times as long."""
    if name not in KINDS or not isinstance(part, KINDS[name]):
        raise BadResult(name)
    if name in MEASURED and not 0 <= part < MOST:
        raise BadResult(name)
    if isinstance(part, list):
        is_right = _are_changes if name == "changes" else _are_texts
        if not is_right(part) or (name == "smallest" and len(part) != 3):
            raise BadResult(name)
        return tuple(part)
    return part


def _are_texts(parts: list[Any]) -> bool:
    return all(isinstance(text, str) for text in parts)


def _are_changes(parts: list[Any]) -> bool:
    if not parts:
        return True
    from harness.judging.difference import is_change

    return all(map(is_change, parts))
