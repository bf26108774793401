"""The connect-4 screen: who thinks along, the graph of the game, counters and seats, games as text."""

import time
from collections.abc import Callable
from typing import Any

import pygame
import pytest

from ai import catalogue, kernels
from ai.agent import Plan, Thinking
from ai.connect4.board.scores import EXPECTED, WIN
from ai.entries import Spec
from game.play.connect4.adviser import ALONG_SECONDS, patient
from game.rules import connect4
from game.rules.connect4 import Shape
from game.screens.connect4.setup import SetupDialog
from game.ui.select import Select
from game.views.connect4 import words

SIZES = ((1024, 640), (1280, 800), (1920, 1080))
CTRL = pygame.KMOD_CTRL


class Last:
    """Prefers the last legal column; values rise with the column."""

    def new_game(self, seed: int) -> None:
        pass

    def plan(self, state: Any, thinking: Thinking) -> Plan:
        actions = connect4.legal_actions(state)
        values = {action: float(action) for action in actions}
        return Plan((actions[-1],), values=values, nodes=10, depth=3)


@pytest.fixture
def sit(visit: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """The screen with people, or with `Last` behind every agent's name."""

    def open_one(
        seats: int = 2, size: tuple[int, int] = (1280, 800), agents: tuple[int, ...] = (), **shape: int
    ) -> Any:
        monkeypatch.setattr(kernels, "ready", lambda _family: True)
        monkeypatch.setattr("ai.catalogue.create", lambda game, spec: Last())
        visitor = visit("connect4", size, animation="instant")
        scene = visitor.scene
        board = {"rows": 6, "cols": 7, "depth": 1, "win": 4} | shape
        scene.session.set_up(
            Shape(**board, players=seats), [Spec("random") if seat in agents else None for seat in range(seats)]
        )
        visitor.frames(2)
        return visitor

    return open_one


def until(visitor: Any, done: Callable[[], Any], what: str) -> None:
    end = time.perf_counter() + 10
    while not done():
        assert time.perf_counter() < end, f"waited in vain until {what}: {visitor.said()}, {visitor.scene.status}"
        visitor.frames()
        time.sleep(0.001)


def drop(visitor: Any, columns: str) -> None:
    for column in columns:
        visitor.key(getattr(pygame, f"K_{column}"), column)


# Words


def test_values_are_said_on_every_scale_and_what_is_proved_stands_out():
    said = words.said({0: WIN - 7, 1: -(WIN - 4), 2: 0.0, 3: 12.4, 4: -3.0})
    assert [each.label for each in said.values()] == ["W7", "L4", "0", "+12", "-3"]
    assert [each.result for each in said.values()] == [1, -1, None, None, None]
    assert words.said({0: 0.0, 1: WIN - 3}, exact=True)[0] == words.Said("D", 0)
    assert [each.label for each in words.said({0: 0.346, 1: -0.9, 2: 0.001}).values()] == ["+0.35", "-0.90", "0"]
    assert words.legend(said) == "W3 wins in 3 · L4 loses in 4 · ± an estimate"


@pytest.mark.parametrize(
    ("value", "exact", "sentence"),
    [
        (WIN - 7, False, "Column 4 wins in 7, counting both players' stones"),
        (-(WIN - 4), False, "Column 4 loses in 4, counting both players' stones"),
        (0.0, True, "Column 4 is a draw if both play their best"),
        (0.0, False, "Column 4: about even, not proved"),
        (12.0, False, "Column 4: an estimate of +12, not proved"),
        (EXPECTED - 9, False, "Column 4 probably wins: not proved"),
    ],
)
def test_a_value_is_said_in_a_sentence(value, exact, sentence):
    assert words.sentence("4", value, words.said_of(3, {3: value, 0: 5.0}, exact)) == sentence


def test_the_column_pointed_at_is_explained_below_the_board(sit):
    visitor = sit()
    scene = visitor.scene
    visitor.key(pygame.K_t, "t")
    until(visitor, lambda: scene.session.driver.thought.plan, "it has thought")
    visitor.key(pygame.K_RIGHT)
    assert scene._meaning(scene._overlay()).startswith("Column ")
    scene.cursor = None
    assert scene._meaning(scene._overlay()) == "an estimate: + is good for the player to move, - is bad"


def test_a_deep_board_shows_three_numbers_and_shades_for_the_rest(sit):
    visitor = sit(rows=4, cols=4, depth=4)
    scene = visitor.scene
    visitor.key(pygame.K_t, "t")
    until(visitor, lambda: scene.session.driver.thought.plan, "it has thought")
    overlay = scene._overlay()
    assert sorted(overlay.values) == [13, 14, 15] and len(overlay.worth) == 16
    assert overlay.worth[15] == max(overlay.worth.values()) > overlay.worth[0]
    scene.cursor = 2
    scene.draw(visitor.window.surface)
    assert sorted(scene._overlay().values) == [2, 13, 14, 15]


def test_who_thinks_along_has_all_the_time_of_the_person():
    assert patient(Spec("alphabeta", {"depth": 5})).settings == {"depth": 5, "time": ALONG_SECONDS}
    assert patient(Spec("greedy")) == Spec("greedy")


def test_the_result_is_said_when_the_stone_has_landed_and_a_rematch_is_offered(sit):
    visitor = sit()
    scene = visitor.scene
    drop(visitor, "1212121")
    visitor.frames(2)
    rematch = scene.bar._rematch
    assert scene.session.over and rematch.visible
    scene.board.animated = True
    scene.session.undo()
    visitor.frames(2)
    assert not rematch.visible
    drop(visitor, "1")
    visitor.frames(1)
    assert scene.session.over and scene.board.busy and not rematch.visible
    until(visitor, lambda: not scene.board.busy, "it has landed")
    visitor.frames(2)
    assert rematch.visible
    visitor.click(rematch.rect.center)
    visitor.frames(2)
    assert scene.session.timeline.cursor == 0 and not scene.session.over


def test_only_a_persons_own_win_is_celebrated_when_the_stone_has_landed(sit):
    visitor = sit(agents=(1,))
    scene, sounds = visitor.scene, []
    visitor.window.play = lambda name, pitch=1.0: sounds.append(name)
    scene.board.animated = True
    for _ in range(4):  # `Last` answers in column 7
        until(visitor, lambda: scene.session.person_to_move and not scene.board.busy, "the agent has answered")
        drop(visitor, "1")
    assert scene.session.over and scene.board.busy and not scene.board._effects.busy and "win" not in sounds
    until(visitor, lambda: not scene.board.busy, "it has landed")
    visitor.frames(2)
    assert scene.board._effects.busy and sounds[-1] == "win" and scene.session.score.wins(0) == 1
    until(visitor, lambda: not scene.board._effects.busy, "it is calm again")
    scene.board.animated = False
    scene.session.set_up(Shape(6, 7, 1, 4), [None, Spec("random")])
    for _ in range(3):
        until(visitor, lambda: scene.session.person_to_move, "the agent has answered")
        drop(visitor, "1")
    until(visitor, lambda: scene.session.person_to_move, "the agent has answered")
    scene.session.by_agent = True  # what an agent plays on that seat
    scene.session.play(0)
    scene.session.by_agent = False
    visitor.frames(2)
    assert scene.session.over and scene.session.state.winner == 0 and not scene.session.person_won
    assert not scene.board._effects.busy and sounds[-1] == "lose" and scene.session.score.wins(0) == 1


def test_a_finished_game_is_watched_from_its_bar(sit):
    visitor = sit()
    drop(visitor, "1212121")
    visitor.frames(2)
    visitor.click(visitor.scene.bar._watch.rect.center)
    assert visitor.window.top.name == "theatre"


# Hands


def test_shift_takes_back_a_single_stone(sit):
    visitor = sit(agents=(1,))
    scene = visitor.scene
    for _ in range(2):
        until(visitor, lambda: scene.session.person_to_move, "the agent has answered")
        drop(visitor, "1")
    until(visitor, lambda: scene.session.person_to_move, "the agent has answered")
    assert scene.session.timeline.cursor == 4
    visitor.key(pygame.K_z, "Z", pygame.KMOD_SHIFT)
    visitor.frames(20)
    assert scene.session.timeline.cursor == 3 and not scene.session.driver.running, "the agent waits"
    visitor.key(pygame.K_z, "Z", pygame.KMOD_SHIFT)
    assert scene.session.timeline.cursor == 2 and scene.session.person_to_move
    visitor.key(pygame.K_z, "z")
    assert scene.session.timeline.cursor == 0


def test_a_full_column_shakes_the_board_for_a_moment(sit):
    visitor = sit()
    board, sounds = visitor.scene.board, []
    visitor.window.play = lambda name, pitch=1.0: sounds.append(name)
    drop(visitor, "111111")
    board.animated = True
    visitor.frames(2)
    still = visitor.window.surface.subsurface(board.rect).copy()
    drop(visitor, "1")
    assert sounds[-1] == "blocked" and "is full" in visitor.said()[-1]
    visitor.frames(1)
    shaken = visitor.window.surface.subsurface(board.rect)
    assert pygame.image.tobytes(shaken, "RGB") != pygame.image.tobytes(still, "RGB")
    until(visitor, lambda: not board._effects.busy, "it is calm again")
    visitor.frames(2)
    assert pygame.image.tobytes(shaken, "RGB") == pygame.image.tobytes(still, "RGB")


def test_esc_leaves_only_a_second_after_the_board_was_given_back(sit):
    visitor = sit(agents=(0, 1))
    scene = visitor.scene
    visitor.window.command("settings")  # something that can be popped
    visitor.window.pop()
    left = []
    visitor.window.pop = lambda: left.append(True)
    scene.session.wake()
    visitor.frames(1)
    visitor.key(pygame.K_ESCAPE)
    assert not scene.session.driver.running and not left
    visitor.key(pygame.K_ESCAPE)
    assert not left, "too soon"
    visitor.frames(70)
    visitor.key(pygame.K_ESCAPE)
    assert left


def test_the_line_pointed_at_is_shown_on_the_board(sit, monkeypatch):
    monkeypatch.setattr(
        Last,
        "plan",
        lambda self, state, thinking: Plan((0,), values={0: 1.0}, pv=(0, 0, 3, 6, 2, 1, 5, 4, 4), depth=3),
    )
    visitor = sit()
    scene = visitor.scene
    scene.panel.show("lab")
    visitor.key(pygame.K_t, "t")
    until(visitor, lambda: scene.session.driver.thought.plan, "it has thought")
    scene.draw(visitor.window.surface)
    assert "1 1 4 7 3 2 6 5 5" in [words for words, _ in visitor.words()], "all of it"
    assert scene._overlay().ahead == () and scene._overlay().show_values
    at = scene.panel.page.wrapped_at
    visitor.post(pygame.MOUSEMOTION, pos=at.center, rel=(0, 0), buttons=(0, 0, 0))
    assert scene._overlay().ahead == (0, 0, 3, 6, 2, 1, 5, 4, 4) and not scene._overlay().show_values
    numbers = [words for words, _ in visitor.words() if words in tuple("123456789")]
    print(numbers)
    assert numbers.count("9") >= 1


# Thinking along


def test_an_agent_thinks_along_at_every_turn_of_a_person_and_plays_nothing(sit):
    visitor = sit()
    scene = visitor.scene
    visitor.key(pygame.K_t, "t")
    for ply in range(3):
        until(
            visitor,
            lambda ply=ply: scene.session.driver.thought.plan and scene.session.driver.thought.ply == ply,
            "it has thought",
        )
        assert scene._overlay().show_values and scene._overlay().values[6] == "+6"
        assert scene.session.driver.hint is None and scene.session.timeline.cursor == ply
        drop(visitor, "4")
    assert dict(scene.session.timeline.steps[0].values)[3] == 3.0, (
        "what was thought is not kept with the person's move"
    )
    visitor.key(pygame.K_t, "t")
    drop(visitor, "4")
    visitor.frames(5)
    assert not scene.session.driver.busy and scene.session.driver.thought.ply != scene.session.timeline.cursor


def test_values_are_hidden_and_shown(sit):
    visitor = sit()
    scene = visitor.scene
    visitor.key(pygame.K_t, "t")
    until(visitor, lambda: scene.session.driver.thought.plan, "it has thought")
    visitor.key(pygame.K_i, "i")
    assert not scene._overlay().show_values
    visitor.key(pygame.K_i, "i")
    assert scene._overlay().show_values


# The graph


def test_a_click_on_the_graph_goes_there_and_the_game_goes_on_from_it(sit):
    visitor = sit(agents=(1,))
    scene = visitor.scene
    scene.session.set_speed(60.0)
    for turn in range(4):
        drop(visitor, str(turn % 2 + 1))
        until(visitor, lambda turn=turn: scene.session.timeline.cursor == 2 * turn + 2, "the agent answers")
    visitor.frames(2)
    graph = scene.graph
    assert graph._lines.keys() == {1} and len(graph._lines[1]) == 4
    visitor.click((graph._x(4), graph.rect.centery))
    print(connect4.format_moves(scene.session.state))
    assert scene.session.timeline.cursor == 4 and scene.session.timeline.can_redo and scene.session.person_to_move
    drop(visitor, "5")
    until(visitor, lambda: scene.session.timeline.cursor == 6, "the agent answers in the new branch")
    assert scene.session.state.moves[:5] == (0, 6, 1, 6, 4)


def test_dragging_over_the_graph_moves_through_the_game(sit):
    visitor = sit()
    scene = visitor.scene
    drop(visitor, "44556")
    visitor.frames(2)
    graph = scene.graph
    visitor.post(pygame.MOUSEBUTTONDOWN, pos=(graph._x(1), graph.rect.centery), button=1)
    assert scene.session.timeline.cursor == 1
    visitor.post(pygame.MOUSEMOTION, pos=(graph._x(3), graph.rect.bottom + 50), rel=(9, 9), buttons=(1, 0, 0))
    assert scene.session.timeline.cursor == 3
    visitor.post(pygame.MOUSEBUTTONUP, pos=(graph._x(3), graph.rect.bottom + 50), button=1)
    visitor.post(pygame.MOUSEMOTION, pos=(graph._x(5), graph.rect.centery), rel=(9, 9), buttons=(0, 0, 0))
    assert scene.session.timeline.cursor == 3 and graph.hover == 5


# Counters and seats


def test_wins_and_draws_are_counted_once_and_can_be_reset(sit):
    visitor = sit()
    scene = visitor.scene
    drop(visitor, "1212121")
    assert scene.session.state.winner == 0 and scene.session.score.wins(0) == 1
    visitor.key(pygame.K_z, "z")
    drop(visitor, "1")
    assert scene.session.state.winner == 0 and scene.session.score.wins(0) == 1, "the same game was counted twice"
    visitor.key(pygame.K_n, "n")
    drop(visitor, "12123272")
    print(connect4.format_moves(scene.session.state))
    assert (scene.session.score.wins(0), scene.session.score.wins(1), scene.session.score.words()) == (
        1,
        1,
        "2 games",
    )
    visitor.key(pygame.K_l, "l")
    dialog = visitor.window.top
    assert isinstance(dialog, SetupDialog)
    dialog._reset_score()
    assert scene.session.score.words() == "" and scene.session.score.wins(0) == 0


def test_players_change_seats_between_games_and_take_their_wins_with_them(sit):
    visitor = sit(seats=3, agents=(1, 2))
    scene = visitor.scene
    scene.session.driver.seats[2] = Spec("alphabeta")
    scene.session.set_rotates(True)
    scene.session.score.count(0)
    before = list(scene.session.driver.seats)
    scene.session.driver.stop()
    visitor.key(pygame.K_n, "n")
    assert scene.session.driver.seats == before, "nothing was played: nobody moves"
    scene.session.play(0)
    visitor.key(pygame.K_n, "n")
    assert scene.session.driver.seats == [before[2], before[0], before[1]]
    assert [scene.session.score.wins(seat) for seat in range(3)] == [0, 1, 0]
    scene.session.driver.stop()
    scene.session.score.count(0)
    assert [scene.session.score.wins(seat) for seat in range(3)] == [1, 1, 0]


# Text


def test_a_game_is_copied_and_pasted_and_bad_text_changes_nothing(sit, monkeypatch):
    kept = [""]
    monkeypatch.setattr(pygame.scrap, "put_text", lambda text: kept.insert(0, text))
    monkeypatch.setattr(pygame.scrap, "get_text", lambda: kept[0])
    visitor = sit()
    scene = visitor.scene
    drop(visitor, "4453")
    visitor.key(pygame.K_c, "c", CTRL)
    assert kept[0] == "6,7,1,4,2: 4453"
    for text, says in (("49", "no column 9"), ("", "no text"), ("9,9,9,9: 1", "rows"), ("1.1", "deep board")):
        kept.insert(0, text)
        visitor.key(pygame.K_v, "v", CTRL)
        print(visitor.said())
        assert says in visitor.said()[-1] and connect4.format_moves(scene.session.state) == "4453"
    kept.insert(0, "4,4,4,4,3: 1.1 2.2 3.3 4.4")
    visitor.key(pygame.K_v, "v", CTRL)
    assert (str(scene.session.state.shape), scene.session.state.shape.players, len(scene.session.state.moves)) == (
        "4,4,4,4",
        3,
        4,
    )
    assert len(scene.session.driver.seats) == 3 and scene.session.timeline.can_undo
    visitor.key(pygame.K_z, "z")
    assert len(scene.session.state.moves) == 3
    assert visitor.context.library.paths(), "the game before is not kept"


# The look


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("seats", "depth"), [(2, 1), (6, 5), (3, 8)])
@pytest.mark.parametrize("page", ["play", "lab"])
def test_nothing_lies_over_anything_else(sit, size, seats, depth, page):
    visitor = sit(seats=seats, size=size, agents=tuple(range(0, seats, 2)), depth=depth)
    scene = visitor.scene
    scene.panel.show(page)
    scene.session.driver.stop()
    inside = visitor.window.surface.get_rect()
    for seat in range(min(2, seats)):
        scene.panel.desk.seat = seat
        scene.rebuild()
        visitor.frames(2)
        boxes = [control.rect for control in scene.kit.controls]
        assert all(inside.contains(box) for box in boxes)
        assert not [
            (box, other) for at, box in enumerate(boxes) for other in boxes[at + 1 :] if box.colliderect(other)
        ]
        cards = list(scene.panel.cards.values())
        assert all(scene.layout.panel.contains(card) for card in cards)
        assert scene.graph.rect.height >= 16 and scene.layout.panel.contains(scene.graph.rect)


def test_the_slider_dims_all_slices_but_one(sit):
    visitor = sit(depth=5)
    scene = visitor.scene
    visitor.key(pygame.K_RIGHTBRACKET, "]")
    assert scene.board.focus_depth == 0 and scene.bar._slider.value == pytest.approx(0.2)
    scene.bar._slider.set_value(0.6, tell=True)
    assert scene.board.focus_depth == 2
    visitor.key(pygame.K_LEFTBRACKET, "[")
    assert scene.board.focus_depth == 1
    scene.bar._slider.set_value(0.0, tell=True)
    assert scene.board.focus_depth is None


def test_an_agent_that_cannot_play_the_chosen_board_makes_way_in_sight(sit, monkeypatch):
    visitor = sit(agents=(1,))
    scene = visitor.scene
    known = catalogue.why_not

    def only_flat(game: str, spec: Spec, state: Any) -> str | None:
        flat_only = spec.id == "random" and state.shape.depth > 1
        return "Random plays flat boards only." if flat_only else known(game, spec, state)

    monkeypatch.setattr("ai.catalogue.why_not", only_flat)
    visitor.key(pygame.K_l, "l")
    dialog = visitor.window.top

    def second_seat() -> str:
        visitor.frames(2)
        shown = [control.chosen for control in dialog.kit.controls if isinstance(control, Select) and control.alive()]
        return shown[-1]

    assert isinstance(dialog, SetupDialog) and second_seat() == "random"
    dialog._step(2, 1)
    assert second_seat() == "alphabeta"
    dialog._step(2, -1)
    assert second_seat() == "random", "it was only away"
    dialog._preset("cube")
    assert second_seat() == "alphabeta" and dialog.problem is None
    dialog._players(1)
    visitor.key(pygame.K_RETURN)
    assert visitor.window.top is scene and str(scene.session.state.shape) == "4,4,4,4"
    assert [spec and spec.id for spec in scene.session.driver.seats] == [None, "alphabeta", "alphabeta"]
