"""The models screen driven by events: cards, playing with one, testing, renaming, deleting, importing."""

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pygame
import pytest
from safetensors.numpy import load_file, save_file

from ai import models
from ai.entries import Spec
from ai.models import ModelCard, Strength
from ai.tensors import TensorFile
from ai.twenty48.ntuple import model
from ai.twenty48.ntuple.shapes import parse_tuples, table_sizes
from ai.twenty48.search.retrace import retrace
from game.play import solo
from game.play.asking import AgentFailed
from game.play.twenty48 import series_job
from game.rules import twenty48
from game.screens.models import shelf as shelf_module
from game.screens.models import trying
from game.screens.models.screen import ModelsScene
from game.screens.twenty48 import short_test
from game.screens.twenty48.screen import Twenty48Screen
from game.ui.file_dialog import FileDialog
from game.ui.name_dialog import NameDialog

SIZES = [(1024, 640), (1280, 800), (1920, 1080)]
TUPLES = parse_tuples("012 045")
CARD = ModelCard(
    Path(), title="A test", games=1200, seconds=271.0, date="2026-11-20T03:04:05+00:00",
    strength={1: Strength(21234.5, 610.5, 1000), 2: Strength(41203.0, 1310.0, 200)},
)  # fmt: skip


def write(path: Path, seed: int = 1, measured: bool = True, **changes: str) -> Path:
    """A small model; `changes` replace texts of its header."""
    weights = np.random.default_rng(seed).normal(0, 500, sum(table_sizes(TUPLES))).astype(np.float32)
    if not measured:
        changes["strength"] = '{"plies": {}}'
    model.write(path, TUPLES, weights, CARD)
    if changes:
        with TensorFile(path) as file:
            texts = {**file.metadata, **changes}
        save_file(load_file(path), path, texts)
    return path


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's own models; the app ships none."""
    monkeypatch.setattr(shelf_module, "SHIPPED", tmp_path / "app")
    monkeypatch.setattr(models, "FOLDERS", [])
    own = tmp_path / "saves" / "models"
    own.mkdir(parents=True)
    return own


def screen(visitor) -> ModelsScene:
    assert isinstance(visitor.window.top, ModelsScene), visitor.window.top.name
    return visitor.window.top


def wait(visitor, done: Callable[[], bool], seconds: float = 20.0) -> None:
    """Draw frames until something has happened."""
    until = time.perf_counter() + seconds
    while not done():
        visitor.frames()
        assert time.perf_counter() < until, visitor.said()


def lines(visitor) -> str:
    return "\n".join(words for words, _place in visitor.words())


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("theme", ["dark", "light"])
def test_a_card_says_what_the_header_says(visit, folder, size, theme):
    write(folder / "mine.safetensors")
    (folder / "spoilt.safetensors").write_bytes(b"PK\x03\x04 no model at all")
    visitor = visit("models", size, theme=theme)
    shown = lines(visitor)
    print(shown)
    for words in ("mine", "2048 · 4×4 · N-tuple network", "41,203", "± 1,310", "2-ply, 200 games", "A test",
                  "trained 4 min 31 s · 20 Nov 2026", "21,234 ± 610", "1,000 games", "1 saved, 1 that cannot be used",
                  "Cannot be used: it is no safetensors file"):  # fmt: skip
        assert words in shown, words
    window = visitor.window.surface.get_rect()
    boxes = [control.rect for control in visitor.scene.kit.controls]
    for at, box in enumerate(boxes):
        assert window.contains(box), box
        assert not any(box.colliderect(other) for other in boxes[at + 1 :]), boxes
        assert box.bottom <= window.bottom - visitor.scene.theme.px(28), "a button runs into the status bar"


@pytest.mark.parametrize(("game", "agent", "said"), [
    ("connect4", "ntuple", "standard match, 200 games"), ("sokoban", "policy", "no search, 200 rooms"),
])  # fmt: skip
def test_other_games_are_not_measured_by_plies(visit, folder, game, agent, said):
    write(folder / "other.safetensors", game=game, agent=agent)
    shown = lines(visit("models"))
    print(shown)
    assert said in shown and "-ply" not in shown


@pytest.mark.parametrize("size", SIZES)
def test_without_models_it_says_how_to_get_one(visit, folder, size):
    visitor = visit("models", size)
    shown = lines(visitor)
    print(shown)
    assert "No models yet" in shown and "train 2048 ntuple" in shown and "Drop a .safetensors file" in shown
    for key in (pygame.K_RETURN, pygame.K_t, pygame.K_F2, pygame.K_DELETE, pygame.K_z, pygame.K_DOWN):
        visitor.key(key)
    screen(visitor)
    write(folder / "new.safetensors")
    wait(visitor, lambda: [card.name for card in visitor.scene.cards] == ["new"])
    assert "No models yet" not in lines(visitor)


def test_a_damaged_file_is_grey_and_does_nothing(visit, folder):
    (folder / "spoilt.safetensors").write_bytes(b"x" * 500)
    visitor = visit("models")
    column = screen(visitor).side
    assert not column.buttons["accept"].is_enabled and not column.buttons["test_model"].is_enabled
    assert "cannot be used" in column.buttons["accept"].tip
    visitor.key(pygame.K_RETURN)
    screen(visitor)
    assert "cannot be used" in visitor.said()[-1]
    visitor.key(pygame.K_DELETE)
    assert screen(visitor).cards == []


def test_arrows_clicks_and_the_wheel_choose(visit, folder):
    for number in range(30):
        write(folder / f"model-{number:02}.safetensors", number)
    visitor = visit("models")
    scene = screen(visitor)
    visitor.key(pygame.K_RIGHT)
    assert scene.card.name == "model-01"
    visitor.key(pygame.K_END)
    visitor.frames(60)
    assert scene.card.name == "model-29" and scene.grid.view.contains(scene.grid.card(29))
    visitor.post(pygame.MOUSEMOTION, pos=scene.grid.view.center, rel=(0, 0), buttons=(0, 0, 0))
    visitor.post(pygame.MOUSEWHEEL, y=100, x=0, precise_y=100.0)
    visitor.frames(60)
    visitor.click(scene.grid.card(2).center)
    assert scene.card.name == "model-02"


def test_play_with_it(visit, folder):
    write(folder / "mine.safetensors")
    visitor = visit("models")
    visitor.context.remember_seat("twenty48", 0, Spec("ntuple", {"plies": 3}, "other"))
    visitor.key(pygame.K_RETURN)
    game = visitor.window.top
    assert isinstance(game, Twenty48Screen)
    assert game.session.driver.seats == [Spec("ntuple", {"plies": 3}, "mine")]
    assert visitor.context.settings.seats["twenty48/0"] == "ntuple:mine,plies=3"
    assert not game.session.driver.running
    visitor.key(pygame.K_ESCAPE)
    screen(visitor)


def test_a_double_click_plays_with_it(visit, folder):
    write(folder / "mine.safetensors")
    visitor = visit("models")
    visitor.click(screen(visitor).grid.card(0).center)
    screen(visitor)
    visitor.click(screen(visitor).grid.card(0).center)
    assert isinstance(visitor.window.top, Twenty48Screen)


def test_a_board_of_another_size_makes_way_and_is_kept(visit, folder):
    write(folder / "mine.safetensors")
    before = visit("2048")
    game = before.scene
    game.session.new_board(5)
    for key in (pygame.K_LEFT, pygame.K_UP, pygame.K_RIGHT) * 3:
        before.key(key)
    moves, score = game.session.timeline.cursor, game.session.state.score
    assert game.session.state.size == 5 and moves
    before.close()
    visitor = visit("models")
    visitor.key(pygame.K_RETURN)
    game = visitor.window.top
    assert isinstance(game, Twenty48Screen) and game.session.state.size == 4
    assert any("5×5 game is kept" in said for said in visitor.said())
    visitor.context.writer.flush()
    library = visitor.context.library
    (kept,) = [entry for entry in library.scan() if not library.is_example(entry.path)]
    print(kept)
    assert (kept.head.result["moves"], kept.head.result["score"]) == (moves, score)


def test_a_game_that_fits_goes_on(visit, folder):
    write(folder / "mine.safetensors")
    before = visit("2048")
    before.key(pygame.K_LEFT)
    before.key(pygame.K_UP)
    state = before.scene.session.state
    before.close()
    visitor = visit("models")
    visitor.key(pygame.K_RETURN)
    assert visitor.window.top.session.state == state


def test_a_game_that_is_open_below_takes_the_model(visit, folder):
    write(folder / "mine.safetensors")
    visitor = visit("2048")
    game = visitor.scene
    visitor.window.push(ModelsScene(visitor.window, visitor.context))
    visitor.frames()
    visitor.key(pygame.K_RETURN)
    assert visitor.window.scenes == [game], "a second game would save over the first"
    assert game.session.driver.seats[0].model == "mine"


def type_name(visitor, name: str) -> None:
    dialog = visitor.window.top
    assert isinstance(dialog, NameDialog)
    dialog.field.entry.set_text(name)
    visitor.key(pygame.K_RETURN)


def test_renaming(visit, folder):
    write(folder / "mine.safetensors")
    write(folder / "taken.safetensors", 2)
    visitor = visit("models")
    visitor.context.remember_seat("twenty48", 0, Spec("ntuple", {"plies": 2}, "mine"))
    visitor.key(pygame.K_F2)
    type_name(visitor, "taken")
    dialog = visitor.window.top
    assert isinstance(dialog, NameDialog) and "already" in dialog.problem
    assert "already" in lines(visitor)
    type_name(visitor, "zebra")
    scene = screen(visitor)
    assert [card.name for card in scene.cards] == ["taken", "zebra"]
    assert scene.card.name == "zebra", "the cursor left its model"
    assert visitor.context.settings.seats["twenty48/0"] == "ntuple:zebra,plies=2"
    visitor.key(pygame.K_F2)
    visitor.key(pygame.K_ESCAPE)
    assert [card.name for card in screen(visitor).cards] == ["taken", "zebra"]


def test_deleting_and_taking_back(visit, folder):
    for number, name in enumerate(("a", "b", "c")):
        write(folder / f"{name}.safetensors", number)
    visitor = visit("models")
    scene = screen(visitor)
    visitor.key(pygame.K_RIGHT)
    visitor.key(pygame.K_DELETE)
    visitor.key(pygame.K_DELETE)
    assert [card.name for card in scene.cards] == ["a"]
    visitor.key(pygame.K_z)
    visitor.click(scene.top_bar.buttons["take_back"].rect.center)
    assert [card.name for card in scene.cards] == ["a", "b", "c"]
    assert scene.card.name == "b"
    visitor.key(pygame.K_z)
    assert visitor.said()[-1] == "Nothing was deleted here."
    visitor.click(scene.side.buttons["delete"].rect.center)
    assert (folder / "trash" / "b.safetensors").is_file()
    visitor.close()
    assert sorted(path.name for path in folder.iterdir()) == ["a.safetensors", "c.safetensors"]


@pytest.mark.parametrize("scene", ["models", "menu", "2048"])
def test_a_file_that_is_dropped_is_imported(visit, folder, tmp_path, scene):
    source = write(tmp_path / "from a friend.safetensors")
    visitor = visit(scene)
    visitor.post(pygame.DROPFILE, file=str(source))
    wait(visitor, lambda: (folder / source.name).is_file() and not visitor.window.top.files.doing)
    visitor.frames(2)
    assert screen(visitor).card.name == "from a friend"
    assert visitor.said()[-1] == "from a friend is now in your models."


def test_several_files_dropped_at_once_are_all_imported(visit, folder, tmp_path):
    visitor = visit("models")
    for number in range(4):
        pygame.event.post(
            pygame.event.Event(pygame.DROPFILE, file=str(write(tmp_path / f"m{number}.safetensors", number)))
        )
    wait(visitor, lambda: len(visitor.scene.cards) == 4)


def test_a_spoilt_file_is_refused_with_the_reason(visit, folder, tmp_path):
    source = tmp_path / "spoilt.safetensors"
    source.write_bytes(write(tmp_path / "good.safetensors").read_bytes()[:-50])
    visitor = visit("models")
    visitor.post(pygame.DROPFILE, file=str(source))
    wait(visitor, lambda: bool(visitor.said()))
    print(visitor.said())
    assert visitor.said()[0].startswith("spoilt.safetensors is not imported: ")
    assert list(folder.iterdir()) == []


def test_the_file_dialog_imports(visit, folder, tmp_path):
    source = write(tmp_path / "elsewhere.safetensors")
    visitor = visit("models")
    visitor.key(pygame.K_o, mod=pygame.KMOD_CTRL)
    dialog = visitor.window.top
    assert isinstance(dialog, FileDialog)
    dialog.field.entry.set_text(str(source))
    visitor.key(pygame.K_RETURN)
    wait(visitor, lambda: [card.name for card in screen(visitor).cards] == ["elsewhere"])


# Testing a model


@pytest.fixture
def ready(monkeypatch):
    """Agents are compiled, as far as the screen can see."""
    monkeypatch.setattr(trying.kernels, "ready", lambda _family: True)


def play_script(monkeypatch, script: str) -> None:
    """Let a script play in the place of the model."""
    monkeypatch.setattr(short_test, "command", lambda _card, _spec, _games: [sys.executable, "-c", script])


SCORES = [1000 + 7 * number for number in range(100)]
PLAYS = "".join(f"print({json.dumps(json.dumps({'score': score, 'tile': 64, 'moves': 50}))})\n" for score in SCORES)


def test_a_test_shows_mean_and_error_and_keeps_them(visit, folder, ready, monkeypatch):
    path = write(folder / "mine.safetensors", measured=False)
    play_script(monkeypatch, PLAYS)
    visitor = visit("models")
    assert "Not measured yet" in lines(visitor)
    visitor.key(pygame.K_t)
    wait(visitor, lambda: 1 in models.card(path).strength)
    error = float(np.std(SCORES, ddof=1) / 10)
    found = models.card(path).strength[1]
    print(found)
    assert (found.mean, found.games) == (pytest.approx(np.mean(SCORES)), 100)
    assert found.stderr == pytest.approx(error)
    wait(visitor, lambda: screen(visitor).card.strength != {})
    assert f"1,346 ± {error:.0f}" in lines(visitor)
    assert "written into its file" in visitor.said()[0]
    assert model.load(path).card.games == 1200, "the rest of the header was lost"


def test_a_better_measurement_is_not_written_over(visit, folder, ready, monkeypatch):
    path = write(folder / "mine.safetensors")
    before = path.read_bytes()
    play_script(monkeypatch, PLAYS)
    visitor = visit("models")
    visitor.key(pygame.K_t)
    wait(visitor, lambda: not screen(visitor).tester.busy and not screen(visitor).files.doing)
    visitor.frames(3)
    shown = lines(visitor)
    print(shown)
    assert path.read_bytes() == before
    assert "21,234 ± 610" in shown and "1,346 ±" in shown and "test, 100 games" in shown
    assert "written" not in visitor.said()[0]


def test_a_test_can_be_stopped(visit, folder, ready, monkeypatch):
    write(folder / "mine.safetensors")
    line = json.dumps({"score": 100, "tile": 64, "moves": 50})
    play_script(monkeypatch, f"import time\nfor _ in range(3): print({line!r}, flush=True)\ntime.sleep(60)")
    visitor = visit("models")
    scene = screen(visitor)
    for stop in (lambda: visitor.key(pygame.K_ESCAPE), lambda: visitor.key(pygame.K_t), visitor.close):
        visitor.key(pygame.K_t)
        wait(visitor, lambda: scene.tester.batch is not None and len(scene.tester.batch.games) == 3)
        assert "3 of 100 games" in scene.status[0] and scene.status[2]
        assert "3 of 100 games" in lines(visitor)
        process = scene.tester._process
        stop()
        assert not scene.tester.busy
        assert process is not None and process._process.wait(5) != 0


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("import json; print(json.dumps({'refused': 'there is a hole in it'})); raise SystemExit(2)", "a hole in it"),
        ("raise ValueError('oh')", "stopped unexpectedly"),
        ("", "stopped unexpectedly"),
    ],
)
def test_a_test_that_fails_says_so(visit, folder, ready, monkeypatch, script, said):
    write(folder / "mine.safetensors")
    play_script(monkeypatch, script)
    visitor = visit("models")
    visitor.key(pygame.K_t)
    wait(visitor, lambda: not screen(visitor).tester.busy)
    assert said in visitor.said()[0]


def test_a_test_waits_for_the_agents_to_be_prepared(visit, folder):
    write(folder / "mine.safetensors")
    visitor = visit("models")
    visitor.key(pygame.K_t)
    assert not screen(visitor).tester.busy
    assert "being prepared" in visitor.said()[0]
    assert "being prepared" in screen(visitor).side.buttons["test_model"].tip


class Player:
    """Plays the first direction that moves, and says what fell; `lie` changes what it says."""

    def __init__(self, lie: Callable[[tuple[int, int, int]], tuple[int, int, int]] = lambda move: move) -> None:
        self.lie = lie

    def new_game(self, seed: int) -> None:
        pass

    def play_many(self, state, moves, thinking):
        played = []
        while twenty48.outcome(state) is None and len(played) < moves:
            action = twenty48.legal_actions(state)[0]
            slide = twenty48.slide(state, action)
            cell, exponent = twenty48.spawn(slide.cells, state.seed, state.spawns)
            state = twenty48.place(state, slide, cell, exponent)
            played.append(self.lie((action, cell, exponent)))
        return tuple(played)


def test_a_tested_game_is_counted_by_the_plain_rules():
    start = state = twenty48.start(4, 3)
    moves = 0
    while twenty48.outcome(state) is None:
        state, moves = twenty48.apply(state, twenty48.legal_actions(state)[0]), moves + 1
    print(state)
    last = list(solo.play(Player(), "player", start, check=retrace))[-1].state
    assert (last.score, last.cells, last.spawns - start.spawns) == (state.score, state.cells, moves)


@pytest.mark.parametrize(
    "lie", [lambda move: (move[0], move[1], 3 - move[2]), lambda move: (move[0], (move[1] + 1) % 16, move[2]),
            lambda move: (7, move[1], move[2])],
)  # fmt: skip
def test_an_agent_that_cheats_is_found_out(lie):
    with pytest.raises(AgentFailed, match=r"player broke the rules: move 1 of the agent was .* do not allow"):
        list(solo.play(Player(lie), "player", twenty48.start(4, 3), check=retrace))


def test_the_process_refuses_what_is_no_model(tmp_path, capsys):
    path = tmp_path / "spoilt.safetensors"
    path.write_bytes(b"x" * 100)
    assert series_job.main([json.dumps({"id": "ntuple", "settings": {}, "model": str(path)}), "4", "2"]) == 2
    assert "spoilt.safetensors" in json.loads(capsys.readouterr().out)["refused"]


def test_a_real_model_is_tested_in_a_process_of_its_own(visit, folder, ready, monkeypatch):
    monkeypatch.setitem(short_test.GAMES, 1, 3)
    path = write(folder / "mine.safetensors", measured=False)
    visitor = visit("models")
    visitor.key(pygame.K_t)
    wait(visitor, lambda: 1 in models.card(path).strength, seconds=200)
    print(models.card(path).strength)
    assert models.card(path).strength[1].games == 3
    assert 100 < models.card(path).strength[1].mean < 100_000
