"""Games of 2048, one after the other, on boards of any size: who plays, how far it got, how likely it is lost soon, and why."""

import math
import random
from dataclasses import replace
from typing import Any

from typing_extensions import override

from ai import catalogue
from ai.entries import Spec, Values
from ai.models import ModelCard
from game.play import memory, seating
from game.play.lesson import Idea
from game.play.session import Session
from game.play.snapshot import Snapshot
from game.play.store import Store
from game.play.timeline import Timeline
from game.play.twenty48.gestures import Gestures
from game.play.twenty48.lesson import IDEAS
from game.play.twenty48.risk import RiskView
from game.play.twenty48.sizes import size_for
from game.play.twenty48.why import Explainer
from game.play.watcher import Watcher
from game.rules import twenty48
from game.rules.game import PERSON
from game.rules.replay import Replay
from game.rules.twenty48 import State
from game.saves.resume import Extra

FIRST_SIZE = 4
WIN_EXPONENT = 11
WORTH_KEEPING = 20
"""Moves from which on a game is kept as a replay, and not given up without a question."""
RUNS = "agents_moves"
"""Name among what is saved with a game."""
REST_SECONDS = 1.0
"""How long nobody asks anything before the agent for hints is loaded; and between two looks at whether it is there."""
SPARE_BYTES = 2**30
"""Memory that has to be left for that."""
WHY = "2048/why"
"""Name in the settings: whether moves are explained."""
WHY_LAG = 0.6
"""Seconds for which an explanation stays on the board of a running agent."""


def _any_seed() -> int:
    return random.SystemRandom().randrange(2**31)


class TileSession(Session):
    """One board of any size from 3×3 to 8×8."""

    game = "twenty48"
    title = "2048"

    timeline: Timeline[State]

    def __init__(self, store: Store, watcher: Watcher | None = None) -> None:
        """Takes up the saved game."""
        self.agent_played = False
        """Whether an agent made any move of this game."""
        self.best = False
        """Whether the game that ended last is a new best."""
        self.explainer = Explainer()
        self.why_on = store.settings.remembered.get(WHY) is True
        self.risk = RiskView()
        self.gestures = Gestures()
        """What one undo takes back."""
        self._rested = 0.0
        """Seconds for which nobody has been asked anything."""
        self._away: tuple[Spec | None, Spec | None] = (None, None)
        """An agent that does not play boards of this size, None where none was chosen; and who sits there meanwhile."""
        super().__init__(store, watcher)

    # Games

    @override
    def first_game(self) -> None:
        """A fresh 4×4 board."""
        self._start(FIRST_SIZE)

    @override
    def took_up(self) -> None:
        """The saved game's seat, and whose moves are whose."""
        if self.store.chosen(self.game, 0) is None:
            self._away = (None, self.driver.seats[0])  # until the next board, which may have a stronger one
        self.agent_played = bool(self.extra.get("agent"))
        self.gestures = Gestures.parse(self.extra.get(RUNS), len(self.timeline.steps))

    @override
    def new_game(self) -> None:
        """A fresh board of the same size."""
        self.new_board(self.state.size)

    def new_board(self, size: int) -> None:
        """A fresh board of a size from 3 to 8."""
        self.leave_game()
        self._start(size)

    @override
    def leave_game(self) -> None:
        """A game of some length is kept as a replay, its score at any length."""
        if not self.finished:
            self._note_score()
            if self.timeline.cursor >= WORTH_KEEPING:
                self.keep_replay(batch=self.agent_played)

    def _note_score(self) -> bool:
        """How far this game got; whether that is a new best."""
        if self.arranged:
            return False
        state = self.state
        by = self.seat_names()[0] if self.agent_played else PERSON
        return self.store.progress.played_2048(state.size, state.score, max(state.cells), by)

    @property
    def bests(self) -> tuple[int, int]:
        """The best score on boards of this size, of persons and of agents, this game's among them if it makes a record."""
        own, theirs = (self.store.progress.best_2048(self.state.size, who).score for who in (PERSON, "agent"))
        if self.arranged:
            return own, theirs
        score = self.state.score
        return (own, max(theirs, score)) if self.agent_played else (max(own, score), theirs)

    @override
    def extra_of(self, record: Replay, state: State) -> dict[str, Extra]:
        """Whether an agent played, and whether 2048 was reached."""
        return {"agent": record.seats != (PERSON,), "won": max(state.cells) >= WIN_EXPONENT}

    def _start(self, size: int) -> None:
        seed = _any_seed()
        self.put_on(twenty48.start(size, seed), seed)

    def put_on(self, position: State, seed: int) -> None:
        """Begin a game from a position."""
        before = self.state.size if hasattr(self, "timeline") else position.size
        self.agent_played = False
        self.begin(position, seed)
        self._seat_who_can()
        if before != position.size:
            self.watcher.reseated()  # other agents and models fit now

    def _seat_who_can(self) -> None:
        """An agent whose model plays boards of another size makes way, until there is such a board again."""
        seated = self.driver.seats[0]
        away, stand_in = self._away
        wanted = away if seated == stand_in else seated
        if wanted is None:
            self._seat_anybody()
            return
        taken = seating.moved(self.game, wanted, self.state)
        self._away = (wanted, taken) if taken is not None else (None, None)
        if (taken or wanted) != seated:
            self.driver.seat(0, taken or wanted)
        if taken is not None and taken != seated:
            reason = catalogue.why_not(self.game, wanted, self.state) or ""
            title = taken.model or catalogue.entry(self.game, taken.id).title
            self.watcher.say(f"{reason[:1].upper()}{reason[1:]}: {title} takes its place.")

    def _seat_anybody(self) -> None:
        """Nobody was chosen: a newcomer meets the weakest player, who counts as chosen; others have the strongest."""
        if self.store.progress.any_2048:
            self._away = (None, self.strongest)
            self.driver.seat(0, self.strongest)
        else:
            first = seating.first_opponent(self.game, self.state)
            self.driver.seat(0, first)
            self.store.remember_seat(self.game, 0, first)

    def _make_way(self) -> None:
        """Another board takes the place of this one and nobody was asked, so the game is kept at any length."""
        if self.timeline.cursor and not self.finished:
            self.leave_game()
            if self.timeline.cursor < WORTH_KEEPING:
                self.keep_replay(batch=self.agent_played)

    @override
    def play_with(self, spec: Spec, card: ModelCard) -> None:
        """As for every game; a board of another size makes way, its game kept as a replay."""
        size = size_for(card) or self.state.size
        if size != self.state.size or self.over:
            old = self.state.size
            if self.timeline.cursor and not self.finished:
                self._make_way()
                self.watcher.say(f"The {old}×{old} game is kept in the replays; {card.name} plays {size}×{size}.")
            self.driver.seat(0, spec)
            self._start(size)
        super().play_with(spec, card)

    @property
    def worth_asking(self) -> bool:
        """Whether the game is too long to be given up by a slip of the finger."""
        return not self.finished and self.timeline.cursor >= WORTH_KEEPING

    @property
    def arranged(self) -> bool:
        """Whether this game began on a board that somebody arranged, which makes no record."""
        first = self.timeline.initial
        return first != twenty48.start(first.size, first.seed)

    def continue_from(self, position: State) -> None:
        """A game begins on a board that somebody arranged; the game before is kept as a replay."""
        if (position.size, position.cells) == (self.state.size, self.state.cells):
            return
        self._make_way()
        seed = _any_seed()
        self.put_on(replace(position, seed=seed), seed)
        self.extra["won"] = max(position.cells) >= WIN_EXPONENT
        self.watcher.say("Play on, or let the agent go on with Space. Points count from 0.", "good")

    # Lessons

    @override
    def ideas(self) -> tuple[Idea, ...]:
        """Slide, merge, keep the largest in a corner."""
        return IDEAS

    @property
    @override
    def played_before(self) -> bool:
        """Whether anybody made points."""
        return self.store.progress.any_2048

    @override
    def learn(self) -> None:
        """On the board as it is: the lesson changes nothing of it. Where no move is left, on a fresh one."""
        if self.over:
            self.new_game()
        super().learn()

    # Rules

    @override
    def over_in(self, state: State) -> bool:
        """No direction moves anything."""
        return 0 not in state.cells and twenty48.outcome(state) is not None  # with an empty cell something moves

    # Playing

    @override
    def play(self, *args: Any, **more: Any) -> bool:
        """As for every game; reaching 2048 is told once, in a game that a person plays."""
        reached = max(self.state.cells) >= WIN_EXPONENT
        if not super().play(*args, **more):
            return False
        self.gestures.played(self.timeline.cursor - 1, self.by_agent)
        if self.by_agent:
            self.agent_played = True
            self.extra["agent"] = True
        if not reached and max(self.state.cells) >= WIN_EXPONENT and not self.extra.get("won"):
            self.extra["won"] = True
            if not self.by_agent:
                self.watcher.reached()
        return True

    @override
    def begin(self, initial: State, seed: int | None = None) -> None:
        """As for every game; nobody has played any of it."""
        self.gestures = Gestures()
        super().begin(initial, seed)

    @override
    def undo(self) -> None:
        """Take back the last slide of a person with all that an agent played after it."""
        if self.timeline.can_undo:
            self.go(self.gestures.before(self.timeline.cursor))
            self.watcher.sound("undo")

    @override
    def redo(self) -> None:
        """Play again what one undo took back."""
        if self.timeline.can_redo:
            self.go(self.gestures.after(self.timeline.cursor, len(self.timeline.steps)))

    def undo_step(self) -> None:
        """Take back a single slide, whoever played it."""
        super().undo()

    def redo_step(self) -> None:
        """Play a single slide again."""
        super().redo()

    @override
    def snapshot(self) -> Snapshot:
        """As for every game, with whose moves are whose."""
        self.extra[RUNS] = self.gestures.text
        return super().snapshot()

    @override
    def ended(self) -> None:
        """No move is left."""
        self.best = self._note_score()
        self.keep_replay(batch=self.agent_played)
        self.driver.running = False
        self.watcher.ended()

    @override
    def player_names(self) -> tuple[str, ...]:
        """The agent if it made any move, else the person."""
        return self.seat_names() if self.agent_played else (PERSON,)

    @override
    def replay_title(self) -> str:
        """Size and score."""
        return f"{self.state.size}×{self.state.size} · {self.state.score:,}"

    @override
    def headline(self) -> str:
        """For the menu's continue card."""
        who = "an agent was playing" if self.agent_played else "you were playing"
        return f"{self.state.score:,} points · {who}"

    # What is thought

    @override
    def hint_spec(self) -> Spec:
        """The agent on the seat; for one that plays as strong as its name says the strongest."""
        seat = super().hint_spec()
        return seat if seating.candidate(self.game, seat, self.state) is None else self.strongest

    @override
    def pass_time(self, dt: float) -> None:
        """As for every game; the last move is explained and the risk of losing soon estimated."""
        super().pass_time(dt)
        explainer, driver, thought = self.explainer, self.driver, self.driver.thought
        explainer.update(dt)
        if explainer.problem:
            self.watcher.say(explainer.problem, "bad")
            explainer.problem = ""
        plan = thought.plan
        if (
            self.why_on
            and plan is not None
            and plan.actions
            and thought.spec
            and self.thought_counts
            and not thought.fast
        ):
            state = self.timeline.states[thought.ply]
            explainer.ask(thought.spec, thought.ply, state, plan.actions[0], plan.values)
        used = (thought.plan is not None or thought.fast) and driver.ready and not self.over
        self.risk.update(dt, driver.seats[0] if used else None, self.state, driver.running)
        self._rested = 0.0 if driver.busy or driver.running else self._rested + dt
        if self._rested >= REST_SECONDS and not self.over:
            self._rested = 0.0
            self._load_early()

    def _load_early(self) -> None:
        """Whoever gives hints is made before the first is asked for: reading a large model takes seconds."""
        if not memory.scarce(SPARE_BYTES):
            self.driver.load_early(self.hint_spec(), 0, self.state)

    def toggle_why(self) -> None:
        """Explain the agent's moves, or stop that; a paused agent thinks about its move for that."""
        self.why_on = not self.why_on
        self.store.remember(WHY, self.why_on)
        if self.why_on and not self.driver.running and not self.thought_counts and not self.over:
            self.ask_hint()
        self.watcher.reseated()

    @property
    def explained(self) -> bool:
        """Whether there is an explanation that is about this board."""
        found, ply, states = self.explainer.reasons, self.explainer.ply, self.timeline.states
        if not self.why_on or found is None or not 0 <= ply < len(states) or states[ply] != found.state:
            return False
        speed = 0.0 if math.isinf(self.driver.speed) or not self.driver.running else self.driver.speed
        return 0 <= self.timeline.cursor - ply <= 1 + speed * WHY_LAG

    @property
    def values_kind(self) -> Values:
        """What the values are of the agent that thought last."""
        spec = self.driver.thought.spec or self.driver.seats[0]
        return catalogue.entry(self.game, spec.id).values_of(spec) if spec is not None else "rating"

    @override
    def close(self) -> None:
        """End the threads; the game is saved."""
        self.explainer.close()
        self.risk.close()
        super().close()
