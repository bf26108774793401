"""Deadlock patterns: what is learned is dead, found again among other boxes, and handed on."""

from collections import deque

import numpy as np
import pytest

from ai.sokoban.board.ground import survey
from ai.sokoban.board.layout import layout
from ai.sokoban.fess import patterns, run, tree
from ai.sokoban.fess.corrals import make_corrals
from ai.sokoban.rooms.maker import make_rooms
from game.rules import sokoban
from tests.ai.sokoban.levels import level, spoilt

OPEN = """
########
#      #
# $$ . #
# $  . #
#  @ . #
########
"""

CORNER = """
#######
#  . .#
# $   #
#$ #  #
#  @  #
#######
"""


class Pupil:
    """What a search would learn of a position."""

    def __init__(self, state):
        self.board = layout(state)
        self.ground = survey(self.board, None, lambda note: None)
        squares = len(self.board.squares)
        self.known = patterns.make_patterns(squares)
        self.room = (make_corrals(squares), *(np.zeros(squares, np.int32) for _ in range(2)))
        self.marks, self.scratch = np.zeros(squares, np.uint8), np.zeros(squares, np.int32)
        self.boxes = self.board.boxes.astype(np.uint16)

    def learn(self, box, made=10**9):
        return patterns.learn(
            self.ground, self.board.occupied, np.int64(box), self.board.player, made, self.known, *self.room,
            self.marks, self.scratch,
        )  # fmt: skip

    def kept(self):
        """(squares of the boxes, squares of the player) of every pattern."""
        for number in range(self.known.numbers[patterns.COUNT]):
            boxes = self.known.boxes[number, : self.known.size[number]].tolist()
            yield frozenset(boxes), np.flatnonzero(self.known.dead[number]).tolist()


def _can_be_sorted_out(board, boxes, player):
    """Whether these boxes alone can all come to targets, by a plain search of single pushes."""
    steps, targets = board.steps.tolist(), set(board.targets.tolist())

    def floor(boxes, player):
        found, stack = {player}, [player]
        while stack:
            for other in steps[stack.pop()]:
                if other >= 0 and other not in boxes and other not in found:
                    found.add(other)
                    stack.append(other)
        return found

    queue = deque([(boxes, player)])
    seen = {(boxes, min(floor(boxes, player)))}
    while queue:
        boxes, player = queue.popleft()
        if boxes <= targets:
            return True
        room = floor(boxes, player)
        for box in boxes:
            for action in range(4):
                stand, goal = steps[box][action ^ 2], steps[box][action]
                if stand in room and goal >= 0 and goal not in boxes:
                    after = boxes - {box} | {goal}
                    mark = (after, min(floor(after, box)))
                    if mark not in seen:
                        seen.add(mark)
                        queue.append((after, box))
    return False


@pytest.mark.parametrize("seed", range(4))
def test_what_is_learned_is_dead_and_nothing_can_be_left_out(seed):
    found = 0
    for index, room in enumerate(make_rooms(seed=seed, rows=7, cols=7, boxes=3, count=60).boards):
        pupil = Pupil(spoilt(sokoban.from_array(room), index + 100 * seed))
        if pupil.board.shut_off:
            continue
        dead = [pupil.learn(box) for box in pupil.board.boxes.tolist()]
        assert any(dead) == bool(pupil.known.numbers[patterns.COUNT])
        assert any(dead) == patterns.is_known(pupil.known, pupil.board.occupied, pupil.boxes, pupil.board.player)
        for boxes, players in pupil.kept():
            found += 1
            assert pupil.board.player in players and not boxes & set(players)
            assert not any(_can_be_sorted_out(pupil.board, boxes, player) for player in players)
    print(found)
    assert found > 5


def test_a_pattern_is_found_among_other_boxes_where_the_player_is_the_same_side():
    pupil = Pupil(level(CORNER))
    assert pupil.learn(pupil.board.boxes[1])
    ((boxes, players),) = pupil.kept()
    assert boxes == {int(pupil.board.boxes[1])}
    alone = np.array(sorted(boxes), np.uint16)
    occupied = np.zeros(len(pupil.board.squares), np.uint8)
    assert not patterns.is_known(pupil.known, occupied, alone, players[0]), "no box is marked"
    occupied[alone] = 1
    assert all(patterns.is_known(pupil.known, occupied, alone, player) for player in players)


def test_nothing_is_learned_of_boxes_that_can_be_sorted_out():
    pupil = Pupil(level(OPEN))
    for box in pupil.board.boxes.tolist():
        assert not pupil.learn(box)
    looked = int(pupil.known.numbers[patterns.WORK])
    assert looked > 0
    for box in pupil.board.boxes.tolist():
        assert not pupil.learn(box)
    assert pupil.known.numbers[patterns.WORK] == looked, "what is alive is remembered"


def test_learning_keeps_to_its_share():
    pupil = Pupil(level(OPEN))
    pupil.known.numbers[patterns.WORK] = 50
    assert not pupil.learn(pupil.board.boxes[0], made=99 * patterns.SHARE // 2)
    assert pupil.known.numbers[patterns.WORK] == 50


def test_searches_hand_on_what_they_learn_once():
    one, two = Pupil(level(CORNER)), Pupil(level(CORNER))
    one.learn(one.board.boxes[1])
    empty = np.zeros(len(one.board.squares), np.uint8)
    for _ in range(2):
        patterns.adopt(two.known, one.known, 0, empty)
        assert list(two.kept()) == list(one.kept()) and not empty.any()
    assert patterns.is_known(two.known, two.board.occupied, two.boxes, two.board.player)


def test_answers_are_the_same_and_sooner():
    made = {True: 0, False: 0}
    for index, room in enumerate(make_rooms(seed=2, rows=8, cols=8, boxes=5, count=12).boards):
        state = spoilt(sokoban.from_array(room), index)
        board = layout(state)
        if board.shut_off or sokoban.is_solved(state):
            continue
        answers = []
        for each in made:
            style = tree.Style(False, tree.COUNTED, nearest=False, pulls=False, patterns=each)
            search = run.FeatureSearch(run.Ends(board, lambda note: None).end(style), style)
            search.begin()
            answers.append(tree.GO_ON)
            while answers[-1] == tree.GO_ON:
                answers[-1] = search.advance(10**6, 10_000)
            made[each] += search.made
        assert answers[0] == answers[1]
    print(made)
    assert made[True] < made[False]
