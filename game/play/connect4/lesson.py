"""What a first game of connect-4 shows: that stones fall, what wins, two threats at once, and the stone that wins."""

from functools import lru_cache

from game.play.lesson import Idea
from game.rules import connect4
from game.rules.connect4 import State

Line = tuple[int, ...]


def _owner(state: State, line: Line) -> set[int]:
    """The stones on a line, 0 left out."""
    return {state.cells[cell] for cell in line} - {0}


def threats(state: State, seat: int) -> dict[int, Line]:
    """The cells on which a stone of `seat` would land now and win, each with the line that it completes."""
    found: dict[int, Line] = {}
    for action in range(state.shape.columns):
        cell = connect4.landing(state, action)
        if cell is None:
            continue
        for line in connect4.lines_through(state.shape)[cell]:
            if all(state.cells[other] == seat + 1 for other in line if other != cell):
                found[cell] = line
    return found


@lru_cache(maxsize=16)
def winning(state: State) -> int | None:
    """The action that wins at once for whoever is to move; None where there is none."""
    cells = threats(state, state.to_move)
    return next((cell % state.shape.columns for cell in cells), None)


@lru_cache(maxsize=16)
def forking(state: State) -> int | None:
    """The action that makes two threats at once, so that one of them cannot be met; None where there is none."""
    seat = state.to_move
    for action in connect4.legal_actions(state):
        after = connect4.apply(state, action)
        if after.winner is None and len(threats(after, seat)) >= 2 and winning(after) is None:
            return action
    return None


@lru_cache(maxsize=16)
def goal_line(state: State) -> Line | None:
    """The line that whoever is to move can complete with the fewest stones; None where the other is in every one."""
    stone, columns = state.to_move + 1, state.shape.columns

    def missing(line: Line) -> tuple[int, float, int]:
        empty = [cell for cell in line if not state.cells[cell]]
        below = sum(cell // columns - state.heights[cell % columns] for cell in empty)
        aside = abs(sum(cell % columns for cell in line) / len(line) - (columns - 1) / 2)
        return len(empty) + below, aside, line[0]

    open_lines = [line for line in connect4.lines(state.shape) if _owner(state, line) <= {stone}]
    return min(open_lines, key=missing, default=None)


def _has_goal(state: State) -> bool:
    return goal_line(state) is not None


def _forked(before: State, action: int, after: State) -> bool:
    return after.winner == before.to_move or len(threats(after, before.to_move)) >= 2


def _can_fork(state: State) -> bool:
    return winning(state) is not None or forking(state) is not None


def _won(before: State, _action: int, after: State) -> bool:
    return after.winner == before.to_move


def _can_win(state: State) -> bool:
    return winning(state) is not None


IDEAS = (
    Idea("drop"),
    Idea("four", fits=_has_goal),
    Idea("fork", _forked, _can_fork),
    Idea("win", _won, _can_win),
)
