"""The lab: its form, a training that is led and heard, what goes on behind other screens, and trainings that go on."""

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pygame
import pytest

from ai import catalogue, checkpoints, kernels
from ai.agent import Plan, Status
from ai.entries import Parameter, Trainer
from ai.tensors import write_whole
from game.rules import levels
from game.rules.editing import checks
from game.screens.editor.solving import Solving
from game.screens.lab import chart, install, request
from game.screens.lab.history import MOST, History
from game.screens.lab.request import Request
from game.screens.lab.run_page import RunPage
from game.screens.lab.scene import LabScene
from game.screens.lab.training import Phase, Training
from game.screens.models.screen import ModelsScene
from game.ui.controls import Button
from game.ui.entry_box import EntryBox

SIZES = ((1024, 640), (1280, 800), (1920, 1080))

SCRIPT = """
import json, sys, threading
held, over = threading.Event(), threading.Event()
held.set()
def say(**line):
    print(json.dumps(line), flush=True)
def listen():
    for word in sys.stdin:
        word = word.strip()
        if word == "pause": held.clear()
        if word == "continue": held.set()
        if word == "stop": over.set(); held.set()
    over.set(); held.set()
threading.Thread(target=listen, daemon=True).start()
say(begun={"games": 0, "goal": None})
rounds = 0
while not over.is_set() and rounds < int(sys.argv[1]):
    rounds += 1
    say(games=rounds, seconds=rounds / 2, eta=None, fraction=None,
        figures={"games": rounds, "loss": 1 / rounds, "solve_rate": min(1, rounds / 9)},
        board="#####\\n#@$.#\\n#####")
    if not held.is_set():
        say(paused=True)
        held.wait()
        say(paused=False)
    over.wait(0.02)
exec(sys.argv[2])
say(done={"stopped": over.is_set()})
"""


@pytest.fixture
def lab(visit: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """`lab(rounds, at_end, ...)`: the screen, with a process that learns so many rounds instead of the real one."""

    def open_one(rounds: int = 10**9, at_end: str = "", size: tuple[int, int] = (1280, 800), **settings: Any) -> Any:
        monkeypatch.setattr(kernels, "ready", lambda _family: True)
        command = [sys.executable, "-c", SCRIPT, str(rounds), at_end]
        monkeypatch.setattr(Request, "command", lambda self, folder: command)
        return visit("lab", size, **settings)

    return open_one


def until(visitor: Any, done: Callable[[], Any]) -> None:
    end = time.perf_counter() + 20
    while not done():
        job = visitor.context.jobs.one(Training)
        assert time.perf_counter() < end, f"waited in vain: {visitor.said()}, {job and (job.phase, job.problem)}"
        visitor.frames()
        time.sleep(0.002)


def box(visitor: Any, label: str) -> EntryBox:
    return next(
        each for each in visitor.window.top.kit.controls if isinstance(each, EntryBox) and each.label == label
    )


def type_in(visitor: Any, words: str) -> None:
    for letter in words:
        visitor.key(pygame.key.key_code(letter) if letter.isalnum() else 0, letter)


def test_that_kernels_are_compiled_first_is_said(lab, monkeypatch):
    visitor = lab()
    waits = "import json, time; print(json.dumps({'compiling': 'once'}), flush=True); time.sleep(60)"
    monkeypatch.setattr(Request, "command", lambda self, folder: [sys.executable, "-c", waits])
    visitor.key(pygame.K_SPACE, " ")
    until(visitor, lambda: visitor.context.jobs.one(Training).compiling)
    visitor.frames(2)
    print(visitor.scene.status)
    assert visitor.scene.status[0] == "Its kernels are compiled, once on this machine"
    visitor.scene.stop()
    until(visitor, lambda: not visitor.context.jobs.one(Training).active)


# The form


@pytest.mark.parametrize("size", SIZES)
def test_it_begins_with_what_to_teach_and_how_long_and_the_rest_is_one_fold_away(lab, size):
    visitor = lab(size=size)
    scene = visitor.scene
    labels = lambda: [getattr(each, "label", "") for each in scene.kit.controls]  # noqa: E731
    assert {"Sokoban", "2048", "Connect-4", "One minute", "Ten minutes", "Overnight", "Start"} <= set(labels())
    assert "Name" not in labels() and "Seed" not in labels()
    places = {each.label: each for each in scene.kit.controls if isinstance(each, Button)}
    visitor.click(places["Ten minutes"].rect.center)
    assert scene.form.request.value("seconds") == 600.0
    assert next(each for each in scene.kit.controls if getattr(each, "label", "") == "Ten minutes").selected
    visitor.click(next(each for each in scene.kit.controls if getattr(each, "label", "") == "Show").rect.center)
    assert {"Name", "Seed", *(each.title for each in scene.form.fields[:3])} <= set(labels())
    visitor.click(next(each for each in scene.kit.controls if getattr(each, "label", "") == "Hide").rect.center)
    assert "Name" not in labels()


def test_what_is_typed_is_checked_and_said_in_one_sentence(lab):
    visitor = lab()
    form = visitor.scene.form
    form.open = True
    form.choose("twenty48", "ntuple")
    visitor.click(box(visitor, "Alpha").rect.center)
    type_in(visitor, "0.25")
    visitor.key(pygame.K_RETURN)
    assert form.request.settings == {"alpha": 0.25} and box(visitor, "Alpha").value == "0.25"
    visitor.key(pygame.K_RETURN)
    type_in(visitor, "17")
    visitor.key(pygame.K_RETURN)
    print(form.problem)
    assert form.problem == "Alpha is a number from 0.0001 to 1, not 17."
    assert form.request.settings == {"alpha": 0.25}
    assert any("Alpha is a number" in line for line, _ in visitor.words())
    visitor.key(pygame.K_RETURN)
    type_in(visitor, "9")
    visitor.key(pygame.K_ESCAPE)
    assert form.request.settings == {"alpha": 0.25}, "Esc drops what was typed"
    assert visitor.window.top is visitor.scene


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("a/b", "A name cannot contain"),
        ("", "A model needs a name."),
        ("Taken", "There is a model or a training called 'Taken' already"),
        ("2048-small", "There is a model or a training called '2048-small' already"),
        ("x" * 61, "A name has at most 60 characters."),
    ],
)
def test_a_name_that_cannot_be_is_refused_in_the_form(lab, name, said):
    visitor = lab()
    folder = visitor.context.saves.models
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "taken.checkpoint.safetensors").write_bytes(b"")
    visitor.scene.form._name(name)
    visitor.frames(2)
    print(visitor.scene.refusal)
    assert visitor.scene.refusal.startswith(said)
    visitor.key(pygame.K_SPACE, " ")
    assert visitor.context.jobs.one(Training) is None and visitor.said()[-1].startswith(said)


def test_every_trainer_of_the_catalogue_has_its_form_at_every_size(lab):
    for size in SIZES:
        visitor = lab(size=size)
        screen = pygame.Rect((0, 0), size)
        for trainer in catalogue.TRAINERS:
            form = visitor.scene.form
            form.choose(trainer.game, trainer.id)
            form.open = form.more = True
            visitor.scene.rebuild()
            shown: list[str] = []
            for page in range(form.pages):
                form.page = page
                visitor.scene.rebuild()
                visitor.frames(1)
                controls = [each for each in visitor.scene.kit.controls if each.alive()]
                places = [each.rect for each in controls]
                assert all(screen.contains(place) for place in places), (trainer.id, size)
                assert all(place.collidelistall(places) == [at] for at, place in enumerate(places)), (
                    trainer.id,
                    size,
                )
                shown += [getattr(each, "label", "") for each in controls]
            print(size, trainer.game, trainer.id, form.pages, "pages")
            for parameter in trainer.parameters:
                assert parameter.title in shown, (trainer.id, parameter.name, size)
        visitor.window.pop()


@pytest.mark.parametrize("size", SIZES)
def test_what_a_setting_means_stands_below_all_and_over_none(lab, size):
    visitor = lab(size=size)
    visitor.scene.form.open = True
    visitor.scene.rebuild()
    page, kit = visitor.scene.page, visitor.scene.kit
    assert len(page._explained) > 8
    for number in range(len(page._explained)):
        each = page._explained[number]
        visitor.post(pygame.MOUSEMOTION, pos=each.rect.center, rel=(0, 0), buttons=(0, 0, 0))
        visitor.frames(60)
        drawn = " ".join(words for words, _ in visitor.words())
        assert each.hovered and each.tip in drawn, f"{each.label}: {each.tip!r} is not to be read"
        assert all(box.rect.bottom <= page._meaning.top for box in page._explained)
        assert page._meaning.bottom <= page.cards["settings"].bottom
        assert not [control for control in kit.controls if control.hovered and control.tip and control.pops]


def test_the_process_runs_the_same_command_that_people_type(tmp_path):
    asked = Request("twenty48", "ntuple", "mine", {"alpha": 0.5, "promote": False, "tuples": "0123 4567"}, seed=3)
    words = ["train", "2048", "ntuple", "--set", "alpha=0.5", "--set", "promote=false", "--set", "tuples=0123 4567"]
    assert sorted(asked.words()) == sorted([*words, "--seed", "3", "--out", "mine"])
    assert (
        asked.command_line().startswith("./play train 2048 ntuple ") and "'tuples=0123 4567'" in asked.command_line()
    )
    assert asked.command(tmp_path)[-3:] == ["--out", str(tmp_path / "mine"), "--lines"]


# A training


def test_start_watch_pause_go_on_stop(lab, monkeypatch):
    visitor = lab()
    visitor.key(pygame.K_SPACE, " ")
    job = visitor.context.jobs.one(Training)
    until(visitor, lambda: isinstance(visitor.scene.page, RunPage) and len(visitor.scene.page.charts.charts) > 1)
    page = visitor.scene.page
    until(visitor, lambda: len(page.charts.charts[0].points) > 3)
    assert isinstance(page, RunPage) and job.phase is Phase.RUNNING
    assert [chart.name for chart in page.charts.charts] == ["loss", "solve_rate"], "games are a number, not a curve"
    assert page.charts.charts[0].points[2] == (1.5, pytest.approx(1 / 3))
    visitor.key(pygame.K_SPACE, " ")
    until(visitor, lambda: job.phase is Phase.PAUSED)
    rounds = job.games
    time.sleep(0.1)
    visitor.frames(3)
    assert job.games == rounds and visitor.scene.status[0].startswith("Paused")
    visitor.key(pygame.K_SPACE, " ")
    until(visitor, lambda: job.games > rounds)
    visitor.key(pygame.K_x, "x")
    until(visitor, lambda: not job.active)
    assert job.phase is Phase.STOPPED and not job.problem


def test_it_goes_on_behind_other_screens_and_the_chip_leads_back(lab):
    visitor = lab()
    visitor.key(pygame.K_SPACE, " ")
    job = visitor.context.jobs.one(Training)
    until(visitor, lambda: job.games > 1)
    visitor.window.push(ModelsScene(visitor.window, visitor.context))
    games = job.games
    until(visitor, lambda: job.games > games + 2)
    chip = visitor.window.chip
    assert chip is not None and chip.text.startswith("Training ")
    visitor.click(visitor.window._chip_at.center)
    assert isinstance(visitor.window.top, LabScene) and visitor.window.chip is None
    visitor.window.push(ModelsScene(visitor.window, visitor.context))
    job.stop()
    until(visitor, lambda: not job.active)
    visitor.frames(2)
    assert any("was stopped before it had a model to save" in said for said in visitor.said())
    visitor.key(pygame.K_t, "t", pygame.KMOD_CTRL)
    assert isinstance(visitor.window.top, LabScene)


@pytest.mark.parametrize(
    ("at_end", "said"),
    [
        ("say(problem='the level has no boxes'); sys.exit(2)", "The level has no boxes."),
        (
            "print('trilogic: there is not enough memory', file=sys.stderr); sys.exit(2)",
            "There is not enough memory.",
        ),
        (
            "raise ValueError('inside')",
            "The training stopped unexpectedly; it had saved nothing yet. The log has the details.",
        ),
        (
            "import os; os.kill(os.getpid(), 9)",
            "The training stopped unexpectedly; it had saved nothing yet. The log has the details.",
        ),
    ],
    ids=["refused", "one line", "traceback", "killed"],
)
def test_a_training_that_fails_says_why_in_one_sentence(lab, at_end, said):
    visitor = lab(2, at_end)
    visitor.key(pygame.K_SPACE, " ")
    job = visitor.context.jobs.one(Training)
    until(visitor, lambda: not job.active)
    visitor.frames(2)
    assert (job.phase, job.problem) == (Phase.FAILED, said)
    visitor.key(pygame.K_n, "n")
    assert visitor.context.jobs.one(Training) is None and visitor.window.top is visitor.scene


def test_the_end_of_the_app_is_a_stop(lab, visit):
    visitor = lab()
    visitor.key(pygame.K_SPACE, " ")
    job = visitor.context.jobs.one(Training)
    until(visitor, lambda: job.games > 1)
    job.close()
    job.wait()
    assert job._process.wait(0.0), "it is still there"


def test_lines_that_are_none_are_dropped(lab):
    visitor = lab(3, "print('a library says hello', flush=True)")
    visitor.key(pygame.K_SPACE, " ")
    job = visitor.context.jobs.one(Training)
    until(visitor, lambda: not job.active)
    assert job.phase is Phase.DONE


# Going on


def unfinished(folder: Path, name: str, **settings: Any) -> None:
    import numpy as np

    texts = {"format": "trilogic-checkpoint", "version": "1", "game": "twenty48", "agent": "ntuple",
             "settings": json.dumps(settings), "seed": "4", "seconds": "95.5", "command": ""}  # fmt: skip
    write_whole(folder / f"{name}.checkpoint.safetensors", {"x": np.zeros(3, np.float32)}, texts)


def test_a_stopped_training_is_offered_and_goes_on_with_its_settings(lab):
    visitor = lab()
    folder = visitor.context.saves.models
    unfinished(folder, "old", alpha=0.5, tuples="4x5", size=4)
    (folder / "old.csv").write_text("seconds,games,mean_score\n1.0,5,100\n60.0,50,900\n99.0,51,901\n")
    (folder / "torn.checkpoint.safetensors").write_bytes(b"torn")
    visitor.scene.rebuild()
    visitor.frames(1)
    assert [each.path.name for each in visitor.scene.page.unfinished] == ["old.safetensors"]
    visitor.scene.page._choose(0)
    asked = visitor.scene.form.request
    assert asked.words()[:3] == ["train", "2048", "ntuple"] and asked.words()[-2:] == ["--resume", "old"]
    assert "alpha=0.5" in asked.words() and not visitor.scene._why_not()
    visitor.scene.start()
    job = visitor.context.jobs.one(Training)
    assert [row[0] for row in job.history.rows[:2]] == [1.0, 60.0], (
        "its curves go on; rows after the checkpoint were lost"
    )
    until(visitor, lambda: job.games > 0)


def test_a_folder_of_checkpoints_is_listed_latest_first(tmp_path):
    for number, name in enumerate(("b", "a")):
        unfinished(tmp_path, name)
        os.utime(tmp_path / f"{name}.checkpoint.safetensors", (1000 + number, 1000 + number))
    (tmp_path / "model.safetensors").write_bytes(b"")
    found = checkpoints.listing(tmp_path)
    assert [each.path.name for each in found] == ["a.safetensors", "b.safetensors"]
    assert (found[0].game, found[0].seed, found[0].seconds) == ("twenty48", 4, 95.5)


def test_long_histories_are_thinned_and_keep_their_ends():
    history = History(catalogue.trainer("twenty48", "ntuple"))
    for number in range(10_000):
        history.add(float(number), {"loss": float(number)})
    curve = history.curve("loss")
    assert curve[0] == (0.0, 0.0) and curve[-1] == (9999.0, 9999.0)
    assert MOST / 3 < len(curve) <= MOST and curve == sorted(curve)


# What is missing


def test_without_torch_the_form_says_what_it_takes_and_asks(lab, monkeypatch):
    trainer = next(each for each in catalogue.TRAINERS if each.needs_torch)
    monkeypatch.setattr(install, "_found", lambda: False)
    begun = []
    monkeypatch.setattr(install.Installation, "_begin", lambda *_words, **_settings: begun.append(1))
    visitor = lab()
    visitor.scene.form.choose(trainer.game, trainer.id)
    visitor.frames(2)
    assert any("960 MB" in words for words, _ in visitor.words())
    visitor.key(pygame.K_SPACE, " ")
    assert visitor.window.top.name == "dialog" and visitor.context.jobs.one(Training) is None
    visitor.key(pygame.K_ESCAPE)
    assert not begun
    visitor.key(pygame.K_SPACE, " ")
    visitor.key(pygame.K_RETURN)
    assert begun


@pytest.mark.parametrize("good", [True, False])
def test_the_installation_ends_with_a_word(monkeypatch, good):
    said = "print('Collecting torch'); print('ERROR: No space left.'); raise SystemExit(" + str(int(not good)) + ")"
    monkeypatch.setattr(install, "command", lambda: [sys.executable, "-c", said])
    found = install.Installation()
    end = time.perf_counter() + 20
    while not found.update() and time.perf_counter() < end:
        time.sleep(0.01)
    assert found.problem == ("" if good else "The installation failed: No space left.")


# Training on a map


@pytest.fixture
def map_training(monkeypatch: pytest.MonkeyPatch) -> Trainer:
    """A trainer of single levels in the catalogue, whatever else is there."""
    fields = (
        Parameter("level", "Level", "text", "", "A file."),
        Parameter("number", "Number", "int", 1, "In it.", 1, 999),
    )
    made = Trainer("mapper", "Mapper", "Learns one map.", "nowhere:None", fields, game="sokoban")
    monkeypatch.setattr(catalogue, "TRAINERS", (made, *catalogue.TRAINERS))
    assert request.map_trainer() is made
    return made


MAP = "Title: My map\n#####\n#@$.#\n#####"


@pytest.fixture
def editor(visit: Callable[..., Any], map_training: Trainer, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The editor with a map, and a solver that says at once what `status` is."""
    visitor = visit("editor")
    monkeypatch.setattr(kernels, "ready", lambda _family: True)
    visitor.scene.open_document(checks.document_of(levels.parse(MAP, "here").levels[0]))
    visitor.frames(2)

    def answer(status: Status) -> Any:
        def ask(self: Solving, state: Any) -> None:
            self.state, self.answer = state, Plan((), status)

        monkeypatch.setattr(Solving, "ask", ask)
        visitor.key(pygame.K_t, "T", pygame.KMOD_SHIFT)
        visitor.frames(2)
        return visitor

    return answer


@pytest.mark.parametrize("status", [Status.SOLVED, Status.GAVE_UP])
def test_train_on_this_map_fills_the_form(editor, status):
    visitor = editor(status)
    assert isinstance(visitor.window.top, LabScene)
    asked = visitor.window.top.form.request
    assert (asked.game, asked.trainer_id, asked.name) == ("sokoban", "mapper", "My map-mapper-1")
    path = Path(str(asked.settings["level"]))
    print(path.read_text())
    assert path.parent == visitor.context.saves.root.resolve() / "maps" and "#@$.#" in path.read_text()
    assert asked.value("number") == 1 and visitor.window.top._why_not() == ""
    assert asked.level == (path, 1)


def test_a_map_without_solution_is_refused_in_a_sentence(editor):
    visitor = editor(Status.UNSOLVABLE)
    assert visitor.window.top is visitor.scene
    assert visitor.said()[-1] == "This map has no solution, so nothing can be learned on it."


def test_a_map_that_is_no_level_is_refused_in_a_sentence(visit, map_training):
    visitor = visit("editor")
    visitor.key(pygame.K_t, "T", pygame.KMOD_SHIFT)
    print(visitor.said())
    assert visitor.window.top is visitor.scene and visitor.said()[-1].startswith("This cannot be learned yet: ")


# By gamepad, and what nobody may write to


def test_a_gamepad_changes_a_number_starts_and_leaves(lab):
    visitor = lab()
    visitor.scene.form.open = True
    visitor.scene.form.choose("twenty48", "ntuple")
    visitor.scene.form.page = visitor.scene.form.pages - 1
    visitor.scene.rebuild()
    visitor.scene.kit.focus(box(visitor, "Threads"))
    visitor.pad(pygame.CONTROLLER_BUTTON_DPAD_RIGHT)
    assert visitor.scene.form.request.settings == {"threads": 2}
    visitor.pad(pygame.CONTROLLER_BUTTON_DPAD_UP)
    assert visitor.scene.kit.focused is not box(visitor, "Threads")
    visitor.pad(pygame.CONTROLLER_BUTTON_Y)
    job = visitor.context.jobs.one(Training)
    assert job is not None and job.active
    until(visitor, lambda: job.games > 1)
    visitor.window.scenes.insert(0, ModelsScene(visitor.window, visitor.context))
    visitor.pad(pygame.CONTROLLER_BUTTON_B)
    assert isinstance(visitor.window.top, ModelsScene)
    assert job.active, "leaving the screen is no stop"


def test_nothing_is_trained_where_nothing_can_be_saved(lab, monkeypatch):
    visitor = lab()
    monkeypatch.setattr(visitor.context.saves, "writable", False)
    visitor.key(pygame.K_SPACE, " ")
    assert visitor.context.jobs.one(Training) is None
    assert visitor.said()[-1] == "The saves folder is read-only, so nothing can be trained here."


def test_the_chip_stands_beside_the_words_of_the_status_bar(lab):
    visitor = lab(size=(1024, 640))
    visitor.key(pygame.K_SPACE, " ")
    until(visitor, lambda: visitor.context.jobs.one(Training).games > 1)
    visitor.window.push(ModelsScene(visitor.window, visitor.context))
    visitor.frames(2)
    chip = visitor.window._chip_at
    assert chip is not None and visitor.window.surface.get_rect().contains(chip)
    assert chip.top >= visitor.window.size[1] - visitor.window.theme.px(28)


@pytest.mark.parametrize(
    ("values", "share", "ends"),
    [
        ((0.0, 0.0), False, (0.0, 1.0)),
        ((5.0, 5.0), False, (4.5, 5.5)),
        ((2.0, 10.0), False, (0.0, 10.0)),
        ((90.0, 100.0), False, (90.0, 100.0)),
        ((-3.0, 4.0), False, (-3.0, 4.0)),
        ((0.2, 0.3), True, (0.0, 1.0)),
    ],
)
def test_the_scale_of_a_curve(values, share, ends):
    assert chart._scale(values, share) == ends


@pytest.mark.parametrize("level", ["", "levels", "nothing.xsb"])
def test_a_level_that_is_no_file_is_refused_before_a_process_is_started(level: str, tmp_path: Path) -> None:
    words = Request("sokoban", "dqn", "mine", {"level": level}).problem(tmp_path)
    print(words)
    assert words == f"There is no file of levels {level!r}: choose the one with the level to learn."
    assert Request("sokoban", "dqn", "mine", {"level": level, "rooms": 5}).problem(tmp_path) is None, (
        "it learns rooms"
    )
    assert Request("sokoban", "dqn", "mine").problem(tmp_path) is None
