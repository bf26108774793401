"""`train … --lines`: led by words, heard by lines."""

import io
import json
import math
import threading
import time

import pytest

from ai import kernels, models, trainers
from ai.agent import Thinking
from game.cli import train_lines
from game.rules import levels


class Learner:
    """Two figures, a goal of so many rounds, and a board to look at."""

    def __init__(self, rounds: int = 5) -> None:
        self.seconds, self.earlier = 0.0, ""
        self.games, self.goal = 0, rounds
        self.begun_rounds: list[float] = []

    def advance(self, seconds, thinking):
        self.begun_rounds.append(time.perf_counter())
        time.sleep(0.01)
        self.games += 1
        self.seconds += 1.0
        return self.games >= self.goal

    def figures(self):
        return {"games": float(self.games), "loss": math.nan if self.games == 2 else 1.0 / (1 + self.games)}

    def watch(self):
        return levels.parse("#####\n#@$.#\n#####", "here").levels[0].state if self.games < 3 else None

    def save_checkpoint(self, path, command):
        path.write_text("saved")

    def save_model(self, path, title, command):
        path.write_text(command)


def lines(capsys):
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_every_round_is_a_line_with_what_is_new(tmp_path, capsys):
    learner, thinking = Learner(), Thinking()
    led = train_lines.Led()
    led.begin(learner, thinking)
    trainers.run(learner, tmp_path / "m.safetensors", "train it", thinking, led.hear)
    first, *rounds = lines(capsys)
    for line in rounds:
        print(line)
    assert first == {"begun": {"games": 0, "goal": 5}}
    assert [line["games"] for line in rounds] == [1, 2, 3, 4, 5]
    assert rounds[0]["figures"] == {"games": 1.0, "loss": 0.5}
    assert rounds[1]["figures"] == {"games": 2.0}, "what is no number is left out"
    assert [line.get("board") for line in rounds] == ["#####\n#@$.#\n#####", None, "", None, None]
    assert rounds[3]["fraction"] == 0.8 and rounds[3]["eta"] == 1.0


def test_paused_means_that_nothing_is_computed_and_no_time_passes(tmp_path, capsys):
    learner, thinking = Learner(), Thinking(seconds=30)
    led = train_lines.Led()
    led.begin(learner, thinking)
    led.told("pause")
    ran = threading.Thread(target=trainers.run, args=(learner, tmp_path / "m.safetensors", "", thinking, led.hear))
    ran.start()
    while not learner.games:
        time.sleep(0.001)
    time.sleep(0.3)
    assert len(learner.begun_rounds) == 1
    led.told("continue")
    ran.join(10)
    said = lines(capsys)
    assert [line["paused"] for line in said if "paused" in line] == [True, False]
    assert learner.games == 5 and thinking.elapsed < 0.25, "rest counts for no limit of time"


@pytest.mark.parametrize("sent", [b"stop\n", b"", b"nonsense\nsto"], ids=["stop", "end", "end within a word"])
def test_stop_and_the_end_of_the_input_end_it(sent, tmp_path, capsys):
    learner, thinking = Learner(10**9), Thinking()
    led = train_lines.Led()
    led.begin(learner, thinking)
    led.told("pause")
    led.listen(io.BytesIO(sent).read1)
    trainers.run(learner, tmp_path / "m.safetensors", "", thinking, led.hear)
    assert thinking.cancelled and (tmp_path / "m.checkpoint.safetensors").exists()


def test_a_reader_that_is_gone_stops_no_saving(tmp_path, monkeypatch):
    class Gone(io.StringIO):
        def write(self, text):
            raise BrokenPipeError

    monkeypatch.setattr("sys.stdout", Gone())
    learner, thinking = Learner(), Thinking()
    led = train_lines.Led()
    led.begin(learner, thinking)
    trainers.run(learner, tmp_path / "m.safetensors", "", thinking, led.hear)
    assert (tmp_path / "m.safetensors").exists()


def test_the_command_writes_lines_and_the_header_has_the_plain_command(run, tmp_path, monkeypatch):
    monkeypatch.setattr(train_lines.Led, "listen", lambda self: None)
    asked = ("train", "2048", "ntuple", "--set", "games=20,tuples=0123 4567", "--lines")
    ran = run(*asked, "--out", tmp_path / "few")
    said = [json.loads(line) for line in ran.out.splitlines()]
    print(said)
    said = [line for line in said if "compiling" not in line]
    assert ran.code == 0 and said[0]["begun"]["goal"] == 20 and said[-1]["done"]["games"] == 20
    header = models.card(tmp_path / "few.safetensors").command
    assert header == "train 2048 ntuple --set 'games=20,tuples=0123 4567' --seed 0 --out few"


def test_compiling_is_said_before_learning(run, tmp_path, monkeypatch):
    monkeypatch.setattr(kernels, "ready", lambda units: "ai.twenty48.ntuple.warm:warm" not in units)
    monkeypatch.setattr(kernels, "warm", lambda *_: 0.0)
    monkeypatch.setattr(train_lines.Led, "listen", lambda self: None)
    asked = ("train", "2048", "ntuple", "--set", "games=20,tuples=0123", "--out", tmp_path / "few")
    ran = run(*asked, "--lines")
    said = [json.loads(line) for line in ran.out.splitlines()]
    print(said[0], ran.err)
    assert (
        said[0]["compiling"].startswith("preparing for this machine what this needs, once: about ")
        and "begun" in said[1]
    )
    assert "compiling" not in ran.err, "the last line there is why it failed"
    assert "preparing for this machine what this needs" in run(*asked).err


def test_what_is_not_possible_is_said_in_a_line(run, tmp_path):
    ran = run("train", "2048", "ntuple", "--set", "alpha=7", "--lines", "--out", tmp_path / "few")
    said = json.loads(ran.out)
    print(said)
    assert ran.code == 2 and said["problem"] == "alpha=7.0: expected a number from 0.0001 to 1"


def test_a_text_may_have_commas(run, tmp_path):
    ran = run("train", "2048", "ntuple", "--set", "games=20,tuples=0123,4567", "--out", tmp_path / "few")
    assert ran.code == 2 and "'0123,4567' is no tuple" in ran.err
