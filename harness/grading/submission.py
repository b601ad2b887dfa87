"""What Gradescope tells of a submission: when it was due, when it came, and how many came before.

What is not there, or not to be understood, costs nobody a mark: who is not known to be late is not late.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from math import ceil

import orjson

from harness.errors import UserError, WrongUse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from harness.grading.config import Late

DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Submission:
    """One submission: how late it is, and its number."""

    late: timedelta = timedelta()
    number: int = 1


def read_metadata(path: str) -> Submission:
    """The submission that a submission_metadata.json tells of. Raises WrongUse or UserError."""
    try:
        with open(path, "rb") as file:
            told = orjson.loads(file.read())
    except OSError as problem:
        raise WrongUse(f"--metadata: {path}: {problem.strerror}") from None
    except orjson.JSONDecodeError as problem:
        raise UserError(f"{path}: not JSON: {problem}") from None
    if not isinstance(told, dict):
        raise UserError(f"{path}: must be a JSON object, as Gradescope writes it")
    assignment, earlier = told.get("assignment"), told.get("previous_submissions")
    due = _moment(assignment.get("due_date")) if isinstance(assignment, dict) else None
    came = _moment(told.get("created_at"))
    late = came - due if came and due else timedelta()
    return Submission(max(late, timedelta()), len(earlier) + 1 if isinstance(earlier, list) else 1)


def _moment(told: "Any") -> "datetime | None":
    try:
        found = datetime.fromisoformat(told)
    except (TypeError, ValueError):
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def lateness(late: "Late", by: timedelta) -> tuple[float, str]:
    """What the total of a late submission is multiplied by, and a note that says so; 1 if it is in time."""
    days = ceil((by - timedelta(minutes=late.grace_minutes)) / DAY)
    if days <= 0 or not late.per_day:
        return 1.0, ""
    factor = max(0.0, 1 - late.per_day * days)
    return round(factor, 6), "a day late" if days == 1 else f"{days} days late"
