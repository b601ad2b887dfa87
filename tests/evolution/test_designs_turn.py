"""One whole turn in the words of each design: every call and its arguments, worked out by hand from the
design's document and from the reading of it in docs/players.md.

The table and the cards are in tests/evolution/turns.py. The food cards are burrowing 3, fertile 0 and
horns 3, so there are 6 tokens. Player 1 replaces its horns by long-neck and buys a board with herding.
The long neck eats (5 left), then player 1's new board (4), player 2's (3), player 3's first one (2).
Then player 1's carnivore attacks player 3's second board, which dies, and eats (1); the last token is
player 2's.
"""

from typing import Any

from evolution.actions import Action4
from evolution.cards import Card, shuffled_deck
from evolution.choices import Attack, State
from evolution.designs import adapted
from evolution.designs.stepwise_tables import write_player
from evolution.game import Game
from evolution.hosting.asked import Inside
from evolution.player import Start, View
from evolution.silly import Silly
from evolution.turn import step4
from evolution.wire.library import read_configuration, write_configuration
from evolution.wire.writing import feeding_choice
from tests.evolution import silly_designs
from tests.evolution.tools import board
from tests.evolution.turns import DECK, Plain, Recorder, laid_game

Json = Any


def play(design: str, player: Recorder) -> Game:
    game = laid_game(design, player)
    game.turn()
    result = game.result()
    assert result.ranking == [(2, 25), (1, 14), (3, 2)]
    assert result.thrown_out == []
    for seat, agent in game._agents.items():
        assert seat in game.table.players
        agent.game_over(result.told_to(seat))
    return game


def test_stepwise() -> None:
    foraging, herding, climbing = [1, "Foraging"], [-2, "Herding"], [0, "Climbing"]
    long_neck = [2, "Long Neck"]  # burrowing, the first in card order, is set aside
    player = Recorder(
        trade_cards_for_boards=[[foraging]],
        place_cards_on_boards=[[herding, long_neck]],
        select_board_for_card=[1, 0],
        select_species_discarded_cards=[[1]],
        trade_cards_for_body_size=[[climbing]],
        select_board_to_give_body_size=[1],
        trade_cards_for_population=[[]],
        select_species_order=[[0, 1]],
        select_attack=[[1, 1]],
    )
    play("stepwise", player)
    old = [[[0, "Carnivore"], [0, "Horns"]], 3, 2]
    changed = [[[0, "Carnivore"], [0, "Long Neck"]], 3, 2]
    empty = [[], 0, 1]
    herd = [[[0, "Herding"]], 0, 1]
    large_herd = [[[0, "Herding"]], 1, 1]
    opponents = [[[[[[0, "Ambush"]], 0, 2]], [], 0], [[[[], 0, 1], [[], 0, 1]], [], 0]]
    grown = [[[[[[0, "Ambush"]], 1, 2]], [], 0], [[[[], 1, 1], [[], 0, 1]], [], 0]]
    hand = [foraging, herding, climbing, long_neck]
    assert player.calls == [
        ("trade_cards_for_boards", hand, [old], [[old], hand, 5], opponents),
        (
            "place_cards_on_boards",
            [herding, climbing, long_neck],
            [old, empty],
            [[old, empty], [herding, climbing, long_neck], 5],
            opponents,
        ),
        ("select_board_for_card", herding, [old, empty], [[old, empty], [climbing], 5], opponents),
        ("select_board_for_card", long_neck, [old, herd], [[old, herd], [climbing], 5], opponents),
        (
            "select_species_discarded_cards",
            [[0, "Carnivore"], [0, "Horns"]],
            [long_neck],
            old,
            [[old, herd], [climbing], 5],
            opponents,
        ),
        (
            "trade_cards_for_body_size",
            [climbing],
            [changed, herd],
            [[changed, herd], [climbing], 5],
            opponents,
        ),
        ("select_board_to_give_body_size", [changed, herd], [[changed, herd], [], 5], opponents),
        (
            "trade_cards_for_population",
            [],
            [changed, large_herd],
            [[changed, large_herd], [], 5],
            opponents,
        ),
        ("select_species_order", [changed, large_herd], [[changed, large_herd], [], 5], opponents),
        ("select_attack", changed, [[changed, large_herd], [], 5], grown),
        (
            "game_over",
            [
                # Nothing is hidden any more, and player 3 has drawn two cards for its extinct board.
                [[[[[0, "Ambush"]], 1, 2]], [[2, "Fertile"], [3, "Fertile"]], 22],
                [[changed, large_herd], [], 8],
                [
                    [[[], 1, 1]],
                    [[0, "Symbiosis"], [1, "Symbiosis"], [1, "Horns"], [0, "Horns"], [-1, "Horns"]],
                    1,
                ],
            ],
            1,
        ),
    ]


def species(food: int, body: int, population: int, *traits: str) -> Json:
    return [["food", food], ["body", body], ["population", population], ["traits", list(traits)]]


def test_cardwise() -> None:
    player = Recorder(
        use_cards=[
            [
                ["exchange-for-species"],
                ["add-trait", 1],
                ["exchange-for-body", 1],
                ["discard"],
                ["replace-trait", 0, "horns"],
            ]
        ],
        place_species=["right"],
        feed=[[1, 0, 0], [0, 2, 1]],
    )
    play("cardwise", player)

    def told(hole: int, mine: Json, second: Json, third: Json) -> Json:
        state = {"players": [mine, [second], third], "playerId": 0, "wateringHoleTokens": hole}
        return ("game_state_updated", state)

    def hunter(food: int) -> Json:
        return species(food, 3, 2, "carnivore", "long-neck")

    def herd(food: int) -> Json:
        return species(food, 1, 1, "herding")

    def second(food: int, body: int = 1) -> Json:
        return species(food, body, 2, "ambush")

    def third(food: int) -> Json:
        return [species(food, 1, 1), species(0, 0, 1)]

    before = [species(0, 0, 1), species(0, 0, 1)]
    assert player.calls == [
        told(0, [species(0, 3, 2, "carnivore", "horns")], second(0, 0), before),
        (
            "use_cards",
            [[1, "foraging"], [-2, "herding"], [0, "climbing"], [3, "burrowing"], [2, "long-neck"]],
        ),
        ("place_species",),
        told(0, [hunter(0), herd(0)], second(0, 0), before),
        told(3, [hunter(0), herd(0)], second(0, 0), before),
        told(3, [hunter(0), herd(0)], second(0), before),
        told(3, [hunter(0), herd(0)], second(0), third(0)),
        told(6, [hunter(0), herd(0)], second(0), third(0)),
        told(5, [hunter(1), herd(0)], second(0), third(0)),
        ("feed",),
        told(4, [hunter(1), herd(1)], second(0), third(0)),
        told(3, [hunter(1), herd(1)], second(1), third(0)),
        told(2, [hunter(1), herd(1)], second(1), third(1)),
        ("feed",),
        told(2, [hunter(1), herd(1)], second(1), third(1)[:1]),
        told(1, [hunter(2), herd(1)], second(1), third(1)[:1]),
        told(0, [hunter(2), herd(1)], second(2), third(1)[:1]),
        told(0, [hunter(0), herd(1)], second(2), third(1)[:1]),
        told(0, [hunter(0), herd(0)], second(2), third(1)[:1]),
        told(0, [hunter(0), herd(0)], second(0), third(1)[:1]),
        told(0, [hunter(0), herd(0)], second(0), third(0)[:1]),
    ]


def card(food: int, name: str) -> Json:
    return {"name": name, "food": food}


def named(name: str, population: int, body: int, *traits: str) -> Json:
    shown = [card(0, trait) for trait in traits]
    return {"name": name, "population": population, "bodySize": body, "traits": shown}


def test_table() -> None:
    foraging, herding, climbing = card(1, "foraging"), card(-2, "herding"), card(0, "climbing")
    burrowing, long_neck = card(3, "burrowing"), card(2, "long-neck")
    old, new = named("1.1", 2, 3, "carnivore", "horns"), named("1.2", 1, 0, "herding")
    player = Recorder(
        food_card=[burrowing],
        moves=[
            [
                (foraging, {"action": ("trade", "sb")}),
                (herding, {"action": ("place", 1)}),
                (long_neck, {"action": ("place", 0)}),
            ]
        ],
        arrange=[[old, new]],
        discards=[[(old, card(0, "horns"))]],
        attack=[named("3.2", 1, 0)],
    )
    play("table", player)

    def mine(species: Json, traits: Json) -> Json:
        return {"name": "1", "foodBag": 5, "species": species, "traits": traits}

    hunter = named("1.1", 2, 3, "carnivore", "long-neck")
    assert player.calls == [
        ("food_card", mine([old], [foraging, herding, climbing, burrowing, long_neck])),
        ("moves", mine([old], [foraging, herding, climbing, long_neck])),
        ("arrange", mine([old, new], [climbing])),
        ("discards", mine([old, new], [climbing])),
        ("fed", mine([hunter, new], [climbing])),  # by its long neck
        ("fed", mine([hunter, new], [climbing])),  # its new board, a vegetarian, by the dealer
        (
            "attack",
            {
                "players": [
                    mine([hunter, new], [climbing]),
                    {
                        "name": "2",
                        "foodBag": 0,
                        "species": [named("2.1", 2, 1, "ambush")],
                        "traits": [],
                    },
                    {
                        "name": "3",
                        "foodBag": 0,
                        "species": [named("3.1", 1, 1), named("3.2", 1, 0)],
                        "traits": [],
                    },
                ],
                "traitDeck": [],
                "wateringHole": 2,
                "placedCards": [card(3, "burrowing"), card(0, "fertile"), card(3, "horns")],
            },
        ),
        ("scoreboard", [("2", 25), ("1", 14), ("3", 2)]),
    ]


def test_the_largest_carnivore_with_a_target_attacks() -> None:
    large, small = board("carnivore", population=3), board("carnivore", "climbing", population=2)
    cases = [
        ([small, large], [[board(population=1)]], [[0, "Carnivore"]], Attack(1, 0, 0)),
        ([large, small], [[board("climbing")]], [[0, "Carnivore"], [0, "Climbing"]], Attack(1, 0, 0)),
    ]
    for boards, others, traits, attack in cases:
        player = Recorder(select_attack=[[attack.player, attack.target]])
        adapter = adapted("stepwise", player)
        adapter.changed(View([boards, *others], 3, 0))
        found = adapter.feed_next(State(0, boards, [], 3, others))
        assert feeding_choice(found) == feeding_choice(attack)
        ((request, asked, *_),) = player.calls
        assert request == "select_attack"
        assert asked[0] == traits


def eats(why: str, whose: int = 1) -> View:
    """The view of a token that player 1 or 2 eats for this reason."""
    return View([[board("carnivore")], [board()]], 1, 0, hand=[(1, "horns")], event=("eat", whose, why))


def test_a_table_player_hears_of_each_token_that_it_was_not_asked_about() -> None:
    attacked = View([[board("carnivore")], [board()]], 1, 0, event=("wound", 2, "attack"))
    fed = ("fed", {"name": "1", "foodBag": 0, "species": [named("1.1", 1, 0, "carnivore")],
                   "traits": [card(1, "horns")]})  # fmt: skip
    player = Recorder(attack=[named("2.1", 1, 0)])
    adapter = adapted("table", player)
    for why in ("choice", "cooperation", "scavenger", "long-neck", "foraging"):
        adapter.changed(eats(why))
        assert player.calls == [fed], why
        player.calls.clear()
        adapter.changed(eats(why, whose=2))
        assert player.calls == [], "what a rival eats"
    adapter.feed_next(State(0, [board("carnivore")], [], 1, [[board()]]))
    assert [request for request, *_ in player.calls] == ["attack"]
    for view in (attacked, eats("attack")):
        adapter.changed(view)
    assert len(player.calls) == 1, "it was asked about this attack"
    adapter.changed(eats("foraging"))
    assert player.calls[1:] == [fed]
    for view in (attacked, eats("attack")):
        adapter.changed(view)
    assert player.calls[2:] == [fed], "an attack that the dealer carries out unasked"


class Unfed(Recorder):
    """A player without the optional notice."""

    fed = None


def test_a_table_player_without_fed_is_not_told() -> None:
    player = Unfed()
    adapted("table", player).changed(eats("choice"))
    assert player.calls == []


def test_food_cards_lie_face_up_from_when_they_are_turned_over_to_the_end_of_the_turn() -> None:
    class Looks(Plain):
        seen: list[list[Card]]

        def changed(self, view: View) -> None:
            self.seen.append(view.placed[:])

        def start(self, view: Start) -> None:
            assert game.table.placed == []

    looks = Looks()
    looks.seen = []
    game = Game([looks, Plain(), Plain()], DECK[:])
    for player in game.table.players:
        player.boards = [board(population=2)]
    game.turn()
    foods: list[Card] = [(1, "foraging"), (0, "fertile"), (3, "horns")]
    turned = [foods[:number] for number in range(4)]
    assert [seen for at, seen in enumerate(looks.seen) if seen not in looks.seen[:at]] == turned
    assert looks.seen[-1] == foods, "the end of the turn is the last that is told"
    assert game.table.placed == []
    assert [card for player in game.table.players for card in player.face_down] == []


def test_step_4_leaves_the_food_cards_on_the_table_and_a_configuration_does_not_show_them() -> None:
    text = (
        '[[[["id",1],["species",[]],["bag",0],["cards",[[2,"horns"],[1,"ambush"]]]],'
        '[["id",2],["species",[]],["bag",0],["cards",[[0,"horns"]]]]],0,[]]'
    )
    table = read_configuration(text)
    step4(table, [Action4(1), Action4(0)], [Silly(), Silly()])
    assert table.placed == [(1, "ambush"), (0, "horns")]
    assert "ambush" not in write_configuration(table)


def test_at_the_end_of_a_whole_game_nothing_is_hidden() -> None:
    player = silly_designs.StepwiseSilly()
    told: list[Json] = []
    player.game_over = lambda players, me: told.append((players, me))  # type: ignore[method-assign]
    game = Game([Silly(), Inside(adapted("stepwise", player)), Silly()], shuffled_deck("end"))
    result = game.play()
    assert not result.thrown_out
    by_id = {one.id: one for one in game.table.players}
    truth = [by_id[number] for number, _ in result.ranking]
    ((players, me),) = told
    assert result.ranking[me][0] == 2
    assert players == [write_player(one.boards, one.hand, one.bag) for one in truth]
    for (boards, _, bag), (_, points) in zip(players, result.ranking, strict=True):
        assert bag + sum(population + len(traits) for traits, _, population in boards) == points
    assert any(hand for _, hand, _ in players)
