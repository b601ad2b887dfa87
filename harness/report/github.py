"""For GitHub Actions: annotations on the files of failed cases, and a summary of the step.

Annotations are workflow commands on standard output. While programs run, such commands are not
obeyed, since a program's output could be taken for one. The summary is Markdown, added to the file
that $GITHUB_STEP_SUMMARY names; if it names none, there is no summary.
"""

import html
import os
import re
import secrets

from harness.judging.verdicts import FINE
from harness.report.words import message, plain_failure, safe, total, used_verdicts
from harness.text import cut

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import BinaryIO

    from harness.judging.result import Result
    from harness.report import Run
    from harness.report.words import CauseText
    from harness.running.pool import Summary

MOST_ANNOTATIONS = 50  # GitHub shows no more of a job
MOST_UNFOLDED = 20  # failures that the summary tells in full
LONGEST_FAILURE = 6000  # characters of one of these; a summary must be below one megabyte
MOST_FOLDERS = 200
DATA = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
PROPERTY = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"})


class Report:
    """What one step says."""

    def __init__(self, file: "BinaryIO", run: "Run") -> None:
        self._file = file
        self._root = run.get("directory", "")
        self._failed = 0
        self._annotations: list[str] = []
        self._told: list[str] = []
        self._token = secrets.token_hex(16)
        self._say(f"::stop-commands::{self._token}")

    def add(self, result: "Result") -> None:
        """Keep what is to be said of the first failures."""
        if result.verdict in FINE:
            return
        self._failed += 1
        if self._failed <= MOST_ANNOTATIONS:
            self._annotations.append(self._annotation(result))
        if self._failed <= MOST_UNFOLDED:
            self._told.append(_folded(result))

    def _annotation(self, result: "Result") -> str:
        file = self._in_workspace(result)
        title = f"{safe(self._shortened(result.case))}: {result.verdict}"
        # Neither the title is said again nor, below the most telling difference, that one.
        _, *lines = plain_failure(result).split("\n")
        told = message(result)
        if lines and lines[0].strip() in told:
            del lines[0]
        text = "\n".join([told, *map(self._shortened, lines)])
        place = f"file={safe(file).translate(PROPERTY)},line=1,title={title.translate(PROPERTY)}"
        return f"::error {place}::{text.translate(DATA)}"

    def _shortened(self, text: str) -> str:
        """The text with the path that it begins with, or that an input is read from, seen from the run."""
        root = re.escape(os.path.join(os.path.abspath(self._root), ""))
        return re.sub(f"(^|^  see it again: .* < [$']*){root}", r"\1", text)

    def _in_workspace(self, result: "Result") -> str:
        """The file to annotate, as GitHub knows it: by its path in the repository."""
        files = [os.path.join(self._root, half) for half in (result.input, result.expected)]
        file = next(filter(os.path.exists, files), files[0])
        workspace = os.environ.get("GITHUB_WORKSPACE") or os.getcwd()
        path = os.path.relpath(os.path.abspath(file), os.path.abspath(workspace))
        return file if path.startswith("..") else path

    def finish(self, summary: "Summary", causes: "Sequence[CauseText]" = ()) -> None:
        """Say everything."""
        self._say(f"::{self._token}::")
        for annotation in self._annotations:
            self._say(annotation)
        if self._failed > MOST_ANNOTATIONS:
            self._say(f"::notice::{self._failed - MOST_ANNOTATIONS} more failures have no annotation")
        path = os.environ.get("GITHUB_STEP_SUMMARY")
        if path:
            with open(path, "ab") as file:
                file.write(self._markdown(summary, causes).encode())

    def _markdown(self, summary: "Summary", causes: "Sequence[CauseText]") -> str:
        sign = "✅" if summary.passed else "❌"
        parts = [f"## {sign} {total(summary)}\n"]
        if summary.interrupted:
            parts.append("**interrupted; these are the results so far**\n")
        parts += [*_causes(causes), _table(summary), *self._told]
        if self._failed > len(self._told):
            parts.append(f"… and {self._failed - len(self._told)} more failures\n")
        return "\n".join(parts)

    def _say(self, line: str) -> None:
        self._file.write(f"{line}\n".encode())
        self._file.flush()


def _causes(causes: "Sequence[CauseText]") -> "Iterator[str]":
    """Why cases failed, a paragraph each."""
    for cause in causes:
        if not cause.alone:
            told = "; ".join([*cause.lines, f"the smallest: {cause.names[0]}"])
            yield f"**{_in_cell(cause.head)}** ({cause.extent}): {_in_cell(told)}\n"


def _table(summary: "Summary") -> str:
    """The counts by folder, as the terminal shows them."""
    used = used_verdicts(summary)
    lines = ["| | " + " | ".join(used) + " |", "|---|" + "---:|" * len(used)]
    folders = sorted(summary.folders.items())
    for folder, counts in folders[:MOST_FOLDERS]:
        cells = [str(counts.get(verdict, 0) or "·") for verdict in used]
        lines.append(f"| {_in_cell(folder)} | " + " | ".join(cells) + " |")
    if len(folders) > MOST_FOLDERS:
        lines.append(f"| … {len(folders) - MOST_FOLDERS} more folders |" + " |" * len(used))
    lines.append("| **all** | " + " | ".join(f"**{summary.counts[verdict]}**" for verdict in used) + " |")
    return "\n".join(lines) + "\n"


def _in_cell(text: str) -> str:
    """The text as it is, in a cell of a table: nothing in it is Markdown or HTML."""
    return "".join(f"&#{ord(one)};" if one in r"\`*_{}[]()<>#+-!|&~:@" else one for one in safe(text))


def _folded(result: "Result") -> str:
    """One failure, to be unfolded with a click."""
    told = cut(plain_failure(result), LONGEST_FAILURE)
    # A fence that is longer than any in the text cannot be closed by it.
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", told)), default=0))
    head = html.escape(f"{safe(result.case)}: {message(result)}")
    return f"<details><summary>{head}</summary>\n\n{fence}text\n{told}\n{fence}\n\n</details>\n"
