"""The trait table: the kinds of traits (rules 1.1), and that a new trait takes one entry and no more."""

import pydoc
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from evolution import TRAITS, BadInput, Player, Species, Table, Trait, blocked_by, full_deck
from evolution.traits import KINDS
from evolution.wire.reading import cards
from tests.evolution.tools import Json, answer, board, meaning
from tests.support.cases import make_player, make_species

if TYPE_CHECKING:
    from evolution.traits import Fed

RULES = Path(__file__).parents[2] / "docs" / "rules.md"

# What the rules call a kind, and its name and hooks in the trait table.
IN_THE_RULES = {
    "prevents attacks": ("prevents attack", {"prevents_attack"}),
    "prevents attacks on a neighbour": ("prevents attack", {"protects_neighbour"}),
    "reacts to attacks": ("was attacked", {"was_attacked", "saw_attack"}),
    "reacts to revealed food": ("food revealed", {"food_revealed"}),
    "reacts to eating": ("food eaten", {"eats_more", "food_eaten"}),
    "changes nothing by itself": ("no reaction", set()),
}
Side = Species | None


def test_every_trait_has_the_kind_that_the_rules_say() -> None:
    rows = [[cell.strip() for cell in line.split("|")] for line in RULES.read_text().splitlines()]
    kinds = {row[1]: row[2] for row in rows if len(row) == 5 and row[2] in IN_THE_RULES}
    assert kinds.keys() == TRAITS.keys()
    for name, words in kinds.items():
        kind, hooks = IN_THE_RULES[words]
        assert TRAITS[name].kind == kind, name
        assert len(TRAITS[name].hooks()) == bool(hooks), name
        assert TRAITS[name].hooks().keys() <= hooks, name


def test_the_traits_that_react_to_revealed_food_act_in_the_order_of_the_rules() -> None:
    acting = [name for name, trait in TRAITS.items() if trait.food_revealed]
    assert acting == ["fertile", "long-neck", "fat-tissue"]


def test_only_carnivore_cards_have_food_values_beyond_3() -> None:
    assert {name: trait.most_food for name, trait in TRAITS.items() if trait.most_food != 3} == {
        "carnivore": 8
    }


# --- a seventeenth trait of each kind ----------------------------------------------------------


def species(*traits: str, food: int = 0, body: int = 0, population: int = 1) -> Json:
    return make_species(food, body, population, list(traits), None)


def configuration(*rows: list[Json], hole: int = 9, deck: list[Json] | None = None) -> Json:
    players = [make_player(number, row, 0, None) for number, row in enumerate(rows, 1)]
    return [players, hole, deck or []]


def rows(value: Json) -> list[Json]:
    """Each player's boards in a Configuration."""
    return [dict(player)["species"] for player in value[0]]


def test_a_new_trait_can_prevent_attacks(monkeypatch: pytest.MonkeyPatch) -> None:
    def camouflage(attacker: Species, attacked: Species, owner: Species, left: Side, right: Side) -> bool:
        assert owner is attacked
        return right is not None and attacker.body - owner.body < right.population

    monkeypatch.setitem(TRAITS, "camouflage", Trait(prevents_attack=camouflage))
    prey, bush = species("camouflage", body=1), species(population=3)
    assert answer("xattack", [prey, species("carnivore", body=3), False, bush]) is False
    assert answer("xattack", [prey, species("carnivore", body=4), False, bush]) is True
    assert answer("xattack", [prey, species("carnivore", body=3), bush, False]) is True
    wolf = make_player(1, [species("carnivore", body=3)], 0, None)
    assert answer("xfeed", [wolf, 1, [make_player(2, [prey, bush], 0, None)]]) == [0, 0, 1]
    hunted = board("camouflage", "climbing")
    assert blocked_by(board("carnivore"), hunted, None, board()) == ["climbing", "camouflage"]


def test_a_new_trait_can_protect_the_neighbours(monkeypatch: pytest.MonkeyPatch) -> None:
    def sentry(attacker: Species, attacked: Species, owner: Species, left: Side, right: Side) -> bool:
        assert owner in (left, right)
        return attacker.population < 3 + owner.body - attacked.body

    monkeypatch.setitem(TRAITS, "sentry", Trait(protects_neighbour=sentry))
    few, many = species("carnivore", population=2), species("carnivore", population=3)
    guard = species("sentry")
    assert answer("xattack", [species(), few, guard, False]) is False
    assert answer("xattack", [species(), few, False, guard]) is False
    assert answer("xattack", [species(), many, guard, guard]) is True
    assert answer("xattack", [guard, few, False, False]) is True


def test_a_new_trait_can_react_to_being_attacked(monkeypatch: pytest.MonkeyPatch) -> None:
    def poison(attacker: Species, attacked: Species, owner: Species, table: Table, player: Player) -> None:
        assert (owner, player) == (attacked, table.players[1])
        for _ in range(min(2, attacker.population)):
            table.wound(table.player_of(attacker), attacker, "poison")

    monkeypatch.setitem(TRAITS, "poison", Trait(was_attacked=poison))
    snakes = [[species("carnivore", population=3)], [species("poison")]]
    assert rows(answer("xstep", configuration(*snakes))) == [[species("carnivore", food=1)], []]
    # The attacker dies once, whichever of the two traits comes first.
    for traits in (["poison", "horns"], ["horns", "poison"]):
        deadly = configuration([species("carnivore"), species(food=1)], [species(*traits, population=2)])
        assert rows(answer("xstep", deadly)) == [[species(food=1)], meaning([species(*traits)])]


def test_a_new_trait_can_react_to_the_attacks_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    def curious(attacker: Species, attacked: Species, owner: Species, table: Table, player: Player) -> None:
        table.draw(player, owner.body - attacker.body - attacked.body)

    monkeypatch.setitem(TRAITS, "curious", Trait(saw_attack=curious))
    deck = [[0, "horns"], [1, "curious"], [2, "horns"]]
    crow = species("curious", "climbing", body=2, food=1)
    after = answer("xstep", configuration([species("carnivore")], [species(population=2)], [crow], deck=deck))
    assert [dict(player).get("cards", []) for player in after[0]] == [[], [], deck[:2]]
    assert after[2] == deck[2:]


def test_a_new_trait_can_react_to_revealed_food(monkeypatch: pytest.MonkeyPatch) -> None:
    def hibernating(tokens: int, owner: Species, table: Table, player: Player) -> None:
        assert tokens == table.hole
        owner.food = owner.population

    monkeypatch.setitem(TRAITS, "hibernating", Trait(food_revealed=hibernating))
    before = configuration([species("hibernating", "fertile", population=2)], hole=0)
    before[0][0].append(["cards", [[-1, "horns"], [3, "hibernating"], [0, "carnivore"]]])
    after = answer("xstep4", [before, [[0, [], [], [[2, 1]], []]]])
    asleep = [species("fertile", "hibernating", food=3, population=3), species("hibernating", food=1)]
    assert after == configuration(asleep, hole=0)


def test_a_new_trait_can_eat_more(monkeypatch: pytest.MonkeyPatch) -> None:
    def gluttony(owner: Species, table: Table, player: Player) -> int:
        return table.eat(player, owner, "gluttony") + table.eat(player, owner, "gluttony")

    monkeypatch.setitem(TRAITS, "gluttony", Trait(eats_more=gluttony))
    pig, friend = species("cooperation", "gluttony", population=4), species("carnivore", population=7)
    after = answer("xstep", configuration([pig, friend], hole=9))
    assert [dict(each)["food"] for each in rows(after)[0]] == [3, 3]
    assert after[1] == 3


def test_a_new_trait_can_react_to_what_was_eaten(monkeypatch: pytest.MonkeyPatch) -> None:
    def saving(eater: Species, tokens: int, owner: Species, table: Table, player: Player) -> None:
        player.bag += tokens

    monkeypatch.setitem(TRAITS, "saving", Trait(food_eaten=saving, own_eating=True))
    after = answer("xstep", configuration([species("saving", "foraging", population=3)], [species()]))
    assert [dict(player)["bag"] for player in after[0]] == [2, 0]


def test_a_new_trait_can_react_to_what_others_have_eaten(monkeypatch: pytest.MonkeyPatch) -> None:
    def envy(eater: Species, tokens: int, owner: Species, table: Table, player: Player) -> "Iterator[Fed]":
        if eater not in player.boards:
            player.bag += tokens
        elif player.right_of(eater) is owner:
            yield player, owner, "envy"

    monkeypatch.setitem(TRAITS, "envy", Trait(food_eaten=envy))
    row = [species("foraging", population=2), species("envy", population=2), species("envy", population=2)]
    after = answer("xstep", configuration(row, [species("envy")]))
    assert [[dict(each)["food"] for each in boards] for boards in rows(after)] == [[2, 1, 1], [0]]
    assert [dict(player)["bag"] for player in after[0]] == [0, 2 + 1 + 1]


def test_what_each_trait_reacts_to_can_be_seen() -> None:
    assert repr(TRAITS["burrowing"]) == "<trait: prevents attack, prevents_attack=burrowing>"
    assert repr(TRAITS["ambush"]) == "<trait: no reaction>"
    assert {trait.kind for trait in TRAITS.values()} == KINDS.keys()
    text = pydoc.render_doc(Trait)
    assert all(kind in " ".join(text.split()) for kind in KINDS)


def test_a_trait_of_two_kinds_is_none() -> None:
    with pytest.raises(ValueError, match="not both prevents attack and food eaten"):
        Trait(prevents_attack=lambda *boards: True, eats_more=lambda owner, table, player: 1)


def test_a_new_trait_may_do_nothing_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(TRAITS, "beauty", Trait())
    before = configuration([species("beauty", population=2), species("beauty", food=1)], hole=1)
    after = configuration([species("beauty", food=1, population=2), species("beauty", food=1)], hole=0)
    assert answer("xstep", before) == after


def test_the_cards_of_a_new_trait_are_in_the_deck_and_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(TRAITS, "beauty", Trait())
    monkeypatch.setitem(TRAITS, "charm", Trait(most_food=1))
    deck = full_deck()
    assert len(deck) == 122 + 7 + 3
    assert [card for card in deck if card[1] == "beauty"] == [(food, "beauty") for food in range(-3, 4)]
    assert [card for card in deck if card[1] == "charm"] == [(food, "charm") for food in (-1, 0, 1)]
    assert cards([[-3, "beauty"], [1, "charm"]]) == [(-3, "beauty"), (1, "charm")]
    hand = [[3, "beauty"], [1, "charm"], [-1, "ambush"]]
    assert answer("xsilly", [make_player(1, [], 0, hand), [], []]) == [2, [], [], [[0, 1]], []]


def test_without_its_entry_a_trait_is_none() -> None:
    with pytest.raises(BadInput, match="expected a trait"):
        answer("xattack", [species("beauty"), species(), False, False])
