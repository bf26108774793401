"""Policy networks as files."""

from pathlib import Path

import numpy as np
import pytest

from ai import models
from ai.models import ModelCard
from ai.sokoban.policy import model as policy_model
from ai.tensors import ModelError, TensorFile, write_whole
from tests.ai.sokoban.policy.files import model_file, random_arrays


def test_a_model_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = model_file(tmp_path)
    model = policy_model.load(path)
    assert (model.channels, model.blocks, model.hidden, model.largest) == (16, 3, 8, (16, 16))
    for name, wanted in random_arrays().items():
        assert model.arrays[name].dtype == np.float32
        np.testing.assert_array_equal(model.arrays[name], wanted, name)
    card = models.check(path)
    assert (card.game, card.agent, card.shapes, card.title) == ("sokoban", "policy", "16 x 3 x 8", "A test")
    assert card.refusal("sokoban", "policy", "") is None, "its models play boards of any size"
    assert card.refusal("twenty48", "ntuple", "4x4") is not None


def test_a_network_of_six_blocks_of_64_channels_is_small(tmp_path: Path) -> None:
    path = tmp_path / "large.safetensors"
    policy_model.write(path, random_arrays(64, 6, 64), ModelCard(path, board="10x10"))
    assert path.stat().st_size < 4_000_000


@pytest.mark.parametrize(
    ("text", "value", "said"),
    [
        ("shapes", "16 x 2 x 8", None),
        ("shapes", "16 x 5 x 8", "no array"),
        ("shapes", "16 x 3", "its size"),
        ("shapes", "99999 x 3 x 8", "none that there is"),
        ("shapes", "17 x 3 x 8", "type and shape"),
        ("board", "any", "its boards"),
        ("board", "7x7-", "its boards"),
        ("agent", "dqn", "for dqn"),
        ("game", "connect4", "in connect4"),
    ],
)
def test_files_that_are_no_such_model_are_refused(tmp_path: Path, text: str, value: str, said: str | None) -> None:
    path = model_file(tmp_path)
    with TensorFile(path) as file:
        arrays = {name: file.array(name, each.kind, each.shape) for name, each in file.arrays.items()}
        texts = {**file.metadata, text: value}
    write_whole(path, arrays, texts)
    if said is None:
        policy_model.read(path)
        return
    with pytest.raises(ModelError, match=said):
        policy_model.read(path)


def test_weights_that_are_no_numbers_are_refused(tmp_path: Path) -> None:
    path = model_file(tmp_path)
    with TensorFile(path) as file:
        arrays = {name: file.array(name, each.kind, each.shape) for name, each in file.arrays.items()}
        texts = dict(file.metadata)
    arrays["1.in.weight"][4, 0, 0] = np.nan
    write_whole(path, arrays, texts)
    with pytest.raises(ModelError, match="no numbers"):
        policy_model.read(path)


@pytest.mark.parametrize("change", ["too large", "not finite", "missing", "no board"])
def test_what_is_no_network_is_not_written(tmp_path: Path, change: str) -> None:
    path, arrays, board = tmp_path / "bad.safetensors", random_arrays(), "10x10"
    if change == "too large":
        arrays["stem.bias"][0] = 1e6
    elif change == "not finite":
        arrays["stem.bias"][0] = np.nan
    elif change == "missing":
        del arrays["policy.bias"]
    else:
        board = "somewhere"
    with pytest.raises(ValueError):
        policy_model.write(path, arrays, ModelCard(path, board=board))
    assert not path.exists()
