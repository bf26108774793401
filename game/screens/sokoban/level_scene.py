"""One Sokoban level after another: which is on the board, who played it, what was reached.

The base of the Sokoban screen. It knows packs, attempts and results, but no board, no mouse and no key.
"""

from typing import Any

from game.rules import sokoban
from game.rules.levels import Level, level_id
from game.rules.replay import Replay, Step, initial
from game.rules.sokoban import State
from game.saves.resume import Extra
from game.screens.driver import Played
from game.screens.game_scene import GameScene
from game.screens.sokoban import plans, results
from game.screens.sokoban.attempts import Attempt, Attempts
from game.screens.sokoban.course import Course
from game.screens.sokoban.line import Line
from game.screens.sokoban.packs import LevelPack, packs_of

WORTH_KEEPING = 10
"""Moves of an unfinished level that is left for a replay."""
PASTED = "pasted"
"""Who plays what comes from the clipboard, in results and replays."""


class LevelScene(GameScene):
    """Levels from the packs of `levels/` and of the saves folder."""

    game = "sokoban"
    title = "Sokoban"
    default_agent = "astar"
    whole_plans = True
    onward = "Next level"
    """What comes after a solved level, in words."""

    timeline: Any

    def __init__(self, window: Any, context: Any) -> None:
        """Takes up the saved game."""
        self.course = Course(packs_of(context.saves.root))
        self.line = Line()
        self.by_agent = False
        """Whether what is played now is no person's."""
        self.pasted = False
        """Whether it was pasted; else it is the agent's."""
        self._attempts = Attempts()
        super().__init__(window, context)

    def level_begins(self) -> None:
        """Another level comes to the board: forget what belonged to the one before."""

    # Levels

    def first_game(self) -> None:
        """The level that was open last, else the first of all."""
        last = self.course.last(self.context.progress)
        if last is None:
            self.window.say("No pack of levels can be read, so here is a single level.", "bad")
        self._begin_level(*(last or (None, 0)))

    def took_up(self) -> None:
        """The saved game's level."""
        self.course.take_up(self.extra)
        self.line.start(self.extra.get("agent_ply"), self.extra.get("pasted_ply"))

    def _begin_level(self, pack: LevelPack | None, number: int) -> None:
        level = self.course.begin(pack, number)
        self.line.start()
        self.level_begins()
        self.begin(level.state)
        self.extra = self.course.extra()
        if pack is not None and self.course.packs.file(pack.id) is not None:
            self.context.progress.open_level(pack.id, self.course.level_id)

    def open_level(self, pack: LevelPack, number: int) -> None:
        """Go to a level; the present one is kept as it is until the app is closed."""
        course = self.course
        if course.pack is not None and course.level_id == pack.ids[number]:
            course.begin(pack, number)
            if self.over(self.state):
                self.restart()
            return
        self.leave_game()
        self._begin_level(pack, number)
        left = self._attempts.take(course.level_id)
        if left is not None:
            self.timeline, self.seed = left.timeline, left.seed
            self.started, self.seconds = left.started, left.seconds
            self.line.start(left.agent_ply, left.pasted_ply)
            self._note_hands()
            self.show(self.state)

    def moved_to(self, pack: LevelPack, number: int) -> None:
        """The level on the board now stands in another pack; the game on it goes on."""
        self.course.begin(pack, number)
        self.extra = {**self.extra, **self.course.extra()}
        self.context.progress.open_level(pack.id, self.course.level_id)
        self.changed()

    def leave_game(self) -> None:
        """The level can be taken up again as it stands until the app is closed."""
        if self.course.level_id and not self.over(self.state):
            line = self.line
            attempt = Attempt(self.timeline, line.agent_ply, line.pasted_ply, self.seed, self.started, self.seconds)
            self._attempts.leave(self.course.level_id, attempt)

    def take_timeline(self, *args: Any) -> None:
        """As for every game; what was played on the level before goes to the library if it was of some length."""
        if not self.finished and self.timeline.cursor >= WORTH_KEEPING:
            self.keep_replay(batch=self.helped)
        self.level_begins()
        super().take_timeline(*args)

    def extra_of(self, record: Replay, state: State) -> dict[str, Extra]:
        """The level, with its pack where one of those read so far has it, and whether an agent played."""
        level = Level(initial(record))
        pack, number = self.course.find(level_id(level))
        title = pack.levels[number].title if pack is not None else record.title
        extra: dict[str, Extra] = {"pack": pack.id if pack else "", "level": level_id(level), "title": title}
        return {**extra, "agent_ply": None if record.seats == ("person",) else 0}

    def change_level(self, step: int) -> None:
        """The next (1) or the previous (-1) level."""
        found = self.course.neighbour(step)
        if found is None:
            self.window.say(f"This is the {'last' if step > 0 else 'first'} level of all.")
            return
        before = self.course.pack
        self.open_level(*found)
        if before is not None and found[0].id != before.id:
            self.window.say(f"{'Next' if step > 0 else 'Previous'} pack: {found[0].title}.")

    def new_game(self) -> None:
        """The same as restart."""
        self.restart()

    def restart(self) -> None:
        """Back to the start of the level; redo and undo still work from there."""
        if self.timeline.can_undo:
            self.go(0)
            self.window.play("undo")

    # Rules

    def over(self, state: State) -> bool:
        """Every box is on a target."""
        return sokoban.is_solved(state)

    def step(self, state: State, action: int, cell: int | None, exponent: int | None) -> tuple[Step, State]:
        """One move or push."""
        return Step(action), sokoban.apply(state, action)

    def play(self, action: int, *args: Any, **more: Any) -> bool:
        """As for every game; notes which steps an agent played."""
        if action not in sokoban.legal_actions(self.state):
            return False
        self.line.step(self.timeline.cursor, self.by_agent, self.pasted)
        self._note_hands()
        return super().play(action, *args, **more)

    def _note_hands(self) -> None:
        """Whose steps they are, for the saved game."""
        self.extra["agent_ply"], self.extra["pasted_ply"] = self.line.agent_ply, self.line.pasted_ply

    def _agent_plays(self, played: Played) -> None:
        self.by_agent, self.pasted = True, False
        super()._agent_plays(played)
        self.by_agent = False

    @property
    def helped(self) -> bool:
        """Whether an agent played any step up to here, or any was pasted."""
        return self.line.helped(self.timeline.cursor)

    @property
    def helpers(self) -> tuple[str, ...]:
        """Who played what the person did not, as a replay names them."""
        return (PASTED,) if self.line.pasted(self.timeline.cursor) else self.seat_names()

    @property
    def pushes(self) -> int:
        """Pushes up to here."""
        return self.line.pushes(self.timeline.states, self.timeline.cursor)

    def player_names(self) -> tuple[str, ...]:
        """The agent if it played any step, else the person."""
        return self.helpers if self.helped else ("person",)

    def headline(self) -> str:
        """For the menu's continue card."""
        return f"{self.course.short} · {plans.counted(self.timeline.cursor, 'move')}"

    def replay_title(self) -> str:
        """The level's name."""
        return self.course.name

    def subtitle(self) -> str:
        """Pack, number and title."""
        return self.course.subtitle

    def note_result(self) -> str:
        """The level is solved: note it and keep its replay; says what is new about it for the person."""
        actions = [step.action for step in self.timeline.played]
        by = self.helpers[0] if self.helped else "person"
        self.keep_replay(batch=self.helped)
        if not self.course.level_id:
            return ""
        lurd = sokoban.to_lurd(self.timeline.initial, actions)
        return results.note(self.context.progress, self.course.level_id, len(actions), self.pushes, lurd, by)
