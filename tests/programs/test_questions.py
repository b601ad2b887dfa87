"""The questions that the design documents ask: each is answered in the rules, by a rule that exists."""

import re

from tests.support.helpers import ROOT

RULES = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")

# Every question of the two documents that ask any, by words that it cannot be told without.
QUESTIONS = {
    1: ["step 1 count", "as many cards", "combined", "order of boards", "limit of fat tissue",
        "neither placed nor traded", "extinct species", "common food supply", "foraging", "exchanged cards"],
    2: ["inclusive", "without population token", "cards run out", "vegetarians", "common food supply",
        "order of the players", "in total", "count as existing", "traits prevent", "rearranged",
        "below 0", "without tokens", "before the next one"],
}  # fmt: skip


def answers(design: int) -> list[list[str]]:
    table = RULES.split(f"| design {design} asks |")[1].split("\n\n")[0]
    return [[cell.strip() for cell in row.split("|")[1:-1]] for row in table.splitlines()[2:]]


def test_every_question_of_each_design_has_its_row() -> None:
    for design, questions in QUESTIONS.items():
        rows = answers(design)
        assert len(rows) == len(questions)
        for words, (question, answer, _) in zip(questions, rows, strict=True):
            assert words in question.lower()
            assert answer


def test_every_answer_names_rules_that_exist() -> None:
    headings = set(re.findall(r"^### (\d+\.\d+) ", RULES, re.MULTILINE))
    for design in QUESTIONS:
        for _, _, rules in answers(design):
            assert set(rules.split(", ")) <= headings
