"""Follow-ups of a feature-space search: moves that were not possible one move before are told from those that were."""

import pytest

from ai.sokoban.board.layout import layout
from ai.sokoban.fess import agent
from ai.sokoban.fess import tree as fess_tree
from ai.sokoban.fess.run import Ends, FeatureSearch
from game.rules.levels import parse

BAYS = """
###########
#    #    #
# $$   $$ #
#  # # #  #
##   @   ##
#  # # #  #
# ..   .. #
#    #    #
###########
"""


def _searched(style):
    """A search that has made a few hundred moves."""
    board = layout(parse(BAYS, "bays").levels[0].state)
    search = FeatureSearch(Ends(board, lambda note: None).end(style), style)
    search.begin()
    while search.made < 400 and search.advance(10**6, 50) == fess_tree.GO_ON:
        pass
    return search


def _codes(numbers, nodes):
    """What moves there are, as slot * nodes + node: numbers from `nodes` on say whose moves follow."""
    codes, slot = [], None
    for number in numbers.tolist():
        if number >= nodes:
            assert slot != number - nodes, "named once"
            slot = number - nodes
        else:
            codes.append(slot * nodes + number)
    return codes


def _runs(row, moves, nodes):
    """The moves of a position by kind, made or not: what comes first of a kind is never moved while the last are made first."""
    begins = [int(row[fess_tree.BEGIN + 3 * kind]) for kind in range(fess_tree.CLOSED)]
    ends = [*begins[1:], int(row[fess_tree.MOVES_END])]
    assert begins[0] == row[fess_tree.MOVES]
    return [_codes(moves[begin:end], nodes) for begin, end in zip(begins, ends, strict=True)]


@pytest.mark.parametrize("style", [style for style in agent.SEARCHES if not style.nearest])
def test_a_follow_up_is_a_move_that_its_box_could_not_make_before(style):
    search = _searched(style)
    records, moves, nodes = search._tree.records[: search.count], search._tree.moves, 4 * len(search._board.squares)
    seen = [0, 0]
    for row in records[records[:, fess_tree.MOVES_END] > 0]:
        old, follow_ups, proposed = _runs(row, moves, nodes)
        every = old + follow_ups + proposed
        assert len(set(every)) == len(every)
        if row[fess_tree.PARENT] < 0:
            assert not old, "nothing was possible before the start"
            continue
        parent = records[row[fess_tree.PARENT]]
        before = {code // 4 for run in _runs(parent, moves, nodes) for code in run}
        assert before.issuperset(code // 4 for code in old)
        assert before.isdisjoint(code // 4 for code in follow_ups)
        seen[0] += len(old)
        seen[1] += len(follow_ups)
    assert min(seen) > 10


def test_follow_ups_come_first_of_the_moves_that_nobody_proposed():
    for style in agent.SEARCHES:
        search = _searched(style)
        tree = search._tree
        waits = {kind: {} for kind in (fess_tree.OLD, fess_tree.FOLLOW_UPS)}
        for head in tree.heads[: int(tree.meta[fess_tree.CELLS])]:
            for cost, run in enumerate(head.tolist()):
                while run >= 0:
                    record, kind = divmod(run, 4)
                    if kind in waits:
                        waits[kind][record] = cost
                    run = int(tree.records[record, fess_tree.AFTER + 3 * (kind % fess_tree.CLOSED)])
        both = waits[fess_tree.OLD].keys() & waits[fess_tree.FOLLOW_UPS].keys()
        assert both
        assert all(waits[fess_tree.OLD][each] > waits[fess_tree.FOLLOW_UPS][each] for each in both)
