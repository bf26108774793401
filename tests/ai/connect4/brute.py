"""Brute force for small positions of connect-4, and a comparison of the agents with it.

    python tests/ai/connect4/brute.py --positions 1000 --seed 0

plays that many random positions of 2 to 4 players to their end in plain Python and asks `alphabeta` and `maxn` for
their values. A value is right when it is that of brute force, distance to the end included; values of single actions
are compared where the agent says that they are proved.

Max^n values are unique by the rule of `ai.connect4.alphabeta.multiplayer`: of two vectors equal for the chooser it takes the one
that is worse for the seats after it, the next seat first.
"""

import argparse
import random
from collections.abc import Callable

from ai.agent import Plan, Thinking
from ai.connect4.alphabeta.agent import AlphaBeta
from ai.connect4.alphabeta.deepening import Deepening
from ai.connect4.alphabeta.multiplayer_agents import MaxN
from ai.connect4.board.scores import PROVED, WIN
from game.rules import connect4
from game.rules.connect4 import Shape, State

SMALL = [
    Shape(3, 3, 1, 3, 2),
    Shape(4, 3, 1, 3, 2),
    Shape(2, 5, 1, 3, 2),
    Shape(4, 4, 1, 4, 2),
    Shape(2, 2, 2, 2, 2),
    Shape(3, 2, 2, 3, 2),
    Shape(3, 3, 2, 3, 2),
    Shape(3, 3, 1, 3, 3),
    Shape(4, 4, 1, 3, 3),
    Shape(3, 2, 2, 2, 3),
    Shape(3, 3, 2, 3, 3),
    Shape(3, 4, 1, 3, 4),
    Shape(2, 3, 2, 2, 4),
    Shape(3, 3, 2, 3, 4),
    Shape(4, 4, 1, 3, 5),
]
"""Boards that brute force can finish from a few plies before the end."""


def picture(state: State) -> str:
    """The position as people can enter it."""
    return f"{state.shape} for {state.shape.players}: {connect4.format_moves(state) or 'empty'}"


def one_ply_later(value: float) -> float:
    """A value counted from the move before."""
    return value - (value > 0) + (value < 0)


def paranoid(state: State) -> dict[int, float]:
    """The value of every legal action for the seat to move when all others play together against it."""
    root = state.to_move
    known: dict[tuple[int, ...], float] = {}

    def value(state: State) -> float:
        if state.cells not in known:
            over = connect4.outcome(state)
            if over is not None:
                found = 0.0 if over.winner is None else (WIN if over.winner == root else -WIN)
            else:
                values = [value(connect4.apply(state, action)) for action in connect4.legal_actions(state)]
                found = one_ply_later(max(values) if state.to_move == root else min(values))
            known[state.cells] = found
        return known[state.cells]

    return {action: one_ply_later(value(connect4.apply(state, action))) for action in connect4.legal_actions(state)}


def max_n(state: State) -> dict[int, float]:
    """The value of every legal action for the seat to move when everybody plays for itself."""
    players = state.shape.players
    known: dict[tuple[int, ...], tuple[float, ...]] = {}

    def vector(state: State) -> tuple[float, ...]:
        if state.cells not in known:
            over = connect4.outcome(state)
            if over is None:
                seat = state.to_move
                vectors = [vector(connect4.apply(state, action)) for action in connect4.legal_actions(state)]
                best = max(
                    vectors,
                    key=lambda found: (found[seat], *(-found[(seat + n) % players] for n in range(1, players))),
                )
                known[state.cells] = tuple(one_ply_later(value) for value in best)
            elif over.winner is None:
                known[state.cells] = (0.0,) * players
            else:
                known[state.cells] = tuple(WIN if seat == over.winner else -WIN for seat in range(players))
        return known[state.cells]

    seat = state.to_move
    return {
        action: one_ply_later(vector(connect4.apply(state, action))[seat]) for action in connect4.legal_actions(state)
    }


def random_position(shape: Shape, empty: int, choose: random.Random) -> State:
    """A position that goes on, with at most `empty` empty cells where random games last so long."""
    for _ in range(100):
        before = state = connect4.start(shape)
        while connect4.outcome(state) is None:
            if shape.cells - len(state.moves) <= empty:
                return state
            before, state = state, connect4.apply(state, choose.choice(connect4.legal_actions(state)))
    return before


def faults(plan: Plan, truth: dict[int, float]) -> list[str]:
    """What is wrong with an agent's values."""
    found = []
    best = max(truth.values())
    if not plan.exact:
        found.append("not exact")
    if set(plan.values) != set(truth):
        found.append("values of other actions than the legal ones")
    if max(plan.values.values()) != best:
        found.append(f"{max(plan.values.values())} instead of {best}")
    for action, value in plan.values.items():
        if (value >= PROVED and truth[action] < value) or (value <= -PROVED and truth[action] > value):
            found.append(f"action {action}: {value} said to be proved, but it is {truth[action]}")
    return found


def main() -> int:
    """Compare and print; 1 when anything was wrong."""
    parser = argparse.ArgumentParser(description="Agreement of the connect-4 agents with brute force.")
    parser.add_argument("--positions", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    choose = random.Random(arguments.seed)
    shapes = [shape for shape in SMALL if shape.players <= 4]
    agents: list[tuple[str, Deepening, Callable[[State], dict[int, float]]]] = [
        ("paranoid", AlphaBeta(), paranoid),
        ("max^n", MaxN(), max_n),
    ]
    wrong = dict.fromkeys(("paranoid", "max^n"), 0)
    for number in range(arguments.positions):
        state = random_position(shapes[number % len(shapes)], choose.randint(5, 9), choose)
        for name, agent, brute_force in agents:
            agent.new_game(0)
            problems = faults(agent.plan(state, Thinking(nodes=20_000_000)), brute_force(state))
            if problems:
                wrong[name] += 1
                print(f"{name}, {picture(state)}: {'; '.join(problems)}")
    for name, count in wrong.items():
        print(f"{name}: {count} wrong of {arguments.positions}")
    return int(any(wrong.values()))


if __name__ == "__main__":
    raise SystemExit(main())
