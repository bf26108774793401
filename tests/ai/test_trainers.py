"""What `ai.trainers` writes beside a model."""

import csv
import math
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tensorboard.backend.event_processing.event_accumulator import SCALARS, EventAccumulator
from tensorboard.backend.event_processing.event_file_loader import EventFileLoader
from tensorboard.summary.writer import event_file_writer

from ai.tensors import TensorFile
from ai.trainers import Log

TRAIN = """
import sys
from ai import trainers
trainers.ROUND_SECONDS, trainers.ROW_SECONDS, trainers.CHECKPOINT_SECONDS = 0.05, 0.1, 0.4
trainers.CHECKPOINT_SHARE = 1e-9  # one checkpoint, after 0.4 s
from game.cli.main import main
sys.exit(main(["train", "2048", "ntuple", *sys.argv[1:]]))
"""


def test_the_curve_of_a_killed_run_goes_on_at_its_checkpoint(tmp_path: Path) -> None:
    model, names = tmp_path / "some.safetensors", ["games", "loss"]
    with Log(model, names, 0.0) as log:
        for second in range(1, 6):
            log.write(second + 0.004, {"games": second * 10, "loss": 0.5})
    with (tmp_path / "some.csv").open("a") as file:
        file.write("5.5,5")  # killed while it wrote
    with Log(model, names, 3.004) as log:
        log.write(3.5, {"games": 31, "loss": 0.25})
    found = (tmp_path / "some.csv").read_text().split()
    print(found)
    assert found == ["seconds,games,loss", "1.0,10,0.5", "2.0,20,0.5", "3.0,30,0.5", "3.5,31,0.25"]
    assert scalars(tmp_path / "some.tensorboard", "loss") == [(10, 0.5), (20, 0.5), (30, 0.5), (31, 0.25)]
    with Log(model, ["games"], 3.5):
        pass
    assert (tmp_path / "some.csv").read_text().split() == ["seconds,games"]
    assert {path.name for path in tmp_path.iterdir()} == {"some.csv", "some.tensorboard"}, "nothing temporary is left"


def test_rows_of_one_game_and_small_numbers_stay_what_they_are(tmp_path: Path) -> None:
    model, names = tmp_path / "slow.safetensors", ["games", "loss"]
    with Log(model, names, 0.0) as log:
        for second, loss in ((1.0, 0.00012345678), (2.0, 3e-7), (3.0, 9.0)):
            log.write(second, {"games": 4, "loss": loss})
    with Log(model, names, 2.0):
        pass
    assert (tmp_path / "slow.csv").read_text().split() == ["seconds,games,loss", "1.0,4,0.00012346", "2.0,4,3e-07"]
    found = scalars(tmp_path / "slow.tensorboard", "loss")
    print(found)
    assert [step for step, _ in found] == [4, 4]
    assert math.isclose(found[0][1], 0.00012346, rel_tol=1e-5) and math.isclose(found[1][1], 3e-7, rel_tol=1e-5)


def test_a_training_that_begins_anew_leaves_nothing_of_the_one_before(tmp_path: Path) -> None:
    model = tmp_path / "some.safetensors"
    for games in (70, 3):
        with Log(model, ["games"], 0.0) as log:
            log.write(1.0, {"games": games})
    assert scalars(tmp_path / "some.tensorboard", "games") == [(3, 3.0)]


def test_who_reads_along_forgets_what_was_taken_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # files are numbered in each process, and a reader takes them by name: 10 would come before 9
    monkeypatch.setattr(event_file_writer, "_global_uid", event_file_writer.AtomicCounter(0))
    model, folder = tmp_path / "some.safetensors", tmp_path / "some.tensorboard"
    with Log(model, ["games"], 0.0) as log:
        for games in (1, 2, 3):
            log.write(games, {"games": games})
    reader = EventAccumulator(str(folder), size_guidance={SCALARS: 0}).Reload()
    assert [each.step for each in reader.Scalars("games")] == [1, 2, 3]
    with Log(model, ["games"], 1.0) as log:
        log.write(1.5, {"games": 5})
    assert [each.step for each in reader.Reload().Scalars("games")] == [1, 5]


def test_after_kill_9_the_dropped_steps_are_in_no_curve(tmp_path: Path) -> None:
    model, rows = tmp_path / "tiny.safetensors", tmp_path / "tiny.csv"
    checkpoint = tmp_path / "tiny.checkpoint.safetensors"
    told = [sys.executable, "-c", TRAIN, "--set", "tuples=5x4", "--out", str(model)]
    training = subprocess.Popen(told, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    deadline = time.monotonic() + 120
    while not checkpoint.exists() or read(rows)[-1]["seconds"] < learned(checkpoint) + 0.3:
        assert training.poll() is None and time.monotonic() < deadline, training.communicate()
        time.sleep(0.02)
    training.kill()
    training.communicate()
    kept, before = learned(checkpoint), read(rows)
    lost = [row["games"] for row in before if row["seconds"] > kept + 0.01]
    print(
        f"checkpoint at {kept:.2f} s, killed after {before[-1]['seconds']} s; {len(lost)} of {len(before)} rows are later"
    )
    assert len(lost) >= 2
    subprocess.run(
        [*told, "--resume", str(model), "--set", "seconds=0.5"], check=True, capture_output=True, timeout=120
    )
    games = [row["games"] for row in read(rows)]
    print(games)
    stays = [row["games"] for row in before[: -len(lost)]]
    assert games == sorted(games) and games[: len(stays)] == stays and len(games) > len(stays)
    assert [(float(step), value) for step, value in scalars(tmp_path / "tiny.tensorboard", "games")] == [
        (each, each) for each in games
    ]


def scalars(folder: Path, name: str) -> list[tuple[int, float]]:
    """Everything that stands in the folder's event files under a name, whatever a reader would pass over."""
    return [
        (event.step, value.simple_value or value.tensor.float_val[0])
        for path in sorted(folder.iterdir())
        for event in EventFileLoader(str(path)).Load()
        for value in event.summary.value
        if value.tag == name
    ]


def read(path: Path) -> list[dict[str, float]]:
    """The whole rows of a curve; one of zeros where there is none yet."""
    try:
        with path.open(newline="") as file:
            rows = [row for row in csv.DictReader(file) if None not in row.values()]
    except FileNotFoundError:
        rows = []
    return [{name: float(cell) for name, cell in row.items()} for row in rows] or [{"seconds": 0.0}]


def learned(checkpoint: Path) -> float:
    with TensorFile(checkpoint) as file:
        return float(file.metadata["seconds"])
