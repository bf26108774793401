"""The oracle of connect-4: its judgements beside brute force, and facts that hold on the board."""

import random
from functools import cache

import pytest

from ai.agent import Thinking
from ai.connect4.oracle import Oracle, chance
from ai.review import Judgement
from game.play.review import GRADES, Review
from game.rules import connect4
from game.rules.connect4 import Shape, State
from game.views.connect4.why import outlook, why

SMALL = Shape(4, 4, 1, 4)
CLASSIC = Shape(6, 7, 1, 4)


@cache
def brute(state: State) -> int:
    """1, 0 or -1 for who moves."""
    if state.winner is not None:
        return -1
    return max((-brute(connect4.apply(state, each)) for each in connect4.legal_actions(state)), default=0)


def random_game(shape: Shape, seed: int, after: int = 0) -> tuple[list[State], list[int]]:
    """Positions and actions; the first `after` moves do not count as judged ones."""
    chance, states, actions = random.Random(seed), [connect4.start(shape)], []
    while connect4.outcome(states[-1]) is None:
        actions.append(chance.choice(connect4.legal_actions(states[-1])))
        states.append(connect4.apply(states[-1], actions[-1]))
    return states[after:], actions[after:]


def judged(states: list[State], actions: list[int], seconds: float = 60.0) -> dict[int, Judgement]:
    found: dict[int, Judgement] = {}
    Oracle().judge(states, actions, Thinking(seconds=seconds), lambda each: found.update({each.ply: each}))
    return found


@pytest.mark.parametrize("seed", range(6))
def test_a_result_turns_exactly_where_brute_force_says_so(seed: int) -> None:
    states, actions = random_game(SMALL, seed, after=5)
    found = judged(states, actions)
    assert sorted(found) == list(range(len(actions)))
    for ply, (state, action) in enumerate(zip(states, actions, strict=False)):
        turned = -brute(connect4.apply(state, action)) != brute(state)
        assert found[ply].turned is turned, connect4.format_moves(state)
        assert found[ply].exact and found[ply].after <= found[ply].before


def test_facts_hold_on_the_board() -> None:
    kinds = set()
    for seed in range(40):
        states, actions = random_game(CLASSIC, seed, after=17)
        for ply, judgement in judged(states, actions).items():
            state, action, facts = states[ply], actions[ply], judgement.facts
            after, kind = connect4.apply(state, action), facts.get("kind")
            kinds.add(kind)
            sentence = why(state, action, judgement)
            assert bool(sentence) is (judgement.before > judgement.after), (kind, sentence)
            line = facts.get("line")
            final = after
            for each in line if isinstance(line, list) else ():
                final = connect4.apply(final, each)
            if kind == "missed_win":
                assert connect4.apply(state, facts["column"]).winner == state.to_move and after.winner is None
            elif kind == "allowed_win":
                assert connect4.apply(after, facts["column"]).winner == after.to_move
            elif kind == "double":
                before = after
                for each in line[: len(line) - 2]:
                    before = connect4.apply(before, each)
                assert before.to_move == state.to_move and final.winner == after.to_move
                for column in facts["columns"]:
                    left = next(each for each in connect4.legal_actions(before) if each != column)
                    assert connect4.apply(connect4.apply(before, left), column).winner == after.to_move
            elif kind == "below":
                assert final.winner == after.to_move and line[-1] == line[-2]
                assert final.cells[facts["cell"]] == after.to_move + 1
            elif kind in ("later", "sooner"):
                assert (facts["plies"] > facts["instead"]) is (kind == "later") and not judgement.turned
    assert {"missed_win", "allowed_win", "double", "below", "later", "sooner", "given_up"} <= kinds


def test_a_cancel_ends_it_and_a_deep_board_gets_estimates() -> None:
    thinking = Thinking()
    thinking.cancel()
    states, actions = random_game(CLASSIC, 1)
    Oracle().judge(states, actions, thinking, lambda each: pytest.fail(f"{each} after a cancel"))
    cube, moves = random_game(Shape(4, 4, 4, 4), 3)
    found: dict[int, Judgement] = {}
    Oracle(time=0.02).judge(cube[:9], moves[:8], Thinking(seconds=20), lambda each: found.update({each.ply: each}))
    assert found and all(0 <= each.after <= each.before <= 1 for each in found.values())


def test_chances_are_ordered() -> None:
    state = connect4.start(CLASSIC)
    values = [1e6 - 3, 1e6 - 30, 0.0, 30 - 1e6, 3 - 1e6]
    chances = [chance(value, state, True) for value in values]
    assert chances == sorted(chances, reverse=True) and chances[2] == 0.5
    assert chances[1] - chances[2] > 0.39 and chances[2] - chances[3] > 0.39
    assert 0.5 < chance(5.0, state, False) < chance(50.0, state, False) < 1


def test_a_review_counts_grades_and_finds_where_the_game_turned() -> None:
    states, actions = random_game(SMALL, 2, after=5)
    review = Review(connect4.GAME, states, actions, "perfect")
    for each in judged(states, actions).values():
        review.take(each)
    for seat in (0, 1):
        moves = sum(review.seat(ply) == seat for ply in review.judged)
        assert sum(review.counts(seat).values()) == moves
        accuracy = review.accuracy(seat)
        assert accuracy is not None and 0 <= accuracy <= 100
    for ply in review.judged:
        assert (review.grade(ply) in GRADES[3:]) is review.judged[ply].turned
    losses = [review.loss(ply) for ply in review.mistakes()]
    assert losses == sorted(losses, reverse=True)
    assert review.turning_points == sorted(review.mistakes()[:3])


def test_a_look_at_one_position_says_what_every_column_is_worth() -> None:
    for seed in range(4):
        states, _actions = random_game(SMALL, seed)
        for state in states[-6:-1]:
            found = Oracle().look(state, Thinking(seconds=60))
            assert found is not None and found.exact and set(found.values) == set(connect4.legal_actions(state))
            assert (found.value > 0) - (found.value < 0) == brute(state)
            assert set(found.best) <= {each for each in found.values if found.values[each] == found.value}
            assert outlook(found).split()[0] == {1: "Won", 0: "Drawn", -1: "Lost"}[brute(state)]
