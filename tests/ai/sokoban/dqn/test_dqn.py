"""The DQN of Sokoban: its games and rewards, what it remembers, that it learns and goes on, and the agent that plays it."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file

from ai import catalogue, models, trainers
from ai.agent import Status, Thinking
from ai.entries import Spec
from ai.models import ModelCard
from ai.sokoban.dqn import dense, play, shapes, starts
from ai.sokoban.dqn import model as dqn_model
from ai.sokoban.dqn import replay as dqn_replay
from ai.sokoban.dqn.agent import Dqn, judge_of
from ai.sokoban.dqn.learning import MARGIN, Learner
from ai.sokoban.dqn.play import Pay
from ai.sokoban.dqn.settings import PACK, level_of
from ai.sokoban.dqn.shapes import Shape
from ai.sokoban.dqn.world import DEAD, GOES_ON, SOLVED, act, begin_on, games_of, try_action, world_of
from ai.sokoban.search.bestfirst import AStar
from ai.tensors import ModelError, TensorFile, write_whole
from game.rules import levels, replay, sokoban
from game.rules.replay import Step

torch = pytest.importorskip("torch")
CORRIDOR = "#######\n#@ $ .#\n#     #\n#######\n"
SMALL = {
    "hidden1": 32,
    "hidden2": 16,
    "environments": 8,
    "exploration": 1500,
    "target": 50,
    "memory": 2000,
    "limit": 30,
}
PAY = Pay(step=0.05, solved=5.0, dead=3.0, shaping=0.25, walking=0.05, discount=0.9)


def state_of(text: str, pull: bool = False) -> sokoban.State:
    state = levels.parse(text, "test").levels[0].state
    rules = replace(state.warehouse.rules, pull=pull)
    return sokoban.State(replace(state.warehouse, rules=rules), state.boxes, state.player)


def level_file(folder: Path, text: str = CORRIDOR) -> str:
    path = folder / "some.xsb"
    path.write_text(text)
    return str(path)


def replay_file(folder: Path, text: str = CORRIDOR, actions: tuple[int, ...] = (2, 0, 1, 1, 1)) -> str:
    """A person who goes down and up before solving the corridor."""
    path = folder / "game.json"
    path.write_text(replay.dumps(replay.record(state_of(text), [Step(action) for action in actions])))
    return str(path)


@pytest.mark.parametrize("pull", [False, True])
def test_its_games_are_those_of_the_rules(pull: bool) -> None:
    state = state_of("########\n#      #\n#.$@ $.#\n#    # #\n########\n", pull)
    world = world_of([state])
    luck, seen = np.random.default_rng(3), set()
    for _ in range(60):
        games = games_of(world, 1)
        begin_on(world, games, 0, 0)
        here, end = state, GOES_ON
        while end == GOES_ON and games.clock[0] < 30:
            legal = [a for a in range(8) if try_action(world, 0, games.occupied[0], int(games.player[0]), a)[0] >= 0]
            dead = set() if pull else sokoban.dead_squares(here.warehouse)
            wanted = [a for a in sokoban.legal_actions(here) if not sokoban.apply(here, a).boxes - here.boxes & dead]
            assert legal == wanted, "\n".join(levels.board(here))
            if not legal:
                break
            action = int(luck.choice(legal))
            here, end = sokoban.apply(here, action), act(world, games, 0, action)
            assert (here.player, here.boxes) == (games.player[0], frozenset(games.boxes[0].tolist()))
            assert (end == SOLVED) == sokoban.is_solved(here)
            if end == DEAD:
                assert sokoban.is_dead(here), "\n".join(levels.board(here))
            seen.add(end)
    print(seen)
    assert seen >= {SOLVED, GOES_ON} and (DEAD in seen) == (not pull)


def test_forth_and_back_pays_nothing_and_potentials_change_no_comparison() -> None:
    """Discounted, the shaped rewards of any way to play are the plain ones and -potential of the start."""
    state = state_of("########\n#      #\n# .$@  #\n#      #\n########\n")
    world, luck = world_of([state]), np.random.default_rng(5)

    def returns(actions: list[int]) -> tuple[float, float]:
        games = games_of(world, 1)
        begin_on(world, games, 0, 0)
        plain = shaped = 0.0
        factor = 1.0
        for action in actions:
            if try_action(world, 0, games.occupied[0], int(games.player[0]), action)[0] < 0:
                continue
            before = play.potential(PAY, games, 0)
            end = act(world, games, 0, action)
            found = play.reward_of(PAY, end, before, play.potential(PAY, games, 0))
            plain, shaped, factor = plain + factor * found[0], shaped + factor * found[1], factor * PAY.discount
            if end != GOES_ON:
                return plain, shaped
        return plain, shaped + factor * -play.potential(PAY, games, 0)

    games = games_of(world, 1)
    begin_on(world, games, 0, 0)
    start = play.potential(PAY, games, 0)
    assert 4.0 < start < 5.0
    ways = [[3], [1, 3, 3], [0, 2, 0, 2, 3], *(luck.integers(0, 4, 40).tolist() for _ in range(30))]
    for way in ways:
        plain, shaped = returns(way)
        assert shaped == pytest.approx(plain - start), way
    # pushing away and back, once round the box, is worth as much as walking to and fro for as long
    away = [0, 3, 3, 3, 2, 1, 0, 1, 1, 2]
    assert returns(away)[1] < returns([3])[1]


def test_dying_is_never_the_best(tmp_path: Path) -> None:
    from ai.sokoban.dqn.training import DqnTraining

    with pytest.raises(ValueError, match=r"dead=1 has to be more than step / \(1 - discount\) = 2.5"):
        DqnTraining({"dead": 1.0}, 1)


def test_returns_end_before_an_action_that_was_not_the_best() -> None:
    world = world_of([state_of(CORRIDOR)])
    games, recent = games_of(world, 1), play.recent_of(1)
    pending, replay = dqn_replay.pending_of(1, 3, 1), dqn_replay.replay_of(100, 1, False)
    stream = np.array([7], np.uint64)
    q = np.array([[0.0, 1.0, 0.5, -1.0]], np.float32)
    pool = starts.pool_of(world)
    play.begin_all(world, games, pool, 0.0, stream)
    for _ in range(60):
        play.play(world, games, pending, replay, recent, pool, PAY, q, 0.3, False, 0.0, 30, 3, stream)
    count = int(replay.state[1])
    lengths = np.round(np.log(np.where(replay.discounts[:count] > 0, replay.discounts[:count], 1)) / np.log(0.9))
    print(replay.actions[:count], lengths)
    assert count > 30 and recent.state[0] > 3
    for row in range(count - 1):
        if lengths[row] == 3:  # a full return: the actions after the first were the best ones
            assert set(replay.actions[row + 1 : row + 3].tolist()) <= {1, 2}
    assert {1, 3} <= set(lengths.tolist())


def test_priorities_are_drawn_in_their_shares() -> None:
    replay = dqn_replay.replay_of(8, 1, True)
    replay.state[1] = 8
    for place in range(8):
        dqn_replay.set_priority(replay.tree, place, float(place))
    places, weights = np.zeros(2800, np.int64), np.zeros(2800, np.float32)
    dqn_replay.draw(replay, np.ones(1, np.uint64), 1.0, places, weights)
    counts = np.bincount(places, minlength=8)
    print(counts)
    assert np.abs(counts - 100 * np.arange(8)).max() <= 2
    assert weights[places == 7].max() == pytest.approx(weights[places == 1].max() / 7)


def torch_forward(weights, seen, nothing):
    """The dense network in torch."""
    here = torch.nn.functional.embedding_bag(seen, weights["hidden1.weight"], mode="sum", padding_idx=nothing)
    here = (here + weights["hidden1.bias"]).relu()
    here = (here @ weights["hidden2.weight"] + weights["hidden2.bias"]).relu()
    advantage = here @ weights["advantage.weight"] + weights["advantage.bias"]
    if "value.weight" not in weights:
        return advantage
    return here @ weights["value.weight"] + weights["value.bias"] + advantage - advantage.mean(1, keepdim=True)


@pytest.mark.parametrize(("double", "dueling", "shown"), [(True, True, 0), (False, False, 0), (True, True, 20)])
def test_what_is_learned_is_what_torch_learns(double: bool, dueling: bool, shown: int) -> None:
    """Ten steps: the same loss, errors and weights as by automatic differentiation and torch's Adam."""
    world = world_of([state_of("########\n#      #\n#.$@ $.#\n#    # #\n########\n")])
    games, recent, pool = games_of(world, 4), play.recent_of(4), starts.pool_of(world)
    pending, memory = dqn_replay.pending_of(4, 3, 2), dqn_replay.replay_of(200, 2, False)
    stream = np.array([7], np.uint64)
    play.begin_all(world, games, pool, 0.0, stream)
    for _ in range(60):
        q = np.zeros((4, 4), np.float32)
        play.play(world, games, pending, memory, recent, pool, PAY, q, 1.0, False, 0.0, 30, 3, stream)
    memory.shown[0] = shown
    shape = Shape("dense", 5, 8, False, (32, 16), dueling)
    learner, rate, nothing = Learner(shape, world, 16, 0.01, double, 1), 0.01, shapes.inputs(shape) - 1
    weights = {name: torch.nn.Parameter(torch.from_numpy(each.copy())) for name, each in learner.weights.items()}
    target = {name: each.detach().clone() for name, each in weights.items()}
    adam = torch.optim.Adam(weights.values(), lr=rate)
    places, ones = np.zeros(16, np.int64), np.linspace(0.1, 1, 16, dtype=np.float32)
    for step in range(10):
        dqn_replay.draw(memory, stream, 0.5, places, np.ones(16, np.float32))
        loss, errors = learner.learn(memory, places, ones, 0.5)
        seen, illegal, actions, returns, discounts = map(torch.from_numpy, learner.batch)
        with torch.no_grad():
            estimates = torch_forward(target, seen[16:], nothing) - 1e9 * illegal
            chooser = torch_forward(weights, seen[16:], nothing) - 1e9 * illegal if double else estimates
            rest = estimates.gather(1, chooser.argmax(1, keepdim=True))[:, 0].clamp(min=-1e6)
        found = torch_forward(weights, seen[:16], nothing)
        taken = found.gather(1, actions[:, None])[:, 0]
        wanted = returns + discounts * rest
        expected = (
            torch.from_numpy(ones) * torch.nn.functional.smooth_l1_loss(taken, wanted, reduction="none")
        ).mean()
        if shown:
            others = (found + MARGIN).scatter(1, actions[:, None], taken.detach()[:, None] - MARGIN)
            late = torch.from_numpy(places < shown)
            expected = expected + 0.5 * (late * (others.max(1).values - taken).clamp(min=0.0)).mean()
        adam.zero_grad()
        expected.backward()
        adam.step()
        expected_loss = float(expected.detach())
        print(step, loss, expected_loss)
        assert loss == pytest.approx(expected_loss, rel=1e-3)
        assert np.allclose(errors, (taken - wanted).detach().numpy(), atol=1e-3)
    for name, each in learner.weights.items():
        assert np.abs(each - weights[name].detach().numpy()).max() < 1e-3, name


@pytest.mark.parametrize("shape", [
    Shape("dense", 4, 7, False, (32, 16)), Shape("dense", 4, 7, True, (16, 8), False, True),
    Shape("report", 4, 7), Shape("dense-only", 4, 7, planes=1), Shape("deeper", 4, 7),
], ids=shapes.name_of)  # fmt: skip
def test_the_file_says_what_torch_says(tmp_path: Path, shape: Shape) -> None:
    from ai.sokoban.dqn.report import training as dqn_report_training

    luck, path = np.random.default_rng(2), tmp_path / "some.safetensors"
    arrays = {
        name: (luck.standard_normal(size) / np.sqrt(np.prod(size[:-1]) / 2)).astype(np.float32)
        for name, size in shapes.sizes(shape).items()
    }
    start = state_of(CORRIDOR, shape.pull)
    dqn_model.write(path, shape, arrays, ModelCard(path), start)
    model = dqn_model.load(path)
    assert (model.shape, model.level) == (shape, start)
    for name, wanted in arrays.items():
        assert np.abs(model.arrays[name] - wanted).max() <= np.abs(wanted).max() / 32767, name
    tensors = {name: torch.from_numpy(each) for name, each in model.arrays.items()}
    for box in (10, 16, 11):
        state = sokoban.State(start.warehouse, frozenset((box,)), 8 if box != 8 else 9)
        found = judge_of(model, state)(state)
        if shape.kind == "dense":
            size = np.array([4, 7, shape.pull], np.int64)
            grid = sokoban.to_array(state).ravel()
            active = np.zeros(200, np.int32)
            walls = (grid == 1).astype(np.uint8)
            targets = np.isin(np.arange(28), list(state.warehouse.targets)).astype(np.uint8)
            count = dense.see(size, walls, targets, state.player, np.array([box]), shape.static, active)
            seen = torch.from_numpy(active[:count].astype(np.int64))[None]
            expected = torch_forward(tensors, seen, shapes.inputs(shape) - 1)[0]
        else:
            from ai.sokoban.dqn.report.network import see

            expected = dqn_report_training.forward(tensors, torch.from_numpy(see(state, shape.planes))[None])[0]
        print(found, expected)
        assert len(found) == shape.actions and np.abs(found).max() > 0.1
        assert np.abs(found - expected.numpy()).max() < 1e-4


def test_it_learns_a_corridor_and_its_model_plays(tmp_path: Path) -> None:
    from ai.sokoban.dqn.training import DqnTraining

    training = DqnTraining({**SMALL, "level": level_file(tmp_path), "patience": 300}, 1)
    path = tmp_path / "corridor.safetensors"
    figures = trainers.run(training, path, "the command", Thinking(60))
    print(figures)
    start = level_of(level_file(tmp_path), 1).state
    best = len(AStar(10.0, 10_000, optimal="moves").plan(start, Thinking()).actions)
    assert (figures["best_success"], figures["best_moves"]) == (1.0, best)
    assert isinstance(training.watch(), sokoban.State) and models.check(path).board == "4x7"
    agent = Dqn(path, 500, "game", False)
    plan = agent.plan(start, Thinking())
    assert (plan.status, len(plan.actions)) == (Status.SOLVED, best)
    assert (
        set(plan.values) == set(sokoban.legal_actions(start))
        and max(plan.values, key=lambda a: plan.values[a]) == plan.actions[0]
    )
    one = Dqn(path, 500, "step", False).plan(start, Thinking())
    assert (one.status, one.actions) == (Status.PLAN, plan.actions[:1])
    with pytest.raises(ValueError, match="plays boards of 4x7, this one is 9x11"):
        agent.plan(level_of(PACK, 1).state, Thinking())
    other = agent.plan(state_of("#######\n#.$ @ #\n#     #\n#######\n"), Thinking())
    assert other.note.endswith("(trained on another board of this size)")
    reason = catalogue.why_not("sokoban", Spec("dqn", {}, str(path)), level_of(PACK, 1).state)
    assert reason == "model 'corridor' was trained for boards of 4x7, this one is 9x11"


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"prioritised": True, "dueling": False, "double": False, "pull": True},
        {"rooms": 3, "rows": 5, "cols": 6},
        {"replays": "yes"},
    ],
)
def test_going_on_is_the_same_as_never_having_stopped(tmp_path: Path, more: dict[str, object]) -> None:
    from ai.sokoban.dqn.training import DqnTraining

    if more.get("replays"):
        more = {"replays": replay_file(tmp_path)}
    told = {**SMALL, "level": level_file(tmp_path), "patience": 0, **more}
    whole = DqnTraining(told, 3)
    while whole.steps < 2400:
        whole.advance(0.0, Thinking())
    whole.save_checkpoint(tmp_path / "whole")
    part = DqnTraining(told, 3)
    for stop in (400, 1700, 2400):
        while part.steps < stop:
            part.advance(0.0, Thinking())
        part.save_checkpoint(tmp_path / "part", "train")
        (tmp_path / "some.xsb").write_text("changed")
        (tmp_path / "game.json").unlink(missing_ok=True)
        part = DqnTraining({}, 0, tmp_path / "part")
    assert part.earlier == "train; "
    one, other = load_file(tmp_path / "whole"), load_file(tmp_path / "part")
    assert one.keys() == other.keys() and whole.figures()["updates"] > 100
    for name in one:
        same = np.allclose if name == "tree" else np.array_equal
        assert same(one[name], other[name]), name
    with pytest.raises(ValueError, match="keeps it"):
        DqnTraining({"rate": 0.5}, 3, tmp_path / "part")


def test_bad_levels_and_files_are_answered_in_a_sentence(tmp_path: Path) -> None:
    from ai.sokoban.dqn.training import DqnTraining

    for told, said in (
        ({"level": "nowhere.xsb"}, "nowhere.xsb"),
        ({"number": 9}, "has 3 levels: number=9 is none of them"),
        ({"rooms": 10, "rows": 5, "cols": 5, "boxes": 9}, "9 boxes"),
    ):
        with pytest.raises(ValueError, match=said):
            DqnTraining(told, 1)
    path = tmp_path / "some.safetensors"
    shape = Shape("dense", 4, 7, hidden=(4, 4))
    arrays = {name: np.zeros(size, np.float32) for name, size in shapes.sizes(shape).items()}
    dqn_model.write(path, shape, arrays, ModelCard(path), None)
    with TensorFile(path) as file:
        stored = {name: file.array(name, each.kind, each.shape) for name, each in file.arrays.items()}
        texts = dict(file.metadata)
    for change in ({"shapes": "dense 4+5 dueling, 4x7"}, {"shapes": "what"}, {"board": "5x7"}, {"level": "\x00"}):
        write_whole(path, stored, {**texts, **change})
        with pytest.raises(ModelError):
            dqn_model.read(path)


def test_playing_and_learning_need_no_torch(tmp_path: Path) -> None:
    path = tmp_path / "some.safetensors"
    shape = Shape("report", 4, 7)
    arrays = {name: np.zeros(size, np.float32) for name, size in shapes.sizes(shape).items()}
    dqn_model.write(path, shape, arrays, ModelCard(path), None)
    code = (
        "import sys; from pathlib import Path; from ai.agent import Thinking; from ai.sokoban.dqn.agent import Dqn\n"
        "from ai.sokoban.dqn import training\n"
        "from game.rules import levels\n"
        f"state = levels.parse({CORRIDOR!r}, 'x').levels[0].state\n"
        f"print(Dqn(Path({str(path)!r}), 9, 'step', False).plan(state, Thinking()).actions, 'torch' in sys.modules)"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.split() == ["(1,)", "False"]
