"""What a run of `harness grade` has written, without what is never the same twice."""

import re
from pathlib import Path

MEASURED = (
    (r'"(seconds|cpu|memory)":[\d.e-]+', r'"\1":0'),
    (r'time="[\d.]+"', 'time="0"'),
    (r'"ms":\[[^\]]*\]', '"ms":[]'),
    (r'"time":\[.*?\],"rules":', '"time":[],"rules":'),
    (r'"fingerprint": "\w+"', '"fingerprint": ""'),
    (r'"execution_time": ?[\d.]+', '"execution_time":0'),
    (r"[\d.]+ s of processor time", "some processor time"),
    (r"random-[0-9a-f]+", "random"),  # what a flaky program prints
)


def grades(out: Path) -> dict[str, list[str]]:
    """The lines of all files by their names, those of results.jsonl sorted."""
    found = {}
    for path in sorted(out.rglob("*")):
        name = str(path.relative_to(out))
        if path.is_dir() or name.startswith("store/"):
            continue
        text = path.read_text().replace(str(out), "OUT").replace(out.name, "OUT")
        for pattern, harmless in MEASURED:
            text = re.sub(pattern, harmless, text)
        found[name] = sorted(text.splitlines()) if name == "results.jsonl" else text.splitlines()
    return found
