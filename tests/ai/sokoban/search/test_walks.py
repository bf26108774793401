"""Walks of two players between the pushes of a solution."""

from ai.sokoban.search.walks import shortened
from game.rules import levels, sokoban

TWO = """Variant: two players

########
#@    &#
# $  $ #
# .  . #
########
"""


def test_only_who_pushes_walks() -> None:
    start = levels.parse(TWO, "test").levels[0].state
    state = start
    actions = []
    for action in (1, 11, 11, 9, 1, 3, 1, 3, 2):
        state = sokoban.apply(state, action)
        actions.append(action)
    for action in (*(sokoban.walk_path(state, start.second - 1, True) or ()), 10):
        state = sokoban.apply(state, action)
        actions.append(action)
    assert sokoban.is_solved(state)
    short = shortened(start, actions)
    assert short == (1, 2, 11, 10), "one step and one push each"


def test_a_player_who_stands_in_the_way_steps_aside() -> None:
    text = "Variant: two players\n\n#######\n## ####\n#@ &$.#\n#######\n"
    start = levels.parse(text, "test").levels[0].state
    actions = (11, 8, 10, 8, 1, 1, 1)
    short = shortened(start, actions)
    assert short == (11, 8, 1, 1, 1)
    for action in short:
        start = sokoban.apply(start, action)
    assert sokoban.is_solved(start)


def test_a_player_who_stands_where_the_box_goes_steps_aside() -> None:
    text = "Variant: two players\n\n#######\n#@$& .#\n#   ###\n#######\n"
    start = levels.parse(text, "test").levels[0].state
    wandering = (2, 0, 10, 1, 1, 1)
    assert shortened(start, wandering) == (10, 1, 1, 1)
