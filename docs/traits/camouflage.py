from evolution import Trait


def camouflage(attacker, attacked, owner, left, right):
    return attacker.body < owner.body  # only who is as large finds it


TRAITS = {"camouflage": Trait(prevents_attack=camouflage)}
