"""The level editor driven by posted events: drawing, checks, undo, solving, trying, saving, import and export."""

import itertools
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pygame
import pytest

from ai import catalogue, kernels
from ai.agent import Plan, Progress, Status, Thinking
from game.play.sokoban.packs import packs_of
from game.rules import levels, sokoban
from game.rules.editing import drawings
from game.saves import level_forms
from game.screens.editor import palette
from game.screens.editor.dialogs import ChooseDialog, ExportDialog, SaveDialog, SizeDialog
from game.screens.editor.scene import EditorScene
from game.screens.sokoban.screen import SokobanScreen
from game.ui.file_dialog import FileDialog
from game.ui.name_dialog import NameDialog

WALL, FLOOR, BOX, TARGET, PLAYER, HOME, PLAYER_HOME = (str(number) for number in range(1, 8))
"""The keys of the palette."""
CORRIDOR = "#######\n#@ $ .#\n#######"
CTRL, SHIFT = pygame.KMOD_CTRL, pygame.KMOD_SHIFT


class Solver:
    """Pushes the one box to the one target; or says what it was told to say."""

    status = Status.SOLVED

    def new_game(self, seed: int) -> None:
        pass

    def plan(self, state: sokoban.State, thinking: Thinking) -> Plan:
        if self.status is Status.CANCELLED:
            while not thinking.over(0, 20.0):
                thinking.report(Progress(1000, depth=3, fraction=0.4))
                time.sleep(0.001)
            return Plan((), Status.CANCELLED)
        if self.status is not Status.SOLVED:
            return Plan((), self.status, exact=True, nodes=5, seconds=0.1)
        (box,), (target,) = state.boxes, state.warehouse.targets
        return Plan(sokoban.push_path(state, box, target) or (), Status.SOLVED, exact=True, nodes=7, seconds=0.1)


class Editor:
    """A person before the editor."""

    def __init__(self, visitor) -> None:
        self.visitor = visitor
        self.scene: EditorScene = visitor.scene
        self.window = visitor.window

    def __str__(self) -> str:
        return str(self.scene.document.drawing)

    def at(self, row: int, col: int) -> tuple[int, int]:
        return self.scene.canvas.rect_of(row * self.scene.document.drawing.cols + col).center

    def take(self, key: str) -> None:
        self.visitor.key(pygame.K_0 + int(key), key)

    def click(self, row: int, col: int, button: int = 1) -> None:
        self.visitor.post(pygame.MOUSEMOTION, pos=self.at(row, col), rel=(0, 0), buttons=(0, 0, 0))
        self.visitor.post(pygame.MOUSEBUTTONDOWN, pos=self.at(row, col), button=button)
        self.visitor.post(pygame.MOUSEBUTTONUP, pos=self.at(row, col), button=button)

    def drag(self, *places: tuple[int, int], up: bool = True) -> None:
        first, *rest = places
        self.visitor.post(pygame.MOUSEMOTION, pos=self.at(*first), rel=(0, 0), buttons=(0, 0, 0))
        self.visitor.post(pygame.MOUSEBUTTONDOWN, pos=self.at(*first), button=1)
        for place in rest:
            self.visitor.post(pygame.MOUSEMOTION, pos=self.at(*place), rel=(1, 1), buttons=(1, 0, 0))
        if up:
            self.visitor.post(pygame.MOUSEBUTTONUP, pos=self.at(*places[-1]), button=1)

    def labels(self) -> list[str]:
        """What stands on the controls of the screen in front."""
        return [getattr(control, "label", "") for control in self.window.top.kit.controls]

    def press(self, label: str) -> None:
        """Click the button with that label on the top screen."""
        controls = self.window.top.kit.controls
        (button,) = [one for one in controls if getattr(one, "label", "") == label and one.visible]
        self.visitor.click(button.rect.center)

    def paste(self, text: str) -> None:
        pygame.scrap.put_text(text)
        self.visitor.key(pygame.K_v, mod=CTRL)

    def check(self, name: str) -> str:
        return next(check.verdict for check in self.scene.review.checks if check.name == name)

    def until(self, done: Callable[[], object], what: str, seconds: float = 10.0) -> None:
        end = time.perf_counter() + seconds
        while not done():
            assert time.perf_counter() < end, f"waited in vain until {what}:\n{self}"
            self.visitor.frames()

    def rows(self) -> list[str]:
        return str(self).split("\n")


@pytest.fixture
def editor(visit) -> Editor:
    return Editor(visit("editor"))


@pytest.fixture
def solver(monkeypatch: pytest.MonkeyPatch, editor: Editor) -> type[Solver]:
    monkeypatch.setattr(kernels, "ready", lambda _family: True)
    monkeypatch.setattr(catalogue, "create", lambda _game, _spec: Solver())
    monkeypatch.setattr(Solver, "status", Status.SOLVED)
    editor.paste(CORRIDOR)
    return Solver


# Drawing


def test_a_level_drawn_with_the_mouse_fails_its_checks_until_it_is_mended(editor: Editor) -> None:
    assert editor.rows() == ["#" * 11, *["#" + " " * 9 + "#"] * 7, "#" * 11]
    assert editor.check("player") == "bad"
    editor.take(PLAYER)
    editor.click(1, 1)
    editor.take(BOX)
    editor.drag((3, 3), (3, 5))
    editor.take(TARGET)
    editor.drag((5, 3), (5, 5))
    assert editor.rows()[1] == "#@        #", str(editor)
    assert editor.rows()[3] == "#  $$$    #", str(editor)
    assert editor.rows()[5] == "#  ...    #", str(editor)
    assert {check.verdict for check in editor.scene.review.checks} == {"good"}, str(editor)
    editor.take(FLOOR)
    editor.click(0, 4)
    assert editor.check("enclosed") == "bad"
    assert editor.scene.review.faults == {4}
    editor.take(WALL)
    editor.click(0, 4)
    assert editor.scene.review.faults == frozenset()
    editor.take(BOX)
    editor.click(7, 9)
    assert editor.check("boxes") == "bad"
    assert editor.check("stuck") == "bad"
    editor.visitor.key(pygame.K_z, "z")
    assert editor.check("boxes") == "good"


def test_placing_the_player_removes_the_old_one(editor: Editor) -> None:
    editor.take(PLAYER)
    editor.click(1, 1)
    editor.take(PLAYER_HOME)
    editor.click(2, 2)
    editor.take(PLAYER)
    editor.drag((3, 3), (3, 6))
    assert str(editor).count("@") == 1, str(editor)
    assert editor.rows()[3][6] == "@", str(editor)
    assert editor.rows()[2][2] == ".", str(editor)


def test_a_quick_drag_leaves_no_gaps_and_is_one_step(editor: Editor) -> None:
    editor.drag((1, 1), (7, 9))
    assert str(editor).count("#") > 36 + 7, str(editor)
    editor.visitor.key(pygame.K_z, "z")
    assert str(editor).count("#") == 36, str(editor)
    editor.visitor.key(pygame.K_y, "y")
    assert str(editor).count("#") > 36 + 7, str(editor)


def test_shift_draws_a_straight_line(editor: Editor) -> None:
    pygame.key.set_mods(SHIFT)
    try:
        editor.drag((2, 2), (5, 7), (2, 8))
    finally:
        pygame.key.set_mods(0)
    assert editor.rows()[2] == "# ####### #", str(editor)
    assert str(editor).count("#") == 36 + 7, str(editor)


def test_tools_by_their_keys(editor: Editor) -> None:
    editor.visitor.key(pygame.K_r, "r")
    editor.drag((2, 2), (6, 8))
    assert editor.rows()[3] == "# #     # #", str(editor)
    editor.take(BOX)
    editor.visitor.key(pygame.K_f, "f")
    editor.click(4, 4)
    assert str(editor).count("$") == 3 * 5, str(editor)
    editor.visitor.key(pygame.K_l, "l")
    editor.take(TARGET)
    editor.drag((3, 3), (3, 5), (5, 3))
    assert str(editor).count(".") == 3, str(editor)
    editor.visitor.key(pygame.K_p, "p")
    editor.click(4, 4)
    assert editor.scene.hand.kind == sokoban.BOX
    editor.visitor.key(pygame.K_b, "b")
    editor.click(0, 0, button=3)
    assert editor.scene.hand.kind == sokoban.WALL


def test_everything_is_drawn_by_keys_alone(editor: Editor) -> None:
    key = editor.visitor.key
    editor.take(PLAYER)
    key(pygame.K_SPACE, " ")  # in the middle
    assert editor.rows()[4] == "#    @    #", str(editor)
    editor.take(BOX)
    key(pygame.K_UP)
    key(pygame.K_RETURN, "\r")
    editor.take(TARGET)
    key(pygame.K_UP, mod=SHIFT)  # paints where it is and where it goes
    assert [row[5] for row in editor.rows()[2:5]] == [".", ".", "@"], str(editor)
    key(pygame.K_DELETE)
    assert editor.rows()[2][5] == " ", str(editor)
    editor.take(WALL)
    key(pygame.K_r, "r")
    key(pygame.K_LEFT)
    key(pygame.K_SPACE, " ")
    key(pygame.K_LEFT)
    key(pygame.K_LEFT)
    key(pygame.K_UP)
    assert editor.scene.hand.stroke is not None
    key(pygame.K_ESCAPE)
    assert editor.rows()[2] == "#" + " " * 9 + "#", str(editor)
    key(pygame.K_SPACE, " ")
    key(pygame.K_RIGHT)
    key(pygame.K_SPACE, " ")
    assert editor.rows()[1] == "# ##      #", str(editor)
    assert editor.window.top is editor.scene


def test_the_whole_map_by_keys(editor: Editor) -> None:
    editor.take(PLAYER)
    editor.click(1, 1)
    key = editor.visitor.key
    for pressed, mod, place in (
        (pygame.K_x, 0, (1, 9)),
        (pygame.K_x, SHIFT, (7, 9)),
        (pygame.K_UP, CTRL, (6, 9)),
        (pygame.K_LEFT, CTRL, (6, 8)),
        (pygame.K_q, 0, (8, 2)),
        (pygame.K_q, SHIFT, (6, 8)),
    ):
        key(pressed, mod=mod)
        row, col = place
        assert editor.rows()[row][col] == "@", f"after {pygame.key.name(pressed)}:\n{editor}"
    while editor.scene.work.history.can_undo:
        key(pygame.K_z, "z")
    assert editor.scene.document.drawing == drawings.blank()


def test_resizing_through_the_dialog(editor: Editor) -> None:
    editor.take(PLAYER)
    editor.click(7, 9)
    editor.visitor.key(pygame.K_g, "g")
    dialog = editor.window.top
    assert isinstance(dialog, SizeDialog)
    dialog.rows, dialog.cols = 64, 3
    editor.visitor.frames()
    assert any("cut off" in words for words, _ in editor.visitor.words())
    editor.press("Resize")
    drawing = editor.scene.document.drawing
    assert (drawing.rows, drawing.cols) == (64, 3)
    assert drawings.framed(drawing)
    editor.visitor.key(pygame.K_z, "z")
    assert editor.rows()[7][9] == "@", str(editor)


@pytest.mark.parametrize("size", [(640, 480), (1024, 640), (1280, 800), (1920, 1080)])
def test_every_square_is_found_again_under_the_mouse(visit, size) -> None:
    editor = Editor(visit("editor", size))
    for rows, cols in ((3, 3), (9, 11), (64, 64), (3, 64)):
        editor.scene.work.redraw("test", drawings.blank(rows, cols))
        editor.visitor.frames()
        canvas = editor.scene.canvas
        assert editor.scene.canvas.area.contains(canvas.board), (rows, cols)
        for square in range(rows * cols):
            assert canvas.square_at(canvas.rect_of(square).center) == square
        canvas.zoom_by(4.0, canvas.area.center)
        canvas.reveal(rows * cols - 1)
        assert canvas.square_at(canvas.rect_of(rows * cols - 1).center) == rows * cols - 1, (rows, cols)


def test_incremental_drawing_equals_drawing_afresh(editor: Editor) -> None:
    editor.scene.kit.pointer = (-1, -1)
    editor.take(BOX)
    editor.drag((1, 1), (3, 6))
    editor.take(WALL)
    editor.drag((2, 3), (6, 3))
    editor.visitor.post(pygame.MOUSEMOTION, pos=(2, 2), rel=(0, 0), buttons=(0, 0, 0))
    editor.visitor.frames(2)
    before = pygame.image.tobytes(editor.window.surface.subsurface(editor.scene.canvas.board), "RGB")
    editor.scene.canvas.layout(editor.scene.canvas.area, editor.scene.theme)
    editor.visitor.frames(2)
    after = pygame.image.tobytes(editor.window.surface.subsurface(editor.scene.canvas.board), "RGB")
    assert before == after


# What survives


def test_work_survives_a_window_that_dies(editor: Editor, visit) -> None:
    editor.take(BOX)
    editor.drag((1, 1), (1, 5))
    editor.visitor.key(pygame.K_x, "x")
    editor.drag((3, 1), (3, 4), up=False)  # a stroke under way
    editor.visitor.frames(40)
    drawn = editor.scene.drawing
    editor.visitor.context.writer.flush()
    editor.visitor.context.saves.close()  # the lock ends with the process; nothing is closed or saved
    again = Editor(visit("editor"))
    assert again.scene.document.drawing == drawn, str(again)
    for _ in range(3):
        again.visitor.key(pygame.K_z, "z")
    assert again.scene.document.drawing == drawings.blank(), str(again)
    assert not again.scene.work.history.can_undo


def test_a_new_map_and_an_opened_level_can_be_undone(editor: Editor) -> None:
    editor.take(BOX)
    editor.click(2, 2)
    mine = editor.scene.document
    editor.visitor.key(pygame.K_n, "n")
    assert editor.scene.document.drawing == drawings.blank()
    editor.paste(CORRIDOR)
    assert str(editor) == CORRIDOR
    editor.visitor.key(pygame.K_z, "z")
    editor.visitor.key(pygame.K_z, "z")
    assert editor.scene.document == mine


# Playing and solving


def test_try_it_plays_at_once_and_comes_back_to_the_same_place(editor: Editor) -> None:
    editor.visitor.key(pygame.K_t, "t")
    assert editor.window.top is editor.scene
    assert "cannot be played yet" in editor.visitor.said()[-1]
    editor.paste(CORRIDOR)
    editor.scene.hand.cursor = 9
    editor.visitor.key(pygame.K_t, "t")
    trial = editor.window.top
    assert isinstance(trial, SokobanScreen)
    for _ in range(3):
        editor.visitor.key(pygame.K_RIGHT)
    assert sokoban.is_solved(trial.session.state), levels.board(trial.session.state)
    editor.until(lambda: "Back to the editor" in editor.labels(), "the win is celebrated")
    editor.press("Back to the editor")
    assert editor.window.top is editor.scene
    assert (str(editor), editor.scene.hand.cursor) == (CORRIDOR, 9)
    context = editor.visitor.context
    context.writer.flush()
    assert not context.saves.resume("sokoban").exists(), "trying a level out must not touch the saved game"
    assert len(list(context.saves.replays.glob("*.json"))) == 1


def test_the_solver_answers_and_its_solution_can_be_watched(editor: Editor, solver: type[Solver]) -> None:
    editor.visitor.key(pygame.K_h, "h")
    editor.until(lambda: editor.scene.work.solving.verdict, "the solver answers")
    assert editor.scene.work.solving.verdict == "yes"
    assert editor.scene.work.solving.solution == "rRR"
    words = [words for words, _ in editor.visitor.words()]
    assert "2 · 3 moves" in words
    editor.press("Watch it")
    trial = editor.window.top
    assert isinstance(trial, SokobanScreen)
    editor.until(lambda: sokoban.is_solved(trial.session.state), "the solution is carried out")
    editor.visitor.key(pygame.K_ESCAPE)
    assert editor.scene.work.solving.verdict == "yes", "coming back keeps the answer"
    editor.take(WALL)
    editor.click(1, 4)
    assert editor.scene.work.solving.verdict == "", "editing drops the answer"


@pytest.mark.parametrize(
    ("status", "verdict"), [(Status.UNSOLVABLE, "no"), (Status.GAVE_UP, "undecided"), (Status.SOLVED, "yes")]
)
def test_three_answers(editor: Editor, solver: type[Solver], status: Status, verdict: str) -> None:
    solver.status = status
    editor.press("Solvable?")
    editor.until(lambda: editor.scene.work.solving.verdict, "the solver answers")
    assert editor.scene.work.solving.verdict == verdict


def test_thinking_is_cancelled_by_escape_and_by_drawing(editor: Editor, solver: type[Solver]) -> None:
    solver.status = Status.CANCELLED
    for stop in (lambda: editor.visitor.key(pygame.K_ESCAPE), lambda: editor.click(1, 3)):
        editor.visitor.key(pygame.K_h, "h")
        editor.until(lambda: editor.scene.work.solving.progress.nodes, "the solver reports")
        assert editor.scene.work.solving.busy
        stop()
        assert not editor.scene.work.solving.busy
        editor.paste(CORRIDOR)
    assert editor.window.top is editor.scene


def test_the_solver_waits_until_it_is_prepared(editor: Editor) -> None:
    editor.paste(CORRIDOR)
    editor.visitor.key(pygame.K_h, "h")
    editor.visitor.frames(5)
    assert editor.scene.work.solving.waiting
    assert any("being prepared" in words for words, _ in editor.visitor.words())


# Packs


def test_a_level_is_saved_into_a_new_pack_and_played_like_the_others(editor: Editor) -> None:
    editor.paste(CORRIDOR)
    editor.visitor.key(pygame.K_s, mod=CTRL)
    assert isinstance(editor.window.top, SaveDialog)
    editor.visitor.post(pygame.TEXTINPUT, text="Corridor")
    editor.press("Save")
    assert editor.scene.document.title == "Corridor"
    assert editor.scene.exchange.where == "My levels 1"
    editor.take(FLOOR)
    editor.click(1, 0)
    assert editor.scene.exchange.where == "My levels 1 · changed"
    editor.visitor.key(pygame.K_z, "z")
    editor.take(TARGET)
    editor.click(1, 2)
    editor.visitor.key(pygame.K_s, mod=CTRL)
    assert isinstance(editor.window.top, NameDialog), "what is no level is not saved over one"
    editor.visitor.key(pygame.K_ESCAPE)
    editor.take(BOX)
    editor.click(1, 4)
    editor.visitor.key(pygame.K_s, mod=CTRL)
    assert editor.scene.exchange.where == "My levels 1", editor.visitor.said()
    context = editor.visitor.context
    context.writer.flush()
    packs = packs_of(context.saves.root)
    packs.refresh()
    found = packs.get("my/my-levels")
    assert found is not None
    assert [level.title for level in found.levels] == ["Corridor"]
    assert editor.rows()[1] == "#@.$$.#"
    assert levels.board(found.levels[0].state) == editor.rows()


def test_a_known_solution_goes_with_the_level(editor: Editor, solver: type[Solver]) -> None:
    editor.visitor.key(pygame.K_h, "h")
    editor.until(lambda: editor.scene.work.solving.verdict, "the solver answers")
    editor.visitor.key(pygame.K_s, mod=CTRL)
    editor.press("Save")
    assert editor.scene.work.solving.verdict == "yes", "saving changes nothing about the board"
    editor.visitor.context.writer.flush()
    (path,) = (editor.visitor.context.saves.root / "levels").glob("*.xsb")
    assert levels.read(path).levels[0].solution == "rRR"


def test_any_level_of_the_game_opens_in_the_editor(visit) -> None:
    visitor = visit("sokoban")
    title, board = visitor.scene.session.course.title, levels.board(visitor.scene.session.timeline.initial)
    visitor.key(pygame.K_RIGHT)
    visitor.key(pygame.K_e, "e")
    scene = visitor.window.top
    assert isinstance(scene, EditorScene)
    assert scene.document.title == title
    assert [row.rstrip() for row in str(scene.document.drawing).split("\n")] == board
    visitor.key(pygame.K_ESCAPE)
    assert visitor.window.top is visitor.scene
    assert visitor.scene.session.timeline.cursor == 1


# In and out


@pytest.mark.parametrize("form", ["xsb", "python", "npy", "json", "png"])
def test_each_form_goes_to_a_file_and_comes_back(editor: Editor, form: str) -> None:
    editor.paste(CORRIDOR)
    editor.visitor.key(pygame.K_e, mod=CTRL)
    assert isinstance(editor.window.top, ExportDialog)
    editor.window.pop()
    editor.scene.exchange.save_file(_form(form))
    dialog = editor.window.top
    assert isinstance(dialog, FileDialog)
    editor.press("Save")
    editor.until(lambda: editor.visitor.said()[-1].startswith("Saved as"), "the file is written")
    (path,) = (editor.visitor.context.saves.root / "exports").iterdir()
    editor.visitor.key(pygame.K_n, "n")
    editor.visitor.post(pygame.DROPFILE, file=str(path))
    assert str(editor) == CORRIDOR, editor.visitor.said()
    if form == "png":
        assert min(pygame.image.load(path).get_size()) >= 3 * 8
    if form == "npy":
        assert np.load(path, allow_pickle=False).tolist() == editor.scene.document.drawing.array.tolist()


def _form(form_id: str):
    from game.screens.editor.export import FORM

    return FORM[form_id]


@pytest.mark.parametrize("mod", [CTRL, CTRL | SHIFT])
def test_copied_text_can_be_pasted(editor: Editor, mod: int) -> None:
    editor.paste(CORRIDOR)
    editor.visitor.key(pygame.K_c, mod=mod)
    copied = pygame.scrap.get_text()
    assert ("initial_state = np.array([" in copied) == bool(mod & SHIFT), copied
    editor.visitor.key(pygame.K_n, "n")
    editor.visitor.key(pygame.K_v, mod=CTRL)
    assert str(editor) == CORRIDOR


def test_bad_imports_are_one_sentence_and_change_nothing(editor: Editor, tmp_path: Path) -> None:
    before = editor.scene.document
    for content in (b"nothing", b"#####\n#@x.#\n#####", b"\x93NUMPY", b"{}"):
        path = tmp_path / "bad.xsb"
        path.write_bytes(content)
        editor.visitor.post(pygame.DROPFILE, file=str(path))
        assert "bad.xsb" in editor.visitor.said()[-1]
        assert editor.scene.document == before
    editor.visitor.post(pygame.DROPFILE, file=str(tmp_path / "gone.xsb"))
    assert "gone.xsb" in editor.visitor.said()[-1]


def test_a_file_of_several_levels_asks_which(editor: Editor, tmp_path: Path) -> None:
    path = tmp_path / "three-rooms.xsb"
    path.write_text(
        f"{CORRIDOR}\nTitle: One\n\n{CORRIDOR.replace(' $ ', '  $')}\nTitle: Two\n\n####\n#@.#\n####\nTitle: Unfinished\n"
    )
    editor.visitor.post(pygame.DROPFILE, file=str(path))
    assert isinstance(editor.window.top, ChooseDialog)
    editor.visitor.key(pygame.K_DOWN)
    editor.press("Edit this one")
    assert editor.scene.document.title == "Two"
    editor.visitor.post(pygame.DROPFILE, file=str(path))
    editor.press("Keep all as a pack")
    (own,) = editor.scene.exchange.packs.packs
    assert (own.title, [level.title for level in own.pack.levels]) == ("Three rooms", ["One", "Two"])
    assert "1 unfinished" in editor.visitor.said()[-1]


def test_opening_through_the_file_dialog_by_keys(editor: Editor) -> None:
    folder = editor.visitor.context.saves.root / "exports"
    (folder / "inner").mkdir(parents=True)
    (folder / "inner" / "level.xsb").write_text(CORRIDOR)
    editor.visitor.key(pygame.K_o, mod=CTRL)
    dialog = editor.window.top
    assert isinstance(dialog, FileDialog)
    assert [entry.name for entry in dialog.found] == ["inner"]
    editor.visitor.key(pygame.K_RETURN, "\r")
    assert dialog.folder == folder / "inner"
    editor.visitor.key(pygame.K_RETURN, "\r")
    assert editor.window.top is editor.scene
    assert str(editor) == CORRIDOR


def test_an_existing_file_is_replaced_only_when_asked(editor: Editor) -> None:
    editor.paste(CORRIDOR)
    folder = editor.visitor.context.saves.root / "exports"
    folder.mkdir()
    (folder / "level.json").write_text("mine")
    editor.scene.exchange.save_file(_form("json"))
    editor.press("Save")
    editor.press("Cancel")
    assert (folder / "level.json").read_text() == "mine"
    editor.press("Save")
    editor.press("Replace")
    editor.until(lambda: editor.visitor.said()[-1].startswith("Saved as"), "the file is written")
    assert level_forms.read(folder / "level.json")[0].drawing == editor.scene.document.drawing


@pytest.mark.parametrize("size", [(1024, 640), (1280, 800), (1920, 1080)])
@pytest.mark.parametrize("theme", ["dark", "light"])
def test_no_words_are_cut_off(visit, size, theme) -> None:
    editor = Editor(visit("editor", size, theme=theme))
    for text in (CORRIDOR, CORRIDOR.replace("$", " ")):
        editor.paste(text)
        editor.visitor.frames(3)
        cut = [words for words, _ in editor.visitor.words() if words.endswith("…") and not words.endswith(" …")]
        assert cut == [], cut


def test_backspace_goes_up_a_folder(editor: Editor) -> None:
    editor.visitor.key(pygame.K_o, mod=CTRL)
    dialog = editor.window.top
    assert isinstance(dialog, FileDialog)
    folder = dialog.folder
    editor.visitor.key(pygame.K_BACKSPACE)
    assert dialog.folder == folder.parent
    editor.visitor.key(pygame.K_z, "z")
    assert dialog.folder == folder.parent


def test_closing_keeps_the_stroke_under_way(editor: Editor, visit) -> None:
    editor.take(BOX)
    editor.drag((1, 1), (1, 4), up=False)
    drawn = editor.scene.drawing
    editor.window.close()
    editor.visitor.context.writer.flush()
    editor.visitor.context.saves.close()
    assert Editor(visit("editor")).scene.document.drawing == drawn


@pytest.mark.parametrize("side", [24, 34, 48])
@pytest.mark.parametrize("theme", ["dark", "light"])
def test_no_two_tiles_of_the_palette_look_alike(visit, theme, side) -> None:
    visitor = visit("editor", theme=theme)
    looks = {kind: palette._tile_picture(kind, side, visitor.scene.theme) for kind in range(7)}
    arrays = {kind: pygame.surfarray.array3d(look).astype(int) for kind, look in looks.items()}
    for one, other in itertools.combinations(arrays, 2):
        differing = (np.abs(arrays[one] - arrays[other]).max(axis=2) > 40).mean()
        assert differing > 0.04, f"{drawings.name_of(one)} and {drawings.name_of(other)} differ in {differing:.1%}"


def test_what_is_missing_is_said_on_its_tile_and_paints_no_box_red(editor: Editor) -> None:
    editor.take(PLAYER)
    editor.click(1, 1)
    editor.take(BOX)
    editor.drag((3, 3), (3, 5))
    editor.take(TARGET)
    editor.click(5, 3)
    print(editor)
    assert editor.check("boxes") == "bad"
    assert editor.scene.review.faults == frozenset(), "three boxes are fine: two targets are missing"
    assert "2 targets missing" in [check.text.rpartition(": ")[2] for check in editor.scene.review.checks]
    assert "target: 2 missing" in [words for words, _ in editor.visitor.words()]
    editor.drag((5, 4), (5, 5))
    assert not any(words.endswith("missing") for words, _ in editor.visitor.words())


def test_the_button_of_the_rules_says_that_it_means_rules(editor: Editor) -> None:
    assert "Rules: push" in [words for words, _ in editor.visitor.words()]


def test_a_complaint_goes_when_it_is_mended(editor: Editor) -> None:
    editor.visitor.key(pygame.K_t, "t")
    assert "cannot be played yet" in editor.visitor.said()[-1]
    editor.take(PLAYER)
    editor.click(1, 1)
    assert editor.visitor.said() == []


def test_a_first_drawing_is_not_proposed_for_a_pack_of_pasted_levels(editor: Editor) -> None:
    packs = editor.scene.exchange.packs
    editor.until(lambda: packs.known, "the packs are read")
    pasted = packs.make("Pasted levels")
    editor.paste(CORRIDOR)
    editor.visitor.key(pygame.K_s, mod=CTRL)
    assert editor.window.top.stem != pasted
    editor.press("Save")
    assert editor.scene.exchange.where == "My levels 1"
    packs.make("More from elsewhere")
    editor.paste(CORRIDOR)
    editor.visitor.key(pygame.K_s, mod=CTRL)
    assert packs.get(editor.window.top.stem).title == "My levels", "where the one before went"


def test_esc_asks_before_it_throws_a_title_away(editor: Editor) -> None:
    editor.paste(CORRIDOR)
    editor.visitor.key(pygame.K_s, mod=CTRL)
    editor.visitor.key(pygame.K_ESCAPE)
    assert editor.window.top is editor.scene, "nothing was typed"
    editor.visitor.key(pygame.K_s, mod=CTRL)
    dialog = editor.window.top
    editor.visitor.post(pygame.TEXTINPUT, text="Corridor")
    editor.window.relayout()
    editor.visitor.key(pygame.K_ESCAPE)
    assert editor.window.top.title == "Discard what you typed?"
    editor.visitor.key(pygame.K_ESCAPE)
    assert editor.window.top is dialog
    assert "Corridor" in [field.text for field in dialog._fields]
    editor.visitor.key(pygame.K_ESCAPE)
    editor.press("Discard it")
    assert editor.window.top is editor.scene
