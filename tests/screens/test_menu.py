"""The menu: cards at every size, the ways to open a game, the card that goes on with the last one."""

import pygame
import pytest

from ai import kernels
from game.rules.games import GAMES
from game.screens import app
from game.screens.menu import MenuScene, _Card, _Continue
from game.screens.settings import SettingsScene
from game.ui.failure import Failure
from game.ui.scene import Scene

SIZES = [(1024, 640), (1280, 800), (1920, 1080)]


class Stub(Scene):
    """Stands for a game's screen."""


@pytest.fixture
def opened(monkeypatch):
    """The games that were opened; their screens are stubs."""
    games = []

    def game_scene(game, window, _context):
        games.append(game)
        return Stub(window)

    monkeypatch.setattr("game.screens.menu.game_scene", game_scene)
    return games


def with_last_game(visit):
    """A saves folder in which 2048 was played last."""
    visitor = visit("2048")
    for key in (pygame.K_LEFT, pygame.K_UP, pygame.K_RIGHT):  # whatever the first two tiles are, one of these slides
        visitor.key(key)
    visitor.scene.session.changed()
    visitor.frames(1)
    visitor.close()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("last", [False, True])
def test_everything_is_inside_apart_and_in_full(visit, size, theme, last):
    if last:
        with_last_game(visit)
    visitor = visit("menu", size, theme=theme)
    menu, window = visitor.scene, visitor.window.surface.get_rect()
    assert isinstance(menu, MenuScene)
    assert [card.game for card in menu.cards] == list(GAMES)
    bar = menu.theme.px(28)
    learn = [control.rect for control in menu.kit.controls if getattr(control, "label", "") == "Learn"]
    for card, button in zip(menu.cards, learn, strict=True):
        assert card.rect.contains(button) and button.top > card.rect.bottom - menu.theme.px(128), "below the board"
    boxes = [control.rect for control in menu.kit.controls if control.rect not in learn]
    for at, box in enumerate(boxes):
        assert window.inflate(-2 * menu.theme.px(15), 0).contains(box), box
        assert box.bottom <= window.bottom - bar, "a card runs into the status bar"
        assert not any(box.colliderect(other) for other in boxes[at + 1 :]), boxes
    assert menu.cards[-1].rect.right == window.right - menu.theme.px(16), "the cards do not end where the header does"
    for card in menu.cards:
        assert card.rect.height - menu.theme.px(128) >= 180, "no room for a live board"
        assert abs(card.rect.width - menu.cards[0].rect.width) <= 1
    for words, place in visitor.words():
        assert not words.endswith("…"), words
        assert place.height >= 13, words


def test_every_text_is_13_pixels_or_more_at_the_smallest_scale(visit):
    visitor = visit("menu", (1024, 640), ui_scale=0.8)
    assert visitor.window.theme.scale == pytest.approx(0.8)
    smallest = visitor.window.theme.font(13)
    assert smallest.get_linesize() >= 16
    assert all(place.height >= smallest.get_height() for words, place in visitor.words() if words)


@pytest.mark.parametrize(("digit", "game"), [("1", "sokoban"), ("2", "twenty48"), ("3", "connect4")])
def test_digits_open_the_games(visit, opened, digit, game):
    visitor = visit()
    visitor.key(ord(digit), digit)
    assert opened == [game]
    assert isinstance(visitor.window.top, Stub)
    visitor.key(pygame.K_ESCAPE)
    assert visitor.window.top is visitor.scene


def test_other_digits_open_nothing(visit, opened):
    visitor = visit()
    for digit in "0459²٣":
        visitor.key(ord(digit), digit)
    assert opened == []
    assert visitor.said() == []


@pytest.mark.parametrize("at", [0, 1, 2])
def test_click_opens_the_card(visit, opened, at):
    visitor = visit()
    visitor.click(visitor.scene.cards[at].rect.center)
    assert opened == [list(GAMES)[at]]


def test_arrows_and_enter(visit, opened):
    visitor = visit()
    walked = []
    for key in (pygame.K_RIGHT, pygame.K_RIGHT, pygame.K_RIGHT, pygame.K_RIGHT, pygame.K_LEFT):
        visitor.key(key)
        walked.append(visitor.scene.kit.focused.game)
    assert walked == ["sokoban", "twenty48", "connect4", "connect4", "twenty48"]
    visitor.key(pygame.K_DOWN)
    assert visitor.scene.kit.focused.label == "Learn"
    visitor.key(pygame.K_UP)
    visitor.key(pygame.K_RETURN)
    assert opened == ["twenty48"]


def test_gamepad_walks_and_opens(visit, opened):
    visitor = visit()
    visitor.pad(pygame.CONTROLLER_BUTTON_DPAD_RIGHT)
    visitor.pad(pygame.CONTROLLER_BUTTON_DPAD_RIGHT)
    visitor.pad(pygame.CONTROLLER_BUTTON_A)
    assert opened == ["twenty48"]
    visitor.pad(pygame.CONTROLLER_BUTTON_B)
    assert visitor.window.top is visitor.scene
    visitor.pad(pygame.CONTROLLER_BUTTON_START)
    assert isinstance(visitor.window.top, SettingsScene)


def test_tab_reaches_everything(visit, opened):
    visitor = visit()
    reached = set()
    for _ in visitor.scene.kit.controls:
        visitor.key(pygame.K_TAB)
        reached.add(visitor.scene.kit.focused)
    assert reached == set(visitor.scene.kit.controls)


def test_escape_lets_go_of_the_focus_then_warns_and_then_ends(visit):
    visitor = visit()
    visitor.key(pygame.K_RIGHT)
    visitor.key(pygame.K_ESCAPE)
    assert visitor.window.running
    assert visitor.scene.kit.focused is None
    visitor.key(pygame.K_ESCAPE)
    assert visitor.window.running and visitor.said() == ["Esc again closes Trilogic."]
    for _ in range(60):
        visitor.window.frame(0.1)
    visitor.key(pygame.K_ESCAPE)
    assert visitor.window.running, "that was long ago"
    visitor.key(pygame.K_ESCAPE)
    assert not visitor.window.running


def test_continue_card_only_when_there_is_a_last_game(visit, opened):
    nowhere = {"pos": (1, 1), "rel": (0, 0), "buttons": (0, 0, 0)}
    visitor = visit()
    visitor.post(pygame.MOUSEMOTION, **nowhere)
    assert not any(isinstance(control, _Continue) for control in visitor.scene.kit.controls)
    assert visitor.scene.last is None
    visitor.key(pygame.K_RETURN)
    assert opened == ["sokoban"], "without a last game Enter opens the first"
    visitor.close()
    with_last_game(visit)
    visitor = visit()
    visitor.post(pygame.MOUSEMOTION, **nowhere)
    assert isinstance(visitor.scene.kit.controls[0], _Continue)
    visitor.key(pygame.K_RETURN)
    assert opened == ["sokoban", "twenty48"]
    visitor.key(pygame.K_ESCAPE)
    visitor.click(visitor.scene.kit.controls[0].rect.center)
    assert opened[2:] == ["twenty48"]
    visitor.key(pygame.K_ESCAPE)
    visitor.post(pygame.MOUSEMOTION, pos=visitor.scene.cards[2].rect.center, rel=(0, 0), buttons=(0, 0, 0))
    visitor.key(pygame.K_RETURN)
    assert opened[3:] == ["connect4"], "Enter opens what is pointed at"
    visitor.post(pygame.MOUSEMOTION, **nowhere)
    visitor.key(pygame.K_ESCAPE)
    visitor.key(pygame.K_RIGHT)
    visitor.key(pygame.K_DOWN)
    assert isinstance(visitor.scene.kit.focused, _Card)
    visitor.key(pygame.K_UP)
    assert isinstance(visitor.scene.kit.focused, _Continue)


def test_a_damaged_last_game_is_no_card_and_no_crash(visit, tmp_path):
    with_last_game(visit)
    (tmp_path / "saves" / "resume" / "twenty48.json").write_text('{"format": ')
    visitor = visit()
    assert visitor.scene.last is None
    assert isinstance(visitor.window.top, MenuScene)


def test_resize_and_theme_keep_the_live_boards(visit):
    visitor = visit()
    demos = dict(visitor.scene.demos)
    for size in ((1024, 640), (1920, 1080)):
        visitor.window.surface = pygame.display.set_mode(size, pygame.RESIZABLE)
        visitor.window.relayout()
        visitor.frames(2)
        assert visitor.scene.cards[-1].rect.right <= size[0]
    visitor.context.set("theme", "light")
    visitor.frames(2)
    assert visitor.scene.demos == demos
    assert all(demo.theme is visitor.window.theme for demo in demos.values())
    assert visitor.said() == []


def test_boards_think_only_in_front(visit):
    visitor = visit()
    stopped = []
    for game, demo in visitor.scene.demos.items():
        demo.driver.stop_thinking = lambda game=game: stopped.append(game)
    visitor.post(pygame.WINDOWMINIMIZED)
    assert sorted(stopped) == sorted(GAMES)
    visitor.post(pygame.WINDOWRESTORED)
    visitor.key(pygame.K_F10)
    assert not any(demo.driver.running for demo in visitor.scene.demos.values())
    visitor.key(pygame.K_ESCAPE)
    assert all(demo.driver.running for demo in visitor.scene.demos.values())


def test_a_failing_card_does_not_loop_for_ever(visit, caplog):
    visitor = visit()

    def fail(_surface):
        raise ZeroDivisionError("no tile")

    visitor.scene.demos["twenty48"].draw = fail
    visitor.frames(60)
    assert isinstance(visitor.window.top, Failure)
    assert len(caplog.records) < 10
    visitor.key(pygame.K_RETURN)
    visitor.frames(3)
    assert isinstance(visitor.window.top, MenuScene)
    assert visitor.window.running


def test_a_game_that_cannot_be_opened_leaves_the_menu_alive(visit, monkeypatch):
    def fail(*_arguments):
        raise OSError("the levels are gone")

    monkeypatch.setattr("game.screens.menu.game_scene", fail)
    visitor = visit()
    visitor.key(ord("1"), "1")
    visitor.frames(10)
    assert visitor.window.top is visitor.scene
    assert any("the levels are gone" in words for words in visitor.said())


def test_agents_join_after_the_first_picture(tmp_path, monkeypatch):
    window, context = app.open_window(tmp_path, (1024, 640))
    monkeypatch.setattr(kernels, "ready", lambda _family: False)
    asked = []
    try:
        menu = MenuScene(window, context)
        window.push(menu)
        for game, demo in menu.demos.items():
            demo.update = lambda _dt, game=game: asked.append(game)
        window.frame(1 / 60)
        assert asked == [], "loading the agents would delay the first picture"
        window.frame(1 / 60)
        assert asked == list(GAMES)
    finally:
        window.close()
        app.close_context(context)


@pytest.mark.parametrize(
    ("words", "screen"),
    [
        ("#####\n#@$.#\n#####", "SokobanScreen"),
        ("rrUUll", "SokobanScreen"),
        ("4453", "Connect4Screen"),
        ("4,4,4,4,2: 4.1 4.2", "Connect4Screen"),
        ("0 2 4 0/0 0 0 8/2 0 0 0/0 0 0 2", "ArrangeScene"),
        ("nothing of the kind", "MenuScene"),
        ("", "MenuScene"),
    ],
)
def test_what_is_on_the_clipboard_opens_where_it_belongs(visit, monkeypatch, words, screen):
    monkeypatch.setattr("game.ui.clipboard.read", lambda: words)
    visitor = visit("menu")
    visitor.key(pygame.K_v, mod=pygame.KMOD_LCTRL)
    for _ in range(200):
        visitor.frames(1)
        if not visitor.window.readings.busy:
            break
        pygame.time.wait(10)
    print(visitor.said())
    assert screen in [type(scene).__name__ for scene in visitor.window.scenes[-2:]]
    if screen == "MenuScene":
        assert len(visitor.said()) == 1
    if screen == "ArrangeScene":
        assert visitor.window.top.board.written().split("/")[0].split() == ["0", "2", "4", "0"]
