"""Learning rules of n-tuple networks, every one against a plain twin that plays and learns by their definitions.

4×4 boards are packed, 3×3 and 5×5 are arrays, with a loop of their own.
"""

from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import pytest

from ai.twenty48.board.spawns import random_number
from ai.twenty48.ntuple.episode import (
    COUNT,
    COUNTED,
    ERROR,
    FRESH,
    GAMES,
    LENGTH,
    MOVES,
    SCORE,
    SEED,
    SPAWNS,
    make_episode,
)
from ai.twenty48.ntuple.grid_learning import learn_grid
from ai.twenty48.ntuple.grid_network import GridNetwork, make_grid_network
from ai.twenty48.ntuple.learning import learn
from ai.twenty48.ntuple.network import make_network
from ai.twenty48.ntuple.rules import NEVER, Rule, horizon_of, rate_of
from ai.twenty48.ntuple.shapes import parse_tuples, table_sizes
from game.rules import twenty48
from tests.ai.twenty48.ntuple.test_network import RULES, plain_places, unpacked

TUPLES = {3: parse_tuples("012 0134", 3), 4: parse_tuples("012 0145"), 5: parse_tuples("012 0156", 5)}
SIZES = {size: sum(table_sizes(tuples, size)) for size, tuples in TUPLES.items()}
SEED_OF_ALL = 77


def rule_of(**changes: object) -> Rule:
    plain = {
        "td_alpha": 0.5,
        "tc_alpha": 1.0,
        "coherent_from": 0,
        "final": 1.0,
        "fading": 0,
        "decay": 0.0,
        "horizon": 1,
        "backward": False,
        "restart": False,
        "carousel": False,
    }
    return Rule(**{**plain, **changes})


def network_of(size: int, stages: tuple[int, ...]):
    """(network, sums, episode) before the first game."""
    weights = np.zeros(SIZES[size] * (len(stages) + 1), np.float32)
    weights[SIZES[size] :] = np.nan
    network = (
        make_network(TUPLES[size], weights, stages=stages)
        if size == 4
        else make_grid_network(TUPLES[size], weights, size, stages=stages)
    )
    return network, np.zeros((len(weights), 2), np.float32)


def play_on(network, sums, episode, rule: Rule, seed: int, first: int, games: int, moves: int) -> None:
    if isinstance(network, GridNetwork):
        learn_grid(network, sums, episode, rule, np.uint64(seed), first, 1, games, moves)
    else:
        learn(network, sums, RULES, episode, rule, np.uint64(seed), first, 1, games, moves)


def plain(board: np.uint64 | np.ndarray) -> tuple[int, ...]:
    """The exponents of a board as an episode keeps it."""
    return tuple(board.tolist()) if isinstance(board, np.ndarray) else unpacked(board)


@dataclass
class Twin:
    """A network in float64, learned by the definitions; only forward rules wait."""

    rule: Rule
    stages: tuple[int, ...] = ()
    size: int = 4
    weights: np.ndarray = field(init=False)
    sums: np.ndarray = field(init=False)
    waiting: list[tuple[list[int], float]] = field(default_factory=list)
    game: list[tuple[list[int], float]] = field(default_factory=list)
    """(places, reward of the slide that led there) of every afterstate."""

    def __post_init__(self) -> None:
        self.weights = np.zeros(SIZES[self.size] * (len(self.stages) + 1))
        self.weights[SIZES[self.size] :] = np.nan
        self.sums = np.zeros((len(self.weights), 2))

    def places(self, cells: tuple[int, ...], total: int) -> list[int]:
        stage = sum(total >= threshold for threshold in self.stages)
        return [stage * SIZES[self.size] + place for place in plain_places(cells, TUPLES[self.size])]

    def weight(self, place: int) -> float:
        return self.weight(place - SIZES[self.size]) if np.isnan(self.weights[place]) else float(self.weights[place])

    def value(self, where: list[int]) -> float:
        return sum(self.weight(place) for place in where)

    def update(self, where: list[int], error: float, games: int) -> None:
        coherent = games >= self.rule.coherent_from
        alpha = self.rule.tc_alpha if coherent else self.rule.td_alpha
        if self.rule.fading:
            alpha *= 1 - (1 - self.rule.final) * min(1, games / self.rule.fading)
        for place in where:
            factor = 1.0
            if coherent:
                signed, unsigned = self.sums[place]
                factor = abs(signed) / unsigned if unsigned else 1.0
                self.sums[place] += (error, abs(error))
            self.weights[place] = self.weight(place) + alpha / len(where) * factor * error

    def move(self, cells: tuple[int, ...], total: int, reward: float, games: int) -> float | None:
        """A slide was made; returns the error that it showed."""
        where = self.places(cells, total)
        error = None
        if not self.rule.backward and self.game:
            error = reward + self.value(where) - self.value(self.game[-1][0])
            self._tell(error, games, self.rule.horizon)
        self.game.append((where, reward))
        self.waiting.append((where, 0.0))
        return error

    def end(self, games: int) -> list[float]:
        """The game is over; returns the errors that it showed."""
        errors = []
        if self.rule.backward:
            target = 0.0
            for where, reward in reversed(self.game):
                errors.append(target - self.value(where))
                self.update(where, errors[-1], games)
                target = reward + self.value(where)
        else:
            errors.append(-self.value(self.game[-1][0]))
            self._tell(errors[-1], games, 1)
        self.game, self.waiting = [], []
        return errors

    def _tell(self, error: float, games: int, horizon: int) -> None:
        newest = len(self.waiting) - 1
        self.waiting = [
            (where, owed + self.rule.decay ** (newest - number) * error)
            for number, (where, owed) in enumerate(self.waiting)
        ]
        while len(self.waiting) >= horizon and self.waiting:
            where, owed = self.waiting.pop(0)
            self.update(where, owed, games)


@pytest.mark.parametrize(
    ("rule", "stages", "size"),
    [
        (rule_of(), (), 4),
        (rule_of(coherent_from=NEVER), (), 4),
        (rule_of(coherent_from=NEVER, backward=True), (), 4),
        (rule_of(decay=0.5, horizon=horizon_of(0.5)), (), 4),
        (rule_of(coherent_from=NEVER, decay=0.8, horizon=horizon_of(0.8)), (), 4),
        (rule_of(coherent_from=2, final=0.2, fading=3), (), 4),
        (rule_of(), (60, 150), 4),
        (rule_of(decay=0.5, horizon=horizon_of(0.5)), (60, 150), 4),
        (rule_of(coherent_from=NEVER, backward=True), (60, 150), 4),
        (rule_of(), (), 3),
        (rule_of(coherent_from=NEVER), (), 3),
        (rule_of(coherent_from=NEVER, backward=True), (30, 60), 3),
        (rule_of(decay=0.5, horizon=horizon_of(0.5)), (30, 60), 3),
        (rule_of(coherent_from=2, final=0.2, fading=3), (60, 150), 5),
    ],
)
def test_games_are_learned_as_a_plain_twin_learns_them(rule: Rule, stages: tuple[int, ...], size: int) -> None:
    """Every move of some games: the choice, the spawn, the errors made, and the weights after each game."""
    twin = Twin(rule, stages, size)
    network, sums = network_of(size, stages)
    episode = make_episode(len(TUPLES[size]), rule.horizon, len(stages) + 1, size)
    for game in range(4):
        seed = int(random_number(np.uint64(SEED_OF_ALL), np.uint64(5 + game)))
        state = twenty48.start(size, seed)
        while True:
            before = episode.errors.copy()
            legal = twenty48.legal_actions(state)
            play_on(network, sums, episode, rule, SEED_OF_ALL, 5, game + 1, 1)
            if not legal:
                errors = twin.end(game)
                break
            total = sum(2**cell for cell in state.cells if cell)
            slides = {action: twenty48.slide(state, action) for action in legal}
            values = {
                action: slide.reward + twin.value(twin.places(slide.cells, total))
                for action, slide in slides.items()
                if slide is not None
            }
            after = plain(episode.history[episode.head[LENGTH] - 1])
            chosen = next(action for action, slide in slides.items() if slide is not None and slide.cells == after)
            print(twenty48.format_position(state), values, chosen)
            assert values[chosen] == pytest.approx(max(values.values()), rel=1e-3, abs=0.2)
            slide = slides[chosen]
            assert slide is not None
            error = twin.move(slide.cells, total, slide.reward, game)
            state = twenty48.apply(state, chosen)
            assert plain(episode.position[0]) == state.cells
            assert (episode.head[SCORE], episode.luck[SEED], episode.luck[SPAWNS]) == (
                state.score,
                seed,
                state.spawns,
            )
            if error is not None:
                assert episode.errors[ERROR] - before[ERROR] == pytest.approx(abs(error), rel=1e-2, abs=0.3)
        assert episode.head[GAMES] == episode.head[COUNTED] == game + 1 and episode.scores[game] == state.score
        assert episode.tiles[game] == max(state.cells)
        made = episode.errors[ERROR] - before[ERROR]
        assert made == pytest.approx(sum(abs(error) for error in errors), rel=1e-2, abs=1.0)
        assert network.weights == pytest.approx(twin.weights, rel=1e-2, abs=1.0, nan_ok=True)
        if rule.coherent_from == 0:
            assert sums == pytest.approx(twin.sums, rel=1e-2, abs=20.0)
    assert episode.errors[COUNT] == episode.head[MOVES]
    for stage in range(len(stages)):
        assert np.isfinite(network.weights[(stage + 1) * SIZES[size] :][: SIZES[size]]).sum() > 50


def test_rates_fade() -> None:
    rule = rule_of(coherent_from=100, final=0.1, fading=200)
    found = [float(rate_of(rule, games)) for games in (0, 99, 100, 200, 10_000)]
    assert found == pytest.approx([0.5, 0.5 * (1 - 0.9 * 99 / 200), 0.55, 0.1, 0.1])


def test_a_horizon_ends_where_errors_hardly_count() -> None:
    assert [horizon_of(decay) for decay in (0.0, 0.05, 0.5, 0.8, 0.85)] == [1, 1, 4, 11, 15]


def played(rule: Rule, games: int, size: int, stages: tuple[int, ...] = ()):
    network, sums = network_of(size, stages)
    episode = make_episode(len(TUPLES[size]), rule.horizon, len(stages) + 1, size)
    begun = []
    for game in range(games):
        play_on(network, sums, episode, rule, 1, 0, game + 1, 1)
        first = (bool(episode.head[FRESH]), plain(episode.history[0].copy()), int(episode.totals[0]))
        while episode.head[GAMES] == game:
            play_on(network, sums, episode, rule, 1, 0, game + 1, 10**6)
        begun.append((*first, int(episode.head[LENGTH]), plain(episode.history[episode.head[LENGTH] // 2])))
    return begun, episode


@pytest.mark.parametrize("size", [3, 4])
def test_a_restart_goes_on_from_the_middle_until_games_are_short(size: int) -> None:
    begun, episode = played(rule_of(restart=True), 60, size)
    fresh = 0
    for (_, _, _, length, middle), (is_fresh, first, total, _, _) in pairwise(begun):
        print(length, middle, is_fresh, first)
        assert is_fresh == (length < 32)
        if not is_fresh:
            assert first == middle and total == sum(2**cell for cell in first if cell)
        fresh += is_fresh
    assert fresh > 3 and episode.head[COUNTED] == fresh + 1


@pytest.mark.parametrize(("size", "thresholds"), [(3, (30, 60)), (4, (60, 150))])
def test_late_leaves_out_the_first_stage_once_enough_boards_are_remembered(
    size: int, thresholds: tuple[int, ...]
) -> None:
    begun, episode = played(rule_of(carousel=True, late=True), 3_300, size, thresholds)
    stages = [0 if fresh else sum(total >= threshold for threshold in thresholds) for fresh, _, total, _, _ in begun]
    print(stages[:30], episode.known)
    assert stages[:100].count(0) > 30, "first boards are gathered"
    counts = [stages[-100:].count(stage) for stage in range(3)]
    assert counts == [0, 50, 50]


def test_late_games_end_where_they_leave_the_later_stages_and_change_nothing_before() -> None:
    """A stage from 24 on, and tiles above 8 looked at as halved before: who makes 32 leaves the stage."""
    stages, rule = (24,), rule_of(carousel=True, late=True, known=3)
    network, sums = network_of(4, stages)
    network.weights[: SIZES[4]] = before = np.random.default_rng(1).normal(0, 1, SIZES[4]).astype(np.float32)
    episode = make_episode(len(TUPLES[4]), 1, 2, 4)
    tops = []
    for game in range(3_000):
        play_on(network, sums, episode, rule, 1, 0, game + 1, 10**6)
        if not episode.head[FRESH]:
            tops += [max(plain(board)) for board in episode.history[: episode.head[LENGTH]]]
    print(len(tops), {top: tops.count(top) for top in set(tops)})
    assert len(tops) > 1_000 and max(tops) == 5, "one slide to 32 at most"
    np.testing.assert_array_equal(network.weights[: SIZES[4]], before)
    assert np.isfinite(network.weights[SIZES[4] :]).sum() > 1_000


@pytest.mark.parametrize(("size", "thresholds"), [(3, (30, 60)), (4, (60, 150))])
def test_the_carousel_begins_all_stages_alike_often(size: int, thresholds: tuple[int, ...]) -> None:
    begun, episode = played(rule_of(carousel=True), 300, size, thresholds)
    stages = [0 if fresh else sum(total >= threshold for threshold in thresholds) for fresh, _, total, _, _ in begun]
    print(stages[:30], episode.known)
    counts = [stages[60:].count(stage) for stage in range(3)]
    assert counts == [80, 80, 80]
    assert episode.head[COUNTED] < 120 and min(episode.known) > 100
