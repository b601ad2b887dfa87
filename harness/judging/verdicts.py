"""The one vocabulary of results: what can become of a case, and what the program had to do with it."""

PASS = "pass"
WRONG = "wrong answer"
NO_OUTPUT = "no output"
NOT_JSON = "not JSON"
TOO_MANY = "too many values"
TIMEOUT = "timeout"
MEMORY = "memory"
TOO_MUCH = "too much output"
CRASHED = "crashed"
NO_START = "could not start"
BROKEN = "broken case"
KNOWN = "known failure"
UNEXPECTED = "unexpected pass"
WITHHELD = "withheld"
UNDESERVED = "undeserved pass"
CONSTANT = "constant answer"
NOT_GRADED = "not graded"
NOT_SHOWN = "not shown"
MANNER = "manner"

# In the order in which a summary counts them. What is remembered of earlier gradings goes by this order, too:
# a new one is the last.
VERDICTS = (
    PASS,
    WRONG,
    NO_OUTPUT,
    NOT_JSON,
    TOO_MANY,
    TIMEOUT,
    MEMORY,
    TOO_MUCH,
    CRASHED,
    NO_START,
    BROKEN,
    KNOWN,
    UNEXPECTED,
    WITHHELD,
    UNDESERVED,
    CONSTANT,
    NOT_GRADED,
    NOT_SHOWN,
    MANNER,
)

# All kinds of verdicts that are told apart somewhere.
FINE = frozenset((PASS, KNOWN, WITHHELD, MANNER))  # verdicts that do not fail a run
GIVES_POINTS = frozenset((PASS, MANNER))
PASSES = frozenset((PASS, UNEXPECTED))
RIGHT = frozenset((PASS, UNDESERVED))  # the program gave the expected answer
OTHER = frozenset((WRONG, NO_OUTPUT, NOT_JSON, TOO_MANY))  # and here it gave another one
MISREAD = frozenset((WRONG, TOO_MANY, NO_OUTPUT))  # answers that a misreading of the rules could give
UNEARNED = frozenset((UNDESERVED, CONSTANT))  # right answers that take no knowledge of the rules
COMPARED = frozenset((WRONG, TOO_MANY, UNDESERVED, BROKEN))  # those whose detail compares answers
SILENT = frozenset((NO_OUTPUT, CRASHED))  # those of a program that says nothing
LIMITED = frozenset((TIMEOUT, MEMORY, TOO_MUCH))
ANSWERLESS = LIMITED | {CRASHED, NO_START, NO_OUTPUT}
UNREADABLE = LIMITED | {CRASHED, NO_START, NOT_JSON}  # whatever was printed cannot be compared
SAY_NOTHING = frozenset((NO_START, BROKEN, KNOWN, WITHHELD))  # about where a program is wrong
MUTE = 0.8  # a program that says nothing to more than this part of its cases hardly ever answers

MEANING = {
    PASS: "the answer is the expected one",
    WRONG: "an answer of the right form, but not the expected one",
    NO_OUTPUT: "nothing was printed where an answer is expected",
    NOT_JSON: "what was printed is not JSON",
    TOO_MANY: "more was printed than expected: a second value, or a value where nothing is expected",
    TIMEOUT: "the program did not end within the time limit",
    MEMORY: "the program used more memory than the limit",
    TOO_MUCH: "the program printed more than the limit",
    CRASHED: "ended by a signal",
    NO_START: "the program is missing or cannot be executed",
    BROKEN: "a file of the case is missing or unreadable, so it says nothing about the program",
    KNOWN: "it does not pass, and is listed in known-failures.txt; that does not fail a run",
    UNEXPECTED: "it passes, but is listed in known-failures.txt; that fails a run",
    WITHHELD: "the input is in a form that the program does not read, so it was not asked",
    UNDESERVED: "the answer is right, but so easy that the program was also given a twin of the case, and "
    "it treats that alike",
    CONSTANT: "the answer is right, but the program gives it to all cases, though their right answers differ",
    NOT_GRADED: "the machine or the harness failed, and again when the case ran alone: this says nothing "
    "about the program",
    NOT_SHOWN: "the game with a server or client did not get that far, so nothing is known: this is no pass",
    MANNER: "a server or client differs from the documents, but works in practice; --strict fails it",
}
