"""A player of design 4: three moves a turn, by turns for new boards and for the old ones."""

DEFENCES = {"burrowing", "climbing", "hard-shell", "herding", "horns", "symbiosis"}


def names(things):
    return [thing["name"] for thing in things]


class Gardener:
    def __init__(self):
        self.turn = 0

    def food_card(self, ps):
        return max(ps["traits"], key=lambda card: card["food"])

    def moves(self, ps):
        self.turn += 1
        cards, boards = ps["traits"], ps["species"]
        new = len(boards)
        if self.turn % 2:  # a new board with a trait, and one more animal somewhere
            actions = [("trade", "sb"), ("place", new), ("trade", "ps")]
        else:
            actions = [("trade", "bs")] if any(board["bodySize"] < 7 for board in boards) else []
            cards = cards[::-1]
            card = cards[len(actions)]
            for at, board in enumerate(boards):  # replace the first trait of a board that has one
                if board["traits"] and card["name"] not in names(board["traits"]):
                    actions.append(("place", at))
                    self.placed_on = at
                    break
        return [(card, {"action": action}) for card, action in zip(cards, actions, strict=False)]

    def arrange(self, ps):
        return ps["species"]

    def discards(self, ps):
        board = ps["species"][self.placed_on]
        return [(board, board["traits"][0])]

    def attack(self, gs):
        for player in gs["players"]:
            boards = player["species"]
            for at, board in enumerate(boards):
                beside = boards[max(0, at - 1) : at] + boards[at + 1 : at + 2]
                warned = any("warning-call" in names(neighbour["traits"]) for neighbour in beside)
                safe = warned or DEFENCES & set(names(board["traits"]))
                if player["traits"] == [] and not safe:  # a hand that is shown is one's own
                    return board
        return None

    def scoreboard(self, scores):
        print(", ".join(f"{name}: {score}" for name, score in scores))
