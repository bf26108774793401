"""The report's network: values, choices and updates against a plain Python twin, exact checkpoints, model files."""

import json
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from ai import models
from ai.agent import Thinking
from ai.models import ModelCard
from ai.tensors import ModelError, TensorFile
from ai.twenty48.board.spawns import pick, random_number
from ai.twenty48.ntuple.network import make_rules
from ai.twenty48.report import model, shapes
from ai.twenty48.report import training as report_training
from ai.twenty48.report.agent import NTupleReport
from ai.twenty48.report.learning import (
    BEFORE,
    GAMES,
    MOVES,
    POSITION,
    RULES,
    SCORE,
    Episode,
    learn_report,
    make_episode,
)
from ai.twenty48.report.network import clamped, evaluate_report, make_report_network
from ai.twenty48.report.training import ReportTraining, Settings
from game.rules import twenty48
from game.rules.twenty48 import State

CROWDED = "2 4 8 16/4 8 16 32/8 16 32 64/2 2 64 128"
HIGH = "16384 8192 4096 2/16 8 32768 2/2 4 2 16/4 2 4 0"
BEYOND = "65536 32768 32768 2/16 8 131072 2/2 4 2 16/4 2 4 0"
MASK = 2**64 - 1


class Twin:
    """The report's network in plain Python: tables as dictionaries, symmetries by turning the board."""

    def __init__(self, symmetric: bool) -> None:
        self.tables: list[dict[tuple[int, ...], float]] = [{} for _ in shapes.PATTERNS]
        self.symmetric = symmetric

    def looks(self, cells: tuple[int, ...]) -> list[tuple[dict[tuple[int, ...], float], tuple[int, ...]]]:
        """(table, its key) of every look-up."""
        square = np.minimum(np.array(cells).reshape(4, 4), 13)
        sides = (square, square.T) if self.symmetric else (square,)
        boards = [np.rot90(side, turns).ravel() for side in sides for turns in range(4 if self.symmetric else 1)]
        return [
            (table, tuple(int(board[cell]) for cell in pattern))
            for table, pattern in zip(self.tables, shapes.PATTERNS, strict=True)
            for board in boards
        ]

    def value(self, cells: tuple[int, ...]) -> float:
        return sum(table.get(key, 10.0) for table, key in self.looks(cells))

    def options(self, state: State) -> dict[int, tuple[float, float]]:
        """Action -> (reward, V of its afterstate)."""
        found = {}
        for action in twenty48.legal_actions(state):
            slide = twenty48.slide(state, action)
            assert slide is not None
            found[action] = (slide.reward, self.value(slide.cells))
        return found

    def learn(self, rule: str, alpha: float, seed: int, games: int) -> list[int]:
        """Play and learn as the report says; the scores."""
        scores = []
        for game in range(games):
            luck = int(random_number(np.uint64(seed), np.uint64(game)))
            state = twenty48.start(4, luck)
            epsilon = max(0.001, 0.5 * 0.995**game)
            before = None
            while True:
                options = self.options(state)
                if before is not None:
                    target = 0.0
                    if options:
                        target = max(
                            value if rule == "report" else reward + value for reward, value in options.values()
                        )
                    error = target - self.value(before)
                    looks = self.looks(before)
                    for table, key in looks:
                        table[key] = table.get(key, 10.0) + alpha * error / (len(looks) // 8)
                    options = self.options(state)
                if not options:
                    break
                action = max(options, key=lambda each: (sum(options[each]), -each))
                drawn = int(random_number(np.uint64(~luck & MASK), np.uint64(state.spawns)))
                if (drawn >> 11) / 2**53 < epsilon:
                    number = np.uint64(random_number(np.uint64((~luck + 1) & MASK), np.uint64(state.spawns)))
                    action = list(options)[int(pick(number, np.int64(len(options))))]
                slide = twenty48.slide(state, action)
                assert slide is not None
                before = slide.cells
                state = twenty48.apply(state, action)
            scores.append(state.score)
        return scores


def packed(cells: tuple[int, ...]) -> np.uint64:
    return np.uint64(sum(min(exponent, 15) << (4 * cell) for cell, exponent in enumerate(cells)))


def test_the_tables_are_those_of_the_report() -> None:
    assert sum(shapes.SIZES) == 15_788_976
    assert len(shapes.NAMES) == len(shapes.PATTERNS) == 8
    weights = np.zeros(sum(shapes.PLACES), np.float32)
    views = shapes.tables(weights)
    assert [view.size for view in views] == list(shapes.SIZES)
    for number, view in enumerate(views):
        view += number + 1
    assert sum(int(np.count_nonzero(weights == number + 1)) for number in range(8)) == 15_788_976


def test_tiles_above_8192_count_as_8192() -> None:
    board = packed(tuple(range(16)))
    found = int(clamped(board))
    print(hex(int(board)), hex(found))
    assert [found >> (4 * cell) & 15 for cell in range(16)] == [*range(14), 13, 13]


@pytest.mark.parametrize("symmetric", [True, False])
@pytest.mark.parametrize("text", [CROWDED, HIGH])
def test_a_value_is_the_sum_of_all_look_ups(text: str, symmetric: bool) -> None:
    weights = np.zeros(sum(shapes.PLACES), np.float32)
    twin = Twin(symmetric)
    random = np.random.default_rng(3)
    cells = twenty48.parse_position(text).cells
    for table, key in twin.looks(cells):
        table[key] = 10.0 + float(random.integers(-40, 40))
    for view, table in zip(shapes.tables(weights), twin.tables, strict=True):
        for key, weight in table.items():
            view[key[::-1]] = weight - 10.0  # the first cell is the lowest digit of an index
    network = make_report_network(weights, symmetric=symmetric)
    found = evaluate_report(packed(cells), network.weights, network.steps, network.layout, network.looks)
    print(text, found)
    assert found == pytest.approx(twin.value(cells), abs=1e-3)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("symmetries", [True, False])
def test_the_kernel_learns_what_a_plain_twin_learns(rule: str, symmetries: bool) -> None:
    training = ReportTraining({"alpha": 0.05, "rule": rule, "symmetries": symmetries, "games": 2}, 11)
    assert training.advance(60.0, Thinking())
    twin = Twin(symmetries)
    scores = twin.learn(rule, 0.05, 11, 2)
    print(scores, training.take().scores)
    assert training.games == 2 and training.figures()["mean_score"] == pytest.approx(np.mean(scores))
    for number, (view, table) in enumerate(zip(shapes.tables(training.weights), twin.tables, strict=True)):
        expected = np.zeros(view.shape)
        for key, weight in table.items():
            expected[key[::-1]] = weight - 10.0
        print(shapes.NAMES[number], len(table), np.abs(expected).max())
        assert np.abs(view - expected).max() < 1e-3 * max(1.0, float(np.abs(expected).max()))
    assert any(table for table in twin.tables)


def test_the_random_agent_is_as_weak_as_the_reports() -> None:
    played = ReportTraining({}, 0).play(1_000, 5, Thinking(), epsilon=1.0)
    error = played.scores.std() / 1_000**0.5
    print(played.scores.mean(), error)
    assert abs(played.scores.mean() - 1_127) < 5 * error
    assert not played.errors.any()


def test_it_learns() -> None:
    training = ReportTraining({"games": 2_000}, 1)
    while not training.advance(10.0, Thinking()):
        pass
    figures = training.figures()
    played = training.play(200, 9, Thinking())
    print(figures, played.scores.mean())
    assert figures["mean_score"] > 8_000 and played.scores.mean() > 10_000
    assert 0 < figures["td_error"] < 50 and figures["games"] == 2_000


# Going on


def trained(seed: int = 7, checkpoint: Path | None = None, **settings: object) -> ReportTraining:
    training = ReportTraining(settings, seed, checkpoint)
    assert training.advance(600.0, Thinking())
    return training


def test_a_game_cut_in_the_middle_goes_on_exactly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = trained(games=12, alpha=0.02, rule="correct")
    monkeypatch.setattr(report_training, "_SLICE_MOVES", 37)
    path = tmp_path / "cut.checkpoint.safetensors"
    training = ReportTraining({"games": 12, "alpha": 0.02, "rule": "correct"}, 7)
    cuts = 0
    while not training.advance(0.0, Thinking()):
        cuts += 1
        if cuts % 20 == 0:
            training.save_checkpoint(path)
            training = ReportTraining({"games": 12 - training.games}, 0, path)
            assert training.settings.rule == "correct" and training.seed == 7
    print(cuts, training.games, training.moves, whole.moves)
    assert cuts >= 40 and training.moves == whole.moves
    assert np.array_equal(training.weights, whole.weights)
    assert training.figures()["mean_score"] == whole.figures()["mean_score"]


def test_a_round_never_loses_a_game() -> None:
    training = ReportTraining({"games": 1_200, "symmetries": False}, 3)
    counts = []
    done = False
    while not done:
        done = training.advance(600.0, Thinking())
        counts.append(len(training.take().scores))
    assert counts == [1_000, 200]


def test_cancelled_it_stops_at_once() -> None:
    thinking = Thinking()
    thinking.cancel()
    training = ReportTraining({}, 1)
    assert not training.advance(600.0, thinking)
    assert training.moves == 0 and training.goal is None
    assert len(training.play(10, 1, thinking).scores) == 0


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "one.checkpoint.safetensors"
    trained(games=1).save_checkpoint(path)
    return path


def spoilt(source: Path, target: Path, texts: dict[str, str] | None = None, **arrays: np.ndarray) -> Path:
    """The file with other texts and arrays."""
    with TensorFile(source) as file:
        merged = {**file.metadata, **(texts or {})}
    save_file({**load_file(source), **arrays}, target, merged)
    return target


@pytest.mark.parametrize(
    ("texts", "reason"),
    [
        ({"agent": "ntuple"}, "no checkpoint of a training of 'ntuple-report'"),
        ({"version": "2"}, "no checkpoint"),
        ({"settings": "{}x"}, "settings in its header"),
        ({"settings": json.dumps({**asdict(Settings()), "rule": "none"})}, "settings in its header"),
        ({"settings": json.dumps({**asdict(Settings()), "alpha": -1.0})}, "settings in its header"),
        ({"seed": "-1"}, "settings in its header"),
        ({"seconds": "nan"}, "settings in its header"),
    ],
)
def test_spoilt_checkpoints_are_refused(checkpoint: Path, tmp_path: Path, texts: dict[str, str], reason: str) -> None:
    with pytest.raises(ModelError, match=reason):
        ReportTraining({}, 0, spoilt(checkpoint, tmp_path / "spoilt.safetensors", texts))


def test_checkpoints_keep_their_rule_and_refuse_numbers_that_no_training_makes(
    checkpoint: Path, tmp_path: Path
) -> None:
    with pytest.raises(ValueError, match="begun with rule=report and keeps it"):
        ReportTraining({"rule": "correct"}, 0, checkpoint)
    with pytest.raises(ValueError, match="begun with symmetries=True and keeps it"):
        ReportTraining({"symmetries": False}, 0, checkpoint)
    head = spoilt(checkpoint, tmp_path / "head.safetensors", head=np.array([-1, 0, 0]))
    with pytest.raises(ModelError, match="no training makes"):
        ReportTraining({}, 0, head)
    table = np.full(14**4, np.nan, np.float32)
    with pytest.raises(ModelError, match="no training makes"):
        ReportTraining({}, 0, spoilt(checkpoint, tmp_path / "nan.safetensors", **{"table.0": table}))


# Model files and the agent


@pytest.fixture(scope="module")
def weights() -> np.ndarray:
    training = ReportTraining({"games": 300}, 2)
    training.advance(600.0, Thinking())
    return training.weights


@pytest.fixture(scope="module")
def path(weights: np.ndarray, tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("models") / "report.safetensors"
    model.write(made, weights, True, ModelCard(made, games=300))
    return made


@pytest.mark.parametrize("symmetric", [True, False])
def test_a_model_gives_back_what_was_learned(weights: np.ndarray, tmp_path: Path, symmetric: bool) -> None:
    path = tmp_path / "one.safetensors"
    large = weights.copy()
    large[1] = -5_000.0
    model.write(path, large, symmetric, ModelCard(path, games=300))
    loaded = model.load(path)
    assert (loaded.symmetric, loaded.card.games, loaded.card.agent) == (symmetric, 300, "ntuple-report")
    assert model.load(path) is loaded
    tables = zip(shapes.tables(large), shapes.tables(loaded.weights), loaded.steps, strict=True)
    for number, (learned, stored, step) in enumerate(tables):
        off = float(np.abs(learned - stored * step).max())
        print(shapes.NAMES[number], step, off)
        assert off <= 0.501 * step and step >= model.LEAST_STEP
    assert models.check(path).problem is None
    model.write(path, np.full_like(weights, 0), symmetric, ModelCard(path))
    assert path.stat().st_size < 10_000, "what was not learned takes no room"


def test_weights_that_have_run_away_are_refused(weights: np.ndarray, tmp_path: Path) -> None:
    far = weights.copy()
    far[7] = np.inf
    with pytest.raises(ValueError, match="lower alpha"):
        model.write(tmp_path / "far.safetensors", far, True, ModelCard(tmp_path))


@pytest.mark.parametrize(
    ("texts", "arrays", "reason"),
    [
        ({"agent": "ntuple"}, {}, "it is for ntuple in twenty48, not for ntuple-report in twenty48"),
        ({"board": "5x5"}, {}, "it is for boards of 5x5, not of 4x4"),
        ({"shapes": "0123"}, {}, "not those of the report"),
        ({}, {"looks": np.array([3], np.uint8)}, "says 3 look-ups"),
        ({}, {"steps": np.zeros(8, np.float32)}, "a step of its weights"),
        ({}, {"steps": np.ones(7, np.float32)}, "'steps' is not of the expected"),
        ({}, {"table.3.places": np.zeros(9, np.uint8)}, "report.safetensors: "),
    ],
)
def test_files_that_are_no_such_model_are_refused(
    path: Path, tmp_path: Path, texts: dict[str, str], arrays: dict[str, np.ndarray], reason: str
) -> None:
    with pytest.raises(ModelError, match=reason) as error:
        model.load(spoilt(path, tmp_path / "report.safetensors", texts, **arrays))
    print(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("text", [CROWDED, HIGH, BEYOND])
def test_the_agents_values_are_reward_and_value(path: Path, text: str) -> None:
    agent = NTupleReport(path)
    twin = Twin(True)
    for view, table, step in zip(shapes.tables(agent.model.weights), twin.tables, agent.model.steps, strict=True):
        for key in zip(*np.nonzero(view), strict=True):
            table[tuple(int(each) for each in key[::-1])] = 10.0 + float(step) * int(view[key])
    state = twenty48.parse_position(text)
    expected = {action: sum(worth) for action, worth in twin.options(state).items()}
    plan = agent.plan(state, Thinking())
    print(text, expected, plan.values)
    assert dict(plan.values) == pytest.approx(expected, abs=0.02)
    assert plan.values[plan.actions[0]] == max(plan.values.values())


@pytest.mark.parametrize("text", [None, BEYOND, "32768 16384 16384 8192/4 8 4 2/2 4 2 16/0 2 2 4"])
def test_play_many_plays_what_plan_plays(path: Path, text: str | None) -> None:
    state = twenty48.parse_position(text, seed=5) if text else twenty48.start(4, 20)
    many = NTupleReport(path).play_many(state, 10_000, Thinking())
    agent, told = NTupleReport(path), []
    while (plan := agent.plan(state, Thinking())).actions:
        slide = twenty48.slide(state, plan.actions[0])
        assert slide is not None
        told.append((plan.actions[0], *twenty48.spawn(slide.cells, state.seed, state.spawns)))
        state = twenty48.apply(state, plan.actions[0])
    print(len(told), twenty48.format_position(state))
    assert many == tuple(told) and len(told) > 10
    assert NTupleReport(path).play_many(state, 10, Thinking()) == ()


@pytest.mark.parametrize("symmetric", [True, False])
def test_why_adds_up_to_the_difference_of_the_values(weights: np.ndarray, tmp_path: Path, symmetric: bool) -> None:
    made = tmp_path / "made.safetensors"
    model.write(made, weights, symmetric, ModelCard(made))
    agent = NTupleReport(made)
    for text in ("0 2 4 2/8 8 2 0/16384 32768 2 4/2 2 0 0", "2 0 0 0/0 0 0 0/0 0 0 0/0 0 0 2"):
        state = twenty48.parse_position(text)
        values = agent.plan(state, Thinking()).values
        for action in values:
            why = agent.explain(state, action, next(each for each in values if each != action))
            print(text, symmetric, values, why and (why.action, why.other, why.reward, why.value, why.parts[:2]))
            assert why is not None and why.other is not None
            assert why.reward + why.value == pytest.approx(values[action] - values[why.other], abs=0.5)
        assert all(agent.explain(state, action, None) is None for action in set(range(4)) - set(values))


def test_other_boards_are_refused(path: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="4×4 boards, not 5×5"):
        NTupleReport(path).plan(twenty48.start(5), Thinking())
    with pytest.raises(ModelError, match="no such file"):
        NTupleReport(tmp_path / "none.safetensors")


def test_slices_do_not_change_a_game() -> None:
    """The kernel itself, in slices of one move."""
    weights = np.full(sum(shapes.PLACES), 0, np.float32)
    network, rules, episode = make_report_network(weights), make_rules(), make_episode()
    for _ in range(100_000):
        learn_report(network, rules, episode, 0, np.float32(0.05), -1.0, np.uint64(7), 2, 1)
        if episode.head[GAMES] == 2:
            break
    expected = trained(games=2, alpha=0.05)
    assert int(episode.head[MOVES]) == expected.moves > 50
    assert np.array_equal(weights, expected.weights)
    assert episode.boards[POSITION] == 0 and episode.boards[BEFORE] != 0 and episode.head[SCORE] > 0
    assert isinstance(episode, Episode) and replace(Settings(), games=3).games == 3


def test_the_shipped_model_is_as_strong_as_its_card_says() -> None:
    path = models.find("ntuple-report")
    assert path is not None
    card = models.check(path)
    agent = NTupleReport(path)
    scores = []
    for seed in range(60):
        state = twenty48.start(4, seed)
        for action, cell, exponent in agent.play_many(state, 10**6, Thinking()):
            slide = twenty48.slide(state, action)
            assert slide is not None
            state = twenty48.place(state, slide, cell, exponent)
        scores.append(state.score)
    mean = sum(scores) / len(scores)
    print(mean, card)
    assert card.size < 4_000_000 and card.games == 50_000 and card.strength[1].games == 1000
    assert card.strength[1].mean > 60_000
    assert abs(mean - card.strength[1].mean) < 4 * card.strength[1].stderr * (1000 / 60) ** 0.5
