"""A game in steps, for those who watch: what each event changes, and the sentences that tell of it.

A step has only what somebody with a view may see: the dealer sees everything, the public the boards and the
hole, and a player its own cards and bag besides. Step N is line N + 1 of the log of the same game.
"""

from collections.abc import Callable
from typing import Any

from evolution.feeding import IllegalChoice, check_choice, state_of
from evolution.picture.scene import Scene, Seat, act, feed, number
from evolution.picture.values import board_as_json
from evolution.table import Player, Table
from evolution.wire.action4 import action4
from evolution.wire.log import WRITERS
from evolution.wire.text import parse
from harness.explain.games import GameStory, PublicStory
from harness.text import cut

Step = dict[str, Any]
Sentence = tuple[int, str, str]  # how far it is set in, its text, and its section of the rules

DEALER, PUBLIC = "dealer", "public"  # the views that are no player's; the others are ids
LONGEST_NAME = 40  # characters of a player's name that are shown

# What is told of an event that no story tells of.
ELSE = {
    "game": "the game begins",
    "choose": "{} has chosen what to do with its cards",
    "remark": "the answer of {} was not quite its own",
    "deaf": "{} has failed when it was told of a change",
}


class GameSteps:
    """An observer that makes a step of every event, as somebody with this view sees it."""

    def __init__(self, names: list[str], view: str, take: "Callable[[Step], object]") -> None:
        """The players' names by their ids, beginning with 1; each step goes to `take`."""
        self._names = [cut(name, LONGEST_NAME) for name in names]
        self._view = view
        self._take = take
        self._stories = GameStory(names), PublicStory(names)
        self._table: Table | None = None
        self._shown: Step = {}  # what has been told of the table
        self._seats: dict[int, Step] = {}  # and of each player

    def __call__(
        self, kind: str, player: "Player | None", board: "int | None", more: "dict[str, Any]"
    ) -> None:
        """Make a step of it."""
        step: Step = {"kind": kind}
        if kind == "game":
            step["names"] = self._names
            if self._view == DEALER:
                step["cards"] = [*more["deck"]]
        elif kind == "turn":
            self._table = more["table"]
            step["turn"] = more["turn"]
        if player is not None:
            step["player"] = player.id
            if self._table is not None:
                step |= self._done(kind, player, more)
        full, public = (_told(story, kind, player, board, more) or _else(step) for story in self._stories)
        step["story"] = full if self._sees(player) else public
        if self._view == DEALER and public != full:
            step["public"] = public
        if self._table is not None:
            step |= self._changes(self._table)
        self._take(step)

    def _sees(self, player: "Player | None") -> bool:
        """Whether whoever has the view knows what this player knows; without one, what the dealer knows."""
        return self._view == DEALER or (player is not None and self._view == str(player.id))

    def _done(self, kind: str, player: "Player", more: "dict[str, Any]") -> "Step":
        """What the player has answered, as notes at seats and roles of boards."""
        assert self._table is not None
        if kind == "choose" and self._sees(player):
            value = parse(WRITERS["action"](more["action"]).encode())
            seat = Seat("", player.boards, hand=player.hand)
            if value is not None:
                act(seat, action4(value))
            return {"notes": {player.id: seat.notes}}
        if kind != "feed":
            return {}
        try:
            check_choice(state_of(self._table, player), more["choice"])
        except IllegalChoice:
            return {}
        seats = [Seat(f"player {one.id}", one.boards) for one in self._table.from_player(player)]
        feed(Scene(seats), more["choice"])
        asked = zip(self._table.from_player(player), seats, strict=True)
        return {
            "notes": {player.id: seats[0].notes},
            "roles": {one.id: seat.roles for one, seat in asked if seat.roles},
        }

    def _changes(self, table: "Table") -> "Step":
        """What is new on the table since the last step."""
        now: Step = {"hole": number(table.hole)}
        if self._view == DEALER:
            now["left"] = len(table.deck)
        changes = _new(self._shown, now)
        seats = {player.id: self._seat(player) for player in table.players}
        moved = {at: new for at, seat in seats.items() if (new := _new(self._seats.get(at, {}), seat))}
        gone = dict.fromkeys(self._seats.keys() - seats.keys())
        self._shown, self._seats = now, seats
        return {**changes, "seats": {**moved, **gone}} if moved or gone else changes

    def _seat(self, player: "Player") -> "Step":
        seat: Step = {"boards": [*map(board_as_json, player.boards)]}
        if self._sees(player):
            seat |= {"bag": number(player.bag), "hand": [*player.hand]}
        return seat


def _told(
    story: GameStory, kind: str, player: "Player | None", board: "int | None", more: "dict[str, Any]"
) -> "list[Sentence]":
    """The sentences that tell of an event."""
    story(kind, player, board, more)
    told = [(step.depth, step.text, step.rule) for step in story.story.steps]
    story.story.steps.clear()
    return told


def _else(step: "Step") -> "list[Sentence]":
    """What is told of an event that the story does not tell of."""
    kind, title = step["kind"], f"player {step.get('player')}"
    if kind == "feed":
        return [(2, f"{title}: {note}", "4.2") for note in step.get("notes", {}).get(step["player"], ())]
    return [(1, ELSE[kind].format(title), "")] if kind in ELSE else []


def _new(before: "Step", now: "Step") -> "Step":
    """What is not as it was before."""
    return {key: value for key, value in now.items() if key not in before or before[key] != value}
