"""xstream: every JSON value that comes in goes out on a line of its own, and is counted."""

from evolution.wire.errors import NotJSON
from evolution.wire.stream import Reader
from harness.programs.stdio import Answers, chunks, failed


def echo(program: str) -> int:
    """xstream: every value on a line, and their number at the end; the exit status."""
    answers = Answers(program)
    reader = Reader()
    count = 0

    def echo_values() -> None:
        nonlocal count
        for value in reader:
            value.parse()
            answers.add(value.compact())
            count += 1

    try:
        try:
            for data in chunks():
                reader.feed(data)
                echo_values()
                answers.flush()
            reader.close()
            echo_values()
            answers.add(f'{{"count": {count}}}'.encode())
        except NotJSON as problem:
            answers.refuse(problem)
        answers.flush()
    except OSError as problem:
        return failed(program, problem)
    return answers.status
