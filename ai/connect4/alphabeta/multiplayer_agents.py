"""The agents of `ai.connect4.alphabeta.multiplayer`: minimax, max^n, best-reply search and BRS+."""

from typing import ClassVar

from typing_extensions import override

from ai.connect4.alphabeta import multiplayer
from ai.connect4.alphabeta.deepening import Deepening, Found
from ai.connect4.alphabeta.search import Search
from ai.connect4.board.board import Ints
from ai.connect4.board.scores import plies_to_end


class _Multiplayer(Deepening):
    """What they share: one kernel with a rule of how the others play."""

    _rule: ClassVar[int]
    _from_root_seat = True

    @override
    def _run(self, made: Ints, board: Ints, search: Search, slice_nodes: int) -> bool:
        return bool(multiplayer.run(made, board, search, self._rule, slice_nodes))

    @override
    def _take_back(self, made: Ints, board: Ints, search: Search) -> None:
        multiplayer.take_back(made, board, search)


class Minimax(_Multiplayer):
    """Plain minimax, against all others together: every position to the depth, nothing left out."""

    _rule = multiplayer.MINIMAX
    _wide = True
    _bits = (1, 1)


class MaxN(_Multiplayer):
    """Everybody plays for itself."""

    _rule = multiplayer.MAXN
    _wide = True
    _bits = (1, 1)

    @override
    def _exact(self, found: Found, players: int) -> bool:
        # Beyond the depth the others choose by evaluations, and may yet choose otherwise.
        plies = plies_to_end(found.value)
        return players == 2 or (plies is not None and plies <= found.depth + 2)


class BestReply(_Multiplayer):
    """Best-reply search: only the strongest opponent answers."""

    _rule = multiplayer.BRS

    @override
    def _proves(self, players: int) -> bool:
        return players == 2


class BestReplyPlus(_Multiplayer):
    """BRS+: all opponents move in turn, one of them as it likes best."""

    _rule = multiplayer.BRS_PLUS

    @override
    def _proves(self, players: int) -> bool:
        return players == 2
