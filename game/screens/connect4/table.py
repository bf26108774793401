"""Connect-4's table: which board, who sits where, whose turn it is, how a game ends. The screen draws it."""

from typing import Any

from ai import catalogue
from ai.entries import Spec
from game.play.connect4.score import Score
from game.rules import connect4
from game.rules.connect4 import Shape, State
from game.rules.replay import Replay, Step
from game.saves.resume import Extra
from game.screens.connect4.analysis import Analyst
from game.screens.connect4.setup import SetupDialog
from game.screens.context import Context
from game.screens.play.screen import GameScene
from game.ui.scene import Host
from game.views.connect4 import words
from game.views.connect4.stones import STONES

CLASSIC = Shape(6, 7, 1, 4, 2)


class Connect4Table(GameScene):
    """People and agents on two to six seats, changeable at any time."""

    game = "connect4"
    title = "Connect-4"
    person_option = True
    hint_seconds = None

    auto = True
    """Whether agents answer by themselves; Space switches it."""

    def __init__(self, window: Host, context: Context) -> None:
        """Takes up the saved game."""
        self.score = Score(self)
        super().__init__(window, context)
        self.analyst = Analyst(self)

    # Games

    def first_game(self) -> None:
        """The board and seats of the last game, or the classic board against the strongest agent."""
        shape, seats = CLASSIC, [None, catalogue.strongest(self.game, connect4.start(CLASSIC))]
        last = self.context.progress.connect4_setup
        if last is not None:
            try:
                wanted = Shape(last.rows, last.cols, last.depth, last.win, len(last.seats))
                seats = [None if seat == "person" else catalogue.parse(self.game, seat) for seat in last.seats]
                shape = wanted
            except ValueError:
                pass
        self.driver.seats = seats
        self.begin(connect4.start(shape))

    def took_up(self) -> None:
        """A saved game with fewer seats than players would be damaged; people take the missing ones."""
        players = self.state.shape.players
        self.driver.seats = [*self.driver.seats, *([None] * players)][:players]

    def new_game(self) -> None:
        """The same board and players again; they change seats where that is asked for."""
        self.leave_game()
        if self.score.rotates and self.timeline.cursor:
            self.score.turn()
        self.begin(connect4.start(self.state.shape))
        self._wake()

    def begin(self, initial: Any, seed: int | None = None) -> None:
        """As for every game; the board keeps its view."""
        kept = dict(self.extra) if hasattr(self, "extra") else {}
        kept.pop("counted", None)
        super().begin(initial, seed)
        self.extra = kept

    def leave_game(self) -> None:
        """A game that was begun in earnest is kept as a replay."""
        if not self.finished and self.timeline.cursor >= 4:
            self.keep_replay()

    def extra_of(self, record: Replay, state: State) -> dict[str, Extra]:
        """The view stays as it is; a game that comes from elsewhere counts once it has ended here."""
        return {key: said for key, said in self.extra.items() if key not in ("counted", "turned")}

    def set_up(self) -> None:
        """The dialogue for another board; agents rest meanwhile."""
        self.driver.stop()
        dialog = SetupDialog(self.window, self.state.shape, self.driver.seats, self.score, self._start)
        dialog.on_close = self._wake
        self.window.push(dialog)

    def _start(self, shape: Shape, seats: list[Spec | None]) -> None:
        self.leave_game()
        if list(seats) != self.driver.seats:
            self.score.fresh()
        self.driver.seats = list(seats)
        names = self.seat_names()
        self.context.progress.set_up_connect4(shape.rows, shape.cols, shape.depth, shape.win, names)
        self.begin(connect4.start(shape))
        self.auto = True
        self._wake()
        self.rebuild()

    def over(self, state: State) -> bool:
        """Won or full."""
        return connect4.outcome(state) is not None

    def seat_to_move(self, state: State) -> int:
        """Turns go round."""
        return state.to_move

    def step(self, state: State, action: int, cell: int | None, exponent: int | None) -> tuple[Step, State]:
        """Drop a stone."""
        return Step(action), connect4.apply(state, action)

    def headline(self) -> str:
        """For the menu's continue card."""
        return f"{self.board_words(self.state.shape)} · move {self.timeline.cursor}"

    def board_words(self, shape: Shape) -> str:
        """'6 × 7 · four in a row · 2 players'."""
        return f"{words.board(shape)} · {shape.players} players"

    def _person_to_move(self) -> bool:
        state = self.state
        return not self.over(state) and self.driver.seats[state.to_move] is None

    def result(self) -> str:
        """How the game ended, in words."""
        winner = self.state.winner
        if winner is None:
            return "A draw: the board is full"
        return f"{STONES[winner].name.capitalize()} wins: {self._who(winner)}"

    def _who(self, seat: int) -> str:
        spec = self.driver.seats[seat]
        if spec is None:
            people = [number for number, taken in enumerate(self.driver.seats) if taken is None]
            return "You" if len(people) == 1 else f"Person {people.index(seat) + 1}"
        fields = catalogue.entry(self.game, spec.id)
        seconds = spec.settings.get("time")
        return f"{fields.title} · {seconds:g} s" if isinstance(seconds, int | float) else fields.title

    # Playing

    def enter(self) -> None:
        """Back from another screen: the agents go on."""
        super().enter()
        self._wake()

    def _wake(self) -> None:
        """Let agents play when it is their turn."""
        if self.auto and not self.over(self.state) and any(spec is not None for spec in self.driver.seats):
            self.driver.run()

    def person_plays(self, action: int) -> bool:
        """Only when it is a person's turn; what an agent thought meanwhile of the move is kept with it."""
        if not self._person_to_move():
            return False
        driver = self.driver
        values = driver.thought.values if driver.thought.ply == self.timeline.cursor else None
        driver.stop_thinking()
        driver.hint = None
        if not self.play(action, values=values):
            return False
        self._wake()
        return True

    def toggle_run(self) -> None:
        """Pause or go on; with people on every seat there is nobody to run."""
        if all(spec is None for spec in self.driver.seats):
            self.window.say("Every seat is a person's: choose an agent for one of them.")
            return
        super().toggle_run()
        self.auto = self.driver.running

    def hint_spec(self) -> Spec:
        """The agent on the seat to move, or the one that advises people."""
        return self.driver.seats[self.state.to_move] or self.analyst.plays(self.state)

    def ask_hint(self) -> None:
        """For a person, or for an agent that is paused."""
        if self.driver.running and not self._person_to_move() and not self.over(self.state):
            self.window.say("It is the agent's turn: Space pauses it.")
        else:
            super().ask_hint()

    def _step_once(self) -> None:
        """One move of the agent whose turn it is."""
        if self._person_to_move():
            self.window.say("It is a person's turn: H gives a hint.")
        else:
            super()._step_once()

    def back(self) -> None:
        """Esc: forget the hint, let the agent play what it has found so far, or leave; alone, agents are paused first."""
        driver = self.driver
        if self.kit.focused is not None:
            self.kit.focus(None)
        elif driver.hint is not None or driver.asked_hint:
            driver.hint = None
            driver.stop_thinking()
        elif driver.running and all(spec is not None for spec in driver.seats):
            self.toggle_run()
        elif driver.running and driver.thinks_long:
            driver.play_best_so_far()
        else:
            self.window.pop()

    @property
    def stop_words(self) -> str:
        """What Esc does while an agent is thinking."""
        if self.driver.asked_hint:
            return "Esc stops it"
        return "Esc pauses" if all(spec is not None for spec in self.driver.seats) else "Esc plays its best so far"

    def choose_agent(self, seat: int, spec: Spec | None) -> None:
        """A seat changes hands at any time."""
        super().choose_agent(seat, spec)
        shape = self.state.shape
        self.context.progress.set_up_connect4(shape.rows, shape.cols, shape.depth, shape.win, self.seat_names())
        self._wake()

    def go_and_wake(self, ply: int) -> None:
        """To a move of the game; agents play on from it as soon as a person has moved, or Space is pressed."""
        self.go(ply)
        if self._person_to_move():
            self._wake()

    def undo(self) -> None:
        """Back to a person's last turn, past what agents answered; one step where no person sits."""
        ply = self.timeline.cursor - 1
        if any(spec is None for spec in self.driver.seats):
            while ply > 0 and self.driver.seats[self.timeline.states[ply].to_move] is not None:
                ply -= 1
        if ply >= 0:
            self.go_and_wake(ply)
            self.window.play("undo")

    def redo(self) -> None:
        """Forward to a person's next turn."""
        ply = self.timeline.cursor + 1
        last = len(self.timeline.steps)
        if any(spec is None for spec in self.driver.seats):
            while ply < last and self.driver.seats[self.timeline.states[ply].to_move] is not None:
                ply += 1
        if ply <= last:
            self.go_and_wake(ply)

    def ended(self) -> None:
        """Count (once, however often its end is undone), keep, and say who has won; the board stays in sight."""
        winner = self.state.winner
        if not self.extra.get("counted"):
            self.score.count(winner)
            self.extra["counted"] = True
        batch = all(spec is not None for spec in self.driver.seats)
        self.keep_replay(batch=batch)
        self.driver.running = False
        person_won = winner is not None and self.driver.seats[winner] is None
        people = any(spec is None for spec in self.driver.seats)
        self.window.play("win" if person_won or not people or winner is None else "lose")
