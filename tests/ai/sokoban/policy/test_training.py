"""Training of the policy network: it learns, goes on exactly where it was, and leaves a model that plays."""

from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file

from ai import trainers
from ai.agent import Thinking
from ai.sokoban.policy import model as policy_model
from ai.sokoban.policy import replays
from ai.sokoban.policy import rooms as policy_rooms
from ai.sokoban.policy.batch import LOST, PLAYING, SOLVED
from ai.sokoban.policy.features import Floats
from ai.sokoban.policy.games import play_games
from ai.sokoban.policy.network import Network
from ai.sokoban.policy.rooms import Kind, rooms_of_round
from ai.sokoban.policy.training import PolicyTraining, Settings
from ai.sokoban.rooms.maker import make_rooms
from ai.tensors import ModelError
from game.rules import replay, sokoban

TINY = {"channels": 8, "blocks": 2}


@pytest.fixture(autouse=True)
def small_rooms(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rounds of a few rooms of two boxes."""
    monkeypatch.setattr(policy_rooms, "MIXED", (Kind(1.0, 7, 7, (2, 2), "fast"),))
    monkeypatch.setattr(policy_rooms, "SQUARES", 1000)
    monkeypatch.setattr("ai.sokoban.policy.training.validation", lambda count: make_rooms(9, 7, 7, 2, 100).boards)


def trained(rooms: int, seed: int = 7, checkpoint: Path | None = None, **settings: object) -> PolicyTraining:
    training = PolicyTraining({**({} if checkpoint else TINY), "rooms": rooms, **settings}, seed, checkpoint)
    assert training.advance(600.0, Thinking())
    return training


def test_it_learns_to_push_two_boxes_home() -> None:
    training = PolicyTraining({**TINY, "rooms": 2000, "rate": 0.01}, 1)
    before = training.figures()["solve_rate"]
    training.advance(600.0, Thinking())
    figures = training.figures()
    print(before, figures)
    assert figures["solve_rate"] > before + 0.15
    assert figures["games"] == training.games >= 2000
    assert figures["best_pushes"] > 0.6 and isinstance(training.watch(), sokoban.State)


def test_going_on_from_a_checkpoint_is_the_same_as_never_having_stopped(tmp_path: Path) -> None:
    path = tmp_path / "half.checkpoint.safetensors"
    half = PolicyTraining({**TINY, "rooms": 300}, 7)
    assert not half.advance(0.0, Thinking())
    half.save_checkpoint(path, "train")
    again = trained(300, 0, path)
    whole = trained(300)
    assert (again.seed, again.games, again.earlier) == (7, whole.games, "train; ")
    states = []
    for number, training in enumerate((again, whole)):
        state = tmp_path / f"{number}.safetensors"
        training.save_checkpoint(state)
        states.append(load_file(state))
    assert states[0].keys() == states[1].keys()
    for name, array in states[0].items():
        assert (array == states[1][name]).all(), name


@pytest.mark.parametrize("rounds", [0, 1])
def test_a_round_that_is_cancelled_leaves_nothing_behind(
    rounds: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    training = PolicyTraining({**TINY, "rooms": 300, "batch": 64}, 7)
    for _ in range(rounds):
        training.advance(0.0, Thinking())
    thinking, steps, step = Thinking(), [0], training._step

    def stops_soon(*batch: object) -> None:
        step(*batch)  # type: ignore[arg-type]
        steps[0] += 1
        if steps[0] == 2:
            thinking.cancel()

    monkeypatch.setattr(training, "_step", stops_soon)
    before = training.games
    assert not training.advance(600.0, thinking)
    print(steps, before, training.games)
    assert (steps, training.games) == ([2], before), "a round has more batches than two"
    training.save_checkpoint(tmp_path / "stopped.checkpoint.safetensors", "train")
    states = []
    for number, each in enumerate(
        (trained(300, 0, tmp_path / "stopped.checkpoint.safetensors"), trained(300, batch=64))
    ):
        each.save_checkpoint(tmp_path / f"{number}.safetensors")
        states.append(load_file(tmp_path / f"{number}.safetensors"))
    for name, array in states[0].items():
        assert (array == states[1][name]).all(), name


def test_the_model_is_the_network_rounded_to_16_bits(tmp_path: Path) -> None:
    path = tmp_path / "tiny.safetensors"
    training = PolicyTraining({**TINY, "rooms": 100}, 7)
    trainers.run(training, path, "train sokoban policy", Thinking())
    model = policy_model.load(path)
    print(model.card)
    assert (model.channels, model.blocks, model.card.board, model.card.seed) == (8, 2, "7x7-16x16", 7)
    other = Network(8, 2, 0)
    other.load(model.arrays)
    for name, array in other.arrays().items():
        assert (array == model.arrays[name]).all(), name
    header = (tmp_path / "tiny.csv").read_text(encoding="utf-8").splitlines()[0]
    assert {"solve_rate", "loss", "best_pushes"} <= set(header.split(","))


def test_settings_that_a_checkpoint_keeps_cannot_be_changed(tmp_path: Path) -> None:
    path = tmp_path / "one.checkpoint.safetensors"
    PolicyTraining({**TINY, "rooms": 100}, 7).save_checkpoint(path)
    with pytest.raises(ValueError, match="was begun with channels=8 and keeps it"):
        PolicyTraining({"channels": 16}, 7, path)
    going_on = PolicyTraining({"rooms": 500}, 7, path)
    assert going_on.settings == Settings(channels=8, blocks=2, rooms=500)
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(ModelError):
        PolicyTraining({}, 7, path)


def test_rooms_of_a_round_are_the_same_again_and_others_in_the_next() -> None:
    one, again, other = (rooms_of_round(5, number) for number in (3, 3, 4))
    assert (one == again).all() and (one.shape != other.shape or (one != other).any())


def test_a_game_never_comes_back_to_a_position() -> None:
    rooms = make_rooms(4, 8, 8, 2, 20).boards
    luck = np.random.default_rng(1)

    def judge(planes: Floats) -> tuple[Floats, Floats]:
        count, side = planes.shape[:2]
        return luck.random((count, side * side * 4), np.float32), np.zeros((count, 2), np.float32)

    games = play_games(rooms, judge, 40, np.zeros(20, np.float32), 1)
    print(games.lengths, games.status)
    assert set(games.status.tolist()) <= {PLAYING, SOLVED, LOST}
    assert (games.status == LOST).any()
    for game, length in enumerate(games.lengths.tolist()):
        states = [sokoban.from_array(board.reshape(8, 8)) for board in games.history[: length + 1, game]]
        keys = [(state.boxes, min(state.warehouse.connected([state.player]) - state.boxes)) for state in states]
        assert len({(state.boxes, state.player) for state in states}) == length + 1, keys
        assert sokoban.is_solved(states[-1]) == (games.status[game] == SOLVED)


def solved_game(folder: Path) -> Path:
    """A replay of a room of two boxes, solved as its maker knows it."""
    room = make_rooms(9, 7, 7, 2, 1, record=True)
    states = [room.state(0)]
    for action in room.solution(0):
        states.append(sokoban.apply(states[-1], action))
    game = replay.record(states[0], [replay.Step(action) for action in room.solution(0)])
    path = folder / "game.json"
    path.write_text(replay.dumps(game), encoding="utf-8")
    return path


def test_a_persons_pushes_are_learned_too(tmp_path: Path) -> None:
    path = solved_game(tmp_path)
    (tmp_path / "broken.json").write_text("{", encoding="utf-8")
    (found,) = replays.examples(str(tmp_path))
    room = make_rooms(9, 7, 7, 2, 1, record=True)
    assert found.to_go.tolist() == list(range(1, int(room.lengths[0]) + 1))
    for board, pushes, left in zip(found.boards, found.pushes, found.to_go.tolist(), strict=True):
        state = sokoban.from_array(board.reshape(7, 7))
        pushed = int(room.pushes[0, room.lengths[0] - left])
        assert {box: int(pushes[box]) for box in state.boxes if pushes[box]} == {pushed // 4: 1 << pushed % 4}
    without = trained(100)
    using = trained(100, replays=str(path))
    assert using.figures()["positions"] > without.figures()["positions"]
    with pytest.raises(ValueError, match="there is no such replay"):
        PolicyTraining({**TINY, "replays": str(tmp_path / "none")}, 1)
    path.unlink()
    with pytest.raises(ValueError, match="broken"):
        PolicyTraining({**TINY, "replays": str(tmp_path / "broken.json")}, 1)
