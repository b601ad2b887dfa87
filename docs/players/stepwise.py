"""A player of design 1: it buys a board a turn, grows what is smallest, and attacks the defenceless."""

DEFENCES = {"Burrowing", "Climbing", "Hard Shell", "Herding", "Horns", "Symbiosis"}


def names(species):  # a Species is [traits, body size, population], a Trait is [tokens, name]
    return [name for tokens, name in species[0]]


def smallest(boards, size):  # the place of the first board with the smallest size
    return min(range(len(boards)), key=lambda at: boards[at][size])


class Settler:
    def trade_cards_for_boards(self, cards, boards, player, opponents):
        return cards[:1]

    def place_cards_on_boards(self, cards, boards, player, opponents):
        first = cards[:1]
        return first + [card for card in cards if card[1] != first[0][1]][:1]

    def select_board_for_card(self, card, boards, player, opponents):
        new = len(boards) - 1
        if names(boards[new]):  # it has got its trait: this card replaces one elsewhere
            for at, species in enumerate(boards[:new]):
                if names(species) and card[1] not in names(species):
                    return at
        return new

    def select_species_discarded_cards(self, old_cards, new_cards, board, player, opponents):
        return list(range(len(new_cards)))

    def trade_cards_for_body_size(self, cards, boards, player, opponents):
        return cards[:1]

    def select_board_to_give_body_size(self, boards, player, opponents):
        return smallest(boards, 1)

    def trade_cards_for_population(self, cards, boards, player, opponents):
        return cards[:1]

    def select_board_to_give_population(self, boards, player, opponents):
        return smallest(boards, 2)

    def select_species_order(self, boards, player, opponents):
        return list(range(len(boards)))

    def select_attack(self, board, player, opponents):
        for at, (boards, _, _) in enumerate(opponents):
            for target, species in enumerate(boards):
                beside = boards[max(0, target - 1) : target] + boards[target + 1 : target + 2]
                warned = any("Warning Call" in names(neighbour) for neighbour in beside)
                if not warned and not DEFENCES & set(names(species)):
                    return [at, target]
        return False

    def game_over(self, players, me):
        print(f"place {me + 1} of {len(players)}, with {players[me][2]} in the bag")
