"""The table: the players with their boards, the watering hole and the rest of the deck.

Here are the small operations that every rule is made of: eating one token, feeding a board,
losing population, drawing cards. Who may do what, and when, is decided in `evolution.feeding`,
`evolution.actions` and `evolution.turn`.
"""

from evolution.cards import Card
from evolution.species import Species
from evolution.traits import MOST, TRAITS, Trait

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from evolution.traits import Fed

CARDS_FOR_EXTINCTION = 2


class Player:
    """What lies in front of one player (rules 1.7). Ids need not be unique.

    id: int; in a game 1 to N, in turn order of the first turn.
    boards: list[Species], from left to right.
    bag: int, the food that it has collected.
    hand: list[Card].
    face_down: list[Card], its food card from when it is chosen to when it is turned over.
    """

    __slots__ = ("_last_place", "bag", "boards", "face_down", "hand", "id")

    def __init__(
        self, id: int, boards: list[Species], bag: int = 0, hand: "list[Card] | None" = None
    ) -> None:
        self.id = id
        self.boards = boards
        self.bag = bag
        self.hand: list[Card] = [] if hand is None else hand
        self.face_down: list[Card] = []
        self._last_place = 0

    def place_of(self, board: Species) -> int:
        """The index of one of the player's boards."""
        boards = self.boards
        # What happens to a row of boards goes along it, so this one often lies where the last one did, or
        # beside it. A search from the left each time would make a long row slow.
        at = self._last_place
        near = boards[at : at + 2]
        place = at + near.index(board) if board in near else boards.index(board)
        self._last_place = place
        return place

    def right_of(self, board: Species) -> "Species | None":
        """The right neighbour of one of the player's boards."""
        at = self.place_of(board) + 1
        return self.boards[at] if at < len(self.boards) else None


class Table:
    """The players in turn order, the tokens in the watering hole, and the rest of the deck.

    `placed` has the food cards that have been turned over in this turn.
    """

    __slots__ = ("deck", "hole", "placed", "players")

    def __init__(self, players: list[Player], hole: int = 0, deck: "list[Card] | None" = None) -> None:
        self.players = players
        self.hole = hole
        self.deck: list[Card] = [] if deck is None else deck
        self.placed: list[Card] = []

    def from_player(self, player: Player) -> list[Player]:
        """All players in turn order, starting with this one and wrapping around."""
        at = self.players.index(player)  # players compare by identity, whatever their ids
        return self.players[at:] + self.players[:at]

    def player_of(self, board: Species) -> Player:
        """Whose board this is."""
        return {id(one): player for player in self.players for one in player.boards}[id(board)]

    # Everything that happens to a table happens through the methods below, so whoever wants to
    # watch a game overrides them. `why` is for them: the trait or the rule behind the change.

    def eat(self, player: Player, board: Species, why: str) -> int:
        """The board eats one token if it is hungry and there is one; says how many it ate."""
        if self.hole > 0 and board.food < board.population:
            self.hole -= 1
            board.food += 1
            return 1
        return 0

    def feed(self, player: Player, board: Species, why: str) -> None:
        """Feed a board, and then whoever is to be fed because of that (rules 3.1 to 3.3)."""
        # A row of boards that feed each other can be longer than Python's calls may nest.
        feedings = [self.feeding(player, board, why)]
        while feedings:
            following = next(feedings[-1], None)
            if following is None:
                feedings.pop()
            else:
                feedings.append(self.feeding(*following))

    def feeding(self, player: Player, board: Species, why: str) -> "Iterator[Fed]":
        """Feed this board alone: the one routine behind every token that is eaten (rules 3.1).

        Yields who is to be fed because of it; goes on when that has been done.
        """
        eaten = self.eat(player, board, why)
        if not eaten:
            return
        traits = board.traits
        for trait in traits:
            eats_more = TRAITS[trait].eats_more
            if eats_more:
                eaten += eats_more(board, self, player)
        for trait in traits:
            food_eaten = TRAITS[trait].food_eaten
            if food_eaten:
                yield from food_eaten(board, eaten, board, self, player) or ()
        if Trait.any_hears_others:
            yield from self._heard(player, board, eaten)

    def _heard(self, player: Player, eater: Species, eaten: int) -> "Iterator[Fed]":
        """Tell the traits of all other boards what was eaten; yields who is to be fed because of it."""
        for witness in self.from_player(player):
            for board in witness.boards[:]:
                for trait in board.traits:
                    row = TRAITS[trait]
                    if row.food_eaten and not row.own_eating and board is not eater and board.population:
                        yield from row.food_eaten(eater, eaten, board, self, witness) or ()

    def wound(self, player: Player, board: Species, why: str) -> None:
        """The player's board loses one population; an extinct board goes, and two cards come."""
        board.population -= 1
        board.food = min(board.food, board.population)
        if board.population == 0:
            self.remove(player, board, why)
            self.draw(player, CARDS_FOR_EXTINCTION)

    def remove(self, player: Player, board: Species, why: str) -> None:
        """The board of an extinct species goes; those to its right move up."""
        player.boards.remove(board)

    def first_board(self, player: Player) -> None:
        """A player without a board gets one (rules 5.1)."""
        player.boards.append(Species())

    def end_turn(self, player: Player, board: Species) -> None:
        """Who has not eaten dies; the food of the others goes to the bag (rules 5.12)."""
        board.population = board.food
        if board.population == 0:
            self.remove(player, board, "starvation")
            self.draw(player, CARDS_FOR_EXTINCTION)
        else:
            player.bag += board.food
            board.food = 0

    def draw(self, player: Player, count: int) -> None:
        """Cards come off the front of the deck and go, in deck order, in front of the hand."""
        player.hand[:0] = self.deck[:count]
        del self.deck[:count]

    def grow(self, player: Player, board: Species) -> None:
        """The board's population grows by one, up to the most (rules 5.8)."""
        board.population = min(MOST, board.population + 1)

    def use_fat(self, player: Player, board: Species) -> None:
        """Stored fat becomes food, as far as the board is hungry (rules 5.10)."""
        tokens = min(board.population - board.food, board.fat_food)
        board.food += tokens
        board.fat_food -= tokens

    def reveal(self, player: Player, food: int) -> None:
        """The player's food card lies face up and changes the hole, which never goes below 0 (rules 5.7)."""
        self.hole = max(0, self.hole + food)
        self.placed += player.face_down
        player.face_down = []

    def store_fat(self, player: Player, board: Species, tokens: int) -> None:
        """Tokens go from the hole to the board's fat, as far as the hole allows (rules 3.8)."""
        tokens = min(tokens, self.hole)
        self.hole -= tokens
        board.fat_food += tokens
