"""The `ntuple` agent: its plies against a plain recursive search, budgets, whole games.

`test_ntuple_playing` has its time, crowded boards, and tiles beyond training.
"""

from pathlib import Path

import numpy as np
import pytest

from ai import catalogue, models
from ai.agent import Progress, Status, Thinking
from ai.models import ModelCard
from ai.tensors import ModelError
from ai.twenty48.ntuple import model as ntuple_model
from ai.twenty48.ntuple.agent import NTuple
from ai.twenty48.ntuple.shapes import Tuples, parse_tuples, table_sizes
from ai.twenty48.search.stack import CUTOFF
from game.rules import twenty48
from game.rules.twenty48 import State

TUPLES = parse_tuples("0145 012")
CROWDED = "2 4 8 16/4 8 16 32/8 16 32 64/2 2 64 128"
ENDING = "2 4 2 4/4 2 4 2/2 4 2 4/4 2 0 2"
BEYOND = "65536 32768 32768 2/16 8 131072 2/2 4 2 16/4 2 4 0"


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A network of random weights, in the range of learned ones."""
    made = tmp_path_factory.mktemp("models") / "random.safetensors"
    weights = np.random.default_rng(4).normal(0, 300, sum(table_sizes(TUPLES))).astype(np.float32)
    ntuple_model.write(made, TUPLES, weights, ModelCard(made))
    return made


def value(cells: tuple[int, ...], tuples: Tuples, weights: np.ndarray, steps: np.ndarray) -> float:
    """The sum of the definition."""
    square = np.array(cells).reshape(4, 4)
    total, start = 0.0, 0
    for shape, size, step in zip(tuples, table_sizes(tuples), steps, strict=True):
        for side in (square, square.T):
            for turns in range(4):
                board = np.rot90(side, turns).ravel()
                index = sum(int(board[cell]) << (4 * place) for place, cell in enumerate(shape))
                total += float(weights[start + index]) * float(step)
        start += size
    return total


def naive(state: State, plies: int, model: ntuple_model.NTupleModel, likely: float = 1.0) -> dict[int, float]:
    """The value of every legal action, on the plain rules."""
    values = {}
    for action in twenty48.legal_actions(state):
        slide = twenty48.slide(state, action)
        assert slide is not None
        if plies == 1 or likely < CUTOFF:
            values[action] = slide.reward + value(slide.cells, model.tuples, model.weights, model.steps)
            continue
        empty = [cell for cell, exponent in enumerate(slide.cells) if not exponent]
        total = 0.0
        for cell in empty:
            for exponent, chance in ((1, 0.9), (2, 0.1)):
                after = twenty48.place(state, slide, cell, exponent)
                below = naive(after, plies - 1, model, likely * chance / len(empty))
                total += chance * max(below.values(), default=0.0)
        values[action] = slide.reward + total / len(empty)
    return values


@pytest.mark.parametrize(
    ("text", "plies"),
    [(CROWDED, 1), (CROWDED, 2), (CROWDED, 3), (ENDING, 1), (ENDING, 2), (ENDING, 3), (ENDING, 4),
     ("0 0 0 2/0 0 4 2/0 2 8 16/2 4 16 64", 2), ("32768 2 4 8/2 4 8 16/4 8 16 2/8 16 2 0", 2)],
)  # fmt: skip
def test_values_are_those_of_a_plain_recursive_search(path: Path, text: str, plies: int) -> None:
    agent = NTuple(path, plies)
    state = twenty48.parse_position(text)
    expected = naive(state, plies, agent.learned)
    plan = agent.plan(state, Thinking())
    print(text, expected, plan)
    assert dict(plan.values) == pytest.approx(expected, rel=1e-5, abs=0.02)
    assert plan.values[plan.actions[0]] == max(plan.values.values())
    assert (plan.depth, plan.status) == (plies, Status.PLAN)


def played(agent: NTuple, state: State, moves: int) -> tuple[list[tuple[int, int, int]], State]:
    """What `plan` plays move by move, as `play_many` tells it."""
    told = []
    for _ in range(moves):
        plan = agent.plan(state, Thinking())
        if not plan.actions:
            break
        slide = twenty48.slide(state, plan.actions[0])
        assert slide is not None, (twenty48.format_position(state), plan)
        cell, exponent = twenty48.spawn(slide.cells, state.seed, state.spawns)
        told.append((plan.actions[0], cell, exponent))
        state = twenty48.place(state, slide, cell, exponent)
    return told, state


@pytest.mark.parametrize(("plies", "moves"), [(1, 10_000), (2, 40), (3, 6)])
@pytest.mark.parametrize("text", [None, BEYOND, "32768 16384 8192 8192/4 8 4 2/2 4 2 16/0 2 2 4"])
def test_play_many_plays_what_plan_plays(path: Path, plies: int, moves: int, text: str | None) -> None:
    state = twenty48.parse_position(text, seed=5) if text else twenty48.start(4, 20)
    told, reached = played(NTuple(path, plies), state, moves)
    many = NTuple(path, plies).play_many(state, moves, Thinking())
    print(len(told), twenty48.format_position(reached))
    assert many == tuple(told)
    assert len(told) == moves or twenty48.outcome(reached) is not None


class Watch(Thinking):
    """Says yes to `over` at the n-th question, and remembers the nodes at each."""

    def __init__(self, questions: int) -> None:
        super().__init__(listener=self.hear)
        self.questions = questions
        self.asked: list[int] = []
        self.heard: list[Progress] = []

    def hear(self, progress: Progress) -> None:
        self.heard.append(progress)

    def over(self, nodes: int = 0, seconds: float | None = None, node_limit: int | None = None) -> bool:
        self.asked.append(nodes)
        if len(self.asked) == self.questions:
            self.cancel()
        return super().over(nodes, seconds, node_limit)


def test_cancelled_in_the_middle_it_stops_at_once_with_its_best_so_far(path: Path) -> None:
    watch = Watch(3)
    plan = NTuple(path, 3).plan(twenty48.start(4, 1), watch)
    print(plan, watch.asked)
    assert len(watch.asked) == 3 and plan.nodes == watch.asked[-1]
    assert plan.status is Status.CANCELLED and plan.depth in (1, 2)
    assert plan.actions[0] in plan.values


@pytest.mark.parametrize("plies", [1, 3])
def test_cancelled_while_playing_many_it_keeps_what_was_played(path: Path, plies: int) -> None:
    state = twenty48.start(4, 1)
    watch = Watch(4)
    many = NTuple(path, plies).play_many(state, 10**9, watch)
    print(len(many), watch.asked)
    assert len(watch.asked) <= 6 or plies == 1
    assert many == tuple(played(NTuple(path, plies), state, len(many))[0])


def test_the_same_node_limit_gives_the_same_plan(path: Path) -> None:
    state = twenty48.start(4, 9)
    first, again = (NTuple(path, 3).plan(state, Thinking(nodes=2_000)) for _ in range(2))
    print(first)
    assert (first.actions, first.values, first.nodes) == (again.actions, again.values, again.nodes)
    assert first.depth == 2 and 2_000 <= first.nodes <= 2_032 and "2 of 3 plies" in first.note
    assert NTuple(path, 3).plan(state, Thinking(nodes=0)).depth == 1, "there is always an answer"


def test_a_finished_game_gets_an_empty_plan(path: Path) -> None:
    state = twenty48.parse_position("2 4 2 4/4 2 4 2/2 4 2 4/4 2 4 2")
    for plies in (1, 2):
        plan = NTuple(path, plies).plan(state, Thinking())
        assert (plan.actions, dict(plan.values), plan.note) == ((), {}, "Nothing can move.")
        assert NTuple(path, plies).play_many(state, 10, Thinking()) == ()


def test_what_cannot_be_played_is_refused(path: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="1 to 5"):
        NTuple(path, 0)
    with pytest.raises(ValueError, match="1 to 5"):
        NTuple(path, 6)
    with pytest.raises(ValueError, match="4×4 boards, not 5×5"):
        NTuple(path, 1).plan(twenty48.start(5), Thinking())
    with pytest.raises(ModelError, match="no such file"):
        NTuple(tmp_path / "none.safetensors", 1)


def test_agents_share_one_model(path: Path) -> None:
    assert NTuple(path, 1).learned is NTuple(path, 2).learned


def test_the_shipped_model_plays_its_golden_game() -> None:
    """The first moves of one game; they change only with the file, the rules or the spawns."""
    agent = catalogue.create("twenty48", catalogue.parse("twenty48", "ntuple:2048-small"))
    assert isinstance(agent, NTuple)
    state = twenty48.start(4, 2048)
    moves = agent.play_many(state, 40, Thinking())
    text = "".join("URDL"[action] for action, _, _ in moves)
    plan = agent.plan(state, Thinking())
    print(text, plan.values)
    assert text == "URULRRRRUUDDUUUDULULRRLDDLDDDULULULLUUDU"


def test_the_shipped_model_is_as_strong_as_its_card_says() -> None:
    path = models.find("2048-small")
    assert path is not None
    card = models.check(path)
    agent = NTuple(path, 1)
    scores = []
    for seed in range(100):
        state = twenty48.start(4, seed)
        moves = agent.play_many(state, 10**6, Thinking())
        for action, cell, exponent in moves:
            slide = twenty48.slide(state, action)
            assert slide is not None
            state = twenty48.place(state, slide, cell, exponent)
        scores.append(state.score)
    mean = sum(scores) / len(scores)
    print(mean, card)
    assert card.size < 1_000_000 and set(card.strength) == {1, 2, 3}
    assert card.strength[1].mean > 40_000 and card.strength[1].games == 1000
    assert abs(mean - card.strength[1].mean) < 4 * card.strength[1].stderr * 10**0.5
