"""The log of a game: everything that happened, and the same game again from it."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from evolution.actions import Action4
from evolution.cards import shuffled_deck
from evolution.choices import DECLINE, Eat, FeedingChoice, State
from evolution.game import Game, Result
from evolution.player import Start, View
from evolution.silly import Silly
from evolution.species import Species
from evolution.wire.log import Log
from harness.explain.games import GameStory
from harness.games.log_schema import EVENTS, SCHEMA
from harness.games.replay import BadLog, replay
from tests.games.test_xmain import PLAYERS, xmain

Event = dict[str, Any]


class Odd(Silly):
    """A player that does what comes to its mind: mostly legal things, sometimes not, sometimes none."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def start(self, view: Start) -> None:
        super().start(view)
        if self._random.random() < 0.02:
            raise ValueError("not today")

    def choose(self, before: list[list[Species]], after: list[list[Species]]) -> Action4:
        dice = self._random.random()
        if dice < 0.03:
            raise ValueError("no idea")
        if dice < 0.06:
            return Action4(50)
        if dice < 0.08:
            return Action4("one")  # type: ignore[arg-type]
        if dice < 0.1:
            return [0, [], [], [], []]  # type: ignore[return-value]
        return super().choose(before, after) if dice < 0.9 else Action4(0)

    def feed_next(self, state: State) -> FeedingChoice | None:
        dice = self._random.random()
        if dice < 0.01:
            raise ValueError("not hungry")
        if dice < 0.02:
            return Eat(9)
        if dice < 0.03:
            return Eat("first")  # type: ignore[arg-type]
        if dice < 0.04:
            return "first"  # type: ignore[return-value]
        return super().feed_next(state) if dice < 0.95 else DECLINE

    def take_remarks(self) -> list[str]:
        return ["an odd answer"] if self._random.random() < 0.1 else []


class OddListener(Odd):
    """The same, and it listens."""

    def changed(self, view: View) -> None:
        if self._random.random() < 0.01:
            raise ValueError("too loud")


def odd_game(seed: int) -> tuple[Result, list[str]]:
    lines: list[str] = []
    kinds = [Odd, OddListener]
    players = [kinds[(seed + at) % 2](seed * 10 + at) for at in range(3 + seed % 6)]
    log = Log(lines.append, ["odd"] * len(players), str(seed))
    return Game(list(players), shuffled_deck(seed), log).play(), lines


def of(data: bytes) -> list[Event]:
    return [json.loads(line) for line in data.splitlines()]


def as_data(events: list[Event]) -> bytes:
    return b"".join(json.dumps(event).encode() + b"\n" for event in events)


@pytest.mark.every(4, "seed")
@pytest.mark.parametrize("seed", range(40))
def test_a_log_replays_to_the_same_end_whatever_the_players_did(seed: int) -> None:
    result, lines = odd_game(seed)
    again = replay("".join(lines).encode())
    assert (again.ranking, again.thrown_out) == (result.ranking, result.thrown_out)


def test_the_odd_players_do_everything_that_a_log_can_tell() -> None:
    events = [json.loads(line) for seed in range(40) for line in odd_game(seed)[1]]
    assert {event["event"] for event in events} == set(EVENTS)
    reasons = [event["reason"] for event in events if event["event"] == "thrown out"]
    for request in ("start: not today", "choose: no idea", "choose: card 50", "choose: '<='"):
        assert any(reason.startswith(request) for reason in reasons), request
    for request in ("choose: expected an Action4", "feed_next: not hungry", "changed: too loud"):
        assert any(reason.startswith(request) for reason in reasons), request


def score_of(player: Any) -> list[int]:
    """The score of a player of a Configuration, and its parts, worked out from what is written."""
    fields = dict(player)
    boards = [dict(board) for board in fields["species"]]
    parts = [
        fields["bag"],
        sum(one["population"] for one in boards),
        sum(len(one["traits"]) for one in boards),
    ]
    return [fields["id"], sum(parts), *parts]


def test_after_every_turn_and_at_the_end_the_log_tells_each_score_with_its_parts() -> None:
    lines: list[str] = []
    result = Game(
        [Silly() for _ in range(4)], shuffled_deck("7"), Log(lines.append, ["silly"] * 4, "7")
    ).play()
    events = [json.loads(line) for line in lines]
    told = [event for event in events if event["event"] == "scores"]
    turns = [event for event in events if event["event"] == "turn"]
    assert [event["turn"] for event in told] == [event["turn"] for event in turns]
    for scores, later in zip(told, turns[1:], strict=False):  # the next turn begins with the same table
        assert sorted(scores["scores"]) == sorted(map(score_of, later["table"][0]))
    assert [[number, points] for number, points, *_ in events[-1]["scores"]] == [*map(list, result.ranking)]
    assert sorted(events[-1]["scores"]) == sorted(told[-1]["scores"])
    for _, points, bag, populations, traits in events[-1]["scores"]:
        assert points == bag + populations + traits
    assert any(bag and populations and traits for _, _, bag, populations, traits in told[0]["scores"])


def test_the_story_tells_each_score_with_its_parts_after_every_turn_and_at_the_end() -> None:
    story = xmain("3", "--seed", "7", "--explain").stdout.splitlines()
    lines = [line for line in story if "a score of" in line]
    turns = sum(line.startswith("turn ") for line in story)
    assert len(lines) == 3 * turns + 3
    assert lines[0] == (
        "  after turn 1 player 1 has a score of 5: 2 (bag) + 2 (populations) + 1 (traits) (rules 5.15)"
    )
    assert lines[-3] == (
        "player 1 is number 1 and has a score of 10: 7 (bag) + 2 (populations) + 1 (traits) (rules 5.15)"
    )


@pytest.fixture(scope="module")
def validator() -> jsonschema.protocols.Validator:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    return jsonschema.Draft202012Validator(SCHEMA)


def test_every_line_is_of_the_schema(validator: jsonschema.protocols.Validator) -> None:
    for seed in range(6):
        for line in odd_game(seed)[1]:
            validator.validate(json.loads(line))


def test_the_schema_says_what_is_no_line_of_a_log(validator: jsonschema.protocols.Validator) -> None:
    event: Any = {"event": "eat", "player": 1, "board": 0, "why": "choice", "hole": 3}
    assert validator.is_valid(event)
    wrongs: list[Any] = [{"hole": -1}, {"event": "bite"}, {"player": 0}, {"more": 1}]
    for wrong in wrongs:
        assert not validator.is_valid({**event, **wrong})


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("log") / "game.log"
    assert xmain("4", "--seed", "7", "--log", str(file)).returncode == 0
    return file


def test_xmain_writes_a_log_and_plays_it_again(log: Path) -> None:
    plain = xmain("4", "--seed", "7")
    again = xmain("--replay", str(log))
    assert again.returncode == 0, again.stderr
    assert again.stdout == plain.stdout
    assert xmain("--replay", str(log), "--json").stdout == xmain("4", "--seed", "7", "--json").stdout


def test_a_log_has_nothing_that_depends_on_when_and_where_it_was_written(log: Path, tmp_path: Path) -> None:
    assert xmain("4", "--seed", "7", "--log", str(tmp_path / "other")).returncode == 0
    assert (tmp_path / "other").read_bytes() == log.read_bytes()


def cut(data: bytes) -> Iterator[tuple[bytes, int, str]]:
    lines = data.splitlines(keepends=True)
    yield b"", 1, "the log is empty"
    for count in (1, 2, 10, len(lines) - 1):
        yield b"".join(lines[:count]), count + 1, ""
    yield data[:-1], len(lines), "the log is cut off in this line"
    yield b"".join(lines[:5]) + lines[5][:9], 6, "the log is cut off in this line"


def test_a_log_that_was_cut_is_refused_with_the_line(log: Path, tmp_path: Path) -> None:
    for data, line, words in cut(log.read_bytes()):
        with pytest.raises(BadLog, match=rf"^line {line}: .*{words}"):
            replay(data)
    (tmp_path / "cut").write_bytes(log.read_bytes()[:-200])
    done = xmain("--replay", str(tmp_path / "cut"))
    assert done.returncode == 65
    assert done.stderr.startswith(f"xmain: {tmp_path}/cut: line ")
    assert len(done.stderr.splitlines()) == 1
    assert not done.stdout


def test_a_log_that_is_cut_or_still_growing_is_explained_as_far_as_it_goes(log: Path, tmp_path: Path) -> None:
    whole = xmain("--replay", str(log), "--explain").stdout
    (tmp_path / "cut").write_bytes(log.read_bytes()[:-2000])
    done = xmain("--replay", str(tmp_path / "cut"), "--explain")
    assert done.returncode == 0
    assert "the log ends here" in done.stderr
    assert done.stdout
    assert done.stdout.splitlines() == whole.splitlines()[: len(done.stdout.splitlines())]


@pytest.mark.long
def test_any_line_that_was_altered_is_found(log: Path) -> None:
    events = of(log.read_bytes())
    for at, event in enumerate(events):
        for key, value in event.items():
            if type(value) is not int or key == "choice":  # an answer is only belied by what follows
                continue
            altered = [dict(one) for one in events]
            altered[at][key] = value + 1
            with pytest.raises(BadLog) as found:
                replay(as_data(altered))
            assert found.value.line == at + 1


def test_a_seed_that_makes_another_deck_is_found(log: Path) -> None:
    events = of(log.read_bytes())
    events[0]["seed"] = "8"
    with pytest.raises(BadLog, match='line 1: the deck is not the one that the seed "8" makes'):
        replay(as_data(events))


def test_a_line_that_is_left_out_doubled_or_added_is_found(log: Path) -> None:
    events = of(log.read_bytes())
    for at in range(1, len(events), 7):
        with pytest.raises(BadLog):
            replay(as_data(events[:at] + events[at + 1 :]))
        with pytest.raises(BadLog):
            replay(as_data(events[: at + 1] + events[at:]))
    with pytest.raises(BadLog, match=rf"line {len(events) + 1}: the game is over, but the log goes on"):
        replay(as_data([*events, events[-1]]))


def test_an_answer_that_was_altered_leads_to_the_line_that_it_belies(log: Path) -> None:
    events = of(log.read_bytes())
    at = next(at for at, event in enumerate(events) if event["event"] == "choose")
    events[at]["action"] = [99, [], [], [], []]
    with pytest.raises(BadLog, match='the log says "exchange" where by the rules "thrown out" comes'):
        replay(as_data(events))
    events[at]["action"] = "everything"
    with pytest.raises(BadLog, match=rf"line {at + 1}: not an action: input: expected an action"):
        replay(as_data(events))


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"hello\n", "line 1: not JSON at byte 0"),
        (b"[]\n", "line 1: not an event"),
        (b'{"event":"turn"}\n', "line 1: not the log of a game"),
        (b'{"event":"game","v":1}\n', "line 1: a log of version 1, not 2"),
        (b'{"event":"game","v":2,"players":["silly"]}\n', "line 1: 1 players, where a game has 3 to 8"),
        (b'{"event":"game","v":2,"players":3}\n', "line 1: expected a list of the players' names"),
        (b'{"event":"game","v":2} {}\n', "line 1: more than one value"),
        (
            b'{"event":"game","v":2,"players":["a","b","c"],"listening":[],"deck":[[9,"horns"]]}\n',
            "line 1: the deck: [0][0]: horns",
        ),
    ],
)
def test_what_is_no_log_is_refused(data: bytes, problem: str, tmp_path: Path) -> None:
    (tmp_path / "log").write_bytes(data)
    done = xmain("--replay", str(tmp_path / "log"))
    assert done.returncode == 65
    assert problem in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_file_that_is_no_log_is_never_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "essay.txt"
    file.write_text("my essay")
    done = xmain("3", "--log", str(file))
    assert done.returncode == 2
    assert "is not the log of a game; it is left as it is" in done.stderr
    assert file.read_text() == "my essay"
    assert xmain("3", "--log", str(tmp_path / "no" / "such")).returncode == 2


def test_an_older_log_and_an_empty_file_give_way(tmp_path: Path) -> None:
    file = tmp_path / "log"
    file.touch()
    sizes = []
    for number in ("8", "3"):
        assert xmain(number, "--log", str(file)).returncode == 0
        assert xmain("--replay", str(file)).stdout == xmain(number).stdout
        sizes.append(file.stat().st_size)
    assert sizes[0] != sizes[1]


def test_a_wrong_player_does_not_cost_an_older_log(tmp_path: Path) -> None:
    file = tmp_path / "log"
    assert xmain("3", "--log", str(file)).returncode == 0
    before = file.read_bytes()
    assert xmain("3", "--log", str(file), "--players", "none.py:None").returncode == 2
    assert file.read_bytes() == before


def test_a_log_that_cannot_be_written_is_told_and_the_game_is_played(tmp_path: Path) -> None:
    done = xmain("3", "--log", "/dev/full")
    assert done.returncode == 74
    assert "cannot write the log: /dev/full: No space left on device" in done.stderr
    assert done.stdout == xmain("3").stdout


def test_players_in_processes_are_logged_with_what_they_did(tmp_path: Path) -> None:
    (tmp_path / "players.py").write_text(PLAYERS)
    log, who = tmp_path / "log", f"{tmp_path}/players.py"
    played = xmain("5", "--log", str(log), "--players", f"{who}:Exits,{who}:Raises,{who}:Mine,{who}:Nonsense")
    assert played.stdout.count("thrown out") == 3
    again = xmain("--replay", str(log))
    assert again.returncode == 0, again.stderr
    assert again.stdout == played.stdout


def test_the_story_of_a_log_begins_with_who_plays(log: Path, tmp_path: Path) -> None:
    named = log.read_text().replace('"silly","silly","silly","silly"', '"Anna","Zoë","bot 1","\\u001b"', 1)
    (tmp_path / "named").write_text(named)
    first, second, *_ = xmain("--replay", str(tmp_path / "named"), "--explain").stdout.splitlines()
    assert first == 'player 1 is "Anna", player 2 is "Zoë", player 3 is "bot 1", player 4 is "\\u001b"'
    assert second.startswith("turn 1 begins")


def test_replay_goes_with_no_other_game() -> None:
    for more in (["3"], ["--seed", "1"], ["--players", "silly"], ["--log", "x"]):
        done = xmain("--replay", "x", *more)
        assert done.returncode == 2
        assert "--replay plays what its log says" in done.stderr
    missing = xmain("--replay", "/nowhere/log")
    assert missing.returncode == 65
    assert missing.stderr == "xmain: /nowhere/log: No such file or directory\n"


def test_a_game_is_told_in_words(log: Path) -> None:
    told = xmain("--replay", str(log), "--explain").stdout
    assert told == xmain("4", "--seed", "7", "--explain").stdout
    assert told.startswith("turn 1 begins; turn order 1, 2, 3, 4; 122 cards in the deck, 0 in the hole")
    assert told.endswith(xmain("4", "--seed", "7").stdout)
    for words in ("draws 2 cards", "eats one token", "so it chooses to", "is out of this feeding cycle"):
        assert words in told


def test_the_story_as_json(log: Path) -> None:
    value = json.loads(xmain("--replay", str(log), "--explain", "--json").stdout)
    assert [entry["rank"] for entry in value["ranking"]] == [1, 2, 3, 4]
    assert value["story"][0]["text"].startswith("turn 1 begins")
    assert {"text", "rule", "depth"} <= set(value["story"][0])


def test_every_event_of_odd_games_can_be_told() -> None:
    words = []
    for seed in range(20):
        _, lines = odd_game(seed)
        stories: list[GameStory] = []

        def watch(header: Any, stories: list[GameStory] = stories) -> GameStory:
            stories.append(GameStory(header.players))
            return stories[0]

        replay("".join(lines).encode(), watch)
        words += stories[0].story.lines()
    told = "\n".join(words)
    for part in (
        "is thrown out",
        "it answers: ",
        "is fertile",
        "of its fat",
        "loses one population",
        "extinct",
    ):
        assert part in told


def test_the_schema_is_printed() -> None:
    assert json.loads(xmain("--log-schema").stdout) == SCHEMA
