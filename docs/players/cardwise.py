"""A player of design 3: it wants one large board with three traits, and feeds whoever can be fed."""

DEFENCES = {"burrowing", "climbing", "hard-shell", "herding", "horns", "symbiosis"}


def value(species, key):  # a Species is a list of pairs
    return dict(species).get(key, 0)


class Breeder:
    def game_state_updated(self, game_state):
        self.state = game_state

    def boards(self):
        return self.state["players"][self.state["playerId"]]

    def place_species(self):
        return "right"

    def use_cards(self, hand):
        boards = self.boards()
        new = len(boards)
        actions = [["discard"], ["exchange-for-species"], ["add-trait", new]]
        spare = hand[3:]
        if spare:
            actions.append(["exchange-for-population", new])
        if len(spare) > 1:
            actions.append(["exchange-for-body", new])
        for _, trait in spare[2:]:
            actions.append(self.replacement(trait, actions) or ["keep"])
        return actions

    def replacement(self, trait, actions):
        for at, species in enumerate(self.boards()):
            traits = value(species, "traits")
            used = any(action[:2] == ["replace-trait", at] for action in actions)
            if traits and trait not in traits and not used:
                return ["replace-trait", at, traits[0]]
        return None

    def feed(self):
        for at, species in enumerate(self.boards()):
            traits = value(species, "traits")
            hungry = value(species, "food") < value(species, "population")
            fat = "fat-tissue" in traits and value(species, "fat-food") < value(species, "body")
            if hungry and "carnivore" in traits:
                target = self.target()
                if target:
                    return [at, *target]
            elif hungry or fat:
                return [at, 0, 0]
        return False

    def target(self):
        for player, boards in enumerate(self.state["players"]):
            for at, species in enumerate(boards):
                beside = boards[max(0, at - 1) : at] + boards[at + 1 : at + 2]
                warned = any("warning-call" in value(neighbour, "traits") for neighbour in beside)
                safe = warned or DEFENCES & set(value(species, "traits"))
                if player != self.state["playerId"] and not safe:
                    return player, at
        return None
