from evolution import Trait


def early(tokens, owner, table, player):
    if tokens > 5:  # the early bird eats where there is plenty
        table.feed(player, owner, "early")


TRAITS = {"early": Trait(food_revealed=early)}
