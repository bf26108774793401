"""What the three game screens share: bars, panel, history, the agent at the board, autosave, replays.

A game's screen subclasses `GameScene` and answers for its rules and its board; everything a person can do with keys
anywhere is done here once.
"""

import random
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

import pygame

from ai import catalogue
from ai.agent import Status
from ai.entries import CatalogueError, Spec
from ai.models import ModelCard
from game.play.driver import FASTEST, SLOWEST, Driver, Played
from game.play.timeline import Timeline
from game.rules import replay as replays
from game.rules.game import PERSON
from game.saves import resume
from game.screens.context import Context
from game.screens.game_answers import GameAnswers
from game.screens.navigation import open_scene
from game.screens.play.panel import Panel
from game.ui.chrome import TopBar
from game.ui.layout import Layout, layout
from game.ui.scene import Host
from game.views.view import accent_of

SPEED_STEP = 1.5
PLAY_SECONDS = 0.0003
"""How much of a frame the moves of a fast run may take; those that are left come with the next frame."""


class GameScene(GameAnswers):
    """Base of the game screens. `state` is the present position; all changes go through `play` and `go`."""

    def __init__(self, window: Host, context: Context) -> None:
        """Takes up the saved game of this kind, or starts a new one."""
        super().__init__(window)
        self.context = context
        self.name = self.game
        self.seed = 0
        self.started = ""
        self.seconds = 0.0
        self.finished = False
        """Whether the end of this game was shown and kept."""
        self.timeline: Timeline[Any]
        self._kept: replays.Replay | None = None
        """The replay of this game, once it was kept."""
        self.extra: dict[str, resume.Extra] = {}
        self.driver = Driver(self.game, [self.context.chosen(self.game, 0)])
        self.driver.speed = context.speed(self.game, self.first_speed)
        self.panel = Panel(self)
        self.top_bar: TopBar | None = None
        self.layout: Layout = layout(self.size, self.theme)
        self.autosave = True
        self._dirty = False
        loaded = self.saved_game()
        if loaded.notice:
            window.say(loaded.notice, "bad")
        if loaded.session is not None:
            self._take_up(loaded.session, list(loaded.states))
        else:
            self.first_game()

    # Games

    @property
    def state(self) -> Any:
        """The present position."""
        return self.timeline.state

    @property
    def strongest(self) -> Spec:
        """Who plays the present board where nobody was chosen."""
        return catalogue.strongest(self.game, self.state)

    @property
    def agent_has_board(self) -> bool:
        """Whether an agent plays now."""
        return self.driver.running

    def begin(self, initial: Any, seed: int | None = None) -> None:
        """Start a game from a position."""
        self.seed = random.SystemRandom().randrange(2**31) if seed is None else seed
        self.timeline = Timeline.start(initial)
        self.started = datetime.now().astimezone().isoformat(timespec="seconds")
        self.seconds = 0.0
        self.finished = False
        self._kept = None
        self.extra = {}
        self.driver.new_game(self.seed)
        if self.top_bar is not None:
            self.show(initial)
            self.changed()

    def _take_up(self, session: resume.Session, states: list[Any]) -> None:
        self.seed = session.replay.seed
        self.started, self.seconds = session.replay.started, session.replay.seconds
        self.timeline = Timeline(states, list(session.replay.steps), session.cursor)
        self.extra = dict(session.extra)
        self.finished = self.over(self.timeline.state)
        self.driver.new_game(self.seed)
        specs: list[Spec | None] = []
        for text in session.seats:
            try:
                specs.append(None if text == PERSON else catalogue.parse(self.game, text))
            except CatalogueError:
                specs.append(None)
        if not self.person_option:
            specs = [specs[0] or self.driver.seats[0] or self.strongest]
        self.driver.seats = specs
        self.took_up()

    def take_timeline(self, record: replays.Replay, states: list[Any], seats: tuple[str, ...]) -> None:
        """Go on with a game that was played elsewhere, after `len(states) - 1` of its steps; `leave_game` comes first.

        Args:
            record: where the game comes from: its steps, seed and times.
            states: every position of it, the one to go on from last.
            seats: who sits where from now on, 'person' or the text of a spec.
        """
        self.leave_game()
        ply = len(states) - 1
        self._take_up(
            resume.Session(
                replace(record, steps=record.steps[:ply]), ply, seats, extra=self.extra_of(record, states[-1])
            ),
            states,
        )
        self._kept = None
        self.changed()
        if self in self.window.scenes:
            self.rebuild()

    def took_up(self) -> None:
        """A saved game was loaded; `timeline` and `extra` are set."""

    def session(self) -> Callable[[], resume.Session]:
        """The game as it stands now; what is called for it on the writing thread reads nothing of this screen."""
        moment, seats, extra = self.timeline.moment(), self.seat_names(), dict(self.extra)
        seed, started, seconds = self.seed, self.started, self.seconds
        title, headline = self.replay_title(), self.headline()

        def session() -> resume.Session:
            setup = replays.setup_of(moment.initial)
            record = replays.Replay(self.game, setup, moment.steps, seats, seed, started, seconds, title)
            return resume.Session(record, moment.cursor, seats, headline, extra=extra)

        return session

    def seat_names(self) -> tuple[str, ...]:
        """Who sits where, as text."""
        return tuple(str(spec) if spec else PERSON for spec in self.driver.seats)

    def changed(self) -> None:
        """Something worth saving changed."""
        self._dirty = True

    def _save(self) -> None:
        if self._dirty and self.autosave:
            self._dirty = False
            resume.save(self.context.saves, self.context.writer, self.game, self.session())

    def player_names(self) -> tuple[str, ...]:
        """Who played this game, for its replay."""
        return self.seat_names()

    def keep_replay(self, batch: bool = False) -> None:
        """Keep the game up to here in the library."""
        steps = self.timeline.played
        if not steps:
            return
        record = replays.record(
            self.timeline.initial, steps, seats=self.player_names(), seed=self.seed, started=self.started,
            seconds=self.seconds, title=self.replay_title(), positions=self.timeline.states[: len(steps) + 1],
        )  # fmt: skip
        self._kept = record
        if batch:
            self.context.library.keep_auto(record)
        else:
            self.context.library.keep(record)

    def watch(self) -> None:
        """Show the game up to here in the theatre."""
        steps = self.timeline.played
        if not steps:
            self.window.say("There is nothing to watch yet: nobody has played a move.")
            return
        record = self._kept
        if record is None or len(record.steps) != len(steps):
            record = replays.Replay(
                self.game, replays.setup_of(self.timeline.initial), steps, self.player_names(), self.seed,
                self.started, self.seconds, self.replay_title(),
            )  # fmt: skip
        open_scene("theatre", self.window, self.context, record)

    # Playing

    def play(
        self, action: int, cell: int | None = None, exponent: int | None = None,
        values: Mapping[int, float] | None = None, seconds: float = 0.12, quiet: bool = False,
    ) -> bool:  # fmt: skip
        """Play an action for whoever's turn it is; False when it is illegal here.

        `values` is what an agent thought of every action before it.
        """
        before = self.state
        try:
            step, after = self.step(before, action, cell, exponent)
        except ValueError:
            return False
        if values:
            step = replays.thought(step, values)
        self.timeline.play(step, after)
        self._kept = None
        self.changed()
        if not quiet:
            self.animate(before, step, after, seconds)
            self.sound_of(before, step, after)
        if self.over(after) and not self.finished:
            self.finished = True
            self.ended()
        return True

    def person_plays(self, action: int) -> bool:
        """A person's action: the agent is paused and what it thought is dropped."""
        if self.over(self.state):
            return False
        if not self.person_option:
            self.driver.stop()
        else:
            self.driver.stop_thinking()
            self.driver.hint = None
        return self.play(action)

    def go(self, ply: int, animated: bool = False) -> None:
        """Move through the game's history."""
        if ply == self.timeline.cursor:
            return
        self.timeline.go(ply)
        self.driver.stop()
        self.driver.elsewhere()
        self.finished = self.over(self.state)
        self.show(self.state)
        self.changed()

    def undo(self) -> None:
        """Take one step back; a running agent is paused."""
        if self.timeline.can_undo:
            self.go(self.timeline.cursor - 1)
            self.window.play("undo")

    def redo(self) -> None:
        """Take an undone step again."""
        if self.timeline.can_redo:
            self.go(self.timeline.cursor + 1)

    # Agents

    def choose_agent(self, seat: int, spec: Spec | None) -> None:
        """Put an agent or (None) a person on a seat, from the panel."""
        self.driver.seat(seat, spec)
        self.context.remember_seat(self.game, seat, spec)
        self.changed()
        self.rebuild()

    def play_with(self, spec: Spec, card: ModelCard) -> None:
        """Put an agent with the model of `card` on the first seat, on a board that the model plays."""
        self.choose_agent(0, spec)

    def change_parameter(self, seat: int, spec: Spec) -> None:
        """A parameter of the seat's agent was changed in the panel."""
        self.driver.seat(seat, spec)
        self.context.remember_seat(self.game, seat, spec)
        self.changed()

    def set_speed(self, speed: float) -> None:
        """Moves a second."""
        self.driver.speed = speed
        self.context.remember_speed(self.game, speed)
        self.panel.show_speed()

    def hint_spec(self) -> Spec:
        """The agent that gives hints: the one on the seat to move, or the game's best."""
        return self.driver.seats[self.seat_to_move(self.state)] or self.strongest

    def ask_hint(self) -> None:
        """Let the agent suggest the next action."""
        if self.over(self.state):
            self.window.say("The game is over: undo, or start a new one.")
        elif not self.driver.ready:
            self.window.say(self.context.unprepared())
        else:
            if not self.person_option:
                self.driver.running = False
            self.driver.ask_hint(self.state, self.timeline.cursor, self.hint_spec(), self.hint_seconds)

    def toggle_run(self) -> None:
        """Hand the board to the agent, or take it back."""
        if self.driver.running:
            self.driver.stop()
        elif self.over(self.state):
            self.window.say("The game is over: undo, or start a new one.")
        else:
            if not self.driver.ready:
                self.window.say(self.context.unprepared("The agent starts as soon as it is prepared."))
            self.driver.run()

    # Scene

    def build(self) -> None:
        """Bars, panel, board."""
        self.layout = layout(self.size, self.theme)
        self.top_bar = TopBar(
            self.kit,
            self.size[0],
            self.title,
            accent_of(self.theme, self.game),
            self.top_actions,
            self.window.command,
            self.groups,
        )
        self.panel.build(self.layout.panel, self.layout.folded)
        self.build_board(self.layout.board)
        self.show(self.state)

    def leave(self) -> None:
        """Another screen covers this one: pause and save."""
        self.driver.stop()
        self._save()

    def rest(self) -> None:
        """Minimised: the agent thinks no more until the window is back; what there is to save is saved."""
        self.driver.stop_thinking()
        self._save()

    def again(self) -> "GameScene":
        """The same game, from its save."""
        return type(self)(self.window, self.context)

    def close(self) -> None:
        """End the agent's thread; the game is saved."""
        self.driver.close()
        self._dirty = True
        self._save()

    def command(self, command: str) -> bool:
        """What keys, buttons and gamepads ask for."""
        actions = {
            "undo": self.undo, "redo": self.redo, "run": self.toggle_run, "hint": self.ask_hint, "new": self.new_game,
            "first": lambda: self.go(0), "last": lambda: self.go(len(self.timeline.steps)), "settings": self.open_settings,
            "step": self._step_once, "theatre": self.watch, "faster": lambda: self._scale_speed(SPEED_STEP),
            "slower": lambda: self._scale_speed(1 / SPEED_STEP),
        }  # fmt: skip
        if command in actions:
            actions[command]()
            return True
        if command == "back":
            self.back()
            return True
        return False

    def back(self) -> None:
        """Esc: close what is open, take the board back, or leave."""
        if self.kit.focused is not None:
            self.kit.focus(None)
        elif self.driver.hint is not None or (self.driver.busy and not self.driver.running):
            self.driver.stop()
        elif self.driver.running and not self.person_option:
            self.driver.stop()
            self.window.say("The board is yours.")
        else:
            self.window.pop()

    def open_settings(self) -> None:
        """The settings screen."""
        from game.screens.settings import SettingsScene

        self.window.push(SettingsScene(self.window, self.context))

    def _step_once(self) -> None:
        if self.over(self.state):
            self.window.say("The game is over: undo, or start a new one.")
        else:
            self.driver.step_once()

    def _scale_speed(self, factor: float) -> None:
        speed = self.driver.speed * factor
        self.set_speed(float("inf") if speed > FASTEST * 1.01 else max(SLOWEST, min(speed, FASTEST)))
        if factor < 1 and self.driver.speed > FASTEST:
            self.set_speed(FASTEST)

    def handle(self, event: pygame.event.Event) -> bool:
        """Clicks on the panel's seats."""
        return event.type == pygame.MOUSEBUTTONDOWN and event.button == 1 and self.panel.click(event.pos)

    def update(self, dt: float) -> None:
        """Agents, animation, autosave."""
        if not self.over(self.state):
            self.seconds += dt
        self.update_board(dt)
        state = self.state
        played = self.driver.tick(
            dt, state, self.timeline.cursor, self.seat_to_move(state), self.over(state), not self.board_busy()
        )
        if played is not None:
            self._agent_plays(played)
        if self.driver.problem:
            self.window.say(self.driver.problem, "bad")
            self.driver.problem = None
        self._save()

    def _agent_plays(self, played: Played) -> None:
        """Carry out what the driver says; many moves at once are shown as their end, as many as a frame has time for."""
        many = len(played.moves) > 1
        seconds = min(0.18, 0.8 / self.driver.speed)
        end = time.perf_counter() + PLAY_SECONDS
        for number, (action, cell, exponent) in enumerate(played.moves, 1):
            if not self.play(action, cell, exponent, played.values, seconds, quiet=many):
                self.driver.problem = "The agent chose an action that is not legal here; the board is yours."
                self.driver.stop()
                break
            if self.finished:
                break
            if number < len(played.moves) and time.perf_counter() > end:
                self.driver.put_back(played.moves[number:])
                break
        if many:
            self.show(self.state)

    def draw(self, surface: pygame.Surface) -> None:
        """Board, panel, bars."""
        self.draw_board(surface)
        self.panel.draw(surface)
        if self.top_bar is not None:
            self.top_bar.subtitle, self.top_bar.shorter = self.subtitle(), self.shorter_subtitles()
            self.top_bar.buttons["undo"].set_enabled(self.timeline.can_undo)
            self.top_bar.buttons["redo"].set_enabled(self.timeline.can_redo)
            self.top_bar.draw(surface)

    def thought_note(self) -> str:
        """The note beside 'What it thinks'."""
        thought = self.driver.thought
        if thought.thinking and thought.plan is None:
            return f"thinking · {thought.seconds:.1f} s"
        if thought.plan is None:
            return "" if self.driver.ready else "being prepared"
        words = {
            Status.PLAN: f"depth {thought.plan.depth}" if thought.plan.depth else "decided",
            Status.SOLVED: "plan found",
            Status.LOST: "proved lost",
            Status.UNSOLVABLE: "proved unsolvable",
            Status.GAVE_UP: "gave up",
            Status.CANCELLED: "cancelled",
        }
        return words[thought.plan.status]

    @property
    def thought_counts(self) -> bool:
        """Whether what was thought last is about this position or the move that led to it."""
        ply = self.driver.thought.ply
        return ply >= 0 and 0 <= self.timeline.cursor - ply <= 1

    def dated(self, note: str) -> str:
        """A note about what was thought; it says so where that was about the position one move ago."""
        driver = self.driver
        if driver.thought.fast:
            return "too fast to follow" if driver.running else ""
        agents_turn = not self.over(self.state) and driver.seats[self.seat_to_move(self.state)] is not None
        if driver.thought.plan is None or (driver.running and agents_turn):
            return note
        if not self.thought_counts:
            return ""
        return note if driver.thought.ply == self.timeline.cursor else "before the last move"

    @property
    def status(self) -> tuple[str, str, bool]:
        """What is happening, how to stop it."""
        driver = self.driver
        at_move = driver.seats[self.seat_to_move(self.state)]
        agents_turn = not self.over(self.state) and at_move is not None
        name = self._agent_name(driver.thought.spec or at_move)
        waiting = driver.running and not driver.ready
        if waiting:
            left = self.context.preparing or f"{name} waits until it is prepared"
        elif driver.thinks_long and driver.loading:
            left = f"{name} is being loaded"
        elif driver.thinks_long or driver.asked_hint:
            left = f"{name} is thinking · {self.stop_words}"
        elif self.whole_plans and driver.carrying_out and not driver.running:
            left = "The plan waits · Space goes on · . one step · Esc forgets it"
        elif self.whole_plans and driver.carrying_out:
            left = f"{name} shows its plan · Space pauses · Esc gives the board back"
        elif driver.running and agents_turn:
            left = f"{name} is playing · Space pauses · . one step"
        elif self.context.preparing:
            left = self.context.preparing
        else:
            left = self.idle_status()
        return left, self.status_right(), driver.busy or bool(self.context.preparing)

    @property
    def stop_words(self) -> str:
        """What Esc does while an agent is thinking."""
        return "Esc stops it"

    def _agent_name(self, spec: Spec | None) -> str:
        """'N-tuple network · 2048-small'."""
        if spec is None:
            return "The agent"
        title = catalogue.entry(self.game, spec.id).title
        return f"{title} · {spec.model}" if spec.model else title
