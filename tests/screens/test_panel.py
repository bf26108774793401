"""The panel's pages, in all games: what a newcomer meets, what is remembered, opponents, presets and the list of all agents."""

from typing import Any

import pygame
import pytest

from ai import catalogue
from ai.entries import Spec
from game.play import seating
from game.screens.play.chooser import Chooser
from game.ui.controls import Button
from game.ui.lines import Lines
from game.ui.select import Select

GAMES = ("sokoban", "2048", "connect4")
SIZES = ((1024, 640), (1280, 800), (1920, 1080))


def labels(visitor: Any) -> list[str]:
    return [getattr(each, "label", "") for each in visitor.window.top.kit.controls]


def button(visitor: Any, label: str) -> Button:
    found = [each for each in visitor.window.top.kit.controls if isinstance(each, Button) and each.label == label]
    assert len(found) == 1, (label, labels(visitor))
    return found[0]


def press(visitor: Any, label: str) -> None:
    visitor.click(button(visitor, label).rect.center)


def box(visitor: Any, number: int = 0) -> Select:
    return [each for each in visitor.window.top.kit.controls if isinstance(each, Select)][number]


# Pages


@pytest.mark.parametrize("game", GAMES)
def test_a_newcomer_meets_play_and_the_choice_is_remembered_in_every_game(visit, game):
    visitor = visit(game)
    assert {"Hint", "Undo", "All agents"} & set(labels(visitor)) >= {"Hint", "Undo"}
    assert "More" not in labels(visitor) and "thinks" not in visitor.scene.panel.cards
    press(visitor, "Lab")
    assert "thinks" in visitor.scene.panel.cards and "Hint" not in labels(visitor)
    visitor.close()
    for other in GAMES:
        again = visit(other)
        assert "thinks" in again.scene.panel.cards, f"{other} begins with another page"
        again.close()


def test_a_page_that_is_gone_gives_way_to_the_first(visit):
    assert visit("sokoban", page="coach").scene.panel.page.name == "play"


def test_the_key_and_tab_turn_the_page(visit):
    visitor = visit("2048")
    visitor.key(pygame.K_F4)
    assert visitor.scene.panel.page.name == "lab"
    tab = button(visitor, "Play")
    for _ in range(40):
        if visitor.scene.kit.focused is tab:
            break
        visitor.key(pygame.K_TAB)
        tab = button(visitor, "Play")
    visitor.key(pygame.K_RETURN)
    assert visitor.scene.panel.page.name == "play"


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("page", ["play", "lab"])
@pytest.mark.parametrize("game", GAMES)
def test_no_card_or_control_lies_over_another(visit, game, page, size):
    visitor = visit(game, size, page=page)
    scene = visitor.scene
    cards = list(scene.panel.cards.values())
    print(scene.panel.cards)
    assert all(scene.layout.panel.contains(card) for card in cards)
    assert not [(a, b) for at, a in enumerate(cards) for b in cards[at + 1 :] if a.colliderect(b)]
    boxes = [each.rect for each in scene.kit.controls]
    assert not [(a, b) for at, a in enumerate(boxes) for b in boxes[at + 1 :] if a.colliderect(b)]
    rows = scene.face.game_rows()
    page_of = scene.panel.page
    room = scene.panel.cards["game"].height - page_of.head - page_of.buttons_height
    assert room >= len(rows) * page_of.row or page == "lab", f"{[row.name for row in rows]} have {room} pixels"


@pytest.mark.parametrize("size", SIZES)
def test_where_the_rules_need_switches_the_persons_rows_are_there_as_well(visit, size):
    visitor = visit("sokoban", size)
    session = visitor.scene.session
    pack = session.course.packs.get("5-variants")
    for number in range(len(pack.levels)):
        session.open_level(pack, number)
        visitor.frames(2)
        drawn = {words for words, _ in visitor.words()}
        print(session.course.title, session.state.warehouse.rules.name)
        assert {"Boxes home", "Your best", "Best known", *visitor.scene.face.about()} <= drawn
        assert not [words for words in drawn if words.endswith("…")]


@pytest.mark.parametrize("page", ["play", "lab"])
def test_the_folded_panel_reaches_hint_undo_agents_and_the_other_page(visit, page):
    visitor = visit("connect4", (900, 640), page=page)
    icons = [each.icon for each in visitor.scene.kit.controls if visitor.scene.layout.panel.contains(each.rect)]
    assert icons[:2] == (["flask", "robot"] if page == "play" else ["person", "robot"])
    assert {"play": {"play", "hint", "undo"}, "lab": {"play", "step", "plus", "minus"}}[page] <= {
        "play" if icon == "pause" else icon for icon in icons
    }
    place = next(each for each in visitor.scene.kit.controls if getattr(each, "icon", "") == "robot"
                 and visitor.scene.layout.panel.contains(each.rect))  # fmt: skip
    visitor.click(place.rect.center)
    assert isinstance(visitor.window.top, Chooser)


@pytest.mark.parametrize("game", GAMES)
def test_three_short_sentences_say_what_the_game_is_about(visit, game):
    visitor = visit(game, (1024, 640))
    said = visitor.scene.face.about()
    assert len(said) == 3
    drawn = [words for words, _ in visitor.words()]
    assert set(said) <= set(drawn), "each has a line of its own"


# Opponents and presets


def test_a_preset_for_solvers_is_one_click(visit):
    visitor = visit("sokoban")
    assert button(visitor, "Quick").selected and not button(visitor, "Shortest").selected
    _quick, shortest, learns = seating.candidates("sokoban", visitor.scene.session.state)
    press(visitor, "Shortest")
    assert visitor.scene.session.driver.seats == [shortest.spec] and button(visitor, "Shortest").selected
    assert visitor.context.settings.seats["sokoban/0"] == str(shortest.spec)
    press(visitor, "Watch it learn")
    assert visitor.scene.session.driver.seats == [learns.spec]


@pytest.fixture
def match(visit, monkeypatch) -> Any:
    """A first game of connect-4 after its lesson, against the weakest opponent."""
    visitor = visit("connect4")
    monkeypatch.setattr(visitor.scene.session.driver, "_ready", True)
    visitor.scene.session.skip_lesson()
    visitor.scene.session.toggle_run()  # agents wait
    visitor.frames(2)
    return visitor


def test_an_opponent_is_chosen_by_name_and_remembered(visit, match):
    visitor, scene = match, match.scene
    named = seating.candidates("connect4", scene.session.state)
    assert scene.session.driver.seats == [None, named[0].spec]
    found = box(visitor)
    assert [option.label for option in found.options] == [
        "A person", *(each.opponent.name for each in named), "All agents",
    ]  # fmt: skip
    assert [option.note for option in found.options][1:-1] == [each.opponent.about for each in named]
    visitor.scene.kit.focus(found)
    visitor.key(pygame.K_RIGHT)
    assert scene.session.driver.seats == [None, named[1].spec]
    drawn = [words for words, _ in visitor.words()]
    assert named[1].opponent.name in drawn and "strength 2 of 8" in drawn
    assert box(visitor).tip == named[1].measured != ""
    visitor.close()
    assert visit("connect4").scene.session.driver.seats == [None, named[1].spec]


def test_a_person_takes_a_seat_and_gives_it_back(match):
    visitor, scene = match, match.scene
    weakest = scene.session.driver.seats[1]
    scene.kit.focus(box(visitor))
    visitor.key(pygame.K_LEFT)
    assert scene.session.driver.seats == [None, None]
    scene.kit.focus(box(visitor))
    visitor.key(pygame.K_RIGHT)
    assert scene.session.driver.seats == [None, weakest]


def test_hint_undo_and_watch_are_buttons(visit, monkeypatch):
    visitor = visit("2048")
    scene, asked = visitor.scene, []
    monkeypatch.setattr(scene.session, "ask_hint", lambda: asked.append("hint"))
    monkeypatch.setattr(scene.session, "toggle_run", lambda: asked.append("run"))
    assert not button(visitor, "Undo").is_enabled
    for key in (pygame.K_LEFT, pygame.K_UP, pygame.K_RIGHT, pygame.K_DOWN):
        visitor.key(key)
    played = scene.session.timeline.cursor
    assert played
    visitor.frames(2)
    press(visitor, "Hint")
    press(visitor, "Watch it")
    press(visitor, "Undo")
    assert asked == ["hint", "run"] and scene.session.timeline.cursor == played - 1


# All agents


def choose(visitor: Any, title: str) -> None:
    dialog = visitor.window.top
    at = next(at for at, each in enumerate(dialog.choices) if each.line.label == title and not each.named)
    next(each for each in dialog.kit.controls if isinstance(each, Lines)).choose(at)
    visitor.frames()


@pytest.mark.parametrize("game", GAMES)
def test_all_agents_have_a_line_in_which_nothing_is_cut_off(visit, game):
    visitor = visit(game, (1024, 640))
    visitor.key(pygame.K_F3)
    dialog = visitor.window.top
    assert isinstance(dialog, Chooser)
    titles = [each.line.label for each in dialog.choices if not each.named and each.spec is not None]
    assert titles == [entry.title for entry in catalogue.entries(visitor.scene.session.game)]
    found = next(each for each in dialog.kit.controls if isinstance(each, Lines))
    cut = []
    for at in range(len(dialog.choices)):
        found.choose(at)
        cut += [words for words, _ in visitor.words() if words.endswith("…")]
    assert not cut


def test_an_agent_of_the_list_is_chosen_by_enter_and_esc_changes_nothing(visit):
    visitor = visit("sokoban")
    before = visitor.scene.session.driver.seats[0]
    press(visitor, "All agents")
    choose(visitor, "Beam search")
    visitor.key(pygame.K_ESCAPE)
    assert visitor.scene.session.driver.seats[0] == before
    visitor.key(pygame.K_F3)
    choose(visitor, "Beam search")
    visitor.key(pygame.K_RETURN)
    assert visitor.window.top is visitor.scene and visitor.scene.session.driver.seats[0] == Spec("beam")
    drawn = [words for words, _ in visitor.words()]
    assert any(catalogue.entry("sokoban", "beam").summary.startswith(words) for words in drawn if len(words) > 20)


def test_details_of_an_agent_are_behind_a_button_and_are_kept(visit):
    visitor = visit("2048")
    visitor.key(pygame.K_F3)
    choose(visitor, "Expectimax")
    assert "Depth" not in labels(visitor)
    press(visitor, "Details")
    depth = next(each for each in visitor.window.top.kit.controls if getattr(each, "label", "") == "Depth")
    depth.step(-1)
    visitor.key(pygame.K_ESCAPE)
    assert isinstance(visitor.window.top, Chooser) and "Depth" not in labels(visitor), "Esc leads to the list"
    press(visitor, "Choose")
    assert visitor.scene.session.driver.seats == [Spec("expectimax", {"depth": 3})]
    visitor.key(pygame.K_F3)
    assert visitor.window.top.chosen.line.label == "Expectimax"


def test_who_cannot_play_here_is_grey_and_not_chosen(visit):
    visitor = visit("connect4")
    scene = visitor.scene
    shape = type(scene.session.state.shape)(4, 4, 4, 4, 2)
    scene.session.set_up(shape, [None, Spec("random")])
    visitor.frames()
    visitor.key(pygame.K_F3)
    choose(visitor, "Perfect")
    assert visitor.window.top.chosen.line.grey and not button(visitor, "Details").is_enabled
    press(visitor, "Choose")
    assert isinstance(visitor.window.top, Chooser) and scene.session.driver.seats == [None, Spec("random")]


# Parameters that are kept


def test_an_agent_put_back_on_its_seat_keeps_its_parameters(visit):
    visitor = visit("2048", page="lab")
    scene = visitor.scene

    def agent(agent_id: str) -> None:
        box(visitor).choose(agent_id)
        visitor.frames()

    agent("expectimax")
    next(each for each in scene.kit.controls if getattr(each, "label", "") == "Depth").step(-1)
    agent("greedy")
    assert scene.session.driver.seats == [Spec("greedy")]
    agent("expectimax")
    assert scene.session.driver.seats == [Spec("expectimax", {"depth": 3})]
    scene.panel.show("play")
    named = seating.candidates("twenty48", scene.session.state)[0]
    scene.session.choose_agent(0, named.spec)
    visitor.close()
    again = visit("2048", page="lab")
    box(again).choose("expectimax")
    assert again.scene.session.driver.seats == [Spec("expectimax", {"depth": 3})], "forgotten with the window"


def test_a_form_is_that_of_who_sits_there_on_the_next_level(visit):
    visitor = visit("sokoban", page="lab")
    session = visitor.scene.session
    variants, plain = session.course.packs.get("5-variants"), session.course.packs.get("2-depot")
    session.open_level(plain, 0)
    session.choose_agent(0, Spec("dqn"))
    assert "Plan" in labels(visitor)
    for pack, number in ((plain, 1), (variants, 0), (plain, 0)):
        session.open_level(pack, number)
        visitor.frames()
        shown = box(visitor).chosen
        print(pack.id, number, session.driver.seats, shown)
        assert shown == session.driver.seats[0].id


# Tool tips


def test_a_tip_lies_over_no_other_control(visit):
    visitor = visit("sokoban", (1024, 640))
    window = visitor.scene.layout.window
    for each in visitor.scene.kit.controls:
        tip = pygame.Rect(0, 0, 300, 42)
        place = visitor.scene.kit._tip_place(tip, each, window)
        over = [other for other in visitor.scene.kit.controls if other is not each and place.colliderect(other.rect)]
        assert not over, (getattr(each, "label", ""), place)
        assert window.contains(place)
