"""The Sokoban screen with other rules: pulls, fixed targets, two players, levels played backwards, best solutions."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pygame
import pytest

from ai import catalogue, kernels
from ai.agent import Plan, Progress, Status, Thinking
from ai.entries import Spec
from game.play.sokoban import packs as packs_module
from game.play.sokoban.places import all_places
from game.rules import levels, sokoban
from game.rules.replay import Replay
from game.screens.replays.theatre import TheatreScene
from game.screens.sokoban import rules_card
from game.screens.sokoban.rules_card import RulesCard
from game.screens.sokoban.screen import SokobanScreen
from game.screens.sokoban.win_page import WinPage
from game.ui import clipboard
from game.views.sokoban.keys import PAIR
from tests.screens.test_sokoban_screen import Game

PACK = """\
Title: Other rules

######
#$  .#
# @  #
######
Variant: push & pull
Title: Corner

########
# @a B #
#  b A #
#      #
########
Title: Letters

########
#@ $ . #
#    & #
########
Title: Two

#######
#@ $ .#
#     #
#######
Title: Plain
Solution: rRR
"""
SHIFT = pygame.KMOD_LSHIFT


class Searcher:
    """Thinks for a while about the same position, then knows nothing; it plays every variant."""

    plan_of: Callable[[sokoban.State], tuple[int, ...]] | None = None

    def new_game(self, seed: int) -> None:
        pass

    def plan(self, state: sokoban.State, thinking: Thinking) -> Plan:
        if self.plan_of is not None:
            return Plan(self.plan_of(state), Status.SOLVED, exact=True, nodes=9, seconds=0.1)
        shown = tuple(sorted(state.boxes))
        while not thinking.over(0, 20.0):
            thinking.report(Progress(1234, depth=7, measure=5.0, position=shown, open=34, closed=1200))
        return Plan((), Status.CANCELLED)


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Game]:
    shipped = tmp_path / "shipped"
    shipped.mkdir()
    (shipped / "a.xsb").write_text(PACK)
    monkeypatch.setattr(packs_module, "SHIPPED", shipped)
    packs_module.packs_of.cache_clear()
    monkeypatch.setattr(kernels, "ready", lambda family: True)
    monkeypatch.setattr(catalogue, "create", lambda game, spec: Searcher())
    monkeypatch.setattr(Searcher, "plan_of", None)
    made = Game(tmp_path / "saves")
    put_away(made)
    yield made
    made.close()


def put_away(game: Game) -> None:
    """Close the card of the rules, where there is one."""
    game.frames(2)
    if isinstance(game.window.top, RulesCard):
        press(game, pygame.K_ESCAPE)


def press(game: Game, *keys: int, mod: int = 0) -> None:
    for key in keys:
        for kind in (pygame.KEYDOWN, pygame.KEYUP):
            pygame.event.post(pygame.event.Event(kind, key=key, mod=mod, unicode="", scancode=0))
    game.frames(2)


def open_level(game: Game, number: int) -> SokobanScreen:
    scene = game.scene
    pack = scene.session.course.packs.get("a")
    assert pack is not None
    scene.session.open_level(pack, number - 1)
    put_away(game)
    return scene


UP, RIGHT, DOWN, LEFT = pygame.K_UP, pygame.K_RIGHT, pygame.K_DOWN, pygame.K_LEFT


def test_other_rules_are_shown_once_with_a_picture_that_moves(game: Game) -> None:
    pack = game.scene.session.course.packs.get("a")
    assert pack is not None
    game.scene.session.open_level(pack, 2)
    game.frames(2)
    card = game.window.top
    assert isinstance(card, RulesCard) and "two players" in card.title
    assert "W A S D" in card.message
    start = card._state
    game.until(lambda: card._state is not start, "the picture moves")
    press(game, pygame.K_RETURN)
    assert game.window.top is game.scene
    game.scene.session.open_level(pack, 3)
    game.scene.session.open_level(pack, 2)
    game.frames(5)
    assert game.window.top is game.scene, "once"


@pytest.mark.parametrize("text", ["pull only", "push & pull", "fixed", "two players", "fixed, two players"])
def test_the_picture_of_the_rules_ends_with_every_box_at_home(text: str) -> None:
    shown = rules_card.example(sokoban.rules_of(text))
    state = levels.parse(shown.text, "the example").levels[0].state
    for action in shown.actions:
        state = sokoban.apply(state, action)
    assert sokoban.is_solved(state)


def test_a_box_is_pulled_with_shift_by_the_switch_and_by_the_mouse(game: Game) -> None:
    scene = open_level(game, 1)
    assert scene.face.subtitle().endswith("“Corner” · push & pull")
    press(game, UP)
    press(game, RIGHT, mod=SHIFT)
    assert game.played == "u-R", game.picture()
    press(game, pygame.K_f)
    assert scene.hands.grab
    press(game, RIGHT)
    assert game.played == "u-R-R", "the switch pulls with plain arrows"
    press(game, pygame.K_f, LEFT)
    assert game.played == "u-R-RL", "off again: a push"
    assert scene.session.pushes == 3
    scene.session.go(0)
    box = game.square(1, 1)
    game.click(box)
    assert game.square(1, 3) in scene.pointer.targets
    game.click(game.square(1, 3))
    game.until(lambda: not scene.session.walk, "the box is pulled there")
    assert scene.session.state.boxes == {game.square(1, 3)}, game.picture()


def test_a_pull_without_a_box_is_a_step_but_never_a_push(game: Game) -> None:
    scene = open_level(game, 1)
    press(game, LEFT, mod=SHIFT)
    assert game.played == "l"
    press(game, RIGHT, UP)
    press(game, RIGHT, mod=SHIFT)
    assert game.played == "lru-R", game.picture()
    press(game, LEFT, mod=SHIFT)
    assert game.played == "lru-R", "Shift does not push"
    press(game, LEFT)
    assert game.played == "lru-RL"
    assert scene.session.state.boxes == {game.square(1, 1)}


def test_boxes_with_letters_count_only_at_their_own_target(game: Game) -> None:
    scene = open_level(game, 2)
    rows = {row.name: row.value for row in scene.face.game_rows()}
    assert rows["Boxes home"] == "0 of 2"
    game.click(scene.session.state.placed[0])
    game.click(game.square(1, 5))
    game.until(lambda: not scene.session.walk, "box a stands on target B")
    assert {row.name: row.value for row in scene.face.game_rows()}["Boxes home"] == "0 of 2", game.picture()
    press(game, pygame.K_x)
    assert scene._overlay().dead_squares == sokoban.dead_squares(scene.session.state.warehouse)
    scene.pointer.press(scene.session.state.placed[1], scene.session.state)
    assert scene._overlay().dead_squares == sokoban.dead_squares(scene.session.state.warehouse, "b")
    press(game, pygame.K_x)
    assert scene._overlay().dead_squares == frozenset()


def test_two_players_have_keys_of_their_own_and_swap_them(game: Game) -> None:
    scene = open_level(game, 3)
    press(game, RIGHT)
    press(game, pygame.K_a, pygame.K_w)
    assert game.played == "r&l&u", game.picture()
    press(game, pygame.K_c)
    press(game, DOWN, LEFT, pygame.K_s)
    assert game.played == "r&l&u&d&ld", "the keys are swapped"
    assert PAIR in scene.groups
    assert scene.keys["up"] == "↑"
    shown = {each.command for group in scene.groups for each in group.shortcuts if each.shown} - scene.without
    assert "second_up" in shown
    assert "second_pull_up" not in shown, "nobody pulls here"


def test_the_mouse_moves_whoever_is_nearer_or_was_picked(game: Game) -> None:
    scene = open_level(game, 3)
    goal = game.square(2, 4)
    game.click(goal)
    game.until(lambda: not scene.session.walk, "the nearer one has walked")
    assert (scene.session.state.player, scene.session.state.second) == (game.square(1, 1), goal), game.picture()
    game.click(scene.session.state.player)
    assert scene._overlay().active == game.square(1, 1)
    game.click(game.square(2, 3))
    game.until(lambda: not scene.session.walk, "the first one has walked")
    assert (scene.session.state.player, scene.session.state.second) == (game.square(2, 3), goal), game.picture()
    game.click(game.square(1, 3))
    assert scene.pointer.targets == sokoban.push_targets(scene.session.state, game.square(1, 3), second=False)


def test_a_level_is_solved_backwards_and_counts_forwards(game: Game) -> None:
    scene = open_level(game, 4)
    press(game, RIGHT)
    press(game, pygame.K_b)
    assert scene.session.backwards
    assert scene.face.subtitle().endswith("backwards")
    assert scene.session.state.boxes == {game.square(1, 5)}, game.picture()
    assert "reach the flag" in game.banner
    game.click(game.square(1, 4))
    assert scene.session.state.player == game.square(1, 4), "a click places the player before the first step"
    assert scene.session.timeline.cursor == 0
    press(game, LEFT, LEFT, mod=SHIFT)
    assert game.played == "-L-L", game.picture()
    game.until(lambda: isinstance(game.scene.panel.over, WinPage), "it is won")
    assert scene.panel.over.numbers == (("Moves", "3"), ("Pushes", "2")), "the solution's, as the record has it"
    assert next(row.value for row in scene.face.game_rows()) == "3 moves · 2 pushes"
    record = game.context.progress.level(scene.session.course.level_id)
    assert record is not None
    assert (record.person, record.by_moves.lurd, record.by_moves.moves) == (True, "rRR", 3)
    game.context.writer.flush()
    (kept,) = game.context.saves.replays.glob("*.json")
    assert '"board":"#######\\n#@ $ .#' in kept.read_text()
    press(game, pygame.K_ESCAPE)
    press(game, pygame.K_b)
    assert not scene.session.backwards
    assert game.played == "r", "the level is as it was left"
    press(game, pygame.K_b, DOWN)
    assert game.played == "d", "what was solved begins anew"
    press(game, pygame.K_b, pygame.K_b)
    assert game.played == "d", "what was not goes on"


def test_backwards_goes_on_after_a_restart_and_copies_a_solution(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    scene = open_level(game, 4)
    press(game, pygame.K_b)
    game.click(game.square(1, 4))
    press(game, LEFT, mod=SHIFT)
    scene.close()
    game.context.writer.flush()
    again = SokobanScreen(game.window, game.context)
    assert again.session.backwards
    assert again.session.state == scene.session.state
    assert again.session.course.level_id == scene.session.course.level_id
    again.close()
    copied: list[str] = []
    monkeypatch.setattr(clipboard, "write", copied.append)
    press(game, LEFT, mod=SHIFT)
    scene.exchange.copy()
    scene.exchange.copy_moves()
    print(copied)
    assert copied == [levels.dump(levels.Pack((scene.session.course.level(scene.session.start),))), "rRR"]


def test_other_places_to_begin_backwards(game: Game) -> None:
    scene = open_level(game, 4)
    start = levels.parse("########\n#@ $ #.#\n#    # #\n##.$   #\n########\n", "test").levels[0].state
    scene.session.begin(start)
    press(game, pygame.K_b)
    found = all_places(start)
    print(game.picture(), found)
    seen = set()
    for _ in range(len(found) + 1):
        seen.add(scene.session.state.player)
        press(game, pygame.K_c)
    assert seen == set(found)


def test_two_players_cannot_play_backwards(game: Game) -> None:
    scene = open_level(game, 3)
    press(game, pygame.K_b)
    assert not scene.session.backwards
    assert game.toasts == ["Only one-player levels with a free square can be played backwards."]


def test_the_search_under_way_is_shown(game: Game) -> None:
    scene = open_level(game, 4)
    press(game, pygame.K_SPACE)
    game.until(lambda: len(scene.session.driver.thought.curve) > 1, "it thinks, and there is a curve to draw")
    game.frames(3)
    assert [(row.name, row.value) for row in scene.face.thought_rows()][1:] == [
        ("Open · closed", "34 · 1,200"), ("Depth", "7"), ("Best position", "5"),
    ]  # fmt: skip
    assert scene._overlay().ghosts == tuple(sorted(scene.session.state.boxes))
    assert set(scene.session.driver.thought.curve) == {5.0}
    scene.panel.show("lab")
    game.frames(3)
    page, rows = scene.panel.page, [row.name for row in scene.face.game_rows()]
    room = page.cards["game"].height - page.head - page.buttons_height
    assert rows == ["You", "Boxes home", "Your best"] and room >= len(rows) * page.row, "the person's own rows stay"
    game.context.set("show_values", False)
    assert scene._overlay().ghosts == ()
    press(game, pygame.K_ESCAPE)
    game.context.set("show_values", True)
    assert scene._overlay().ghosts == ()


def best(scene: SokobanScreen) -> list[Any]:
    found = (scene.session.best.by_moves, scene.session.best.by_pushes)
    return [None if each is None else (each.moves, each.pushes, each.by) for each in found]


def watched(game: Game) -> Replay:
    game.frames(3)
    assert isinstance(game.window.top, TheatreScene)
    source = game.window.top.source
    assert isinstance(source, Replay)
    return source


def test_best_solutions_of_the_file_agents_and_people(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    scene = open_level(game, 4)
    assert best(scene) == [(3, 2, "file"), (3, 2, "file")]
    scene = open_level(game, 1)
    assert best(scene) == [None, None]
    press(game, pygame.K_v)
    assert game.toasts == ["No solution of this level is known yet: H and Space ask for one."]

    def solve(_self: object, state: sokoban.State) -> tuple[int, ...]:
        path = sokoban.push_path(state, min(state.boxes), min(state.warehouse.targets))
        assert path is not None
        return path

    monkeypatch.setattr(Searcher, "plan_of", solve)
    press(game, RIGHT, LEFT)
    press(game, pygame.K_h)
    game.until(lambda: scene.session.driver.hint is not None, "a hint is there")
    game.frames(3)
    expected = len(solve(None, scene.session.state)) + 2
    assert best(scene)[0] == (expected, scene.session.best.by_moves.pushes, "astar")
    assert game.context.progress.level(scene.session.course.level_id) is None, "finding a solution solves no level"
    scene.session.go(0)
    for action in solve(None, scene.session.state):
        scene.session.play(action)
    game.until(lambda: isinstance(game.scene.panel.over, WinPage), "it is won")
    press(game, pygame.K_ESCAPE)
    assert best(scene)[0] == (expected - 2, scene.session.best.by_moves.pushes, "person")
    scene.face.best_solutions.watch("moves")
    record = watched(game)
    assert record.seats == ("person",)
    assert record.result["outcome"] == "won"
    assert len(record.steps) == expected - 2


def test_an_agent_that_does_not_know_the_rules_leaves_its_seat_for_the_level(game: Game) -> None:
    scene = open_level(game, 4)
    scene.session.choose_agent(0, Spec("fess"))
    scene = open_level(game, 1)
    assert scene.session.driver.seats[0] != Spec("fess")
    assert scene.session.driver.seats[0] is not None
    assert catalogue.why_not("sokoban", scene.session.driver.seats[0], scene.session.state) is None
    assert scene.session.hint_spec().id == "astar"
    scene = open_level(game, 4)
    assert scene.session.driver.seats[0] == Spec("fess")
    assert scene.session.hint_spec() == Spec("fess")


def test_the_panel_follows_when_the_rules_are_the_same_both_ways_round(game: Game) -> None:
    """A level with pushes and pulls has them backwards as well."""
    scene = open_level(game, 1)

    def labels() -> set[str]:
        return {getattr(control, "label", "") for control in scene.kit.controls}

    assert scene.top_bar is not None
    assert "Place" not in labels()
    press(game, pygame.K_b)
    assert scene.session.backwards
    assert "Place" in labels()
    assert scene.top_bar.buttons["backwards"].selected
    assert scene.face.subtitle().endswith("backwards")
    press(game, pygame.K_b)
    assert "Place" not in labels()
    assert not scene.top_bar.buttons["backwards"].selected


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_narrow_window_still_says_the_rules(visit: Callable[..., Any], number: int) -> None:
    visitor = visit("sokoban", (1024, 640))
    scene = visitor.scene
    pack = scene.session.course.packs.get("5-variants")
    for level in range(number - 1, len(pack.levels), 3):
        scene.session.open_level(pack, level)
        visitor.frames(2)
        drawn = [words for words, place in visitor.words() if scene.session.state.warehouse.rules.name in words]
        assert drawn and not any("…" in words for words in drawn), f"{scene.face.subtitle()!r} is drawn as {drawn}"
