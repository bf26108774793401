"""What the policy network thinks of the position on the board: arrows and a label, while its plan is on it and only then."""

from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import pytest

from ai import catalogue, kernels
from ai.agent import Plan, Status, Thinking
from ai.entries import Spec
from game.rules import levels, sokoban
from game.views.sokoban import choices as board_choices
from tests.ai.sokoban.policy.files import model_file
from tests.screens.test_sokoban_screen import Game

LEVEL = "#######\n#     #\n# @$ .#\n#  $ .#\n#     #\n#######\n"


class Weigher:
    """Knows a plan for the first position only; weighs two pushes everywhere."""

    asked: ClassVar[list[sokoban.State]] = []

    def new_game(self, seed: int) -> None:
        pass

    def plan(self, state: sokoban.State, thinking: Thinking) -> Plan:
        self.asked.append(state)
        boxes = sorted(state.boxes)
        first = {(boxes[0], 1): 0.75, (boxes[1], 1): 0.2, (boxes[1], 3): 0.01}
        if len(self.asked) == 1:
            second = {(boxes[0] + 1, 1): 0.6, (boxes[1], 1): 0.4}
            return Plan((1, 1), Status.SOLVED, nodes=2, choices=(first, second))
        return Plan((), Status.GAVE_UP, nodes=1, note="a box is stuck for good", choices=(first,))


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Game]:
    monkeypatch.setattr(kernels, "ready", lambda family: True)
    monkeypatch.setattr(catalogue, "create", lambda game, spec: Weigher())
    monkeypatch.setattr(Weigher, "asked", [])
    made = Game(tmp_path / "saves")
    made.scene.session.begin(levels.parse(LEVEL, "test").levels[0].state)
    made.scene.session.choose_agent(0, Spec("policy", {}, str(model_file(tmp_path))))
    yield made
    made.close()


def test_pushes_are_weighed_in_sight_only_while_its_plan_is_on_the_board(game: Game) -> None:
    scene = game.scene
    game.frames(20)
    assert Weigher.asked == [] and scene._overlay().choices == {}, "choosing it spoils nothing"
    scene.session.step_once()
    game.until(lambda: scene.session.timeline.cursor == 1, "it has pushed once")
    game.until(lambda: scene._overlay().choices, "the rest of its plan waits")
    box, other = sorted(scene.session.state.boxes)
    assert scene._overlay().choices == {(box, 1): 0.6, (other, 1): 0.4}
    game.context.set("show_values", False)
    assert scene._overlay().choices == {}
    game.context.set("show_values", True)
    game.keys("u")
    game.frames(20)
    assert len(Weigher.asked) == 1 and scene._overlay().choices == {}, "a person has the board: nothing more is said"


def test_likely_pushes_are_seen_and_unlikely_ones_are_not(game: Game) -> None:
    board = game.scene.board
    assert board is not None
    box, other = sorted(game.scene.session.state.boxes)
    plain = board._above(_overlay({}), game.scene.session.state)
    marked = board._above(_overlay({(box, 1): 0.75, (other, 1): 0.2, (other, 3): 0.01}), game.scene.session.state)
    assert len(marked) - len(plain) == 3, "two arrows and a label"
    sizes = [image.get_bounding_rect() for image, _ in marked[:2]]
    assert sizes[0].width < sizes[1].width, "the likelier the larger, and above"


def _overlay(choices: board_choices.Choices):  # type: ignore[no-untyped-def]
    from game.views.sokoban.board import Overlay

    return Overlay(choices=choices)


@pytest.mark.parametrize(
    ("likelihood", "words"), [(0.0, "0 %"), (0.624, "62 %"), (0.998, "99 %"), (0.9999, "100 %"), (1.0, "100 %")]
)
def test_percentages(likelihood: float, words: str) -> None:
    assert board_choices.percent(likelihood) == words
