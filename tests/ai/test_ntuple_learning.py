"""Learning rules of n-tuple networks, every one against a plain twin that plays and learns by their definitions."""

from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import pytest
from test_ntuple_network import RULES, plain_places, unpacked

from ai.twenty48.ntuple import make_network
from ai.twenty48.ntuple_episode import (
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
from ai.twenty48.ntuple_learning import learn
from ai.twenty48.ntuple_rules import NEVER, Rule, horizon_of, rate_of
from ai.twenty48.ntuple_shapes import parse_tuples, table_sizes
from ai.twenty48.spawns import random_number
from game.rules import twenty48

TUPLES = parse_tuples("012 0145")
SIZE = sum(table_sizes(TUPLES))
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


@dataclass
class Twin:
    """A network in float64, learned by the definitions; only forward rules wait."""

    rule: Rule
    stages: tuple[int, ...] = ()
    weights: np.ndarray = field(init=False)
    sums: np.ndarray = field(init=False)
    waiting: list[tuple[list[int], float]] = field(default_factory=list)
    game: list[tuple[list[int], float]] = field(default_factory=list)
    """(places, reward of the slide that led there) of every afterstate."""

    def __post_init__(self) -> None:
        self.weights = np.zeros(SIZE * (len(self.stages) + 1))
        self.weights[SIZE:] = np.nan
        self.sums = np.zeros((len(self.weights), 2))

    def places(self, cells: tuple[int, ...], total: int) -> list[int]:
        stage = sum(total >= threshold for threshold in self.stages)
        return [stage * SIZE + place for place in plain_places(cells, TUPLES)]

    def weight(self, place: int) -> float:
        return self.weight(place - SIZE) if np.isnan(self.weights[place]) else float(self.weights[place])

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
    ("rule", "stages"),
    [
        (rule_of(), ()),
        (rule_of(coherent_from=NEVER), ()),
        (rule_of(coherent_from=NEVER, backward=True), ()),
        (rule_of(decay=0.5, horizon=horizon_of(0.5)), ()),
        (rule_of(coherent_from=NEVER, decay=0.8, horizon=horizon_of(0.8)), ()),
        (rule_of(coherent_from=2, final=0.2, fading=3), ()),
        (rule_of(), (60, 150)),
        (rule_of(decay=0.5, horizon=horizon_of(0.5)), (60, 150)),
        (rule_of(coherent_from=NEVER, backward=True), (60, 150)),
    ],
)
def test_games_are_learned_as_a_plain_twin_learns_them(rule: Rule, stages: tuple[int, ...]) -> None:
    """Every move of some games: the choice, the spawn, the errors made, and the weights after each game."""
    twin = Twin(rule, stages)
    start = np.zeros(len(twin.weights), np.float32)
    start[SIZE:] = np.nan
    network, sums = make_network(TUPLES, start, stages=stages), np.zeros((len(start), 2), np.float32)
    episode = make_episode(len(TUPLES), rule.horizon, len(stages) + 1)
    for game in range(4):
        seed = int(random_number(np.uint64(SEED_OF_ALL), np.uint64(5 + game)))
        state = twenty48.start(4, seed)
        while True:
            before = episode.errors.copy()
            legal = twenty48.legal_actions(state)
            learn(network, sums, RULES, episode, rule, np.uint64(SEED_OF_ALL), 5, 1, game + 1, 1)
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
            after = unpacked(episode.history[episode.head[LENGTH] - 1])
            chosen = next(action for action, slide in slides.items() if slide is not None and slide.cells == after)
            print(twenty48.format_position(state), values, chosen)
            assert values[chosen] == pytest.approx(max(values.values()), rel=1e-3, abs=0.2)
            slide = slides[chosen]
            assert slide is not None
            error = twin.move(slide.cells, total, slide.reward, game)
            state = twenty48.apply(state, chosen)
            assert unpacked(episode.position[0]) == state.cells
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
        assert np.isfinite(network.weights[(stage + 1) * SIZE :][:SIZE]).sum() > 50


def test_rates_fade() -> None:
    rule = rule_of(coherent_from=100, final=0.1, fading=200)
    found = [float(rate_of(rule, games)) for games in (0, 99, 100, 200, 10_000)]
    assert found == pytest.approx([0.5, 0.5 * (1 - 0.9 * 99 / 200), 0.55, 0.1, 0.1])


def test_a_horizon_ends_where_errors_hardly_count() -> None:
    assert [horizon_of(decay) for decay in (0.0, 0.05, 0.5, 0.8, 0.85)] == [1, 1, 4, 11, 15]


def played(rule: Rule, games: int, stages: tuple[int, ...] = ()):
    weights = np.zeros(SIZE * (len(stages) + 1), np.float32)
    weights[SIZE:] = np.nan
    network, sums = make_network(TUPLES, weights, stages=stages), np.zeros((len(weights), 2), np.float32)
    episode = make_episode(len(TUPLES), rule.horizon, len(stages) + 1)
    begun = []
    for game in range(games):
        learn(network, sums, RULES, episode, rule, np.uint64(1), 0, 1, game + 1, 1)
        first = (bool(episode.head[FRESH]), unpacked(episode.history[0]), int(episode.totals[0]))
        while episode.head[GAMES] == game:
            learn(network, sums, RULES, episode, rule, np.uint64(1), 0, 1, game + 1, 10**6)
        begun.append((*first, int(episode.head[LENGTH]), unpacked(episode.history[episode.head[LENGTH] // 2])))
    return begun, episode


def test_a_restart_goes_on_from_the_middle_until_games_are_short() -> None:
    begun, episode = played(rule_of(restart=True), 60)
    fresh = 0
    for (_, _, _, length, middle), (is_fresh, first, total, _, _) in pairwise(begun):
        print(length, middle, is_fresh, first)
        assert is_fresh == (length < 32)
        if not is_fresh:
            assert first == middle and total == sum(2**cell for cell in first if cell)
        fresh += is_fresh
    assert fresh > 3 and episode.head[COUNTED] == fresh + 1


def test_the_carousel_begins_all_stages_alike_often() -> None:
    begun, episode = played(rule_of(carousel=True), 300, (60, 150))
    stages = [0 if fresh else sum(total >= threshold for threshold in (60, 150)) for fresh, _, total, _, _ in begun]
    print(stages[:30], episode.known)
    counts = [stages[60:].count(stage) for stage in range(3)]
    assert counts == [80, 80, 80]
    assert episode.head[COUNTED] < 120 and min(episode.known) > 100
