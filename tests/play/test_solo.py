"""An agent's game alone: played by the rules to its end, whatever the agent says."""

import pytest

from ai.agent import Plan
from game.play import solo
from game.play.asking import AgentFailed
from game.rules import replay, twenty48
from game.rules.twenty48 import State

START = twenty48.start(3, 11)


class Single:
    """Plays the first legal action, and tells a value of it."""

    def plan(self, state: State, _thinking: object) -> Plan:
        action = twenty48.legal_actions(state)[0]
        return Plan((action,), values={action: 2.5})


class Many(Single):
    """The same, many moves at once."""

    def play_many(self, state: State, most: int, _thinking: object) -> tuple[solo.Move, ...]:
        moves: list[solo.Move] = []
        while len(moves) < most and twenty48.outcome(state) is None:
            step, state = replay.chosen(state, twenty48.legal_actions(state)[0])
            assert step.chance is not None
            moves.append((step.action, *step.chance))
        return tuple(moves)


class Says:
    """Plays what it is told to, whatever the rules say."""

    def __init__(self, *moves: solo.Move) -> None:
        self.moves = moves

    def play_many(self, _state: State, _most: int, _thinking: object) -> tuple[solo.Move, ...]:
        return self.moves


def test_one_by_one_and_many_at_once_are_the_same_game() -> None:
    single = list(solo.play(Single(), "single", START))
    many = list(solo.play(Many(), "many", START, most=7))
    assert twenty48.outcome(single[-1].state) is not None
    assert single[-1].state == many[-1].state
    assert [move for turn in single for move in turn.moves] == [move for turn in many for move in turn.moves]
    assert all(len(turn.moves) == 7 for turn in many[:-1])
    limited = list(solo.play(Many(), "many", START, move_seconds=1.0))
    assert [turn.moves for turn in limited] == [turn.moves for turn in single], (
        "a limit of a move asks for one at a time"
    )


def test_its_steps_are_a_replay_with_what_the_agent_thought() -> None:
    turns = list(solo.play(Single(), "single", START))
    steps = [step for turn in turns for step in turn.steps()]
    assert replay.states(replay.record(START, steps))[-1] == turns[-1].state
    assert {step.value for step in steps} == {2.5}


@pytest.mark.parametrize("wrong", ["nothing", "an action", "a tile", "no tile"])
def test_who_breaks_the_rules_is_named(wrong: str) -> None:
    step = replay.chosen(START, twenty48.legal_actions(START)[0])[0]
    assert step.chance is not None
    cell, exponent = step.chance
    stuck = next(action for action in range(5) if action not in twenty48.legal_actions(START))
    moves: dict[str, tuple[solo.Move, ...]] = {
        "nothing": (),
        "an action": ((stuck, cell, exponent),),
        "a tile": ((step.action, cell, 3 - exponent),),
        "no tile": ((step.action, None, None),),
    }
    with pytest.raises(AgentFailed, match="cheat"):
        list(solo.play(Says(*moves[wrong]), "cheat", START))
    good = next(solo.play(Says((step.action, cell, exponent)), "honest", START))
    assert good.state == twenty48.apply(START, step.action)
