"""Two agents side by side on the same spawns: who gets further with the same luck?"""

import math
from collections.abc import Callable, Sequence
from functools import partial
from types import MappingProxyType

import pygame
from typing_extensions import override

from ai import kernels
from ai.entries import Spec
from game.play.driver import share_of, speed_of
from game.play.session import SPEED_STEP
from game.play.twenty48.duel import Duel, Side
from game.play.watcher import Tone, Watcher
from game.rules.replay import Step
from game.rules.twenty48 import State
from game.screens.context import Context
from game.screens.play.agent_form import AgentForm
from game.screens.replays.words import seat_title
from game.ui import text
from game.ui.chrome import Action, TopBar, draw_card
from game.ui.controls import Button, Stepper
from game.ui.dialog import Answer, Dialog
from game.ui.layout import layout
from game.ui.scene import Host, Scene
from game.ui.shortcuts import AGENT, THIS_GAME, WINDOW
from game.ui.slider import Slider
from game.ui.theme import CONTROL_HEIGHT, FONT_SMALL
from game.views.twenty48.accent import ACCENT
from game.views.twenty48.board import SLIDE_SECONDS, BoardView

SCORE = 58
"""Height of a score's card in units."""
TOP_ACTIONS = (Action("help", "Keys", "help"), Action("settings", "Settings", "settings"))
NAMES = ("Left", "Right")


class Half(Watcher):
    """Shows what happens on one side."""

    def __init__(self, scene: "DuelScene", view: BoardView) -> None:
        """`view` is the board of this side."""
        self.scene, self.view = scene, view

    @override
    def stepped(self, before: State, step: Step, after: State, seconds: float) -> None:
        """Slide a single move."""
        self.view.play(before, step, after, min(SLIDE_SECONDS, seconds))

    @override
    def ended(self) -> None:
        """When the other game is over, too, somebody has won."""
        if self.scene.duel.over:
            self.scene.tell()

    @override
    def say(self, words: str, tone: Tone = "info") -> None:
        """In the status bar."""
        self.scene.window.say(words, tone)

    @override
    def waits(self, agents: Sequence[Spec]) -> None:
        """How long it takes until they are compiled."""
        self.scene.window.say(self.scene.context.wait_for(kernels.needed(self.scene.duel.sides[0].game, *agents)))


class DuelScene(Scene):
    """Each side has its agent above its board; one bar below moves both."""

    name = "duel"
    groups = (AGENT, THIS_GAME, WINDOW)
    without = frozenset(
        ("hint", "undo", "redo", "first", "last", "next", "previous", "list", "edit", "view", "reset_view", "theatre")
    )
    meanings = MappingProxyType(
        {"run": "Run or pause both", "step": "One move of each", "restart": "The same tiles again",
         "new": "Other tiles", "back": "Back to the board"}
    )  # fmt: skip

    def __init__(self, window: Host, context: Context, size: int) -> None:
        """The agents that sat here last."""
        super().__init__(window)
        self.context = context
        self.views = [BoardView(self.theme), BoardView(self.theme)]
        self.duel = Duel(context, [Half(self, view) for view in self.views], size)
        self.forms = [AgentForm(side.game, side.spec, partial(self._choose, side)) for side in self.duel.sides]
        self.scores = [pygame.Rect(0, 0, 0, 0), pygame.Rect(0, 0, 0, 0)]
        self.top_bar: TopBar | None = None
        self._run: Button | None = None
        self._slider: Slider | None = None
        self._speed_at = pygame.Rect(0, 0, 0, 0)

    # Lay out

    @override
    def build(self) -> None:
        """Two columns, and the bar below."""
        theme, kit, duel = self.theme, self.kit, self.duel
        area = layout(self.size, theme, panel=False).board
        self.top_bar = TopBar(kit, self.size[0], "Side by side", ACCENT.on(theme), TOP_ACTIONS,
                              self.window.command)  # fmt: skip
        gap, high = theme.px(12), theme.px(CONTROL_HEIGHT)
        wide = (area.width - 2 * gap) // 2
        forms = max(form.height(kit, wide) for form in self.forms)
        for number, form in enumerate(self.forms):
            column = pygame.Rect(area.left + number * (wide + 2 * gap), area.top, wide, area.height)
            form.build(kit, pygame.Rect(column.left, column.top, wide, forms), duel.sides[number].timeline.initial)
            top = column.top + forms + theme.px(8)
            self.scores[number] = pygame.Rect(column.left, top, wide, theme.px(SCORE))
            top = self.scores[number].bottom + theme.px(10)
            view = self.views[number]
            view.set_theme(theme, self.window.look.animated)
            view.show(duel.sides[number].state)
            view.layout(pygame.Rect(column.left, top, wide, area.bottom - high - gap - top))
        self._build_bar(pygame.Rect(area.left, area.bottom - high, area.width, high))

    def _build_bar(self, rect: pygame.Rect) -> None:
        theme, kit, gap = self.theme, self.kit, self.theme.px(8)
        unit = min(theme.px(128), (rect.width - 5 * gap - theme.px(40)) // 7)
        left = rect.left

        def place(wide: int) -> pygame.Rect:
            nonlocal left
            found = pygame.Rect(left, rect.top, wide, rect.height)
            left = found.right + gap
            return found

        self._run = Button(kit, place(unit), "Run", icon="play", style="primary",
                           on_press=lambda: self._press("run"), tip="Run or pause both (Space)")  # fmt: skip
        Button(kit, place(unit), "Step", icon="step", on_press=lambda: self._press("step"),
               tip="One move of each (.)")  # fmt: skip
        Button(kit, place(unit), "Again", icon="restart", on_press=lambda: self._press("restart"),
               tip="The same tiles again (R)")  # fmt: skip
        Button(kit, place(unit), "New", icon="shuffle", on_press=lambda: self._press("new"), tip="Other tiles (N)")
        Stepper(kit, place(unit), "Size", self._size_words(), on_step=self._resize, tip="Edge of the boards, 3 to 8")
        self._speed_at = pygame.Rect(left + gap, rect.top, rect.right - left - gap, rect.height)
        label, value = text.width(theme, "Speed") + theme.px(12), theme.px(50)
        self._slider = Slider(
            kit, pygame.Rect(self._speed_at.left + label, rect.top, self._speed_at.width - label - value, rect.height),
            share_of(self.duel.speed), on_change=lambda share: self.set_speed(speed_of(share)), tip="Moves a second",
        )  # fmt: skip

    def _press(self, command: str) -> None:
        self.window.command(command)

    def _size_words(self) -> str:
        return f"{self.duel.size}×{self.duel.size}"

    def _resize(self, by: int) -> str:
        before = self.duel.size
        self.duel.resize(by)
        if self.duel.size != before:
            self.rebuild()
        return self._size_words()

    def _choose(self, side: Side, spec: Spec, whole: bool) -> None:
        side.change_parameter(0, spec)
        if whole:
            self.rebuild()

    # What is asked for

    def set_speed(self, speed: float) -> None:
        """Moves a second of each."""
        self.duel.set_speed(speed)
        self._show_speed()

    def _scale_speed(self, factor: float) -> None:
        self.duel.scale_speed(factor)
        self._show_speed()

    def _show_speed(self) -> None:
        if self._slider is not None:
            self._slider.set_value(share_of(self.duel.speed))

    def _begin(self, seed: int | None) -> None:
        self.duel.new_game(seed)
        self.rebuild()

    @override
    def command(self, command: str) -> bool:
        """Run, step, speed, games."""
        duel = self.duel
        actions: dict[str, Callable[[], object]] = {
            "run": duel.toggle_run, "step": duel.step_once, "new": lambda: self._begin(None),
            "restart": lambda: self._begin(duel.seed), "faster": lambda: self._scale_speed(SPEED_STEP),
            "slower": lambda: self._scale_speed(1 / SPEED_STEP),
        }  # fmt: skip
        if command == "back" and duel.running:
            duel.stop()
        elif command in actions:
            actions[command]()
        else:
            return super().command(command)
        return True

    # Scene

    @override
    def leave(self) -> None:
        """Another screen covers this one: pause."""
        self.duel.stop()

    @override
    def rest(self) -> None:
        """Minimised: think no more until the window is back."""
        self.duel.rest()

    @override
    def close(self) -> None:
        """End the threads; what was played is kept."""
        self.duel.close()

    @override
    def update(self, dt: float) -> None:
        """Let both think and play."""
        for view in self.views:
            view.update(dt)
        self.duel.tick(dt, [view.busy for view in self.views])
        for side, view in zip(self.duel.sides, self.views, strict=True):
            if view.state is not side.state:
                view.show(side.state)

    def tell(self) -> None:
        """Both games are over: say who won."""
        lead, sides = self.duel.lead, self.duel.sides
        title = "A draw!" if not lead else f"{NAMES[lead < 0]} wins by {abs(lead):,} points"
        words = "\n".join(
            f"{name}, {seat_title(Side.game, str(side.spec))}: {side.state.score:,} points, "
            f"largest tile {1 << max(side.state.cells):,}, {side.timeline.cursor:,} moves."
            for name, side in zip(NAMES, sides, strict=True)
        )
        self.window.play("win")
        answers = (
            Answer("Other tiles", lambda: self._press("new"), "primary", "shuffle"),
            Answer("The same again", lambda: self._press("restart"), icon="restart"),
            Answer("Look at the boards"),
        )
        self.window.push(Dialog(self.window, title, words, answers, 640))

    @override
    def draw(self, surface: pygame.Surface) -> None:
        """Boards, scores, bars."""
        theme = self.theme
        if self.top_bar is not None:
            self.top_bar.subtitle = f"{self.duel.size} × {self.duel.size} · the same tiles for both"
            self.top_bar.draw(surface)
        if self._run is not None:
            running = self.duel.running
            self._run.set("Pause" if running else "Run", "pause" if running else "play")
        for number, view in enumerate(self.views):
            view.draw(surface)
            self._draw_score(surface, number)
        y = self._speed_at.centery
        text.draw(surface, theme, "Speed", (self._speed_at.left, y), colour=theme.muted, anchor="midleft")
        shown = "max" if math.isinf(self.duel.speed) else f"{self.duel.speed:.0f}/s"
        text.draw(surface, theme, shown, (self._speed_at.right, y), anchor="midright")

    def _draw_score(self, surface: pygame.Surface, number: int) -> None:
        """Points, moves, and by how much this side leads."""
        theme, side, card = self.theme, self.duel.sides[number], self.scores[number]
        lead = self.duel.lead if number == 0 else -self.duel.lead
        draw_card(surface, theme, card)
        left, right, pad = card.left + theme.px(16), card.right - theme.px(16), theme.px(10)
        text.draw(surface, theme, "SCORE", (left, card.top + theme.px(15)), size=FONT_SMALL, colour=theme.muted,
                  anchor="midleft")  # fmt: skip
        place = text.draw(surface, theme, f"{side.state.score:,}", (left, card.top + theme.px(39)), size=24,
                          weight="bold", anchor="midleft")  # fmt: skip
        if lead > 0:
            text.draw(surface, theme, f"+{lead:,} ahead", (place.right + pad, card.top + theme.px(40)),
                      colour=theme.good, anchor="midleft", limit=right - place.right - theme.px(110))  # fmt: skip
        text.draw(surface, theme, f"{side.timeline.cursor:,} moves", (right, card.top + theme.px(18)), colour=theme.muted,
                  anchor="midright")  # fmt: skip
        thinks = side.driver.thinks_long
        note = (
            "no move is left" if side.over else "thinking …" if thinks else f"largest {1 << max(side.state.cells):,}"
        )
        colour = theme.bad if side.over else theme.thinking if thinks else theme.muted
        text.draw(surface, theme, note, (right, card.top + theme.px(40)), colour=colour, anchor="midright")

    @property
    @override
    def status(self) -> tuple[str, str, bool]:
        """What is happening."""
        duel = self.duel
        right = f"seed {duel.seed}"
        if duel.over:
            return "Both games are over · N other tiles · R the same tiles again", right, False
        if duel.running:
            if not duel.ready:
                return self.context.preparing or "The agents wait until they are prepared", right, True
            return "Both agents play · Space pauses · . one move of each", right, True
        return "Space lets both play · . one move of each · N other tiles · R the same again", right, False
