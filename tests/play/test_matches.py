"""What matches and tournaments are made of: openings, seats, one game."""

import random
from collections import Counter

import pytest

from ai.agent import Plan, Thinking
from game.play import matches
from game.play.asking import AgentFailed
from game.rules import connect4
from game.rules.connect4 import Shape, State

FLAT = Shape(6, 7, 1, 4)


class Fixed:
    """Plays these actions, else the first legal one."""

    def __init__(self, actions: tuple[int, ...] | None = None) -> None:
        self.actions = actions

    def new_game(self, seed: int) -> None:
        pass

    def plan(self, state: State, thinking: Thinking) -> Plan:
        return Plan(connect4.legal_actions(state)[:1] if self.actions is None else self.actions, values={0: 1.0})


@pytest.mark.parametrize(("entrants", "players", "games"), [(2, 2, 5), (4, 2, 6), (3, 3, 6), (4, 3, 1), (5, 4, 8)])
def test_everybody_meets_everybody_from_every_seat_as_often(entrants, players, games):
    plan = matches.schedule(entrants, players, games)
    groups = Counter(frozenset(who) for _opening, who in plan)
    print(plan)
    assert set(groups.values()) == {max(groups.values())} and max(groups.values()) >= games
    assert all(len(who) == players for _opening, who in plan)
    seats = Counter((entrant, seat) for _opening, who in plan for seat, entrant in enumerate(who))
    assert len(set(seats.values())) == 1 and len(seats) == entrants * players
    assert [opening for opening, _who in plan] == sorted(opening for opening, _who in plan)
    assert all(plan.count(entry) == 1 for entry in plan), "an order is played twice from one opening"


def test_an_opening_leaves_the_game_open_and_depends_on_its_luck_alone():
    for seed in range(20):
        state = matches.opening(connect4.start(FLAT), 8, random.Random(seed))
        assert len(state.moves) == 8 and connect4.outcome(state) is None
        assert state == matches.opening(connect4.start(FLAT), 8, random.Random(seed))


def test_where_there_is_no_opening_it_says_so():
    with pytest.raises(ValueError, match="no opening of 4 moves"):
        matches.opening(connect4.start(Shape(1, 4, 1, 2)), 4, random.Random(1))


def test_a_game_is_played_by_the_rules_and_keeps_what_was_thought():
    played = list(matches.play(connect4.start(FLAT), [Fixed(), Fixed()], ["left", "right"], Thinking))
    final = played[-1].state
    print(connect4.format_moves(final))
    assert connect4.outcome(final) is not None
    assert [turn.step.action for turn in played] == list(final.moves)
    assert [turn.seat for turn in played] == [number % 2 for number in range(len(played))]
    assert played[0].step.value == 1.0


@pytest.mark.parametrize("actions", [(), (9,)])
def test_an_agent_that_breaks_the_rules_is_found(actions):
    with pytest.raises(AgentFailed, match="right"):
        list(matches.play(connect4.start(FLAT), [Fixed(), Fixed(actions)], ["left", "right"], Thinking))
