"""The policy-and-value network of connect-4: what it sees, that numpy says what torch says, its trainings and models."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file

from ai import models, trainers
from ai.agent import Thinking
from ai.connect4.net import model
from ai.connect4.net.agent import Net
from ai.connect4.net.features import PLANES, features, forward, inputs
from ai.models import ModelCard
from ai.tensors import ModelError, TensorFile, write_whole
from game.rules import connect4
from game.rules.connect4 import Shape

SHAPE = Shape(6, 7, 1, 4)
torch = pytest.importorskip("torch")
SETTINGS = {"board": "4x5x1x4", "width": 16, "blocks": 1, "roots": 2, "passes": 8, "rate": 0.02}


@pytest.fixture(autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path_factory.getbasetemp() / "labels of the network"
    monkeypatch.setattr("ai.connect4.exact.labels.cache_root", lambda: folder)


def random_arrays(shape: Shape, width: int = 24, blocks: int = 2) -> dict[str, np.ndarray]:
    luck = np.random.default_rng(5)
    return {
        name: (luck.standard_normal(size) * 0.15).astype(np.float32)
        for name, size in model.sizes(shape, width, blocks).items()
    }


def words(text: str) -> np.ndarray:
    state = connect4.parse_position(text, SHAPE)
    mine = stones = 0
    for cell, stone in enumerate(state.cells):
        row, col = divmod(cell, 7)
        stones |= (stone > 0) << (col * 7 + row)
        mine |= (stone == state.to_move + 1) << (col * 7 + row)
    return np.array([[mine, stones]], np.uint64)


def model_file(folder: Path) -> Path:
    path = folder / "some.safetensors"
    model.write(path, SHAPE, random_arrays(SHAPE), ModelCard(path))
    return path


def test_what_it_sees() -> None:
    seen = features(SHAPE, words("4455"))[0]
    assert seen.shape == (7, inputs(SHAPE)) and inputs(SHAPE) == 6 * PLANES + 1
    planes = seen[:, :-1].reshape(7, PLANES, 6)
    own, other, free = planes[:, 0], planes[:, 1], planes[:, 2]
    print(own.T[::-1], other.T[::-1], free.T[::-1], sep="\n")
    assert own.nonzero()[0].tolist() == [3, 4] and own[3, 0] == own[4, 0] == 1
    assert other[3, 1] == other[4, 1] == 1 and other.sum() == 2
    assert free.argmax(1).tolist() == [0, 0, 0, 2, 2, 0, 0] and free.sum() == 7
    # Lines on the lowest row that hold both own stones and no other: 2-5, 3-6, 4-7, 1-4 has one of them.
    two_of_mine = planes[:, 4, 0] / 0.5
    assert two_of_mine.tolist() == [0, 1, 2, 0, 0, 2, 1]
    assert (seen[:, -1] == 0).all() and (features(SHAPE, words("445"))[0][:, -1] == 1).all()


def test_a_mirrored_position_is_seen_mirrored() -> None:
    one, other = features(SHAPE, words("44537126")), features(SHAPE, words("44351762"))
    assert np.array_equal(one[:, ::-1], other)


@pytest.mark.parametrize("shape", [SHAPE, Shape(4, 5, 1, 4)], ids=str)
def test_numpy_and_torch_say_the_same(shape: Shape) -> None:
    from ai.connect4.net.training import forward as torch_forward

    arrays = random_arrays(shape)
    seen = np.random.default_rng(1).random((40, shape.cols, inputs(shape)), np.float32)
    found = forward(arrays, seen)
    expected = torch_forward({name: torch.from_numpy(each) for name, each in arrays.items()}, torch.from_numpy(seen))
    for ours, theirs in zip((found.columns, found.choice, found.value), expected, strict=True):
        assert ours.shape == tuple(theirs.shape)
        assert np.abs(theirs.numpy()).max() > 0.1
        assert np.abs(ours - theirs.numpy()).max() < 1e-4


def test_it_learns_and_goes_on_exactly_where_it_was(tmp_path: Path) -> None:
    from ai.connect4.net.training import NetTraining

    whole = NetTraining(SETTINGS, 3)
    losses = []
    while not whole.advance(1e-6, Thinking()):
        losses.append(whole.figures()["loss"])
    losses.append(whole.figures()["loss"])
    print(losses)
    assert losses == sorted(losses, reverse=True) and losses[-1] < 0.9 * losses[0]
    whole.save_checkpoint(tmp_path / "whole")
    part = NetTraining(SETTINGS, 3)
    while not part.advance(1e-6, Thinking()):
        part.save_checkpoint(tmp_path / "part")
        part = NetTraining({}, 0, tmp_path / "part")
    part.save_checkpoint(tmp_path / "part")
    one, other = load_file(tmp_path / "whole"), load_file(tmp_path / "part")
    assert one.keys() == other.keys()
    for name in one:
        assert np.array_equal(one[name], other[name]), name
    with pytest.raises(ValueError, match="keeps it"):
        NetTraining({"width": 17}, 3, tmp_path / "part")


def test_corrected_games_go_on_exactly_where_they_were(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from ai.connect4.net.training import NetTraining

    monkeypatch.setattr("ai.connect4.exact.corrections._TABLE_BITS", 20)
    settings = {**SETTINGS, "roots": 1, "passes": 1, "corrected": 4}
    whole = NetTraining(settings, 3)
    rates = []
    while not whole.advance(1e-6, Thinking()):
        rates.append(whole.figures()["rate"])
    print(rates)
    assert whole.games == whole.goal == 5
    assert rates[1] == max(rates[1:]) > rates[-1]
    whole.save_checkpoint(tmp_path / "whole")
    part = NetTraining(settings, 3)
    while not part.advance(1e-6, Thinking()):
        part.save_checkpoint(tmp_path / "part")
        part = NetTraining({}, 0, tmp_path / "part")
    part.save_checkpoint(tmp_path / "part")
    one, other = load_file(tmp_path / "whole"), load_file(tmp_path / "part")
    assert len(one["corrected"]) > 8
    for name in one:
        assert np.array_equal(one[name], other[name]), name
    whole.save_model(tmp_path / "model.safetensors", "some", "command")
    assert models.check(tmp_path / "model.safetensors").rule.endswith("1 roots, 1 passes, 4 games corrected")


def test_a_run_leaves_a_model(tmp_path: Path) -> None:
    from ai.connect4.net.training import NetTraining

    path = tmp_path / "some.safetensors"
    training = NetTraining({**SETTINGS, "roots": 1, "passes": 1}, 3)
    trainers.run(training, path, "the command", Thinking())
    card = models.check(path)
    assert (card.board, card.shapes, card.games, card.command) == ("4x5x1x4 for 2", "16 x 1", 1, "the command")
    stored = model.read(path).arrays
    for name, wanted in training.arrays().items():
        assert np.abs(stored[name] - wanted).max() <= np.abs(wanted).max() / 32767 + 1e-9, name


def test_it_wins_at_once_and_values_every_column(tmp_path: Path) -> None:
    agent = Net(model_file(tmp_path))
    for text in ("414141", "71122334", "1122335"):
        state = connect4.parse_position(text, SHAPE)
        plan = agent.plan(state, Thinking())
        print(text, plan)
        assert set(plan.values) == set(connect4.legal_actions(state))
        winning = [each for each in plan.values if connect4.apply(state, each).winner is not None]
        assert all((plan.values[each] == 1.0) == (each in winning) for each in plan.values)
        assert not winning or plan.actions[0] in winning
    priors, values, value = agent.judge(connect4.parse_position("4444442", SHAPE))
    assert set(priors) == set(values) == {0, 1, 2, 4, 5, 6}
    assert sum(priors.values()) == pytest.approx(1.0, abs=1e-5) and -1 <= value <= 1


def test_playing_needs_no_torch(tmp_path: Path) -> None:
    path = model_file(tmp_path)
    code = (
        "import sys; from pathlib import Path; from ai.agent import Thinking; from ai.connect4.net.agent import Net\n"
        "from game.rules.connect4 import Shape, start\n"
        f"Net(Path({str(path)!r})).plan(start(Shape(6, 7, 1, 4)), Thinking())\n"
        "print('torch' in sys.modules, 'numba' in sys.modules)"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.split() == ["False", "False"]


@pytest.mark.parametrize(
    ("text", "value"),
    [("shapes", "24 x 3"), ("shapes", "24"), ("board", "6x7x2x4 for 2"), ("board", "6x7x1x4 for 3")],
)
def test_files_that_are_no_such_model_are_refused(tmp_path: Path, text: str, value: str) -> None:
    path = model_file(tmp_path)
    with TensorFile(path) as file:
        arrays = {name: file.array(name, each.kind, each.shape) for name, each in file.arrays.items()}
        texts = {**file.metadata, text: value}
    write_whole(path, arrays, texts)
    with pytest.raises(ModelError):
        model.read(path)
