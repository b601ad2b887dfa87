"""Seats a player of design 1, the stepwise interface: one small request for each decision of a turn.

The interface has no request for the food card: the first card in card order is set aside and never
offered. Fat needs and vegetarians are not asked for either; the Silly player's choice is taken.
"""

from evolution.actions import Action4
from evolution.choices import DECLINE, Attack, FeedingChoice, State
from evolution.designs.adapter import AttackAdapter, blaming
from evolution.designs.draft import Draft, Forbidden
from evolution.designs.stepwise_tables import (
    read_cards,
    write_boards,
    write_card,
    write_cards,
    write_player,
    write_species,
)
from evolution.feeding import check_choice
from evolution.species import Species
from evolution.wire.errors import Malformed
from evolution.wire.reading import list_of, natural, parts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from evolution.game import Result


class Stepwise(AttackAdapter):
    """A player of design 1, as the game sees it."""

    def choose(self, before: list[list[Species]], after: list[list[Species]]) -> Action4:
        """One request after the other, each shown what the answers before it have changed."""
        self.sight.choose(before, after)
        draft = Draft(self.sight.boards, self.sight.hand)
        draft.feed_hole(draft.first_card())
        for card in self._cards("trade_cards_for_boards", draft):
            draft.buy(card)
        self._place_cards(draft)
        self._grow("trade_cards_for_body_size", "select_board_to_give_body_size", draft, draft.grow_body)
        self._grow(
            "trade_cards_for_population", "select_board_to_give_population", draft, draft.grow_population
        )
        self._keep_order(draft)
        return draft.action()

    def attack(self, state: State, hunter: int) -> FeedingChoice:
        """Whom to attack, by the places of a player and a board; False declines."""
        draft = Draft(state.boards, state.hand)
        request = "select_attack"
        answer = self.ask(request, write_species(state.boards[hunter]), *self._players(draft))
        if answer is False:
            return DECLINE
        with blaming(request):
            player, board = list_of(natural, parts(answer, 2, "[player, board] or False"), "indexes")
            attack = Attack(hunter, player, board)
            check_choice(state, attack)
        return attack

    def game_over(self, result: "Result") -> None:
        """All players in order of rank, as they are at the end, and which of them the player is."""
        players = [write_player(player.boards, player.hand, player.bag) for player in result.players]
        self.tell("game_over", players, result.place)

    # --- the requests of one choice ------------------------------------------------------------------

    def _players(self, draft: Draft) -> tuple[object, object]:
        """The arguments that end every request: the player's state, and the opponents'."""
        sight = self.sight
        player = write_player(draft.boards, draft.cards(), sight.bag)
        return player, [write_player(sight.rows[number], [], 0) for number in sight.others()]

    def _cards(self, request: str, draft: Draft) -> list[int]:
        """The cards that the player chooses of its hand; they leave it."""
        answer = self.ask(
            request, write_cards(draft.cards()), write_boards(draft.boards), *self._players(draft)
        )
        with blaming(request):
            return [draft.take(card) for card in read_cards(answer)]

    def _board(self, request: str, draft: Draft, *first: object) -> int:
        """The board that the player chooses."""
        answer = self.ask(request, *first, write_boards(draft.boards), *self._players(draft))
        with blaming(request):
            board = natural(answer)
            draft.board(board)
        return board

    def _place_cards(self, draft: Draft) -> None:
        """Cards become traits of new boards, and replace traits of old ones."""
        request = "select_board_for_card"
        replacing: dict[int, list[int]] = {}
        for card in self._cards("place_cards_on_boards", draft):
            board = self._board(request, draft, write_card(draft.card(card)))
            with blaming(request):
                if draft.is_new(board):
                    draft.add_trait(board, card)
                    draft.check_traits(board)
                elif len(draft.boards[board].traits) == len(replacing.setdefault(board, [])):
                    draft.add_trait(board, card)  # there is nothing left that it could replace
                else:
                    replacing[board].append(card)
        for board in sorted(replacing):
            self._replace(draft, board, replacing[board])

    def _replace(self, draft: Draft, board: int, cards: list[int]) -> None:
        """The player says which of the board's traits go for these cards."""
        request = "select_species_discarded_cards"
        species = draft.boards[board]
        old = write_cards([(0, trait) for trait in species.traits])
        new = write_cards([draft.card(card) for card in cards])
        answer = self.ask(request, old, new, write_species(species), *self._players(draft))
        with blaming(request):
            for slot, card in zip(_slots(answer, len(cards), species), cards, strict=True):
                draft.replace_trait(board, slot, card)
            draft.check_traits(board)

    def _grow(self, trade: str, select: str, draft: Draft, grow: "Callable[[int, int], None]") -> None:
        for card in self._cards(trade, draft):
            board = self._board(select, draft)
            with blaming(select):
                grow(board, card)

    def _keep_order(self, draft: Draft) -> None:
        """The player is asked for an order; by the rules there is only one."""
        request = "select_species_order"
        answer = self.ask(request, write_boards(draft.boards), *self._players(draft))
        present = list(range(len(draft.boards)))
        with blaming(request):
            if list_of(natural, answer, "boards") != present:
                raise Forbidden(f"the boards stay in their order, {present}")


def _slots(answer: object, count: int, board: Species) -> list[int]:
    """As many different trait slots of the board as cards were placed there."""
    slots = list_of(natural, answer, "indexes")
    if len(slots) != count:
        raise Malformed(f"{count} cards were placed there, so {count} must go, not {len(slots)}")
    for at, slot in enumerate(slots):
        if slot >= len(board.traits):
            raise Malformed(f"there is no old card {slot}: the board has {len(board.traits)}", at)
        if slot in slots[:at]:
            raise Malformed(f"old card {slot} goes twice", at)
    return slots
