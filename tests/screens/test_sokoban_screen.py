"""The Sokoban screen driven by events: keys, clicks, drags, hints, lost positions, the list, coming back."""

import os
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")

import pygame
import pytest

from ai import catalogue, kernels
from ai.agent import Plan, Progress, Status, Thinking
from game.play.sokoban import packs as packs_module
from game.rules import levels, sokoban
from game.screens import app
from game.screens.sokoban.banner import Message, Offer
from game.screens.sokoban.demo import SokobanDemo
from game.screens.sokoban.level_list import LevelListScene
from game.screens.sokoban.screen import SokobanScreen
from game.screens.sokoban.win_page import WinPage
from game.ui import text
from game.ui.scene import Scene
from game.ui.theme import Theme

FIRST = """\
Title: First steps
Author: a test

#######
#@ $ .#
#     #
#######
Title: One aisle

########
#@     #
# $  $ #
# .  . #
#      #
########
Title: Two boxes
"""
SECOND = """\
Title: Depot

######
#@$ .#
######
Title: The end
"""
DAMAGED = "Title: Odd\n\n#####\n#@@.#\n#####\n"
SOLUTION = "rrr"


class FakeSolver:
    """Knows the first level; everything else it proves unsolvable, or gives up on, or thinks about for long."""

    answer = Status.SOLVED
    asked = 0

    def new_game(self, seed: int) -> None:
        pass

    def plan(self, state: sokoban.State, thinking: Thinking) -> Plan:
        FakeSolver.asked += 1
        if self.answer is Status.CANCELLED:
            while not thinking.over(0, 20.0):
                thinking.report(Progress(1000, depth=3, measure=2.0))
                time.sleep(0.001)
            return Plan((), Status.CANCELLED)
        if self.answer is not Status.SOLVED:
            return Plan((), self.answer, exact=True, nodes=5, seconds=0.1, note="it was told so")
        actions: tuple[int, ...] = ()
        for box in sorted(state.boxes - state.warehouse.targets):
            target = min(state.warehouse.targets - state.boxes)
            actions = sokoban.push_path(state, box, target) or ()
        return Plan(actions, Status.SOLVED, exact=True, nodes=5, seconds=0.1)


class Game:
    """The window with one Sokoban screen, and hands to play with."""

    def __init__(self, saves: Path) -> None:
        self.window, self.context = app.open_window(saves)
        self.window.push(Scene(self.window))
        self.scene = SokobanScreen(self.window, self.context)
        self.window.push(self.scene)
        self.window.running = True
        self.frames(2)

    def frames(self, count: int = 1, dt: float = 1 / 30) -> None:
        for _ in range(count):
            self.window.frame(dt)

    def until(self, done: Callable[[], Any], what: str, seconds: float = 10.0) -> None:
        end = time.perf_counter() + seconds
        while not done():
            assert time.perf_counter() < end, f"waited in vain until {what}:\n{self.picture()}"
            self.frames()

    def key(self, key: int, count: int = 1) -> None:
        for _ in range(count):
            for kind in (pygame.KEYDOWN, pygame.KEYUP):
                pygame.event.post(pygame.event.Event(kind, key=key, mod=0, unicode="", scancode=0))
        self.frames()

    def keys(self, lurd: str) -> None:
        names = {"l": pygame.K_LEFT, "u": pygame.K_w, "r": pygame.K_RIGHT, "d": pygame.K_s}
        for letter in lurd.lower():
            self.key(names[letter])

    def square(self, row: int, col: int) -> int:
        return row * self.scene.session.state.warehouse.cols + col

    def mouse(self, kind: int, square: int, **more: Any) -> None:
        assert self.scene.board is not None
        position = self.scene.board.rect_of(square).center
        pygame.mouse.set_pos(position)
        pygame.event.post(pygame.event.Event(kind, pos=position, **more))
        self.frames()

    def click(self, square: int) -> None:
        self.mouse(pygame.MOUSEMOTION, square, rel=(0, 0), buttons=(0, 0, 0))
        self.mouse(pygame.MOUSEBUTTONDOWN, square, button=1)
        self.mouse(pygame.MOUSEBUTTONUP, square, button=1)

    def press(self, label: str) -> None:
        """Click the button with that label on the top screen."""
        buttons = [control for control in self.window.top.kit.controls if getattr(control, "label", "") == label]
        assert buttons, f"there is no button {label!r}"
        for kind in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
            pygame.event.post(pygame.event.Event(kind, pos=buttons[-1].rect.center, button=1))
        self.frames()

    def picture(self) -> str:
        return (
            "\n".join(levels.board(self.scene.session.state)) + f"\nafter {self.scene.session.timeline.cursor} moves"
        )

    @property
    def played(self) -> str:
        return sokoban.to_lurd(
            self.scene.session.timeline.initial, [step.action for step in self.scene.session.timeline.played]
        )

    @property
    def toasts(self) -> list[str]:
        return [toast.text for toast in self.window.toasts.items]

    @property
    def banner(self) -> str:
        return self.scene.banner.message.words if self.scene.banner.message is not None else ""

    def close(self) -> None:
        self.window.close()
        app.close_context(self.context)


@pytest.fixture
def saves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shipped = tmp_path / "shipped"
    shipped.mkdir()
    (shipped / "a-first.xsb").write_text(FIRST)
    (shipped / "b-depot.xsb").write_text(SECOND)
    monkeypatch.setattr(packs_module, "SHIPPED", shipped)
    packs_module.packs_of.cache_clear()
    monkeypatch.setattr(kernels, "ready", lambda family: True)
    monkeypatch.setattr(catalogue, "create", lambda game, spec: FakeSolver())
    monkeypatch.setattr(FakeSolver, "answer", Status.SOLVED)
    monkeypatch.setattr(FakeSolver, "asked", 0)
    return tmp_path / "saves"


@pytest.fixture
def game(saves: Path) -> Iterator[Game]:
    made = Game(saves)
    yield made
    made.close()


def test_a_level_that_is_lost_from_the_start_offers_the_next_one(game: Game) -> None:
    start = levels.parse("#####\n#@  #\n#$ .#\n#####\n", "test").levels[0].state
    game.scene.session.begin(start)
    game.frames(2)
    assert game.banner == "This level has no solution", "there is nothing to undo and nothing to restart"
    assert game.scene.status[1] == "this level has no solution"
    game.keys("r")
    assert game.banner == "This can no longer be won", game.picture()


def test_keys_solve_a_level_and_enter_opens_the_next(game: Game) -> None:
    assert game.scene.face.subtitle() == "First steps · 1 of 2 · “One aisle”"
    game.keys(SOLUTION)
    assert sokoban.is_solved(game.scene.session.state), game.picture()
    game.until(lambda: game.scene.panel.over is not None, "the win is celebrated")
    page = game.scene.panel.over
    assert isinstance(page, WinPage) and game.window.top is game.scene
    assert not any(card.colliderect(game.scene.layout.board) for card in page.cards.values()), (
        "the board stays in view"
    )
    assert page.numbers == (("Moves", "3"), ("Pushes", "2"))
    assert page.news == "Solved for the first time!"
    assert page.records == (("Your best", "3 moves · 2 pushes", True), ("Agents' best", "–", False))
    record = game.context.progress.level(game.scene.session.course.level_id)
    assert record is not None
    assert (record.person, record.by_moves.moves, record.by_pushes.pushes) == (True, 3, 2)
    assert record.by_moves.lurd == "rRR"
    game.context.writer.flush()
    assert len(list(game.context.saves.replays.glob("*.json"))) == 1, "the replay is kept"
    game.key(pygame.K_RETURN)
    assert game.window.top is game.scene
    assert game.scene.face.subtitle() == "First steps · 2 of 2 · “Two boxes”"


def test_keys_pressed_at_once_are_all_played(game: Game) -> None:
    for key in (pygame.K_DOWN, pygame.K_RIGHT, pygame.K_RIGHT, pygame.K_RIGHT, pygame.K_UP):
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=key, mod=0, unicode="", scancode=0))
        pygame.event.post(pygame.event.Event(pygame.KEYUP, key=key, mod=0, unicode="", scancode=0))
    game.frames()
    assert game.played == "drrru"


def test_a_click_walks_the_shortest_way(game: Game) -> None:
    goal = game.square(2, 5)
    game.mouse(pygame.MOUSEMOTION, goal, rel=(0, 0), buttons=(0, 0, 0))
    assert len(game.scene.pointer.walk) == 4, "the way is shown before the click, without its end"
    game.click(goal)
    game.until(lambda: not game.scene.session.walk, "the walk is over")
    assert game.scene.session.state.player == goal, game.picture()
    assert game.scene.session.timeline.cursor == 5


def test_a_key_in_the_middle_of_a_walk_comes_after_it(game: Game) -> None:
    game.click(game.square(2, 5))
    assert game.scene.session.walk, "the walk is still under way"
    game.keys("l")
    assert game.scene.session.state.player == game.square(2, 4), game.picture()


def test_a_box_is_pushed_by_two_clicks_and_by_dragging(game: Game) -> None:
    game.scene.session.change_level(1)
    game.frames()
    left, right = game.square(2, 2), game.square(2, 5)
    game.click(left)
    assert game.scene.pointer.box == left
    assert game.square(3, 2) in game.scene.pointer.targets, game.scene.pointer.targets
    game.click(left)
    assert game.scene.pointer.box is None, "the second click lets it go"
    game.click(left)
    game.click(game.square(3, 2))
    game.until(lambda: not game.scene.session.walk, "the first box is home")
    assert game.square(3, 2) in game.scene.session.state.boxes, game.picture()
    game.mouse(pygame.MOUSEBUTTONDOWN, right, button=1)
    game.mouse(pygame.MOUSEMOTION, game.square(3, 5), rel=(0, 0), buttons=(1, 0, 0))
    game.mouse(pygame.MOUSEBUTTONUP, game.square(3, 5), button=1)
    game.until(lambda: not game.scene.session.walk, "the second box is home")
    assert sokoban.is_solved(game.scene.session.state), game.picture()
    assert game.scene.session.pushes == 2


def test_escape_lets_the_box_go_before_it_leaves(game: Game) -> None:
    game.click(game.square(1, 3))
    assert game.scene.pointer.box is not None
    game.key(pygame.K_ESCAPE)
    assert game.scene.pointer.box is None
    assert game.window.top is game.scene
    game.key(pygame.K_ESCAPE)
    assert game.window.top is game.scene, "not at once after the box was let go"
    game.frames(65)
    game.key(pygame.K_ESCAPE)
    assert game.window.top is not game.scene


def test_undo_redo_restart_by_keys_and_wheel(game: Game) -> None:
    game.keys("drrl")
    assert game.played == "drrl"
    game.key(pygame.K_z, 2)
    assert game.played == "dr"
    game.key(pygame.K_y)
    assert game.played == "drr"
    pygame.mouse.set_pos(game.scene.layout.board.center)
    pygame.event.post(pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=1, precise_x=0.0, precise_y=1.0))
    game.frames()
    assert game.played == "drr", "the wheel alone takes nothing back"
    pygame.key.set_mods(pygame.KMOD_LCTRL)
    pygame.event.post(pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=1, precise_x=0.0, precise_y=1.0))
    game.frames()
    assert game.played == "dr"
    pygame.key.set_mods(pygame.KMOD_NONE)
    game.scene.context.set("wheel_undoes", True)
    pygame.event.post(pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=-2, precise_x=0.0, precise_y=-2.0))
    game.frames()
    assert game.played == "drrl"
    game.key(pygame.K_r)
    assert game.played == ""
    game.key(pygame.K_END)
    assert game.played == "drrl", "a restart can be undone"


def test_the_keeper_faces_where_he_went(game: Game) -> None:
    assert game.scene.board is not None
    game.keys("drrl")
    game.frames(20)
    assert game.scene.board._motion.facings[0] == 3
    game.key(pygame.K_z)
    game.frames(20)
    assert game.scene.board._motion.facings[0] == 1, "as after the step before"
    game.key(pygame.K_r)
    game.frames(20)
    assert game.scene.board._motion.facings[0] == 2


def test_a_lost_position_says_so_once_and_offers_undo(game: Game) -> None:
    game.scene.session.change_level(1)
    game.keys("ddrU")
    game.frames(10)
    assert game.scene.session.verdict.stuck == {game.square(1, 2)}, game.picture()
    assert game.banner == "This can no longer be won"
    assert game.scene.status[1] == "This can no longer be won: undo or restart"
    game.scene.banner.close()
    game.keys("l")
    game.frames(5)
    assert game.banner == "", "no nagging"
    game.key(pygame.K_z, 2)
    game.frames(5)
    assert game.scene.status[1] == "no box is stuck"
    game.keys("U")
    game.frames(5)
    assert game.banner == "This can no longer be won"
    game.press("Undo")
    assert game.played == "ddr"
    game.frames(3)
    assert game.banner == ""


def test_stuck_boxes_stay_unmarked_when_that_is_set(game: Game) -> None:
    game.context.set("show_stuck", False)
    game.scene.session.change_level(1)
    game.keys("ddrU")
    game.frames(5)
    assert game.scene.session.verdict.dead, game.picture()
    assert (game.banner, game.scene.status[1]) == ("", "")
    assert game.scene._overlay().stuck == frozenset()


def test_a_hint_is_shown_and_carried_out_by_enter(game: Game) -> None:
    game.key(pygame.K_h)
    game.until(lambda: game.scene.session.driver.hint, "the hint is there")
    game.frames(2)
    overlay = game.scene._overlay()
    assert overlay.hint == (game.square(1, 3), 1), game.picture()
    assert overlay.plan == (game.square(1, 2),)
    assert [row.value for row in game.scene.face.thought_rows()][2] == "push right, two squares"
    game.keys("d")
    assert game.scene._overlay().hint is None, "it goes when the person moves"
    game.keys("u")
    game.key(pygame.K_h)
    game.frames(3)
    assert FakeSolver.asked == 1, "a plan that was found is not searched for again"
    assert game.scene._overlay().hint is not None
    game.key(pygame.K_RETURN)
    game.until(lambda: sokoban.is_solved(game.scene.session.state), "the hint is carried out")
    game.frames(60)
    record = game.context.progress.level(game.scene.session.course.level_id)
    assert record is not None
    assert (record.person, record.own) == (False, None)
    assert game.window.top is game.scene, "no fanfare"
    assert game.banner.startswith("Solved with Strong solver"), game.banner


def test_the_agent_solves_pauses_and_steps(game: Game) -> None:
    game.scene.session.driver.speed = 2.0
    game.key(pygame.K_SPACE)
    game.until(lambda: game.scene.session.timeline.cursor == 1, "the agent made a move")
    game.key(pygame.K_SPACE)
    assert not game.scene.session.driver.running
    assert game.scene.face.run_label == "Go on"
    game.frames(40)
    assert game.scene.session.timeline.cursor == 1, "paused"
    game.key(pygame.K_PERIOD)
    game.until(lambda: game.scene.session.timeline.cursor == 2, "one step")
    game.frames(40)
    assert game.scene.session.timeline.cursor == 2
    game.key(pygame.K_SPACE)
    game.until(lambda: sokoban.is_solved(game.scene.session.state), "the agent finished")
    game.frames(40)
    assert FakeSolver.asked == 1
    assert game.window.top is game.scene
    assert game.banner == "Solved by Strong solver: 3 moves, 2 pushes"
    record = game.context.progress.level(game.scene.session.course.level_id)
    assert record is not None
    assert record.by_moves.by == "fess"
    game.key(pygame.K_r)
    game.keys(SOLUTION)
    game.until(lambda: game.scene.panel.over is not None, "a person solved it from the start")
    record = game.context.progress.level(game.scene.session.course.level_id)
    assert record is not None
    assert record.person


def test_a_proof_that_there_is_no_solution_is_said(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FakeSolver, "answer", Status.UNSOLVABLE)
    game.keys("d")
    game.key(pygame.K_h)
    game.until(lambda: game.banner, "the proof is told")
    assert game.banner == "Strong solver proved: this can no longer be won"
    assert game.scene.face.thought_note() == "proved unsolvable"
    assert "proved: there is no solution" in [row.value for row in game.scene.face.thought_rows()]
    game.key(pygame.K_z)
    game.frames(3)
    assert game.banner == "", "nothing is known about the position before"
    rows = [row.value for row in game.scene.face.thought_rows()]
    assert game.scene.face.thought_note() == "of another position" and not any("proved" in value for value in rows)
    game.key(pygame.K_y)
    game.frames(3)
    assert game.scene.face.thought_note() == "proved unsolvable", "there it still is"
    game.key(pygame.K_z)
    game.keys("r")
    game.frames(3)
    assert game.banner == "", "nor about another line"


@pytest.mark.parametrize("size", [(1024, 640), (1280, 800)])
@pytest.mark.parametrize("page", ["play", "lab"])
def test_the_best_known_solutions_say_what_they_have_few_of(visit, size, page):
    visitor = visit("sokoban", size, page=page)
    session = visitor.scene.session
    visitor.context.progress.found_solution(session.course.level_id, 1265, 97, "", "fess")
    visitor.context.progress.found_solution(session.course.level_id, 1301, 95, "", "astar")
    drawn = [words for words, _ in visitor.words()]
    print(drawn)
    assert "Best known" in drawn and not any("Fewest" in words for words in drawn)
    assert any(words.startswith("1,265 moves") for words in drawn) and any(
        words.startswith("95 pushes") for words in drawn
    )


def test_a_banner_that_has_no_room_says_it_shorter(visit):
    visitor = visit("sokoban", (1024, 640))
    scene = visitor.scene
    offers = (Offer("Watch it", "replay", lambda: None), Offer("Next level", "next", lambda: None))
    words = (
        "Solved with the help of Strong solver: 1,265 moves, 1,097 pushes",
        "Solved: 1,265 moves, 1,097 pushes",
        "Solved",
    )
    scene.banner.set(
        Message("key", "check", scene.theme.good, words[0], offers, words[1:]), scene.kit, scene.layout.board, lambda _: 0
    )  # fmt: skip
    surface = pygame.Surface(visitor.window.size)
    seen = []
    real = text.draw

    def noted(surface, theme, said, *args, **more):
        seen.append(said)
        return real(surface, theme, said, *args, **more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text, "draw", noted)
        scene.banner.draw(surface, scene.theme)
    assert seen == [words[1]]


def test_giving_up_and_cancelling_are_told_apart(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FakeSolver, "answer", Status.GAVE_UP)
    game.key(pygame.K_h)
    game.until(lambda: game.toasts, "the agent gave up")
    assert "gave up" in game.toasts[0]
    assert game.scene.face.thought_note() == "gave up"
    assert game.banner == ""
    monkeypatch.setattr(FakeSolver, "answer", Status.CANCELLED)
    game.scene.session.driver.new_game(1)
    game.key(pygame.K_h)
    game.until(lambda: game.scene.session.driver.thought.progress.nodes, "it thinks")
    game.frames(2)
    assert [row.name for row in game.scene.face.thought_rows()] == ["Searched", "Depth", "Best position"]
    game.key(pygame.K_ESCAPE)
    game.frames(2)
    assert game.scene.face.thought_note() == "cancelled"
    assert game.window.top is game.scene


def test_page_keys_change_levels_and_packs_and_keep_attempts(game: Game) -> None:
    game.keys("dr")
    game.key(pygame.K_PAGEDOWN)
    assert game.scene.session.course.title == "Two boxes"
    game.key(pygame.K_RIGHTBRACKET)
    assert game.scene.face.subtitle() == "Depot · 1 of 1 · “The end”"
    game.key(pygame.K_PAGEDOWN)
    assert "This is the last level of all." in game.toasts
    game.key(pygame.K_PAGEUP, 2)
    assert game.scene.session.course.title == "One aisle"
    assert game.played == "dr", "the attempt is as it was left"


def test_the_list_opens_chooses_and_marks(game: Game) -> None:
    game.keys(SOLUTION)
    game.until(lambda: game.scene.panel.over is not None, "the win is celebrated")
    game.key(pygame.K_ESCAPE)
    assert game.scene.panel.over is None and game.window.top is game.scene
    game.key(pygame.K_l)
    listed = game.window.top
    assert isinstance(listed, LevelListScene)
    game.until(lambda: listed.pack, "the pack is read")
    assert (listed.count, listed._solved, listed.grid.at) == (2, 1, 0)
    game.key(pygame.K_RIGHT)
    game.key(pygame.K_RETURN)
    assert game.window.top is game.scene
    assert game.scene.session.course.title == "Two boxes"
    game.key(pygame.K_l)
    listed = game.window.top
    assert isinstance(listed, LevelListScene)
    listed.choose_pack("b-depot")
    game.until(lambda: listed.pack is not None and listed.pack.id == "b-depot", "the other pack is read")
    position = listed.grid.card(0).center
    for kind in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
        pygame.event.post(pygame.event.Event(kind, pos=position, button=1))
    game.frames()
    assert game.scene.session.course.title == "The end"


def test_only_cards_in_view_are_drawn(saves: Path) -> None:
    own = saves / "levels"
    own.mkdir(parents=True)
    rooms = [f"{'#' * (width + 6)}\n#@ $ .{' ' * width}#\n{'#' * (width + 7)}" for width in range(1, 57)]
    (own / "many.xsb").write_text("\n\n".join(room.replace("#\n#", "##\n#", 1) for room in rooms * 10))
    game = Game(saves)
    try:
        game.key(pygame.K_l)
        listed = game.window.top
        assert isinstance(listed, LevelListScene)
        listed.choose_pack("my/many")
        game.until(lambda: listed.count == 560, "the pack is read")
        game.frames(100)
        seen = len(listed._drawn)
        assert 0 < seen < 60
        game.key(pygame.K_END)
        game.frames(100)
        assert listed.grid.at == 559
        assert listed.grid.view.contains(listed.grid.card(559).clip(listed.grid.view))
        assert listed.grid.card(559).bottom <= listed.grid.view.bottom
        assert len(listed._drawn) < 300, "gliding by draws some, not all"
    finally:
        game.close()


def test_a_damaged_pack_is_told_and_the_others_work(saves: Path) -> None:
    own = saves / "levels"
    own.mkdir(parents=True)
    (own / "odd.xsb").write_text(DAMAGED)
    game = Game(saves)
    try:
        game.key(pygame.K_l)
        listed = game.window.top
        assert isinstance(listed, LevelListScene)
        game.until(lambda: len(game.toasts) == 1 and all(o.note or o.reason for o in listed._options), "all is read")
        assert "odd.xsb:3" in game.toasts[0]
        assert [bool(option.reason) for option in listed._options] == [False, False, True]
    finally:
        game.close()


def test_the_game_goes_on_after_closing(saves: Path) -> None:
    game = Game(saves)
    game.scene.session.change_level(1)
    game.keys("drd")
    game.key(pygame.K_z)
    board = game.picture()
    game.close()
    packs_module.packs_of.cache_clear()
    game = Game(saves)
    try:
        assert game.picture() == board
        assert game.scene.face.subtitle() == "First steps · 2 of 2 · “Two boxes”"
        game.key(pygame.K_y)
        assert game.played == "dRd", "what was undone can be redone"
        assert game.scene.session.headline() == "First steps 2 · 3 moves"
    finally:
        game.close()


def test_a_level_that_vanished_goes_on_too(saves: Path) -> None:
    game = Game(saves)
    game.keys("dr")
    board = game.picture()
    game.close()
    shutil.rmtree(packs_module.SHIPPED)
    packs_module.SHIPPED.mkdir()
    packs_module.packs_of.cache_clear()
    game = Game(saves)
    try:
        assert game.picture() == board
        assert game.scene.face.subtitle() == "“One aisle”"
        game.key(pygame.K_PAGEDOWN)
        assert game.window.top is game.scene
        assert game.toasts == ["This is the last level of all."]
    finally:
        game.close()


def test_without_any_pack_there_is_still_a_level(saves: Path) -> None:
    shutil.rmtree(packs_module.SHIPPED)
    game = Game(saves)
    try:
        assert game.toasts == ["No pack of levels can be read, so here is a single level."]
        game.keys("rr")
        game.until(lambda: game.scene.panel.over is not None, "it can be won")
    finally:
        game.close()


@pytest.mark.parametrize(("size", "scale"), [((640, 480), 1.0), ((1024, 640), 1.0), ((1920, 1080), 1.5)])
def test_everything_lies_inside_the_window(
    saves: Path, size: tuple[int, int], scale: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("game.ui.window.FIRST_SIZE", size)
    game = Game(saves)
    try:
        game.context.set("ui_scale", scale)
        game.scene.session.change_level(1)
        game.keys("ddrU")
        game.frames(5)
        window = pygame.Rect((0, 0), game.window.size)
        assert game.scene.layout.board.contains(game.scene.banner.rect)
        for control in game.scene.kit.controls:
            assert window.contains(control.rect), (getattr(control, "label", control), control.rect)
        buttons = [button.rect for button in game.scene.banner._buttons]
        assert all(game.scene.banner.rect.contains(rect) for rect in buttons), buttons
    finally:
        game.close()


def test_the_menu_card_solves_level_after_level(saves: Path) -> None:
    window, context = app.open_window(saves)
    card = SokobanDemo(context, Theme("dark"), True)
    try:
        card.layout(pygame.Rect(0, 0, 300, 300))
        assert card.doing() == "A* is solving “One aisle”"
        end = time.perf_counter() + 10
        while card.games == 0:
            assert time.perf_counter() < end, "\n".join(levels.board(card.state))
            card.update(0.1)
            time.sleep(0)
        while card.facts() == "push every box home":
            assert time.perf_counter() < end
        assert card.facts() == "3 levels to solve"
    finally:
        card.close()
        window.close()
        app.close_context(context)


@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080)])
def test_a_hint_stands_beside_the_curve_of_its_plan(
    visit: Callable[..., Any], size: tuple[int, int], monkeypatch
) -> None:
    monkeypatch.setattr(kernels, "ready", lambda family: True)
    monkeypatch.setattr(catalogue, "create", lambda game, spec: FakeSolver())
    visitor = visit("sokoban", size, page="lab")
    visitor.key(pygame.K_h)
    end = time.perf_counter() + 10
    while visitor.scene.session.driver.hint is None:
        assert time.perf_counter() < end
        visitor.frames()
    visitor.frames(2)
    drawn = [words for words, _ in visitor.words()]
    assert {"Next", "boxes home, along the plan", "Boxes home", "Your best"} <= set(drawn), drawn


def test_what_cannot_be_done_shakes_and_is_heard(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[str] = []
    monkeypatch.setattr(game.window, "play", lambda name, pitch=1.0: heard.append(name))
    board = game.scene.board
    assert board is not None
    keeper = game.scene.session.state.player
    for key in ("u", "z", "y"):  # into the wall; nothing to undo; nothing to redo
        heard.clear()
        game.keys(key) if key == "u" else game.key(ord(key))
        assert heard == ["blocked"], key
        assert board._effects._shakes.keys() == {keeper}
        game.frames(30)
        assert not board._effects.busy, "for a moment"
    board.set_theme(board.theme, False)
    game.key(pygame.K_z)
    assert not board._effects.busy, "not where nothing moves"


def test_squares_on_which_the_box_would_be_lost_are_told_by_a_mark_of_their_own(game: Game) -> None:
    game.scene.session.begin(levels.parse("#######\n#     #\n# @$ .#\n#     #\n#######\n", "test").levels[0].state)
    game.frames(2)
    game.click(game.square(2, 3))
    pointer = game.scene.pointer
    assert {game.square(1, 1), game.square(1, 3)} <= pointer.lost < pointer.targets, game.picture()
    assert game.square(2, 5) not in pointer.lost
    assert game.scene._overlay().lost_targets == pointer.lost
    game.context.set("show_stuck", False)
    assert game.scene._overlay().lost_targets == frozenset(), "who does not want to be told is not told"


def test_escape_stays_for_a_second_after_it_stopped_an_agent(game: Game) -> None:
    game.scene.session.driver.run()
    game.key(pygame.K_ESCAPE)
    assert not game.scene.session.driver.running
    game.key(pygame.K_ESCAPE)
    assert game.window.top is game.scene
    game.frames(65)
    game.key(pygame.K_ESCAPE)
    assert game.window.top is not game.scene


def test_a_lost_position_leads_back_to_the_last_one_that_was_not(game: Game) -> None:
    game.scene.session.begin(levels.parse("#######\n#     #\n# @$ .#\n#     #\n#######\n", "test").levels[0].state)
    game.keys("drUlr")
    game.frames(3)
    assert game.banner == "This can no longer be won", game.picture()
    game.press("Undo to before that")
    assert game.played == "dr"
