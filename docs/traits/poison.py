from evolution import Trait


def poison(attacker, attacked, owner, table, player):
    if attacker.population > 1:  # it never kills the last one
        table.wound(table.player_of(attacker), attacker, "poison")


TRAITS = {"poison": Trait(was_attacked=poison, most_food=2)}
