"""What Gradescope tells of a submission: when it was due, when it came, and how many came before.

What is not there, or not to be understood, costs nobody a mark: who is not known to be late is not late.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from math import ceil

import orjson

from harness.errors import UserError, WrongUse
from harness.files import read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import tzinfo
    from typing import Any

    from harness.grading.config import Late

DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Submission:
    """One submission: how late it is, its number, and the time zone of its course, if that is known."""

    late: timedelta = timedelta()
    number: int = 1
    zone: "tzinfo | None" = None


def read_metadata(path: str) -> Submission:
    """The submission that a submission_metadata.json tells of. Raises WrongUse or UserError."""
    try:
        told = orjson.loads(read_file(path))
    except OSError as problem:
        raise WrongUse(f"--metadata: {path}: {problem.strerror}") from None
    except orjson.JSONDecodeError as problem:
        raise UserError(f"{path}: not JSON: {problem}") from None
    if not isinstance(told, dict):
        raise UserError(f"{path}: must be a JSON object, as Gradescope writes it")
    earlier, came = told.get("previous_submissions"), _moment(told.get("created_at"))
    due = max(_due_dates(told), default=None)
    late = came - due if came and due else timedelta()
    number = len(earlier) + 1 if isinstance(earlier, list) else 1
    moment = due or came
    return Submission(max(late, timedelta()), number, moment.tzinfo if moment else None)


def _due_dates(told: "Any") -> "Iterator[datetime]":
    """When it was due: for everybody, and for those who have handed it in, who may have got more time."""
    users = told.get("users")
    for one in (told, *(users if isinstance(users, list) else ())):
        assignment = one.get("assignment") if isinstance(one, dict) else None
        if isinstance(assignment, dict) and (due := _moment(assignment.get("due_date"))):
            yield due


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
