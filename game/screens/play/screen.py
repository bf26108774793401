"""The one game screen: a session, its board, the panel and the bars. A game's own screen answers for the board and the keys."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pygame
from typing_extensions import override

from ai import compiling, kernels
from ai.entries import Spec
from game.play.session import SPEED_STEP, Session
from game.play.watcher import Tone, Watcher
from game.play.words import about
from game.rules.replay import Step
from game.screens.context import Context
from game.screens.navigation import open_scene
from game.screens.play.chooser import Chooser
from game.screens.play.face import Face
from game.screens.play.lesson_bar import LessonBar
from game.screens.play.panel import Panel
from game.ui.chrome import Action, TopBar, fill_ground
from game.ui.layout import Layout, layout
from game.ui.scene import LAST_TURN, TURNS, Host, Scene
from game.views.view import accent_of, view_of

TOP_ACTIONS = (
    Action("undo", "Undo", "undo"),
    Action("redo", "Redo", "redo"),
    Action("replay", "Watch this game", "theatre"),
    Action("hint", "Hint", "hint", accent=True),
    Action("help", "Keys", "help"),
    Action("settings", "Settings", "settings"),
)
STAY_SECONDS = 1.0
"""So long after Esc has given the board back it does not leave the screen: who presses it twice wants the board."""
NO_TURN = TURNS
"""Of a frame in which a board that stood still has changed, which is enough for one frame."""


class GameScreen(Scene, Watcher):
    """Base of the games' screens; watches its session."""

    session: Session
    face: Face
    whole_plans = False
    """Whether an agent's answer is a plan to the end of the game, not a move."""
    top_actions: Sequence[Action] = TOP_ACTIONS

    def __init__(self, window: Host, context: Context) -> None:
        """Takes up the saved game of this kind, or starts a new one."""
        super().__init__(window)
        self.context = context
        self.top_bar: TopBar | None = None
        self._board_shown: object | None = None
        """The picture of the board that was drawn last."""
        self._board_rests = False
        """Whether the last frame left the board as it was."""
        self._since_given = STAY_SECONDS
        """Seconds since Esc gave the board back."""
        self.layout: Layout = layout(self.size, self.theme)
        self.session = self.make_session()
        self.name = self.session.game
        self.face = self.make_face()
        self.panel = Panel(self.face, self.rebuild, self.choose_agent)
        self.lesson_bar = LessonBar()

    # What a game answers

    def make_session(self) -> Session:
        """The game that is played here; this screen watches it."""
        raise NotImplementedError

    def make_face(self) -> Face:
        """What stands around the board."""
        raise NotImplementedError

    def build_board(self, rect: pygame.Rect) -> None:
        """Lay out the board and its own controls."""
        raise NotImplementedError

    def show(self, state: Any) -> None:
        """Put a position on the board at once."""
        raise NotImplementedError

    def animate(self, before: Any, step: Step, after: Any, seconds: float) -> None:
        """Show a step on its way; `seconds` is the time it may take."""
        raise NotImplementedError

    def board_busy(self) -> bool:
        """Whether agents wait for the last step, which is still being drawn."""
        return False

    def update_board(self, dt: float) -> None:
        """Let the board's animation go on."""

    def draw_board(self, surface: pygame.Surface) -> None:
        """Draw the board."""
        raise NotImplementedError

    def draw_lesson(self, surface: pygame.Surface, picture: pygame.Rect) -> None:
        """Draw what a lesson shows now, on the board and within `picture` above it."""

    def show_again(self) -> Callable[[], object] | None:
        """What shows the idea of a lesson once more, where it is not in sight until it is understood."""
        return None

    def board_picture(self) -> object | None:
        """Equal to what it was before where `draw_board` would draw the same again; None while something moves."""
        return None

    def redraw_board(self, surface: pygame.Surface) -> list[pygame.Rect]:
        """Draw the whole board anew; answers the places."""
        fill_ground(surface, self.theme, self.layout.board, self.covered)
        self.draw_board(surface)
        return [self.layout.board]

    # The session's watcher

    @property
    @override
    def animated(self) -> bool:
        """Whether steps are shown in motion."""
        return self.window.look.animated

    @override
    def began(self) -> None:
        """Another game is on the board."""
        self.jumped()

    @override
    def stepped(self, before: Any, step: Step, after: Any, seconds: float) -> None:
        """A step was played: show it on its way, with its sound."""
        self.animate(before, step, after, seconds)
        self.window.play(*view_of(self.session.game).sound(before, step, after))

    @override
    def jumped(self) -> None:
        """Another position is on the board."""
        if self.top_bar is not None:
            self.show(self.session.state)

    @override
    def reseated(self) -> None:
        """The panel's forms are other ones now."""
        if self in self.window.scenes:
            self.rebuild()

    @override
    def say(self, words: str, tone: Tone = "info") -> None:
        """A sentence of the session's."""
        self.window.say(words, tone)

    @override
    def waits(self, agents: Sequence[Spec]) -> None:
        """Agents were asked for that are not compiled yet: they come next, what is soonest there first."""
        self.context.prepare_first(self._soonest_first(agents))
        if self.context.unprepared:
            self.window.say(self.context.unprepared, "bad")

    def _soonest_first(self, agents: Sequence[Spec]) -> list[str]:
        """The kernels that these agents need, as units."""
        smallest_last = (kernels.needed(self.session.game, spec) for spec in reversed(agents))
        needed = sorted(smallest_last, key=compiling.left)
        return [unit for units in needed for unit in units]

    @override
    def sound(self, name: str) -> None:
        """A sound that belongs to no step."""
        self.window.play(name)

    # Scene

    @override
    def build(self) -> None:
        """Bars, panel, board."""
        seated = [spec for spec in self.session.driver.seats if spec is not None]
        if not kernels.game_ready(self.session.game):
            rest = kernels.units(self.session.game)
            self.context.prepare_first([*self._soonest_first([*seated, *self.session.hint_specs()]), *rest])
        self.layout = layout(self.size, self.theme)
        accent = accent_of(self.theme, self.session.game)
        self.top_bar = TopBar(
            self.kit, self.size[0], self.session.title, accent, self.top_actions, self.window.command, self.groups,
        )  # fmt: skip
        self.face.theme = self.theme
        self.panel.build(self.kit, self.layout.panel, self.layout.folded)
        self.build_board(self.lesson_bar.build(self.kit, self.layout.board, self.session, self.show_again()))
        self.show(self.session.state)

    @override
    def leave(self) -> None:
        """Another screen covers this one: pause and save."""
        self.session.pause()

    @override
    def rest(self) -> None:
        """Minimised: the agent thinks no more until the window is back; what there is to save is saved."""
        self.session.rest()

    @override
    def again(self) -> "GameScreen":
        """The same game, from its save."""
        return type(self)(self.window, self.context)

    @override
    def close(self) -> None:
        """End the agent's thread; the game is saved."""
        self.session.close()

    @override
    def command(self, command: str) -> bool:
        """What keys, buttons and gamepads ask for."""
        session = self.session
        actions: dict[str, Callable[[], object]] = {
            "undo": session.undo, "redo": session.redo, "run": session.toggle_run, "hint": session.ask_hint,
            "new": session.new_game, "first": lambda: self.go(0), "last": lambda: self.go(len(session.timeline.steps)),
            "settings": self.open_settings, "step": session.step_once, "theatre": self.watch,
            "faster": lambda: session.scale_speed(SPEED_STEP), "slower": lambda: session.scale_speed(1 / SPEED_STEP),
            "learn": session.learn, "back": self.back, "page": self.panel.turn,
            "agents": lambda: self.choose_agent(self.panel.desk.seat),
        }  # fmt: skip
        if command in actions:
            actions[command]()
        return command in actions

    def go(self, ply: int) -> None:
        """To the first or the last position of the game."""
        self.session.go(ply)

    def back(self) -> None:
        """Esc: close what is open, take the board back, or leave."""
        driver = self.session.driver
        if self.kit.focused is not None:
            self.kit.focus(None)
        elif driver.hint is not None or driver.hint_waits or (driver.busy and not driver.running):
            driver.stop()
            self.given_back()
        elif driver.running:
            driver.stop()
            self.given_back()
            self.window.say("The board is yours.")
        elif self._since_given >= STAY_SECONDS:
            self.window.pop()
        else:
            self.window.play("blocked")

    def given_back(self) -> None:
        """Esc has just given the board back to the person."""
        self._since_given = 0.0

    def choose_agent(self, seat: int) -> None:
        """Open the list of everybody who can sit on a seat."""
        self.window.push(Chooser(self.window, self.session, seat))

    def open_settings(self) -> None:
        """The settings screen."""
        open_scene("settings", self.window, self.context)

    def watch(self) -> None:
        """Show the game up to here in the theatre."""
        record = self.session.record()
        if record is None:
            self.window.say("There is nothing to watch yet: no move has been played.")
        else:
            open_scene("theatre", self.window, self.context, record)

    @override
    def handle(self, event: pygame.event.Event) -> bool:
        """Clicks on the panel's seats."""
        return event.type == pygame.MOUSEBUTTONDOWN and event.button == 1 and self.panel.click(event.pos)

    @override
    def update(self, dt: float) -> None:
        """Agents, animation, autosave."""
        self._since_given += dt
        self.session.pass_time(dt)
        self.update_board(dt)
        self.session.tick(dt, not self.board_busy())
        if self.lesson_bar.stale(dt, self.session) and not self.board_busy():
            self.rebuild()

    @override
    def draw(self, surface: pygame.Surface) -> None:
        """Board, panel, bars."""
        self._board_shown = self.board_picture()
        self.draw_board(surface)
        if self.session.lesson_at is not None:
            self.draw_lesson(surface, self.lesson_bar.picture)
        self.lesson_bar.draw(surface, self.theme)
        self.panel.draw(surface)
        self._draw_top(surface)

    @property
    @override
    def keeps_picture(self) -> bool:  # type: ignore[override]
        """Not while a lesson moves on the board."""
        return self.session.lesson_at is None

    @override
    def redraw(self, surface: pygame.Surface) -> list[pygame.Rect]:
        """The board where it has changed; the cards and the top bar in turn."""
        before, self._board_shown = self._board_shown, self.board_picture()
        rested, self._board_rests = self._board_rests, self._board_shown is not None and self._board_shown == before
        areas = [] if self._board_rests else self.redraw_board(surface)
        turn = NO_TURN if rested and areas else self.window.frames % TURNS
        areas += self.panel.redraw(surface, turn)
        if self.top_bar is not None and turn == LAST_TURN:
            surface.fill(self.theme.ground, self.top_bar.rect)
            self._draw_top(surface)
            areas.append(self.top_bar.rect)
        return areas

    def _draw_top(self, surface: pygame.Surface) -> None:
        if self.top_bar is not None:
            self.top_bar.subtitle, self.top_bar.shorter = self.face.subtitle(), self.face.shorter_subtitles()
            self.top_bar.buttons["undo"].set_enabled(self.session.timeline.can_undo)
            self.top_bar.buttons["redo"].set_enabled(self.session.timeline.can_redo)
            self.top_bar.draw(surface)

    @property
    @override
    def status(self) -> tuple[str, str, bool]:
        """What is happening, how to stop it."""
        session, driver, warming = self.session, self.session.driver, self.context.preparing
        at_move = driver.seats[session.seat_to_move(session.state)]
        agents_turn = not session.over and at_move is not None
        name = self._agent_name(driver.thought.spec or at_move)
        if driver.hint_waits:
            left = self._begins("Hint", driver.hint_waits, "Esc forgets it")
        elif driver.running and at_move is not None and not session.over and not driver.ready_for(at_move):
            left = self._begins(f"{name} starts", [at_move], "Space forgets it")
        elif driver.thinks_long and driver.loading:
            left = f"{name} is being loaded"
        elif driver.thinks_long or driver.asked_hint:
            left = f"{name} is thinking · {self.face.stop_words}"
        elif self.whole_plans and driver.carrying_out and not driver.running:
            left = "The plan waits · Space goes on · . one step · Esc forgets it"
        elif self.whole_plans and driver.carrying_out:
            left = f"{name} shows its plan · Space pauses · Esc gives the board back"
        elif driver.running and agents_turn:
            left = f"{name} is playing · Space pauses · . one step"
        else:
            left = warming or self.face.idle_status()
        return left, self.face.status_right(), driver.busy or bool(warming)

    def _begins(self, what: str, agents: Iterable[Spec], otherwise: str) -> str:
        """'Hint in about 8 s · Esc forgets it': when the first of these agents is compiled."""
        soonest = [self.context.seconds_until(kernels.needed(self.session.game, spec)) for spec in agents]
        known = [seconds for seconds in soonest if seconds is not None]
        return (
            f"{what} in {about(min(known))} · {otherwise}"
            if known
            else f"{what} once agents are prepared · {otherwise}"
        )

    def _agent_name(self, spec: Spec | None) -> str:
        """'Newcomer', 'N-tuple network · 2048-small'."""
        return "The agent" if spec is None else self.session.name_of(spec)
