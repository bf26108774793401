"""Every game of the house has a view that keeps what `View` promises."""

import os
import random
from typing import Any

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

import pygame
import pytest

from game.rules import replay
from game.rules.games import GAMES
from game.rules.replay import Step
from game.ui.synth import RECIPES
from game.ui.theme import PALETTES, Theme
from game.views.view import View, accent_of, view_of

EVERY = pytest.mark.parametrize("view", [view_of(game) for game in GAMES], ids=GAMES)
SIZE = (320, 240)
MOST = 25


def steps(view: View, seed: int = 3) -> list[tuple[Any, Step, Any]]:
    """The steps of a random game, each with the positions before and after it."""
    luck, state = random.Random(seed), view.game.start({}, seed)
    found = []
    while len(found) < MOST and view.game.outcome(state) is None and view.game.actions(state):
        step, after = replay.chosen(state, luck.choice(view.game.actions(state)))
        found.append((state, step, after))
        state = after
    return found


def drawn(view: View, theme: Theme, state: Any, small: bool = False) -> pygame.Surface:
    surface = pygame.Surface(SIZE, pygame.SRCALPHA)
    view.board(theme, animated=False, small=small).draw_still(surface, surface.get_rect(), state)
    return surface


@pytest.fixture(autouse=True)
def fonts() -> None:
    pygame.font.init()


@EVERY
def test_it_is_the_view_of_its_game(view: View) -> None:
    assert view_of(view.game.id) is view
    assert GAMES[view.game.id] is view.game
    with pytest.raises(KeyError):
        view_of(view.game.title + "!")


@EVERY
def test_a_board_shows_every_position_in_both_themes_and_as_a_thumbnail(view: View) -> None:
    first, _step, after = steps(view)[0][0], None, steps(view)[-1][2]
    for name in PALETTES:
        theme = Theme(name)
        pictures = [pygame.image.tobytes(drawn(view, theme, state), "RGBA") for state in (first, after)]
        assert len({*pictures, bytes(len(pictures[0]))}) == 3, name
        assert drawn(view, theme, after, small=True).get_bounding_rect().w > 0
    assert 0 < view.shape(first) < 10


@EVERY
def test_a_step_is_seen_on_its_way_and_arrives(view: View) -> None:
    theme, surface = Theme("dark"), pygame.Surface(SIZE)
    board, still = view.board(theme, animated=True), view.board(theme, animated=False)
    for each in (board, still):
        each.layout(surface.get_rect())
        each.show(steps(view)[0][0])
    for before, step, after in steps(view):
        board.play(before, step, after, 0.2)
        board.update(0.01)
        board.draw(surface)
        for _ in range(200):
            board.update(1 / 30)
            if not board.busy:
                break
        assert not board.busy
        still.show(after, step)
    board.update(1.0)
    pictures = []
    for each in (board, still):
        surface.fill("#000000")
        each.draw(surface)
        pictures.append(pygame.image.tobytes(surface, "RGB"))
    assert pictures[0] == pictures[1]


@EVERY
def test_what_an_agent_says_can_be_drawn(view: View) -> None:
    theme, surface = Theme("light"), pygame.Surface(SIZE)
    state = steps(view)[1][0]
    actions = view.game.actions(state)
    board = view.board(theme)
    board.layout(surface.get_rect())
    board.show(state)
    board.update(5.0)
    board.draw(surface)
    plain = pygame.image.tobytes(surface, "RGB")
    surface.fill("#000000")
    board.draw(surface, {action: float(action) for action in actions}, actions[0])
    assert pygame.image.tobytes(surface, "RGB") != plain, "the action is pointed at"
    weighing = view.weighing(state, {action: float(action) for action in actions}, actions[0])
    assert 0 < weighing.height(theme) < SIZE[1] * 2
    bars = [bar for _name, row in weighing.rows for bar in row]
    assert len([bar for bar in bars if bar.share is not None]) == len({bar.label for bar in bars if bar.share})
    assert sum(bar.best for bar in bars) == 1
    weighing.draw(surface, theme, surface.get_rect())


@EVERY
def test_it_speaks_of_every_step_and_of_how_a_game_ended(view: View) -> None:
    tally = 0
    for ply, (before, step, after) in enumerate(steps(view), 1):
        assert view.label(before, step.action)
        name, pitch = view.sound(before, step, after)
        assert name in {**RECIPES, **view.sounds} and 0.25 <= pitch <= 4
        tally = view.tally(before, after, tally)
        facts = view.facts(after, ply, tally)
        assert facts and all(name and said for name, said in facts)
    assert view.describe(1.5) and view.curve_words(view.game.seats[1])
    assert isinstance(view.height(3.0, 0), float)
    assert view.result_words({"outcome": "won", "moves": 3, "winner": 0}, ("person",))
    assert view.result_words({}, ("person",)), "whatever a file says"
    for theme in map(Theme, PALETTES):
        assert len({tuple(view.seat_colour(theme, seat)) for seat in range(view.game.seats[1])}) == view.game.seats[1]
        assert accent_of(theme, view.game.id) == view.accent.on(theme)


@EVERY
def test_it_speaks_of_models(view: View) -> None:
    assert view.unit and view.looking(2)
    assert view.tried("an agent", 1).startswith("1 ") and view.learned("an agent", 1_000).startswith("1,000 ")
    assert "41 ± 3" in view.strength("41 ± 3", 1, "10 games") and "10 games" in view.strength("41 ± 3", 1, "10 games")
    assert "×" in view.model_board("4x4x4") or view.model_board("4x4x4") == "4x4x4"
