from evolution import Trait


def envy(eater, tokens, owner, table, player):
    if eater in player.boards and player.right_of(eater) is owner:
        yield player, owner, "envy"  # fed once, whatever its left neighbour ate


TRAITS = {"envy": Trait(food_eaten=envy)}
