"""The 2048 screen: slide with keys or swipes, or let an agent play at any speed."""

import random
from collections.abc import Callable
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import pygame

from ai import catalogue
from ai.entries import Spec
from ai.models import ModelCard
from game.play.driver import Played
from game.play.twenty48.sizes import size_for
from game.rules import twenty48
from game.rules.direction import Direction
from game.rules.replay import Replay, Step
from game.rules.twenty48 import State
from game.saves.resume import Extra
from game.screens.play.screen import GameScene
from game.screens.twenty48.arrange_scene import ArrangeScene
from game.screens.twenty48.duel_scene import DuelScene
from game.screens.twenty48.series_scene import SeriesScene
from game.screens.twenty48.table import Twenty48Table
from game.ui.chrome import Action
from game.ui.controls import Button, Stepper
from game.ui.dialog import Answer, Dialog
from game.ui.shortcuts import AGENT, MOVES, THIS_GAME, WINDOW
from game.views.twenty48.keys import TILES

WIN_EXPONENT = 11
SWIPE = 24
"""Units the pointer has to travel for a swipe."""
WORTH_KEEPING = 20
"""Moves from which on a game is kept as a replay, and not given up without a question."""


def _any_seed() -> int:
    return random.SystemRandom().randrange(2**31)


class Twenty48Scene(Twenty48Table):
    """One board of any size from 3×3 to 8×8."""

    game = "twenty48"
    title = "2048"
    panel_top_height = 72
    thought_row_count = 3
    groups = (MOVES, THIS_GAME, TILES, AGENT, WINDOW)
    top_actions = (
        *GameScene.top_actions[:4],
        Action("eye", "Why this move?", "why"),
        Action("edit", "Arrange the board", "arrange"),
        Action("layers", "Two agents side by side", "duel"),
        Action("chart", "Many games", "series"),
        *GameScene.top_actions[4:],
    )
    without = frozenset(("next", "previous", "list", "edit", "view", "reset_view"))
    meanings = MappingProxyType({"accept": "Play the hint", "restart": "New game"})
    gestures = (("drag", "Swipe: slide all tiles"), ("wheel", "Undo and redo"))

    def __init__(self, window: Any, context: Any) -> None:
        """Takes up the saved game."""
        self.size_chosen = 4
        self._press: tuple[int, int] | None = None
        self._agent_moves = False
        """Whether the move under way is the agent's."""
        self._away: tuple[Spec | None, Spec | None] = (None, None)
        """An agent that does not play boards of this size, None where none was chosen; and who sits there meanwhile."""
        super().__init__(window, context)

    # Games

    def first_game(self) -> None:
        """A fresh 4×4 board."""
        self._start(4)

    def took_up(self) -> None:
        """The saved game's size."""
        self.size_chosen = self.state.size
        if self.context.chosen(self.game, 0) is None:
            self._away = (None, self.driver.seats[0])  # until the next board, which may have a stronger one
        self._by_agent = bool(self.extra.get("agent"))

    def new_game(self) -> None:
        """A fresh board of the chosen size."""
        self.leave_game()
        self._start(self.size_chosen)

    def ask_new_game(self) -> None:
        """A game of some length is not given up by a slip of the finger."""
        if self.finished or self.timeline.cursor < WORTH_KEEPING:
            self.new_game()
            return
        self.driver.stop()
        words = f"This game with {self.state.score:,} points ends here; it is kept in the replays."
        answers = (Answer("New game", self.new_game, "primary", "shuffle"), Answer("Go on"))
        self.window.push(Dialog(self.window, "Start a new game?", words, answers))

    def leave_game(self) -> None:
        """A game of some length is kept as a replay, its score at any length."""
        if not self.finished:
            self._note_score()
            if self.timeline.cursor >= WORTH_KEEPING:
                self.keep_replay(batch=self._by_agent)

    def _note_score(self) -> bool:
        """How far this game got; whether that is a new best."""
        if self.arranged:
            return False
        state = self.state
        by = self.seat_names()[0] if self._by_agent else "person"
        return self.context.progress.played_2048(state.size, state.score, max(state.cells), by)

    def extra_of(self, record: Replay, state: State) -> dict[str, Extra]:
        """Whether an agent played, and whether 2048 was reached."""
        return {"agent": record.seats != ("person",), "won": max(state.cells) >= WIN_EXPONENT}

    def _start(self, size: int) -> None:
        seed = _any_seed()
        self._put(twenty48.start(size, seed), seed)

    def _put(self, position: State, seed: int) -> None:
        """Begin a game from a position."""
        before = self.state.size if self.top_bar is not None else position.size
        self._by_agent = False
        self._floats.clear()
        self.begin(position, seed)
        self._seat_who_can()
        if before != position.size:
            self.rebuild()  # other agents and models fit now

    def _seat_who_can(self) -> None:
        """An agent whose model plays boards of another size makes way, until there is such a board again."""
        seated = self.driver.seats[0]
        away, stand_in = self._away
        wanted = away if seated == stand_in else seated
        if wanted is None:
            self._away = (None, self.strongest)
            self.driver.seat(0, self.strongest)
            return
        taken = catalogue.stand_in(self.game, wanted, self.state)
        self._away = (wanted, taken) if taken is not None else (None, None)
        if (taken or wanted) != seated:
            self.driver.seat(0, taken or wanted)
        if taken is not None and taken != seated:
            reason = catalogue.why_not(self.game, wanted, self.state) or ""
            title = taken.model or catalogue.entry(self.game, taken.id).title
            self.window.say(f"{reason[:1].upper()}{reason[1:]}: {title} takes its place.")

    def _make_way(self) -> None:
        """Another board takes the place of this one and nobody was asked, so the game is kept at any length."""
        if self.timeline.cursor and not self.finished:
            self.leave_game()
            if self.timeline.cursor < WORTH_KEEPING:
                self.keep_replay(batch=self._by_agent)

    def play_with(self, spec: Spec, card: ModelCard) -> None:
        """As for every game; a board of another size makes way, its game kept as a replay."""
        size = size_for(card) or self.state.size
        if size != self.state.size or self.over(self.state):
            old = self.state.size
            if self.timeline.cursor and not self.finished:
                self._make_way()
                self.window.say(f"The {old}×{old} game is kept in the replays; {card.name} plays {size}×{size}.")
            self.size_chosen = size
            self.driver.seat(0, spec)
            self._start(size)
        super().play_with(spec, card)

    def over(self, state: State) -> bool:
        """No direction moves anything."""
        return 0 not in state.cells and twenty48.outcome(state) is not None  # with an empty cell something moves

    def step(self, state: State, action: int, cell: int | None, exponent: int | None) -> tuple[Step, State]:
        """Slide, then the tile the agent's run drew, or the next one of the seed's sequence."""
        slide = twenty48.slide(state, action)
        if slide is None:
            raise ValueError("nothing moves that way")
        if cell is None or exponent is None:
            cell, exponent = twenty48.spawn(slide.cells, state.seed, state.spawns)
        return Step(action, (cell, exponent)), twenty48.place(state, slide, cell, exponent)

    def player_names(self) -> tuple[str, ...]:
        """The agent if it made any move, else the person."""
        return self.seat_names() if self._by_agent else ("person",)

    def replay_title(self) -> str:
        """Size and score."""
        return f"{self.state.size}×{self.state.size} · {self.state.score:,}"

    def headline(self) -> str:
        """For the menu's continue card."""
        who = "an agent was playing" if self._by_agent else "you were playing"
        return f"{self.state.score:,} points · {who}"

    # Ends

    def play(self, *args: Any, **more: Any) -> bool:
        """As for every game; reaching 2048 says so once, in a game a person plays."""
        reached = max(self.state.cells) >= WIN_EXPONENT
        if not super().play(*args, **more):
            return False
        if self._agent_moves:
            self._by_agent = True
            self.extra["agent"] = True
        if not reached and max(self.state.cells) >= WIN_EXPONENT and not self.extra.get("won"):
            self.extra["won"] = True
            if not self._agent_moves:
                self.window.play("win")
                answers = (Answer("Keep playing", style="primary"), Answer("New game", self.new_game, icon="shuffle"))
                words = f"You made the 2048 tile: {self.state.score:,} points. How far can you go?"
                self.window.push(Dialog(self.window, "2048!", words, answers))
        return True

    def _agent_plays(self, played: Played) -> None:
        self._agent_moves = True
        super()._agent_plays(played)
        self._agent_moves = False

    def ended(self) -> None:
        """No move is left."""
        state = self.state
        best = self._note_score()
        self.keep_replay(batch=self._by_agent)
        self.window.play("lose")
        tile = 1 << max(state.cells)
        moves = f"{self.timeline.cursor:,} move{'' if self.timeline.cursor == 1 else 's'}"
        words = f"{state.score:,} points, largest tile {tile:,}, {moves}."
        if best:
            words += " A new best!"
        self.driver.running = False
        answers = (
            Answer("New game", self.new_game, "primary", "shuffle"),
            Answer("Watch it", self.watch, icon="replay"),
            Answer("Undo", self.undo, icon="undo"),
            Answer("Look at the board"),
        )
        self.window.push(Dialog(self.window, "No move is left", words, answers, 620))

    # Other screens

    def count_games(self) -> None:
        """Many games of the agent."""
        self.window.push(SeriesScene(self.window, self.context, self.hint_spec(), self.state.size))

    def compare(self) -> None:
        """Two agents on the same spawns."""
        self.window.push(DuelScene(self.window, self.context, self.state.size))

    def arrange(self) -> None:
        """Change the board by hand."""
        self.driver.stop()
        self.window.push(ArrangeScene(self.window, self.state, self.continue_from))

    def continue_from(self, position: State) -> None:
        """A game begins on a board that somebody arranged; the game before is kept as a replay."""
        if (position.size, position.cells) == (self.state.size, self.state.cells):
            return
        self._make_way()
        self.size_chosen = position.size
        seed = _any_seed()
        self._put(replace(position, seed=seed), seed)
        self.extra["won"] = max(position.cells) >= WIN_EXPONENT
        self.window.say("Play on, or let the agent go on with Space. Points count from 0.", "good")

    # Input

    def command(self, command: str) -> bool:
        """Arrows slide, R starts again."""
        names = {"up": Direction.UP, "right": Direction.RIGHT, "down": Direction.DOWN, "left": Direction.LEFT}
        if command in names:
            if not self.person_plays(names[command]) and not self.over(self.state):
                self.window.play("blocked")
            return True
        own: dict[str, Callable[[], None]] = {
            "why": self.toggle_why,
            "arrange": self.arrange,
            "series": self.count_games,
            "duel": self.compare,
        }
        if command in own:
            own[command]()
            return True
        if command in ("restart", "new"):
            self.ask_new_game()
            return True
        if command == "accept":
            hint = self.driver.hint
            if hint is not None and hint.actions:
                self.person_plays(hint.actions[0])
            return True
        return super().command(command)

    def handle(self, event: pygame.event.Event) -> bool:
        """Swipes and the wheel."""
        if super().handle(event):
            return True
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1 and self.layout.board.collidepoint(event.pos):
            self._press = event.pos
            return True
        if event.type == pygame.MOUSEBUTTONUP and event.button == 1 and self._press is not None:
            dx, dy = event.pos[0] - self._press[0], event.pos[1] - self._press[1]
            self._press = None
            if max(abs(dx), abs(dy)) >= self.theme.px(SWIPE):
                if abs(dx) > abs(dy):
                    self.person_plays(Direction.RIGHT if dx > 0 else Direction.LEFT)
                else:
                    self.person_plays(Direction.DOWN if dy > 0 else Direction.UP)
            return True
        if event.type == pygame.MOUSEWHEEL and self.layout.board.collidepoint(self.kit.pointer):
            if event.y > 0:
                self.undo()
            else:
                self.redo()
            return True
        return False

    # Panel

    def subtitle(self) -> str:
        """The size."""
        return f"{self.state.size} × {self.state.size}"

    def build_game_buttons(self, rect: pygame.Rect) -> None:
        """Size and new game."""
        theme = self.theme
        gap, high = theme.px(8), theme.px(38)
        half = (rect.width - gap) // 2
        Stepper(self.kit, pygame.Rect(rect.left, rect.top, half, high), "Size", self._size_text(), on_step=self._resize,
                tip="Edge of the next board, 3 to 8")  # fmt: skip
        Button(self.kit, pygame.Rect(rect.left + half + gap, rect.top, half, high), "New game", icon="shuffle",
               on_press=lambda: self.window.command("new"), tip="New game (N)")  # fmt: skip

    def _size_text(self) -> str:
        return f"{self.size_chosen}×{self.size_chosen}"

    def _resize(self, by: int) -> str:
        self.size_chosen = min(8, max(3, self.size_chosen + by))
        if self.timeline.cursor == 0 and self.state.size != self.size_chosen:
            self._start(self.size_chosen)
        return self._size_text()

    def idle_status(self) -> str:
        """How to play."""
        if self.over(self.state):
            return "No move is left · N starts a new game · Z takes the last move back"
        hint = self.driver.hint
        if self.looks_ahead and self.why.why is not None:
            way = Direction(self.why.why.action).label
            return f"The board as it would be after sliding {way} · Enter plays it · V shows the board again"
        if hint is not None and hint.actions:
            return (
                f"The arrow is the agent's move: {Direction(hint.actions[0]).label} · Enter plays it · Esc forgets it"
            )
        return "Arrows or swipes slide the tiles · H hint · Space lets the agent play"

    def status_right(self) -> str:
        """The move and the seed."""
        return f"move {self.timeline.cursor:,} · seed {self.seed}"


SCENE = Twenty48Scene
