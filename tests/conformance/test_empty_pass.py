"""No empty pass: servers and clients that do almost nothing pass only what was seen of them.

They are in tests/idle, and each has a line here that says what may pass.
"""

import shlex
import sys

import pytest

from harness.conformance import clients, servers
from harness.conformance.trial import MEANING, SIDES, Trial
from harness.conformance.verdict import result_of
from harness.judging.verdicts import NOT_SHOWN, PASS, WRONG
from tests.support.helpers import ROOT

IDLE = ROOT / "tests" / "idle"
SIGNS_UP, WELL_FORMED = "signs-up", "messages-well-formed"

# What passes, and what fails for a fault of its own; all else was not seen.
SERVERS = {
    "ends": ("", "signs-up"),
    "listens": ("", "signs-up"),
    "closes": ("signs-up", "messages-in-order"),
    "one-start-each": ("signs-up", "messages-in-order plays-by-the-rules"),
    "one-start-then-silence": ("signs-up", "messages-in-order plays-by-the-rules"),
    "never-feeds": ("signs-up", "messages-in-order plays-by-the-rules"),
    "repeats-the-first-turn": ("signs-up", "messages-in-order plays-by-the-rules"),
    "deals-and-hears-nothing": (
        "signs-up messages-in-order ends-cleanly",
        "plays-by-the-rules refuses-bad-sign-up throws-out-illegal-action throws-out-malformed-action "
        "throws-out-no-json throws-out-endless-answer throws-out-two-answers throws-out-disconnected "
        "throws-out-silent throws-out-unasked-answer",
    ),
    "kicks-everybody-in-turn-3": ("signs-up messages-well-formed", "messages-in-order"),
    "kicks-one-in-turn-3": ("signs-up messages-well-formed", "messages-in-order plays-by-the-rules"),
    "kicks-everybody-on-another-deck": (
        "signs-up messages-well-formed",
        "messages-in-order plays-by-the-rules",
    ),
}
CLIENTS = {
    "ends": ("", "signs-up"),
    "connects": ("", "signs-up"),
    "signs-up": ("signs-up", "answers-well-formed"),
    "hears-ok": ("signs-up", "answers-well-formed"),
    "says-nothing": ("signs-up", "answers-in-time"),
    "chooses-once": ("signs-up", "answers-well-formed"),
}
ROWS = [("server", *row) for row in SERVERS.items()] + [("client", *row) for row in CLIENTS.items()]
QUICK = {("server", "one-start-each"), ("client", "chooses-once")}


def marked(side: str, behaviour: str, row: tuple[str, str]) -> "pytest.ParameterSet":
    marks = [] if (side, behaviour) in QUICK else [pytest.mark.long]
    return pytest.param(side, behaviour, *map(str.split, row), marks=marks, id=f"{side} {behaviour}")


@pytest.mark.parametrize(("side", "behaviour", "passing", "failing"), [marked(*row) for row in ROWS])
def test_who_does_almost_nothing_passes_only_what_was_seen(
    side: str, behaviour: str, passing: list[str], failing: list[str]
) -> None:
    verdicts = verdicts_of(side, behaviour)
    assert {*verdicts} == {*MEANING[side]}
    assert {name for name, verdict in verdicts.items() if verdict == PASS} == {*passing}
    assert {name for name, verdict in verdicts.items() if verdict not in (PASS, NOT_SHOWN)} == {*failing}


@pytest.mark.parametrize("side", ["server", "client"])
def test_of_who_does_not_sign_up_no_manners_are_told(side: str) -> None:
    module = servers if side == "server" else clients
    trial = Trial(side, module.Settings("false", timeout=1.0, patience=1.5), 4, lambda name: True)
    assert len([*trial.run()]) == len(MEANING[side])
    assert trial.manners() == []


def verdicts_of(side: str, behaviour: str, *more: str, **settings: object) -> dict[str, str]:
    """The verdict of each scenario."""
    command = shlex.join([sys.executable, str(IDLE / f"{side}.py"), behaviour]) + " {port}"
    times = {"timeout": 1.0, "patience": 1.5, **({"wait": 0.0} if side == "server" else {}), **settings}
    module = servers if side == "server" else clients
    trial = Trial(side, module.Settings(command, **times), 4, lambda name: not more or name in more)
    return {name: result_of(side, "x", name, run, "").verdict for name, run in trial.run()}


def test_a_server_that_reads_no_answer_passes_for_the_game_that_it_knows_and_for_nothing_else() -> None:
    answers = ("numbers-alone", "split-messages", "white-space", "labelled-growth", "waits-for-slow-answers")
    verdicts = verdicts_of("server", "tells-a-recorded-game", *servers.HONEST, *answers, patience=20.0)
    assert {name for name, verdict in verdicts.items() if verdict == PASS} == {*servers.HONEST}


def test_a_server_that_never_heeds_an_answer_shows_nothing_of_how_it_reads_them() -> None:
    unseen = ("split-messages", "throws-out-illegal-feeding")
    verdicts = verdicts_of("server", "deals-and-hears-nothing", "plays-by-the-rules", *unseen, patience=20.0)
    assert verdicts == {"plays-by-the-rules": WRONG, **dict.fromkeys(unseen, NOT_SHOWN)}


def test_a_client_that_leaves_before_the_server_does_has_not_shown_how_it_ends() -> None:
    patient = {"timeout": 20.0, "patience": 20.0}  # nothing is waited for
    scenarios = ("ends-cleanly", "speaks-only-when-asked")
    verdicts = verdicts_of("client", "leaves-after-its-last-answer", *scenarios, **patient)
    assert verdicts == {"ends-cleanly": NOT_SHOWN, "speaks-only-when-asked": PASS}


@pytest.mark.long
@pytest.mark.parametrize("side", ["server", "client"])
def test_a_scenario_that_is_tried_alone_is_not_passed_either(side: str) -> None:
    behaviour = "one-start-each" if side == "server" else "signs-up"
    for name in SIDES[side].VARIANTS:
        assert verdicts_of(side, behaviour, name)[name] != PASS, name
