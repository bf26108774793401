"""Q-learning: states against a plain account of runs, moves of the master, learning against a plain twin, files, play."""

import random
from itertools import groupby
from pathlib import Path

import numpy as np
import pytest

from ai import catalogue, models
from ai.agent import Thinking
from ai.connect4.alphabeta.agent import AlphaBeta
from ai.connect4.board import runs
from ai.connect4.board.baselines import RandomAgent
from ai.connect4.board.board import board_of, tables
from ai.connect4.board.names import board_name, parse_board
from ai.connect4.board.scores import PROVED
from ai.connect4.board.xorshift import chance, new_luck, next_random, random_column
from ai.connect4.report import model as qlearning_model
from ai.connect4.report.agent import QAgent
from ai.connect4.report.master import master_move, new_master
from ai.connect4.report.state import signatures, state_key
from ai.connect4.report.training import QLearning
from ai.tensors import ModelError, TensorFile, write_whole
from game.rules import connect4
from game.rules.connect4 import Shape, State

SHIPPED = Path(__file__).resolve().parents[4] / "saves" / "models"
TINY = {"board": "4x4x1x3", "games": 400}


def picture(state: State) -> str:
    return f"{state.shape} for {state.shape.players}: {connect4.format_moves(state) or 'empty'}"


def random_game(shape: Shape, choose: random.Random) -> list[State]:
    """The positions of a random game that goes on."""
    found, state = [], connect4.start(shape)
    while connect4.outcome(state) is None:
        found.append(state)
        state = connect4.apply(state, choose.choice(connect4.legal_actions(state)))
    return found


def account(state: State) -> tuple[object, ...]:
    """Stones per column, and every unblocked run: whose, on which axis, from where, how long."""
    found = []
    for number, axis in enumerate(runs.axes(state.shape)):
        for seat in range(state.shape.players):
            at = 0
            for open_, stretch in groupby(axis, lambda cell, seat=seat: state.cells[cell] in (0, seat + 1)):
                cells = list(stretch)
                if open_ and len(cells) >= state.shape.win:
                    place = at
                    for own, row in groupby(cells, lambda cell, seat=seat: state.cells[cell] == seat + 1):
                        length = len(list(row))
                        if own:
                            found.append((number, seat, place, length))
                        place += length
                at += len(cells)
    return state.heights, tuple(found)


def key_of(state: State) -> int:
    made = tables(state.shape, "complex")
    return int(state_key(made, board_of(state, "complex"), signatures(state.shape)))


@pytest.mark.parametrize(
    "shape", [Shape(4, 4, 1, 4, 2), Shape(6, 7, 1, 4, 2), Shape(3, 3, 3, 3, 3)], ids=lambda shape: str(shape)
)
def test_a_state_is_its_stones_and_its_open_runs(shape: Shape) -> None:
    choose, accounts, keys, shared = random.Random(1), {}, {}, 0
    for _ in range(150):
        for state in random_game(shape, choose):
            told, key = account(state), key_of(state)
            shared += told in accounts and accounts[told][1] != state.cells
            if accounts.setdefault(told, (key, state.cells))[0] != key or keys.setdefault(key, told) != told:
                pytest.fail(f"{picture(state)}: {told} has the key {key}, {accounts[told]}, {keys[key]}")
    print(shape, len(accounts), shared)
    assert shape != Shape(4, 4, 1, 4, 2) or shared > 5, "some positions share a state"


@pytest.mark.parametrize(
    "shape", [Shape(6, 7, 1, 4, 2), Shape(4, 4, 2, 3, 2), Shape(4, 5, 1, 3, 3)], ids=lambda shape: str(shape)
)
def test_the_master_plays_what_alpha_beta_plays(shape: Shape) -> None:
    choose, agent, compared = random.Random(2), AlphaBeta(time=60.0, depth=2, heuristic="complex"), 0
    made = tables(shape, "complex")
    search = new_master(made)
    for _ in range(6):
        for state in random_game(shape, choose)[::2]:
            board = board_of(state, "complex")
            before = board.copy()
            move = master_move(made, board, search, 2)
            agent.new_game(0)
            plan = agent.plan(state, Thinking())
            print(picture(state), move, plan)
            assert board[: len(board) // 2].any() and (board[:16] == before[:16]).all()
            assert move in connect4.legal_actions(state)
            if abs(max(plan.values.values())) < PROVED:
                assert plan.values[move] == plan.values[plan.actions[0]]
                compared += 1
    assert compared > 8


def plain_twin(
    shape: Shape, settings: dict[str, float], seed: int, games: int
) -> tuple[dict[object, dict[int, float]], list[int]]:
    """The same learning on the plain rules with dictionaries."""
    table: dict[object, dict[int, float]] = {}
    results = []
    made = tables(shape, "complex")
    search = new_master(made)
    learner, depth = int(settings["seat"]) - 1, 2
    for game in range(games):
        luck = new_luck((seed * 0xD1342543DE82EF95 + game) % 2**64)
        next_random(luck)
        next_random(luck)
        explore = max(0.0, 1.0 - game / settings["fading"])
        state, last, own = connect4.start(shape), None, 0
        while True:
            legal, mask = connect4.legal_actions(state), sum(1 << a for a in connect4.legal_actions(state))
            if state.to_move == learner:
                seen = table.setdefault(account(state), dict.fromkeys(range(shape.columns), 0.0))
                if last is not None:
                    target = -1 + settings["gamma"] * max(seen[a] for a in legal)
                    last[0][last[1]] += settings["alpha"] * (target - last[0][last[1]])
                own += 1
                if chance(luck) >= explore:
                    best = max(seen[a] for a in legal)
                    move = random_column(sum(1 << a for a in legal if seen[a] == best), shape.columns, luck)
                elif settings["master"]:
                    move = master_move(made, board_of(state, "complex"), search, depth)
                else:
                    move = random_column(mask, shape.columns, luck)
                last = (seen, move)
            elif chance(luck) < settings["weakness"]:
                move = random_column(mask, shape.columns, luck)
            else:
                move = master_move(made, board_of(state, "complex"), search, depth)
            state = connect4.apply(state, int(move))
            over = connect4.outcome(state)
            if over is not None:
                break
        if over.winner is None:
            reward, result = -200.0, 0
        else:
            reward, result = (500.0, 1) if over.winner == learner else (-500.0 + own, -1)
        if last is not None:
            last[0][last[1]] += settings["alpha"] * (reward - last[0][last[1]])
        results.append(result)
    return table, results


@pytest.mark.parametrize(("players", "seat", "master"), [(2, 1, True), (2, 2, False), (3, 2, True)])
def test_the_kernel_learns_what_a_plain_twin_learns(players: int, seat: int, master: bool) -> None:
    shape, games = Shape(3, 4, 1, 3, players), 250
    settings = {"seat": seat, "master": master, "alpha": 0.25, "gamma": 0.75, "weakness": 0.5, "fading": 200}
    given = {"board": "3x4x1x3", "players": players, "games": games, **settings}
    training = QLearning(given, seed=7)
    training.advance(60.0, Thinking())
    table, results = plain_twin(shape, settings, 7, games)
    figures = training.figures()
    print(figures, len(table), results[-20:])
    assert figures["games"] == games and figures["states"] == len(table)
    assert figures["cumulative_win_rate"] == results.count(1) / games and results.count(1) > 20
    assert training._progress.results[:games].tolist() == results
    used = training.table.keys != 0
    mine = sorted(map(tuple, training.table.values[used].tolist()))
    twin = sorted(tuple(values[a] for a in range(shape.columns)) for values in table.values())
    assert np.allclose(mine, twin, atol=0.05)


def test_the_same_seed_gives_the_same_model_in_one_run_or_in_several(tmp_path: Path, monkeypatch) -> None:
    whole = QLearning({**TINY, "fading": 300}, seed=3)
    whole.advance(60.0, Thinking())
    monkeypatch.setattr("ai.connect4.report.training._FIRST_PLACES", 64)
    half = QLearning({**TINY, "games": 150, "fading": 300}, seed=3)
    half.advance(60.0, Thinking())
    half.save_checkpoint(tmp_path / "half.checkpoint.safetensors", "first")
    rest = QLearning({"games": 250}, seed=99, checkpoint=tmp_path / "half.checkpoint.safetensors")
    assert rest.earlier == "first; " and rest.games == 150
    rest.advance(60.0, Thinking())
    other = QLearning({**TINY, "fading": 300}, seed=4)
    other.advance(60.0, Thinking())
    for number, training in enumerate((whole, rest, other)):
        training.save_model(tmp_path / f"{number}.safetensors", "t", "c")
    read = [qlearning_model.read(tmp_path / f"{number}.safetensors") for number in range(3)]
    print([len(each.keys) for each in read], len(whole.table.keys), len(rest.table.keys))
    assert (read[0].keys == read[1].keys).all() and (read[0].values == read[1].values).all()
    assert len(read[0].keys) != len(read[2].keys) or (read[0].keys != read[2].keys).any()


def test_settings_that_cannot_be_are_refused(tmp_path: Path) -> None:
    for settings, words in (
        ({"board": "6x7"}, "written RxCxDxW"),
        ({"board": "0x7x1x4"}, "1 to 8 rows"),
        ({"seat": 3}, "no seat 3 among 2"),
    ):
        with pytest.raises(ValueError, match=words):
            QLearning(settings, 0)
    training = QLearning({**TINY, "games": 5}, seed=0)
    training.advance(60.0, Thinking())
    path = tmp_path / "t.checkpoint.safetensors"
    training.save_checkpoint(path)
    with pytest.raises(ValueError, match=r"was begun with alpha=.* and keeps it"):
        QLearning({"alpha": 0.2}, 0, path)
    with TensorFile(path) as file:
        arrays = {name: file.array(name, each.kind, each.shape) for name, each in file.arrays.items()}
        texts = dict(file.metadata)
    spoilt = tmp_path / "spoilt.safetensors"
    for change, words in (
        ({"keys": arrays["keys"] * 0}, "not each there once"),
        ({"values": arrays["values"] * np.nan}, "no training makes"),
    ):
        write_whole(spoilt, {**arrays, **change}, texts)
        with pytest.raises(ModelError, match=words):
            QLearning({}, 0, spoilt)
    for change, words in (({"settings": "{}x"}, "settings in its header"), ({"agent": "ntuple"}, "no checkpoint")):
        write_whole(spoilt, arrays, {**texts, **change})
        with pytest.raises(ModelError, match=words):
            QLearning({}, 0, spoilt)


def test_cancelled_it_stops_at_once() -> None:
    thinking = Thinking()
    thinking.cancel()
    training = QLearning({"board": "6x7x1x4"}, 0)
    assert training.advance(60.0, thinking) is False and training.games == 0


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A q-table of 7×6 after a few thousand games."""
    path = tmp_path_factory.mktemp("models") / "young.safetensors"
    training = QLearning({"games": 4_000}, seed=1)
    training.advance(120.0, Thinking())
    training.save_model(path, "young", "train")
    return path


def test_a_model_gives_back_what_was_learned(model: Path) -> None:
    training = QLearning({"games": 4_000}, seed=1)
    training.advance(120.0, Thinking())
    read = models.check(model)
    assert (read.game, read.agent, read.board, read.games) == ("connect4", "qlearning", "6x7x1x4 for 2", 4_000)
    loaded = qlearning_model.load(model)
    assert loaded is qlearning_model.load(model)
    used = training.table.keys != 0
    order = np.argsort(training.table.keys[used])
    assert (loaded.keys == training.table.keys[used][order]).all()
    wanted = training.table.values[used][order]
    assert np.abs(loaded.values * qlearning_model.STEP - wanted).max() <= qlearning_model.STEP / 2


def test_files_that_are_no_such_model_are_refused(model: Path, tmp_path: Path) -> None:
    with TensorFile(model) as file:
        arrays = {name: file.array(name, each.kind, each.shape) for name, each in file.arrays.items()}
        texts = dict(file.metadata)
    spoilt = tmp_path / "spoilt.safetensors"
    for changed, header, words in (
        ({"keys": arrays["keys"][::-1].copy()}, {}, "not in order"),
        ({"keys": arrays["keys"][:-9]}, {}, "spoilt"),
        ({"seat": np.array([2], np.uint8)}, {}, "seat 3 of 2"),
        ({}, {"board": "6x7x1x9 for 2"}, "its board is none"),
        ({}, {"board": "chess"}, "its board is none"),
        ({}, {"agent": "ntuple"}, "it is for ntuple"),
    ):
        write_whole(spoilt, {**arrays, **changed}, {**texts, **header})
        with pytest.raises(ModelError, match=words):
            qlearning_model.read(spoilt)
    with pytest.raises(ModelError):
        qlearning_model.read(tmp_path / "none.safetensors")


def test_names_of_boards() -> None:
    for shape in (Shape(6, 7, 1, 4, 2), Shape(4, 4, 4, 4, 3)):
        assert parse_board(board_name(shape)) == shape
    for wrong in ("", "6x7x1x4", "6x7x1x4 for two", "6x7x1x4 for 7", "6x7x1 for 2", "6x7x1x4 for 9999999"):
        with pytest.raises(ValueError, match=r"\."):
            parse_board(wrong)


def share(agent: QAgent, rival: object, games: int, seat: int = 0) -> float:
    points = 0.0
    for game in range(games):
        agent.new_game(game)
        rival.new_game(1_000 + game)
        state = connect4.start(Shape(6, 7, 1, 4, 2))
        while connect4.outcome(state) is None:
            plan = (agent if state.to_move == seat else rival).plan(state, Thinking())
            state = connect4.apply(state, plan.actions[0])
        points += 0.5 if state.winner is None else state.winner == seat
    return points / games


def test_it_learns(model: Path) -> None:
    untrained = model.with_name("untrained.safetensors")
    QLearning({"games": 1}, seed=1).save_model(untrained, "untrained", "train")
    before, after = (share(QAgent(path, "random"), RandomAgent(), 150) for path in (untrained, model))
    print(before, after)
    assert before < 0.7 and after > 0.8


def test_the_agent_plays_the_best_of_what_it_knows(model: Path) -> None:
    agent, known = QAgent(model), 0
    for state in random_game(Shape(6, 7, 1, 4, 2), random.Random(1))[::2]:
        plan = agent.plan(state, Thinking())
        print(picture(state), plan)
        assert plan.actions[0] in connect4.legal_actions(state)
        assert set(plan.values) <= set(connect4.legal_actions(state))
        if plan.note == "known from training":
            known += 1
            assert plan.values[plan.actions[0]] == max(plan.values.values())
        else:
            assert plan.note == "not known from training: alpha-beta at depth 2"
    assert known
    second = agent.plan(connect4.parse_position("4", Shape(6, 7, 1, 4, 2)), Thinking())
    assert second.note == "trained for player 1 only: alpha-beta at depth 2" and not second.values
    with pytest.raises(ValueError, match="not for 6x7x2x4 for 2"):
        agent.plan(connect4.start(Shape(6, 7, 2, 4, 2)), Thinking())
    with pytest.raises(ValueError, match="no fallback"):
        QAgent(model, "prayer")
    flat, deep = connect4.start(Shape(6, 7, 1, 4, 2)), connect4.start(Shape(6, 7, 1, 4, 3))
    spec = catalogue.parse("connect4", f"qlearning:{model}")
    assert catalogue.why_not("connect4", spec, flat) is None
    assert "was trained for boards of 6x7x1x4 for 2" in (catalogue.why_not("connect4", spec, deep) or "")


@pytest.mark.parametrize(
    ("name", "games", "least"), [("qlearning-100k", 100_000, 0.93), ("qlearning-400k", 400_000, 0.95)]
)
def test_the_shipped_models_are_as_strong_as_they_should_be(name: str, games: int, least: float) -> None:
    path = SHIPPED / f"{name}.safetensors"
    card = models.check(path)
    rival = AlphaBeta(depth=2, heuristic="complex", random_moves=0.8)
    found = share(QAgent(path, "random"), rival, 200)
    print(card, found)
    assert card.games == games and card.size < 1_100_000
    assert found > least - 0.06, "200 games have a standard error of about 0.02"
