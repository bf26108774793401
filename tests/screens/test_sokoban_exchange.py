"""Levels and solutions that are pasted on the Sokoban screen, copied from it, opened from a file and kept."""

import os
import threading
from collections.abc import Iterator
from pathlib import Path

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")

import pygame
import pytest
from test_sokoban_screen import Game, saves  # noqa: F401

from game.rules import levels, sokoban
from game.screens.editor.scene import EditorScene
from game.screens.replays.theatre import TheatreScene
from game.ui.dialog import Dialog
from game.ui.file_dialog import FileDialog

SOLUTION = "rRR"
"""Of the first level."""
NEW = "; C\n######\n#@ $.#\n######\n"
TWO = "Collection: Found\n\n; A\n#####\n#@$.#\n#####\n\n; B\n6#|#@$-.#|6#\n"


class Clip:
    """The clipboard of these tests."""

    text = ""


@pytest.fixture(autouse=True)
def clip(monkeypatch: pytest.MonkeyPatch) -> Clip:
    made = Clip()
    monkeypatch.setattr(pygame.scrap, "get_text", lambda: made.text)
    monkeypatch.setattr(pygame.scrap, "put_text", lambda text: setattr(made, "text", text))
    return made


@pytest.fixture
def game(saves: Path) -> Iterator[Game]:  # noqa: F811
    made = Game(saves)
    yield made
    made.close()


def press(game: Game, key: int, mod: int = pygame.KMOD_CTRL) -> None:
    for kind in (pygame.KEYDOWN, pygame.KEYUP):
        pygame.event.post(pygame.event.Event(kind, key=key, mod=mod, unicode="", scancode=0))
    game.frames()


def paste(game: Game, clip: Clip, text: str) -> None:
    clip.text = text
    press(game, pygame.K_v)


def test_pasted_levels_are_kept_at_once_the_newest_last_and_none_twice(game: Game, clip: Clip) -> None:
    paste(game, clip, TWO)
    game.until(lambda: game.scene.face.subtitle() == "Pasted · 1 of 2 · “A”", "the pasted levels are open and kept")
    assert game.toasts.count("2 levels opened, and kept in the pack “Pasted”.") == 1
    paste(game, clip, f"{NEW}\n\n{TWO}")
    game.until(lambda: game.scene.face.subtitle() == "Pasted · 3 of 3 · “C”", "the new one comes last")
    assert game.scene.session.course.pack is not None
    assert game.scene.session.course.pack.id == "my/pasted"
    kept = levels.read(game.context.saves.root / "levels" / "pasted.xsb")
    assert [level.title for level in kept.levels] == ["A", "B", "C"]


def test_pasted_moves_ask_before_they_replace_a_game_of_some_length(game: Game, clip: Clip) -> None:
    game.keys("drrrlllrrrll")
    played = game.played
    paste(game, clip, SOLUTION)
    game.until(lambda: isinstance(game.window.top, Dialog), "it asks")
    game.key(pygame.K_ESCAPE)
    game.frames(5)
    assert game.played == played, "nothing is lost"
    paste(game, clip, SOLUTION)
    game.until(lambda: isinstance(game.window.top, Dialog), "it asks again")
    game.key(pygame.K_RETURN)
    game.until(lambda: sokoban.is_solved(game.scene.session.state), "the solution is played")
    game.context.writer.flush()
    kept = [path.read_text() for path in game.context.saves.replays.rglob("*.json")]
    assert len(kept) == 2, "the game before it is a replay"


def test_pasted_moves_are_played_as_a_solution_and_can_be_undone(game: Game, clip: Clip) -> None:
    game.keys("d")
    paste(game, clip, f"  {SOLUTION.upper()}\n")
    game.until(lambda: sokoban.is_solved(game.scene.session.state), "the solution is played")
    assert game.played == SOLUTION, "from the start, with capitals for pushes alone"
    assert game.scene.session.timeline.can_undo
    game.until(lambda: "Solved by pasted moves" in game.banner, "the banner says who solved it")
    record = game.context.progress.level(game.scene.session.course.level_id)
    assert record is not None
    assert record.own is None, "a pasted solution is no result of the person"
    assert record.by_moves.by == "pasted"
    game.key(pygame.K_z)
    assert game.scene.session.timeline.cursor == 0, "what was pasted at once is taken back at once"
    game.key(pygame.K_y)
    game.scene.watch()
    game.frames(3)
    assert isinstance(game.window.top, TheatreScene)


def test_moves_that_go_on_from_here_are_played_from_here(game: Game, clip: Clip) -> None:
    game.keys("r")
    paste(game, clip, "2r")
    game.until(lambda: not game.scene.session.walk, "the moves are played")
    assert game.played == "rRR", "they solve the level only from here"
    game.scene.session.go(0)
    game.keys("d")
    paste(game, clip, "dr")
    game.until(lambda: not game.scene.session.walk, "the moves are played")
    assert game.played == "dr", "they solve it nowhere and fit only the start"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("llll", "These moves do not fit this level: move 1 (left) runs into a wall."),
        ("2(r", "These moves do not fit this level: a bracket is not closed."),
        ("", "There is no text on the clipboard."),
        ("good morning", "The clipboard has no moves and no levels: there is no level in it."),
        ("\n#####\n#@x.#\n#####", "The clipboard has no moves and no levels: line 3: 'x' means nothing on a board."),
    ],
)
def test_what_cannot_be_pasted_is_told_in_one_sentence(game: Game, clip: Clip, text: str, said: str) -> None:
    before = game.scene.session.state
    paste(game, clip, text)
    game.until(lambda: said in game.toasts, f"it says {said!r}, not {game.toasts}")
    assert game.scene.session.state == before
    assert game.window.top is game.scene


def test_an_unfinished_level_is_pasted_into_the_editor(game: Game, clip: Clip) -> None:
    paste(game, clip, "#####\n#@  #\n#####")
    game.until(lambda: isinstance(game.window.top, EditorScene), "the editor is open")


def test_a_copied_level_brings_its_solution_only_once_it_is_solved(game: Game, clip: Clip) -> None:
    press(game, pygame.K_c, pygame.KMOD_CTRL | pygame.KMOD_SHIFT)
    assert "There are no moves to copy yet." in game.toasts
    game.keys(SOLUTION[:2])
    press(game, pygame.K_c)
    (level,) = levels.parse(clip.text, "copied").levels
    assert (level.state, level.title, level.solution) == (game.scene.session.timeline.initial, "One aisle", "")
    press(game, pygame.K_c, pygame.KMOD_CTRL | pygame.KMOD_SHIFT)
    assert clip.text == SOLUTION[:2]
    game.keys(SOLUTION[2:])
    press(game, pygame.K_c)
    assert levels.parse(clip.text, "copied").levels[0].solution == SOLUTION
    assert "The level with your solution is on the clipboard." in game.toasts


def test_a_file_is_chosen_in_a_dialogue_and_opened(game: Game, tmp_path: Path) -> None:
    path = tmp_path / "found.sok"
    path.write_text(TWO)
    game.window.on_drop = opened = []  # type: ignore[assignment]
    game.window.on_drop = opened.append  # type: ignore[attr-defined]
    press(game, pygame.K_o)
    dialog = game.window.top
    assert isinstance(dialog, FileDialog)
    assert dialog.suffixes >= (".xsb", ".sok")
    dialog.on_choose(path)
    assert opened == [path]


def test_text_that_is_dropped_counts_as_pasted(game: Game) -> None:
    pygame.event.post(pygame.event.Event(pygame.DROPTEXT, text=TWO))
    game.until(lambda: game.scene.face.subtitle() == "Pasted · 1 of 2 · “A”", "the dropped levels are open")


def test_a_solution_left_in_the_middle_is_still_pasted_after_a_restart(saves: Path, clip: Clip) -> None:  # noqa: F811
    first = Game(saves)
    paste(first, clip, SOLUTION[:2])
    first.until(lambda: not first.scene.session.walk, "the moves are played")
    assert first.scene.session.line.pasted(first.scene.session.timeline.cursor)
    first.close()
    again = Game(saves)
    assert again.scene.session.helper_name == "pasted moves", again.picture()
    again.close()


def test_pasted_moves_are_tried_off_the_drawing_thread(game: Game, clip: Clip, monkeypatch) -> None:
    threads = []
    real = levels.replayed

    def replayed(*given):
        threads.append(threading.current_thread())
        return real(*given)

    monkeypatch.setattr(levels, "replayed", replayed)
    paste(game, clip, SOLUTION)
    game.until(lambda: sokoban.is_solved(game.scene.session.state), "the solution is played")
    assert threads and threading.main_thread() not in threads
