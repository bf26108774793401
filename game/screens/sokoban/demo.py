"""Sokoban's card in the menu: the agent solves small levels, one after the other."""

from typing import Any

from typing_extensions import override

from game.play.sokoban import results
from game.play.sokoban.course import LAST_RESORT
from game.play.sokoban.packs import OWN, packs_of
from game.rules.levels import Level
from game.rules.sokoban import State
from game.screens.demo import Demo

MOST_BOXES, MOST_FLOOR, MOST_PUSHES = 4, 45, 40


class SokobanDemo(Demo):
    """A* solves the small levels of the first pack that teaches nothing."""

    game = "sokoban"
    seats = ("astar",)
    speed = 4.0

    def __init__(self, *args: Any, **more: Any) -> None:
        """Reads the first packs only; the others are counted later, one a frame."""
        self.level = LAST_RESORT
        self._facts = ""
        super().__init__(*args, **more)

    @override
    def first_state(self, number: int) -> State:
        """A level with few boxes and pushes, so that its plan is there at once."""
        pack = packs_of(self.context.saves.root).first_puzzles()
        small = [level for level in pack.levels if _small(level)] if pack is not None else []
        if small:
            # A step that shares no factor with most counts, so that neighbours are not shown in a row.
            self.level = small[number * 7 % len(small)] if len(small) % 7 else small[number % len(small)]
        self._facts = ""
        return self.level.state

    @override
    def facts(self) -> str:
        """How many levels there are, and how many are solved."""
        if not self._facts:
            packs = packs_of(self.context.saves.root)
            shipped = [file.id for file in packs.files if not file.id.startswith(OWN)]
            read = [pack for pack_id in shipped if (pack := packs.peek(pack_id)) is not None]
            if len(read) + sum(bool(packs.trouble(pack_id)) for pack_id in shipped) < max(1, len(shipped)):
                return "push every box home"
            ids = {level_id for pack in read for level_id in pack.ids}
            solved = sum(map(self.context.progress.solved, ids))
            self._facts = f"{len(ids)} levels · {solved} solved" if solved else f"{len(ids)} levels to solve"
        return self._facts

    @override
    def resume(self) -> None:
        """Back in the menu: count again."""
        self._facts = ""
        super().resume()

    @override
    def doing(self) -> str:
        """Who solves what."""
        title = f" “{self.level.title}”" if self.level.title else ""
        return f"{results.agent_title(self.seats[0])} is solving{title or ' a level'}"


def _small(level: Level) -> bool:
    """Whether a plan for a level is found at once and is short enough to watch."""
    state = level.state
    pushes = sum(letter.isupper() for letter in level.solution)
    few = pushes <= MOST_PUSHES if level.solution else len(state.boxes) <= MOST_BOXES - 1
    return few and len(state.boxes) <= MOST_BOXES and len(state.warehouse.floor) <= MOST_FLOOR


DEMO = SokobanDemo
