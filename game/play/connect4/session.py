"""Matches of connect-4: which board, who sits where, whose turn it is, who has won how often."""

from collections.abc import Mapping
from typing import Any

from typing_extensions import override

from ai import catalogue
from ai.entries import Spec
from game.play import seating
from game.play.connect4 import boards
from game.play.connect4.adviser import Adviser
from game.play.connect4.lesson import IDEAS
from game.play.connect4.score import Score
from game.play.lesson import Idea
from game.play.session import STEP_SECONDS, Session
from game.play.store import Store
from game.play.timeline import Timeline
from game.play.watcher import Watcher
from game.rules import connect4
from game.rules.connect4 import Shape, State
from game.rules.game import PERSON, Chance
from game.rules.replay import Replay
from game.saves.resume import Extra

CLASSIC = Shape(6, 7, 1, 4, 2)
FIRST_OPPONENT = Spec("random")
"""Who plays against somebody who learns the game: the weakest there is, which needs no kernels."""
ROTATE = "connect4/rotate"
"""Name in the settings: whether everybody moves on by one seat from game to game."""
WORTH_KEEPING = 4
"""Moves from which on an unfinished game is kept as a replay."""


class MatchSession(Session):
    """People and agents on two to six seats, changeable at any time. `extra['turned']` says how many seats they moved on."""

    game = "connect4"
    title = "Connect-4"
    many_seats = True
    first_speed = 3.0
    hint_seconds = None

    timeline: Timeline[State]

    def __init__(self, store: Store, watcher: Watcher | None = None) -> None:
        """Takes up the saved game."""
        self.auto = True
        """Whether agents answer by themselves."""
        self.adviser = Adviser(store)
        self._table: tuple[Shape, list[Spec | None]] | None = None
        """The board and players before a lesson that was asked for."""
        super().__init__(store, watcher)
        self.wake()

    # Games

    @override
    def first_game(self) -> None:
        """The board and seats of the last game, or the classic board; a newcomer meets the weakest opponent there."""
        first = seating.first_opponent(self.game, connect4.start(CLASSIC)) if self.lesson.over else FIRST_OPPONENT
        shape, seats = CLASSIC, [None, first]
        last = self.store.progress.connect4_setup
        if last is not None:
            try:
                wanted = Shape(last.rows, last.cols, last.depth, last.win, len(last.seats))
                seats = [None if seat == PERSON else catalogue.parse(self.game, seat) for seat in last.seats]
                shape = wanted
            except ValueError:
                pass
        self.driver.seats = seats
        self.begin(connect4.start(shape))

    @override
    def took_up(self) -> None:
        """A saved game with fewer seats than players would be damaged; people take the missing ones."""
        players = self.state.shape.players
        self.driver.seats = [*self.driver.seats, *([None] * players)][:players]

    @override
    def new_game(self) -> None:
        """The same board and players again; they change seats where that is asked for. After a lesson who comes after it."""
        if self.lesson.learned and self.driver.seats == [None, FIRST_OPPONENT]:
            self._leave_lesson()
            return
        self.leave_game()
        if self.rotates and self.timeline.cursor:
            turned, seats = self.score.turned, self.driver.seats
            self.driver.seats = [seats[-1], *seats[:-1]]
            self.extra["turned"] = (turned + 1) % len(seats)
        self.begin(connect4.start(self.state.shape))
        self.wake()

    @override
    def begin(self, initial: Any, seed: int | None = None) -> None:
        """As for every game; what is remembered of the board stays."""
        kept = {name: value for name, value in self.extra.items() if name not in ("counted", "agents")}
        super().begin(initial, seed)
        self.extra = kept

    @override
    def leave_game(self) -> None:
        """A game that was begun in earnest is kept as a replay."""
        if not self.finished and self.timeline.cursor >= WORTH_KEEPING:
            self.keep_replay()

    @override
    def extra_of(self, record: Replay, state: State) -> dict[str, Extra]:
        """The view stays as it is; a game that comes from elsewhere counts once it has ended here."""
        return {key: said for key, said in self.extra.items() if key not in ("counted", "agents", "turned")}

    def set_up(self, shape: Shape, seats: list[Spec | None], remember: bool = True) -> None:
        """Another board, and who sits at it; `remember` for the first game of another day."""
        self.leave_game()
        if list(seats) != self.driver.seats:
            self.extra["turned"] = 0
        self.driver.seats = list(seats)
        if remember:
            self._remember_table(shape)
        self.begin(connect4.start(shape))
        self.auto = True
        self.wake()
        self.watcher.reseated()

    def _remember_table(self, shape: Shape) -> None:
        names = self.seat_names()
        self.store.progress.set_up_connect4(shape.rows, shape.cols, shape.depth, shape.win, names)

    def restart(self) -> None:
        """Back to the empty board."""
        self.go(0)
        self.auto = True
        self.wake()

    # Seats

    @property
    def person_to_move(self) -> bool:
        """Whether a person drops the next stone."""
        return not self.over and self.driver.seats[self.state.to_move] is None

    @property
    def people(self) -> bool:
        """Whether a person sits on any seat."""
        return any(spec is None for spec in self.driver.seats)

    @override
    def choose_agent(self, seat: int, spec: Spec | None) -> None:
        """A seat changes hands at any time."""
        super().choose_agent(seat, spec)
        self._remember_table(self.state.shape)
        self.wake()

    def who(self, seat: int) -> str:
        """'You', 'Person 2', the name of an opponent, or the agent's title and time."""
        spec = self.driver.seats[seat]
        if spec is None:
            people = [number for number, taken in enumerate(self.driver.seats) if taken is None]
            return "You" if len(people) == 1 else f"Person {people.index(seat) + 1}"
        name, seconds = self.name_of(spec), spec.settings.get("time")
        return f"{name} · {seconds:g} s" if isinstance(seconds, int | float) else name

    # Lessons

    @override
    def ideas(self) -> tuple[Idea, ...]:
        """Drop a stone, four in a row, two threats at once, the stone that wins."""
        return IDEAS

    @property
    @override
    def played_before(self) -> bool:
        """Whether a board was set up or a game played to its end."""
        return self.store.progress.any_connect4

    @override
    def learn(self) -> None:
        """The classic board against the weakest opponent; the game before is kept as a replay if it was of some length."""
        if self.lesson_at is None:
            self._table = self.state.shape, list(self.driver.seats)
        super().learn()
        self.set_up(CLASSIC, [None, FIRST_OPPONENT], remember=False)

    @override
    def skip_lesson(self) -> None:
        """Back to the board and players before it; a newcomer plays on, against the weakest of the named opponents."""
        given = self.lesson_at is not None
        super().skip_lesson()
        if given and self._table is not None:
            self._leave_lesson()
        elif given and self.driver.seats == [None, FIRST_OPPONENT]:
            self.choose_agent(1, self._weakest)

    def _leave_lesson(self) -> None:
        """The board and players before the lesson; for a newcomer the weakest of the named opponents, once it is prepared."""
        table, self._table, self.lesson.learned = self._table, None, False
        if table is None:
            table = self.state.shape, [None, self._weakest]
        self.set_up(*table)

    @property
    def _weakest(self) -> Spec:
        """Whom a newcomer meets; until that one is prepared whoever needs no preparation."""
        weakest = seating.first_opponent(self.game, self.state)
        return weakest if self.driver.ready_for(weakest) else FIRST_OPPONENT

    # Score

    @property
    def rotates(self) -> bool:
        """Whether everybody moves on by one seat from game to game."""
        return self.store.settings.remembered.get(ROTATE) is True

    def set_rotates(self, on: bool) -> None:
        """Remember it for all games."""
        self.store.remember(ROTATE, on)

    @property
    def score(self) -> Score:
        """Who has won how often."""
        turned, seats = self.extra.get("turned", 0), self.seat_names()
        whole = isinstance(turned, int) and not isinstance(turned, bool)
        return Score(self.store.progress, str(self.state.shape), seats, int(turned or 0) % len(seats) if whole else 0)

    # Playing

    @override
    def headline(self) -> str:
        """For the menu's continue card."""
        return f"{boards.table(self.state.shape)} · move {self.timeline.cursor}"

    def wake(self) -> None:
        """Let agents play when it is their turn."""
        if self.auto and not self.over and any(spec is not None for spec in self.driver.seats):
            self.driver.run()

    @override
    def play(
        self, action: int, chance: Chance | None = None, values: Mapping[int, float] | None = None,
        seconds: float = STEP_SECONDS, quiet: bool = False,
    ) -> bool:  # fmt: skip
        """As for every game; a seat on which an agent has played is noted, so that its win is nobody's own."""
        if self.by_agent and not self.over:
            self.extra["agents"] = self._agents | 1 << self.state.to_move
        return super().play(action, chance, values, seconds, quiet)

    @property
    def _agents(self) -> int:
        """A bit for every seat on which an agent has dropped a stone in this game."""
        said = self.extra.get("agents", 0)
        return said if isinstance(said, int) else 0

    @property
    def person_won(self) -> bool:
        """Whether a person has won who dropped all the stones of that seat."""
        winner = self.state.winner
        return winner is not None and self.driver.seats[winner] is None and not self._agents >> winner & 1

    @override
    def person_plays(self, action: int) -> bool:
        """Only when it is a person's turn; what an agent thought meanwhile of the move is kept with it."""
        if not self.person_to_move:
            return False
        driver = self.driver
        values = driver.thought.values if driver.thought.ply == self.timeline.cursor else None
        driver.stop_thinking()
        driver.hint = None
        if not self.play(action, values=values):
            return False
        self.wake()
        return True

    @override
    def toggle_run(self) -> None:
        """Pause or go on; with people on every seat there is nobody to run."""
        if all(spec is None for spec in self.driver.seats):
            self.watcher.say("Only people are playing: choose an agent for one of the seats.")
            return
        super().toggle_run()
        self.auto = self.driver.running

    @override
    def hint_spec(self) -> Spec:
        """The agent on the seat to move, or the one that advises people."""
        return self.driver.seats[self.state.to_move] or self.adviser.plays(self.state)

    @override
    def ask_hint(self) -> None:
        """For a person, or for an agent that is paused."""
        if self.driver.running and not self.person_to_move and not self.over:
            self.watcher.say("It is the agent's turn: Space pauses it.")
        else:
            super().ask_hint()

    @override
    def step_once(self) -> None:
        """One move of the agent whose turn it is."""
        if self.person_to_move:
            self.watcher.say("It is a person's turn: H gives a hint.")
        else:
            super().step_once()

    @override
    def pass_time(self, dt: float) -> None:
        """As for every game; who thinks along is told of a new position."""
        super().pass_time(dt)
        if not self.over:
            self.adviser.update(self.driver, self.state, self.timeline.cursor)

    def go_and_wake(self, ply: int) -> None:
        """To a move of the game; agents play on from it as soon as a person has moved, or Space is pressed."""
        self.go(ply)
        if self.person_to_move:
            self.wake()

    @override
    def undo(self) -> None:
        """Back to a person's last turn, past what agents answered; one step where no person sits."""
        ply = self._past_agents(self.timeline.cursor - 1, -1)
        if ply >= 0:
            self.go_and_wake(ply)
            self.watcher.sound("undo")

    def undo_stone(self) -> None:
        """Take back the last stone alone, whoever dropped it; an agent whose turn it is then waits for Space."""
        if self.timeline.cursor:
            self.go_and_wake(self.timeline.cursor - 1)
            self.watcher.sound("undo")

    @override
    def redo(self) -> None:
        """Forward to a person's next turn."""
        ply = self._past_agents(self.timeline.cursor + 1, 1)
        if ply <= len(self.timeline.steps):
            self.go_and_wake(ply)

    def _past_agents(self, ply: int, step: int) -> int:
        """The first ply from this one on at which it is a person's turn, or the game's first or last."""
        line = self.timeline
        while self.people and 0 < ply < len(line.steps) and self.driver.seats[line.states[ply].to_move] is not None:
            ply += step
        return ply

    @override
    def ended(self) -> None:
        """Count (once, however often its end is undone) and keep; what an agent won on a person's seat counts for nobody."""
        winner = self.state.winner
        if not self.extra.get("counted"):
            if winner is None or self.driver.seats[winner] is not None or self.person_won:
                self.score.count(winner)
            self.extra["counted"] = True
        self.keep_replay(batch=not self.people)
        self.driver.running = False
        if self.person_won:
            self.lesson.end()  # who wins knows how
        self.watcher.ended()
