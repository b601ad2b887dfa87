"""The arguments of a case: a JSON list of strings in a file of its own."""

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from harness.fixtures import Case


def arguments_of(case: "Case") -> list[str]:
    """The arguments that the case gives its program. Raises ValueError if its file does not say them."""
    if not case.arguments:
        return []
    import json

    with open(case.arguments, "rb") as file:
        arguments = json.load(file)
    if not isinstance(arguments, list) or not all(isinstance(one, str) for one in arguments):
        raise ValueError("is not a list of strings")
    if any(b"\0" in os.fsencode(one) for one in arguments):
        raise ValueError("has a zero byte in an argument")
    return arguments
