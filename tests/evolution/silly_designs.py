"""The Silly player, written to the interface of each design, without a look at the engine.

Designs 1 and 4 do not show food on boards. Their Silly player sees only populations and bodies, and never
attacks a board with burrowing, since it cannot see whether that one has eaten its fill.
"""

from typing import Any

Json = Any


class Shape:
    """What decides about attacks of a board that is shown without its food."""

    def __init__(self, traits: list[str], body: int, population: int) -> None:
        self.traits = [trait.lower().replace(" ", "-") for trait in traits]
        self.body = body
        self.population = population


def blind_target(attacker: Shape, rows: list[list[Shape]]) -> tuple[int, int] | None:
    """The largest board that can be attacked as far as one can see, the earliest of equal ones."""
    found = [
        (player, at)
        for player, row in enumerate(rows)
        for at in range(len(row))
        if not prevented(attacker, row, at)
    ]
    size = {place: (rows[place[0]][place[1]].population, rows[place[0]][place[1]].body) for place in found}
    return max(found, key=lambda place: size[place], default=None)


def prevented(attacker: Shape, row: list[Shape], at: int) -> bool:
    defender = row[at]
    beside = row[max(0, at - 1) : at] + row[at + 1 : at + 2]
    strength = attacker.body + (attacker.population if "pack-hunting" in attacker.traits else 0)
    symbiont = row[at + 1].body if at + 1 < len(row) else 0
    obstacles = {
        "burrowing": True,
        "climbing": "climbing" not in attacker.traits,
        "hard-shell": strength - defender.body < 4,
        "herding": attacker.population <= defender.population,
        "symbiosis": symbiont > defender.body,
    }
    warned = any("warning-call" in other.traits for other in beside) and "ambush" not in attacker.traits
    return warned or any(obstacles.get(trait, False) for trait in defender.traits)


class StepwiseSilly:
    """Design 1. The sixth card, which would replace the trait of the new board, stays in the hand."""

    def trade_cards_for_boards(self, cards: Json, boards: Json, player: Json, opponents: Json) -> Json:
        return in_card_order(cards)[:1]

    def place_cards_on_boards(self, cards: Json, boards: Json, player: Json, opponents: Json) -> Json:
        return in_card_order(cards)[:1]

    def select_board_for_card(self, card: Json, boards: Json, player: Json, opponents: Json) -> Json:
        return len(boards) - 1

    def trade_cards_for_body_size(self, cards: Json, boards: Json, player: Json, opponents: Json) -> Json:
        return in_card_order(cards)[1:2]

    def trade_cards_for_population(self, cards: Json, boards: Json, player: Json, opponents: Json) -> Json:
        return in_card_order(cards)[:1]

    def select_board_to_give_body_size(self, boards: Json, player: Json, opponents: Json) -> Json:
        return len(boards) - 1

    def select_board_to_give_population(self, boards: Json, player: Json, opponents: Json) -> Json:
        return len(boards) - 1

    def select_species_order(self, boards: Json, player: Json, opponents: Json) -> Json:
        return list(range(len(boards)))

    def select_attack(self, board: Json, player: Json, opponents: Json) -> Json:
        rows = [[stepwise_shape(species) for species in boards] for boards, _, _ in opponents]
        return blind_target(stepwise_shape(board), rows) or False

    def game_over(self, players: Json, me: Json) -> None:
        assert players[me][2] >= 0


def in_card_order(cards: Json) -> Json:
    return sorted(cards, key=lambda card: (card[1], card[0]))


def stepwise_shape(species: Json) -> Shape:
    traits, body, population = species
    return Shape([name for _, name in traits], body, population)


class CardwiseSilly:
    """Design 3. It can say everything but to store fat on a hungry board, which it then feeds."""

    def game_state_updated(self, game_state: Json) -> None:
        self.state = game_state

    def place_species(self) -> Json:
        return "right"

    def use_cards(self, hand: Json) -> Json:
        new = len(self.mine())
        order = sorted(range(len(hand)), key=lambda at: (hand[at][1], hand[at][0]))
        trait = hand[order[2]][1]
        uses = [
            ["discard"],
            ["exchange-for-species"],
            ["add-trait", new],
            ["exchange-for-population", new],
            ["exchange-for-body", new],
            ["replace-trait", new, trait],
        ]
        actions: Json = [["keep"] for _ in hand]
        for at, use in zip(order, uses, strict=False):
            actions[at] = use
        return actions

    def mine(self) -> list[dict[str, Json]]:
        return self.shown(self.state["playerId"])

    def shown(self, player: int) -> list[dict[str, Json]]:
        return [{"fat-food": 0, **dict(species)} for species in self.state["players"][player]]

    def feed(self) -> Json:
        boards = self.mine()
        needs = [
            board["body"] - board["fat-food"] if "fat-tissue" in board["traits"] else 0 for board in boards
        ]
        full = [at for at, board in enumerate(boards) if board["food"] == board["population"] and needs[at]]
        if full:
            return [max(full, key=lambda at: (needs[at], board_size(boards[at]))), 0, 0]
        hungry = [at for at, board in enumerate(boards) if board["food"] < board["population"]]
        eaters = [at for at in hungry if "carnivore" not in boards[at]["traits"]]
        if eaters:
            return [max(eaters, key=lambda at: board_size(boards[at])), 0, 0]
        for at in sorted(hungry, key=lambda at: board_size(boards[at]), reverse=True):
            target = self.target(boards[at])
            if target:
                return [at, *target]
        return False

    def target(self, hunter: dict[str, Json]) -> tuple[int, int] | None:
        me, count = self.state["playerId"], len(self.state["players"])
        found = []
        for place in [*range(me + 1, count), *range(me)]:
            boards = self.shown(place)
            row = [Shape(board["traits"], board["body"], board["population"]) for board in boards]
            attacker = Shape(hunter["traits"], hunter["body"], hunter["population"])
            for at, board in enumerate(boards):
                if "burrowing" in row[at].traits and board["food"] < board["population"]:
                    row[at].traits.remove("burrowing")
                if not prevented(attacker, row, at):
                    found.append((place, at, board_size(board)))
        best = max(found, key=lambda one: one[2], default=None)
        return best[:2] if best else None


def board_size(board: dict[str, Json]) -> tuple[int, int, int]:
    return board["population"], board["food"], board["body"]


class TableSilly:
    """Design 4. Only three cards can be used, and a population grows where the design says."""

    def food_card(self, ps: Json) -> Json:
        return named_order(ps["traits"])[0]

    def moves(self, ps: Json) -> Json:
        actions = [("trade", "sb"), ("place", len(ps["species"])), ("trade", "ps")]
        pairs = zip(named_order(ps["traits"]), actions, strict=False)
        return [(card, {"action": action}) for card, action in pairs]

    def arrange(self, ps: Json) -> Json:
        return ps["species"]

    def attack(self, gs: Json) -> Json:
        """The board that attacks is not told: it is the largest that can be seen to have a target."""
        players = gs["players"]
        me = next(at for at, player in enumerate(players) if player["name"] == self.me)
        around = players[me + 1 :] + players[:me]
        rows = [[table_shape(board) for board in player["species"]] for player in around]
        hunters = [table_shape(board) for board in players[me]["species"]]
        hunters = [hunter for hunter in hunters if "carnivore" in hunter.traits]
        for hunter in sorted(hunters, key=lambda one: (one.population, one.body), reverse=True):
            target = blind_target(hunter, rows)
            if target:
                return around[target[0]]["species"][target[1]]
        return None

    def scoreboard(self, scores: Json) -> None:
        assert [score for _, score in scores] == sorted([score for _, score in scores], reverse=True)

    me = "1"


def named_order(cards: Json) -> Json:
    return sorted(cards, key=lambda card: (card["name"], card["food"]))


def table_shape(board: Json) -> Shape:
    return Shape([card["name"] for card in board["traits"]], board["bodySize"], board["population"])
