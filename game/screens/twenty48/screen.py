"""The 2048 screen: slide with keys or swipes, or let an agent play at any speed."""

import math
from collections.abc import Callable
from functools import partial
from types import MappingProxyType

import pygame
from typing_extensions import override

from game.play.twenty48.session import TileSession
from game.rules import twenty48
from game.rules.direction import Direction
from game.rules.replay import Step
from game.rules.twenty48 import State
from game.screens.context import Context
from game.screens.keys import PANEL
from game.screens.play import wheel
from game.screens.play.screen import TOP_ACTIONS, GameScreen
from game.screens.twenty48 import beside, end_card, why
from game.screens.twenty48.arrange_scene import ArrangeScene
from game.screens.twenty48.duel_scene import DuelScene
from game.screens.twenty48.face import TileFace
from game.screens.twenty48.series_scene import SeriesScene
from game.ui.chrome import SHADOW_SPREAD, Action
from game.ui.dialog import Answer, Dialog
from game.ui.scene import Host
from game.ui.shortcuts import AGENT, MOVES, THIS_GAME, WINDOW
from game.views.twenty48 import lesson
from game.views.twenty48.board import SLIDE_SECONDS, BoardView
from game.views.twenty48.celebration import FIRST_EXPONENT, Celebration
from game.views.twenty48.keys import TILES

ENDED, WHY = "ended", "why"
"""What the card beside the board can be about."""
CARD_HIGH = {ENDED: 350, WHY: 440}
"""Its height in units."""
SWIPE = 24
"""Units the pointer has to travel for a swipe."""
WAYS = {"up": Direction.UP, "right": Direction.RIGHT, "down": Direction.DOWN, "left": Direction.LEFT}


class Twenty48Screen(GameScreen):
    """One board of any size from 3×3 to 8×8."""

    session: TileSession
    face: TileFace

    groups = (MOVES, THIS_GAME, TILES, AGENT, PANEL, WINDOW)
    top_actions = (
        *TOP_ACTIONS[:4],
        Action("eye", "Why this move?", "why"),
        Action("edit", "Arrange the board", "arrange"),
        Action("layers", "Two agents side by side", "duel"),
        Action("chart", "Many games", "series"),
        *TOP_ACTIONS[4:],
    )
    without = frozenset(("next", "previous", "list", "edit", "view", "reset_view"))
    meanings = MappingProxyType({"accept": "Play the hint", "restart": "New game"})
    gestures = (("drag", "Swipe: slide all tiles"), wheel.GESTURE)

    def __init__(self, window: Host, context: Context) -> None:
        """Takes up the saved game."""
        self.board: BoardView | None = None
        self._press: tuple[int, int] | None = None
        self.party = Celebration()
        self.card = pygame.Rect(0, 0, 0, 0)
        """Beside the board; empty where there is nothing to say."""
        self._card_kind = ""
        self._card_bottom = 0
        """Where the card's lines end."""
        self._card_drawn: object = None
        super().__init__(window, context)

    @override
    def make_session(self) -> TileSession:
        """Games of any size."""
        return TileSession(self.context, self)

    @override
    def make_face(self) -> TileFace:
        """Score, values and reasons."""
        return TileFace(self.session, self.theme, self.window.command, lambda: self.looks_ahead, self.ask_new_game)

    # The session's watcher

    @override
    def began(self) -> None:
        """Another game: no points float any more."""
        self.party.stop()
        if self.top_bar is not None:
            self.face.settle()
        super().began()

    @override
    def reached(self) -> None:
        """A person made the tile 2048."""
        self.window.play("win")

    @override
    def ended(self) -> None:
        """No move is left: the card beside the board says so once the last slide is seen."""
        self.window.play("lose")

    def ask_new_game(self, size: int = 0) -> None:
        """A game of some length is not given up by a slip of the finger; `size` 0 is that of the board."""
        session = self.session
        begin = partial(session.new_board, size or session.state.size)
        if not session.worth_asking:
            begin()
            return
        session.driver.stop()
        words = f"This game with {session.state.score:,} points ends here; it is kept in the replays."
        title = f"Start a new {size}×{size} game?" if size else "Start a new game?"
        answers = (Answer("New game", begin, "primary", "shuffle"), Answer("Go on"))
        self.window.push(Dialog(self.window, title, words, answers))

    # Other screens

    def count_games(self) -> None:
        """Many games of the agent."""
        agent = self.session.driver.seats[0] or self.session.strongest
        self.window.push(SeriesScene(self.window, self.context, agent, self.session.state.size))

    def compare(self) -> None:
        """Two agents on the same spawns."""
        self.window.push(DuelScene(self.window, self.context, self.session.state.size))

    def arrange(self) -> None:
        """Change the board by hand."""
        self.session.driver.stop()
        self.window.push(ArrangeScene(self.window, self.session.state, self.session.continue_from))

    # Board

    @override
    def build_board(self, rect: pygame.Rect) -> None:
        """The board as large as it fits, with a card beside it where there is something to say."""
        if self.board is None:
            self.board = BoardView(self.theme)
        self._card_kind, self.card = self._card_wanted, pygame.Rect(0, 0, 0, 0)
        if self._card_kind:
            rect, self.card = beside.places(self.theme, rect, CARD_HIGH[self._card_kind])
            self._card_bottom = self.card.bottom - self.theme.px(beside.PAD)
        if self._card_kind == ENDED:
            self._card_bottom = end_card.build(self.kit, self.card, self.window.command)
        self._card_drawn = None
        self.board.set_theme(self.theme, self.animated)
        self.board.show(self.session.state)
        self.board.layout(rect)
        self.board.prepare()

    @override
    def show(self, state: State) -> None:
        """Jump."""
        if self.board is not None:
            self.board.show(state)

    @override
    def animate(self, before: State, step: Step, after: State, seconds: float) -> None:
        """Slide; the points float up."""
        if self.board is not None:
            slow = seconds >= SLIDE_SECONDS or math.isinf(self.session.driver.speed)
            self._celebrate(before, step, after)
            self.board.play(before, step, after, SLIDE_SECONDS if slow else seconds)
        if after.score > before.score:
            self.face.float_up(after.score - before.score)

    def _celebrate(self, before: State, step: Step, after: State) -> None:
        """The largest tile so far, made by a person, is worth a moment; any other move ends such a moment."""
        self.party.stop()
        exponent, slide = max(after.cells), twenty48.slide(before, step.action)
        if exponent <= max(before.cells) or exponent < FIRST_EXPONENT or self.session.by_agent or slide is None:
            return
        cell = next((move.target for move in slide.moves if move.merged and move.exponent + 1 == exponent), None)
        if cell is not None:
            self.party.begin(cell, exponent, self.animated)

    @property
    def _card_wanted(self) -> str:
        """What the card beside the board is about: the end of the game, why a move is good, or nothing."""
        return ENDED if self.session.over else WHY if self.session.why_on else ""

    @override
    def board_busy(self) -> bool:
        """At most speeds the agent waits for the slide."""
        return self.board is not None and self.board.busy

    @override
    def update_board(self, dt: float) -> None:
        """Animation and floating points; the card comes and goes."""
        if self.board is not None:
            self.board.update(dt)
        self.party.update(dt)
        self.face.update(dt)
        if self._card_kind != self._card_wanted and not self.board_busy():
            self.rebuild()

    @property
    @override
    def covered(self) -> pygame.Rect:
        """The board's frame."""
        return self.board.frame if self.board is not None else super().covered

    @override
    def draw_board(self, surface: pygame.Surface) -> None:
        """The board, or as it would be after the explained move, with the reasons."""
        if self.board is None:
            return
        self._tell_board(self.board)
        self.board.draw(surface, self.theme.ground)
        self._draw_above(surface, self.board)
        self._draw_card(surface)

    @override
    def redraw_board(self, surface: pygame.Surface) -> list[pygame.Rect]:
        """Only the cells that have changed, where that is enough; the card where it says something else."""
        if self.board is None:
            return []
        areas = self.board.redraw(surface, self.theme.ground)
        self._draw_above(surface, self.board)
        if self._card_kind and self._card_says != self._card_drawn:
            edge = 2 * self.theme.px(SHADOW_SPREAD)
            place = self.card.inflate(edge, edge)
            surface.fill(self.theme.ground, place)
            self._draw_card(surface)
            areas.append(place)
        return areas

    def _draw_above(self, surface: pygame.Surface, board: BoardView) -> None:
        """The groups that speak for a move, and a celebration."""
        if self._card_kind == WHY and self.session.explained:
            why.draw(self.session.explainer.groups, surface, self.theme, board)
            board.drawn_over()
        if self.party.active:
            self.party.draw(surface, self.theme, board)
            board.drawn_over()

    @property
    def _card_says(self) -> tuple[beside.Line, ...]:
        lines = {ENDED: end_card.lines, WHY: why.lines}.get(self._card_kind)
        return lines(self.session) if lines is not None else ()

    def _draw_card(self, surface: pygame.Surface) -> None:
        if self._card_kind:
            self._card_drawn = self._card_says
            beside.draw(surface, self.theme, self.card, self._card_drawn, self._card_bottom)

    @override
    def board_picture(self) -> object | None:
        """The board with the reasons, a celebration and the card."""
        if self.board is None:
            return None
        self._tell_board(self.board)
        picture, party = self.board.picture, self.party.picture
        if picture is None or party is None:
            return None
        groups = self.session.explained and self.session.explainer.groups
        return picture, party, groups, self._card_says

    def _tell_board(self, board: BoardView) -> None:
        """It shows the hint, or how it would be after the explained move."""
        session, hint, ahead = self.session, self.session.driver.hint, self.looks_ahead
        reason = session.explainer.reasons
        board.hint = hint.actions[0] if hint is not None and hint.actions and not ahead else None
        slide = twenty48.slide(session.state, reason.action) if ahead and reason is not None else None
        board.instead = slide.cells if slide is not None else None

    @override
    def draw_lesson(self, surface: pygame.Surface, picture: pygame.Rect) -> None:
        """The goal, and on the board the idea under way."""
        lesson.draw_goal(surface, self.theme, picture)
        if self.board is not None and not self.session.driver.running:
            lesson.draw(
                surface, self.theme, self.board, self.lesson_bar.idea, self.session.state, self.lesson_bar.age
            )

    @property
    def looks_ahead(self) -> bool:
        """Whether the board is drawn as it would be right after the explained move."""
        session, busy = self.session, self.board_busy()
        present = session.explainer.ply == session.timeline.cursor
        return session.explained and present and not session.driver.running and not busy

    # Input

    @override
    def command(self, command: str) -> bool:
        """Arrows slide, R starts again."""
        session = self.session
        if command in WAYS:
            self._slide(WAYS[command])
            return True
        own: dict[str, Callable[[], None]] = {
            "why": session.toggle_why, "arrange": self.arrange, "series": self.count_games, "duel": self.compare,
            "restart": self.ask_new_game, "new": self.ask_new_game, "accept": self._accept,
            "undo_step": session.undo_step, "redo_step": session.redo_step,
        }  # fmt: skip
        if command in own:
            own[command]()
            return True
        return super().command(command)

    def _slide(self, way: Direction) -> None:
        """A person slides; where nothing moves the tiles shake."""
        if not self.session.person_plays(way) and not self.session.over:
            self.window.play("blocked")
            if self.board is not None:
                self.board.shake(way)

    @override
    def back(self) -> None:
        """A celebration ends first."""
        if self.party.active:
            self.party.stop()
        else:
            super().back()

    def _accept(self) -> None:
        """Play the hint, or begin again after the end."""
        if self.session.over:
            self.session.new_game()
            return
        hint = self.session.driver.hint
        if hint is not None and hint.actions:
            self.session.person_plays(hint.actions[0])

    @override
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
                across = Direction.RIGHT if dx > 0 else Direction.LEFT
                self._slide(across if abs(dx) > abs(dy) else Direction.DOWN if dy > 0 else Direction.UP)
            return True
        if event.type == pygame.MOUSEWHEEL and self.layout.board.collidepoint(self.kit.pointer):
            if not wheel.undoes(self.context.settings):
                return False
            if event.y > 0:
                self.session.undo()
            else:
                self.session.redo()
            return True
        return False


SCENE = Twenty48Screen
