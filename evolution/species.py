"""A species board: food, body, population, traits and the fat it has stored.

A board is a thing, not a number: two boards with equal values are still two boards, so
boards compare by identity. What traits do is in `evolution.traits`.
"""


class Species:
    """One species board (rules 1.3). Population 0 means extinct: such a board lies nowhere.

    food: int, the tokens that it has eaten in this turn, 0 to its population.
    body: int, 0 to 7.
    population: int, 1 to 7.
    traits: list[str], up to three different ones, by slot; names as in evolution.TRAITS.
    fat_food: int, the tokens that its fat-tissue has stored, 0 to its body.
    """

    __slots__ = ("body", "fat_food", "food", "population", "traits")

    def __init__(
        self,
        food: int = 0,
        body: int = 0,
        population: int = 1,
        traits: "list[str] | None" = None,
        fat_food: int = 0,
    ) -> None:
        self.food = food
        self.body = body
        self.population = population
        self.traits: list[str] = [] if traits is None else traits
        self.fat_food = fat_food

    def __repr__(self) -> str:
        return (
            f"Species(food={self.food}, body={self.body}, population={self.population}, "
            f"traits={self.traits}, fat_food={self.fat_food})"
        )

    def copy(self) -> "Species":
        """An equal board that shares nothing with this one."""
        return Species(self.food, self.body, self.population, self.traits[:], self.fat_food)


def hungry(board: Species) -> bool:
    """Whether the board can take a token of food."""
    return board.food < board.population


def fat_need(board: Species) -> int:
    """How many more tokens the board's fat-tissue can store; 0 without fat-tissue."""
    return board.body - board.fat_food if "fat-tissue" in board.traits else 0


def is_carnivore(board: Species) -> bool:
    """Whether the board has carnivore; a board without it is a vegetarian."""
    return "carnivore" in board.traits


def size(board: Species) -> tuple[int, int, int]:
    """The key of the size order (rules 1.6); of equal boards the earlier one counts as larger."""
    return (board.population, board.food, board.body)
