from evolution import DECLINE, Action4, Eat, hungry


class Modest:
    def start(self, view):  # a turn begins: view.hole, view.bag, view.boards, view.hand
        self.hand = view.hand

    def choose(self, before, after):  # the boards of those before and after you in turn order
        return Action4(food_card=0)

    def feed_next(self, state):  # state.boards, state.hand, state.bag, state.hole, state.others
        for at, board in enumerate(state.boards):
            if hungry(board) and "carnivore" not in board.traits:
                return Eat(at)
        return DECLINE

    def game_over(self, result):  # result.ranking: pairs of id and score in order of rank
        pass
