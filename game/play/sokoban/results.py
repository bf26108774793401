"""Best results of a level in words, and noting a new one."""

from ai import catalogue
from ai.entries import CatalogueError
from game.play.sokoban.best import FILE
from game.play.words import counted
from game.rules.game import PERSON
from game.rules.levels import Level
from game.saves.progress import LevelRecord, Progress, Solution

NONE = "–"
PASTED = "pasted"
"""Who plays what comes from the clipboard, in results and replays."""
YOURS, AGENTS = "Your best", "Agents' best"


def note(progress: Progress, level_id: str, moves: int, pushes: int, lurd: str, by: str) -> str:
    """Note a solution; says what is new about it, for the person who found it."""
    before = progress.level(level_id)
    own = before.own if before is not None else None
    progress.solved_level(level_id, moves, pushes, lurd, by)
    if own is None:
        return "Solved for the first time!"
    better = [
        word
        for word, new, old in (("moves", moves, own.by_moves[0]), ("pushes", pushes, own.by_pushes[1]))
        if new < old
    ]
    if better:
        return f"A new best by {' and by '.join(better)}!"
    return f"Your best is {own.by_moves[0]:,} moves and {own.by_pushes[1]:,} pushes."


def own(record: LevelRecord | None) -> str:
    """A person's fewest moves and fewest pushes."""
    if record is None or record.own is None:
        return NONE
    return _fewest(record.own.by_moves[0], record.own.by_pushes[1])


def agents(progress: Progress, level_id: str) -> str:
    """The fewest moves and the fewest pushes of all agents, with a person's help or without."""
    known = [each for each in progress.solutions(level_id) if each.by not in (PERSON, PASTED, FILE)]
    if not known:
        return NONE
    return _fewest(min(each.moves for each in known), min(each.pushes for each in known))


def records(progress: Progress, level_id: str) -> tuple[tuple[str, str, bool], ...]:
    """(name, fewest moves and fewest pushes, whether a person's): the records of a level, persons' and agents' apart."""
    if not level_id:
        return ()
    return (YOURS, own(progress.level(level_id)), True), (AGENTS, agents(progress, level_id), False)


def told(solution: Solution, counts: str) -> tuple[str, str]:
    """'31 pushes · you': the moves or the pushes, and whose they are; the same without a name."""
    number = counted(solution.moves, "move") if counts == "moves" else counted(solution.pushes, "push")
    return f"{number} · {_name(solution)}", number


def is_persons(solution: Solution) -> bool:
    """Whether a person found it."""
    return solution.by == PERSON


def short(record: LevelRecord | None) -> str:
    """'97/31' for a card of the list: a person's own best, an agent's where no person solved the level."""
    if record is None:
        return ""
    if record.person and record.own is not None:
        return f"{record.own.by_moves[0]:,}/{record.own.by_pushes[1]:,}"
    return f"{record.by_moves.moves:,}/{record.by_pushes.pushes:,}"


def agent_title(spec: str) -> str:
    """The name of an agent by the text of its spec, without the word for what it is where it is a name."""
    try:
        title = catalogue.entry("sokoban", spec.split(",")[0].split(":")[0]).title
    except CatalogueError:
        return spec
    name = title.removesuffix(" solver")
    return title if name.isalpha() else name


def name_of(level: Level, number: int) -> str:
    """The title of a level, or its number (from 0) where it has none."""
    return level.title or f"Level {number + 1}"


def _fewest(moves: int, pushes: int) -> str:
    """'97 moves · 31 pushes'."""
    return f"{counted(moves, 'move')} · {counted(pushes, 'push')}"


def _name(solution: Solution) -> str:
    return {PERSON: "you", FILE: "published"}.get(solution.by) or agent_title(solution.by)
