"""`replay FILE --export …`: what is written opens again with the frames, size and length that were asked for."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import imageio_ffmpeg
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from PIL import Image

from game.rules import connect4, levels, replay, twenty48
from game.rules.connect4 import Shape
from game.rules.replay import Replay, Step
from game.screens.replays import gif
from game.screens.replays.frame_plan import REST_AFTER, REST_BEFORE, plan_frames, spread

ROOT = Path(__file__).resolve().parents[2]


def sokoban_game() -> Replay:
    state = levels.parse("######\n#@$ .#\n######", "test").levels[0].state
    return replay.record(state, [Step(1), Step(1)], title="Two pushes")


def twenty48_game(moves: int = 25) -> Replay:
    first = state = twenty48.start(4, 5)
    steps = []
    for _ in range(moves):
        step, state = replay.chosen(state, twenty48.legal_actions(state)[0])
        steps.append(step)
    return replay.record(first, steps, seats=("random",), seed=5)


def connect4_game() -> Replay:
    steps = [Step(action) for action in (0, 1, 0, 1, 0, 1, 0)]
    return replay.record(connect4.start(Shape(4, 4, 4, 4)), steps, seats=("person", "random"))


GAMES = {"sokoban": sokoban_game(), "twenty48": twenty48_game(), "connect4": connect4_game()}


@pytest.fixture(params=GAMES)
def written(request, tmp_path):
    """(game, its file)."""
    path = tmp_path / "game.json"
    path.write_text(replay.dumps(GAMES[request.param]), "utf-8")
    return GAMES[request.param], path


def opened(path: Path) -> Image.Image:
    """A picture whose file is closed."""
    return Image.open(BytesIO(path.read_bytes()))


def frames_of(image: Image.Image) -> list[tuple[np.ndarray, int]]:
    """(pixels, milliseconds) of each frame of a GIF."""
    found = []
    for number in range(image.n_frames):
        image.seek(number)
        found.append((np.asarray(image.convert("RGB")), image.info["duration"]))
    return found


def test_gif(run, written, tmp_path):
    game, path = written
    out = tmp_path / "out.gif"
    said = run("replay", path, "--export", out, "--size", 240, "--speed", 4, "--json").json["export"]
    image = opened(out)
    frames = frames_of(image)
    print(said, image.size, image.n_frames)
    assert max(image.size) == 240 == max(said["width"], said["height"])
    assert image.size == (said["width"], said["height"])
    assert image.info["loop"] == 0
    seconds = REST_BEFORE + len(game.steps) / 4 + REST_AFTER
    assert sum(lasts for _, lasts in frames) / 1000 == pytest.approx(seconds, abs=0.06)
    assert said["seconds"] == pytest.approx(seconds, abs=0.06)
    assert image.n_frames > len(game.steps), "moves are seen on their way"
    assert said["bytes"] == out.stat().st_size
    last = tmp_path / "last.png"
    assert run("replay", path, "--export", last, "--size", 240, "--json").code == 0
    difference = np.abs(frames[-1][0].astype(int) - np.asarray(opened(last).convert("RGB")).astype(int))
    assert difference.mean() < 6, "the film ends with the last position"
    assert np.abs(frames[0][0].astype(int) - frames[-1][0].astype(int)).mean() > 0.3, "and begins with another"


@pytest.mark.filterwarnings(
    "ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"
)  # its reader
def test_mp4(run, written, tmp_path):
    game, path = written
    out = tmp_path / "out.mp4"
    said = run("replay", path, "--export", out, "--size", 200, "--speed", 10, "--json").json["export"]
    games = imageio_ffmpeg.read_frames(str(out))
    about = next(games)
    assert about["size"] == (said["width"], said["height"])
    assert max(about["size"]) == 200
    assert about["fps"] == 30
    assert sum(1 for _ in games) == said["frames"]
    games.close()
    assert about["duration"] == pytest.approx(REST_BEFORE + len(game.steps) / 10 + REST_AFTER, abs=0.1)


def test_png_of_any_move_and_sheets(run, written, tmp_path):
    game, path = written
    pictures = []
    for move in (0, 1, len(game.steps)):
        out = tmp_path / f"{move}.png"
        assert run("replay", path, "--export", out, "--move", move, "--size", 200, "--plain").code == 0
        pictures.append(np.asarray(opened(out)))
        assert max(pictures[-1].shape) == 200
    assert (pictures[0] != pictures[1]).any()
    assert (pictures[1] != pictures[2]).any()
    sheet = tmp_path / "sheet.png"
    said = run("replay", path, "--export", sheet, "--pictures", 4, "--size", 400, "--json").json["export"]
    assert said["frames"] == min(4, len(game.steps) + 1)
    assert opened(sheet).size == (said["width"], said["height"])


def test_light_and_dark_differ(run, tmp_path):
    path = tmp_path / "game.json"
    path.write_text(replay.dumps(twenty48_game()), "utf-8")
    brightness = {}
    for words in ((), ("--light",)):
        run("replay", path, "--export", tmp_path / "x.png", "--size", 200, *words)
        brightness[words] = np.asarray(opened(tmp_path / "x.png").convert("L")).mean()
    assert brightness["--light",] > brightness[()] + 20


def test_lurd(run, tmp_path):
    path = tmp_path / "game.json"
    path.write_text(replay.dumps(sokoban_game()), "utf-8")
    assert run("replay", path, "--export", tmp_path / "out.lurd").code == 0
    assert (tmp_path / "out.lurd").read_text() == "RR\n"
    path.write_text(replay.dumps(twenty48_game()), "utf-8")
    ran = run("replay", path, "--export", tmp_path / "other.lurd")
    assert ran.code == 2
    assert "Sokoban" in ran.err
    assert not (tmp_path / "other.lurd").exists()


def test_a_game_without_a_move(run, tmp_path):
    path = tmp_path / "game.json"
    path.write_text(replay.dumps(replay.record(twenty48.start(4, 1), [])), "utf-8")
    for ending in ("gif", "mp4", "png"):
        assert run("replay", path, "--export", tmp_path / f"out.{ending}", "--size", 120).code == 0


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--export", "x.avi"), ".gif, .mp4, .png, .lurd"),
        (("--export", "x"), ".gif"),
        (("--size", "300"), "--size belongs to --export"),
        (("--export", "x.gif", "--size", "20"), "from 96 to 2160"),
        (("--export", "x.gif", "--speed", "0"), "more than 0"),
        (("--export", "x.png", "--move", "99"), "has 25 moves"),
        (("--export", "x.gif", "--move", "1"), "belong to .png"),
        (("--export", "folder.gif"), "folder"),
        (("--export", "no/such\0/x.gif"), ""),
    ],
)
def test_what_is_wrong_is_one_line(run, tmp_path, monkeypatch, words, reason):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.gif").mkdir()
    path = tmp_path / "game.json"
    path.write_text(replay.dumps(twenty48_game()), "utf-8")
    ran = run("replay", path, *words)
    print(ran.err)
    assert ran.code == 2
    assert reason in ran.err
    assert len(ran.err.splitlines()) == 1
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["folder.gif", "game.json"]


def test_an_export_replaces_a_file_whole_or_leaves_it(run, tmp_path):
    path, out = tmp_path / "game.json", tmp_path / "out.gif"
    path.write_text(replay.dumps(sokoban_game()), "utf-8")
    out.write_bytes(b"old")
    game = replay.read(path)
    path.write_text(replay.dumps(replace(game, steps=(Step(3),))), "utf-8")
    assert run("replay", path, "--export", out).code == 2
    assert out.read_bytes() == b"old"
    path.write_text(replay.dumps(game), "utf-8")
    assert run("replay", path, "--export", out).code == 0
    assert opened(out).n_frames > 2
    assert not list(tmp_path.glob(".*")), "no left-overs"


@pytest.mark.skipif(sys.platform == "win32", reason="limits of a process are set otherwise there")
@pytest.mark.parametrize("ending", ["gif", "mp4", "png"])
def test_no_room_on_the_disk(tmp_path, ending):
    import resource

    path, out = tmp_path / "game.json", tmp_path / f"out.{ending}"
    path.write_text(replay.dumps(twenty48_game(10)), "utf-8")
    words = [sys.executable, str(ROOT / "main.py"), "replay", str(path), "--export", str(out), "--size", "400"]
    limit = (4000, 4000)
    ran = subprocess.run(
        words, capture_output=True, text=True, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, limit)
    )
    print(ran.stderr)
    assert ran.returncode == 2
    assert f"out.{ending} was not written" in ran.stderr
    assert len(ran.stderr.strip().splitlines()) == 1
    assert [entry.name for entry in tmp_path.iterdir()] == ["game.json"]


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal there")
@pytest.mark.parametrize("ending", ["gif", "mp4"])
def test_ended_in_the_middle_it_leaves_nothing(tmp_path, ending):
    path, out = tmp_path / "game.json", tmp_path / f"out.{ending}"
    path.write_text(replay.dumps(twenty48_game(80)), "utf-8")
    words = [sys.executable, str(ROOT / "main.py"), "replay", str(path), "--export", str(out), "--progress"]
    environment = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    environment.pop("SDL_VIDEODRIVER", None)
    process = subprocess.Popen(words, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, env=environment)
    assert process.stderr is not None
    line = process.stderr.readline()
    assert line.startswith('{"done": '), line
    process.send_signal(signal.SIGTERM)
    assert process.wait(20) == 143
    process.stderr.close()
    end = time.monotonic() + 5
    while len(list(tmp_path.iterdir())) > 1 and time.monotonic() < end:
        pass
    assert [entry.name for entry in tmp_path.iterdir()] == ["game.json"]


@settings(deadline=None)
@given(
    length=st.integers(0, 40_000),
    speed=st.floats(0.2, 1000),
    rate=st.sampled_from((20, 30)),
    most=st.integers(10, 120),
)
def test_a_film_is_never_longer_than_allowed_and_shows_both_ends(length, speed, rate, most):
    plan = plan_frames(length, speed, rate, most)
    assert plan.seconds <= most + 1 / rate
    assert plan.speed >= speed
    assert plan.ply(0) == 0
    assert plan.ply(plan.frames - 1) == length
    plies = [plan.ply(frame) for frame in range(plan.frames)]
    assert plies == sorted(plies)
    if speed <= rate and plan.speed == speed:
        assert set(plies) == set(range(length + 1)), "no move is left out at an ordinary speed"


@settings(deadline=None)
@given(length=st.integers(0, 1000), pictures=st.integers(1, 30))
def test_pictures_are_spread_from_end_to_end(length, pictures):
    plies = spread(length, pictures)
    assert plies[-1] == length
    assert len(set(plies)) == len(plies) == min(pictures, length + 1)
    assert pictures == 1 or length == 0 or plies[0] == 0


@settings(deadline=None)
@example(seed=606)
@given(seed=st.integers(0, 10_000))
def test_a_gif_holds_the_very_frames_that_were_added(tmp_path_factory, seed):
    chance = np.random.default_rng(seed)
    colours = chance.integers(0, 256, (6, 3), dtype=np.uint8)
    height, width = (int(chance.integers(1, 40)) for _ in range(2))
    frames = [colours[chance.integers(0, 6, (height, width))]]
    for _ in range(6):
        frame = frames[-1].copy()
        if chance.random() < 0.7:
            top, left = int(chance.integers(0, height)), int(chance.integers(0, width))
            frame[top : top + 5, left : left + 5] = colours[int(chance.integers(0, 6))]
        frames.append(frame)
    path = tmp_path_factory.mktemp("gif") / "x.gif"
    with path.open("wb") as file:
        writer = gif.GifWriter(file, (width, height), gif.palette_of(frames))
        for frame in frames:
            writer.add(frame, 7)
        writer.close()
    image = opened(path)
    assert image.size == (width, height)
    shown = [pixels for pixels, lasts in frames_of(image) for _ in range(lasts // 70)]
    assert len(shown) == len(frames)
    for number, (made, wanted) in enumerate(zip(shown, frames, strict=True)):
        assert np.abs(made.astype(int) - wanted.astype(int)).max() <= 4, number
