"""A replay as a value: what was played, the positions it goes through, how it ended. `game.rules.replay` is its face."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from game.rules import games
from game.rules.game import PERSON, Game, Setup, State
from game.rules.games import GAMES
from game.rules.reader import JSON, Reader, ReplayError
from game.rules.replay.steps import Step, plain

VERSION = 2
"""Version 2 added the values of all actions; every step of version 1 is a step of it as well."""
MAX_SEATS = max(game.seats[1] for game in GAMES.values())


@dataclass(frozen=True, slots=True)
class Replay:
    """One game. `setup` and `result` hold plain JSON and are never changed after the replay is made."""

    game: str
    setup: Setup
    """What `Game.read_setup` makes the first position of."""
    steps: tuple[Step, ...]
    seats: tuple[str, ...]
    """Who sat where: `PERSON` or the text of an agent's spec."""
    seed: int
    started: str
    """ISO 8601 time."""
    seconds: float
    title: str = ""
    result: dict[str, JSON] = field(default_factory=dict)
    """What `result_of` says; it may be empty for a game that is not over."""
    version: int = VERSION


def initial(replay: Replay, source: str = "replay") -> State:
    """The first position; raises ReplayError, and nothing else, when the set-up makes none."""
    reader = Reader(source)
    try:
        return GAMES[replay.game].read_setup(reader, replay.setup)
    except ReplayError:
        raise
    except (ValueError, OverflowError) as error:
        reader.fail(f"the set-up is no position: {error}")


def play(replay: Replay, source: str = "replay") -> Iterator[State]:
    """Every position from the first to the last, each step checked against the rules.

    Raises:
        ReplayError: naming the step (from 1) that cannot be played.
    """
    game, state = GAMES[replay.game], initial(replay, source)
    yield state
    for number, step in enumerate(replay.steps, 1):
        try:
            state = _after(game, state, step)
        except ValueError as error:
            raise ReplayError(source, f"step {number}: {error}") from None
        yield state


def states(replay: Replay, source: str = "replay") -> list[State]:
    """The positions of `play`, one more than there are steps."""
    return list(play(replay, source))


def after(state: State, step: Step) -> State:
    """The position after one step; raises ValueError when the rules do not allow it."""
    return _after(games.of(state), state, step)


def _after(game: Game[Any], state: State, step: Step) -> State:
    if step.chance is not None and game.chance is None:
        raise ValueError(f"nothing is left to chance in {game.title}")
    return game.apply(state, step.action, step.chance)


def chosen(state: State, action: int, value: float | None = None) -> tuple[Step, State]:
    """The step that an action makes here, with what the position's own luck answers, and the position after it.

    Raises:
        ValueError: when the rules do not allow the action.
    """
    game = games.of(state)
    step = Step(action, game.chance(state, action) if game.chance else None, value)
    return step, _after(game, state, step)


def result_of(replay: Replay, source: str = "replay") -> dict[str, JSON]:
    """How the game stands at the end of the replay, from the steps alone.

    See `Game.result` for what it says.
    """
    return _result(GAMES[replay.game], replay.steps, play(replay, source))


def _result(game: Game[Any], steps: Sequence[Step], positions: Iterable[State]) -> dict[str, JSON]:
    """The result from the steps and all positions, one more than there are steps."""
    counted = 0
    last: State = None
    for step, state in zip((None, *steps), positions, strict=True):
        if step is not None and game.tally is not None:
            counted += game.tally.of(last, step.action)
        last = state
    return game.result(last, len(steps), counted)


def setup_of(state: State) -> Setup:
    """The set-up that makes `state` the first position of a replay."""
    return games.of(state).write_setup(state)


def record(
    first: State,
    steps: Iterable[Step],
    *,
    seats: Iterable[str] = (PERSON,),
    seed: int = 0,
    started: str = "",
    seconds: float = 0.0,
    title: str = "",
    setup: Setup | None = None,
    positions: Sequence[State] | None = None,
) -> Replay:
    """A replay of `steps` from `first`, with its result worked out.

    Args:
        first: the position before the first step.
        steps: what was played; undone moves are already cut.
        seats: who sat where.
        seed: the seed of the game.
        started: ISO time; now, when empty.
        seconds: time played.
        title: the name people see.
        setup: what the set-up keeps besides the position (Sokoban: title, pack, number).
        positions: every position from the first to the last, from whoever has just played the game by the rules; it
            is not played again then, which takes a tenth of a second for some thousand moves.

    Raises:
        ReplayError: when a step cannot be played.
    """
    game = games.of(first)
    made = Replay(
        game.id,
        {**(setup or {}), **game.write_setup(first)},
        tuple(map(plain, steps)),
        tuple(seats),
        seed,
        started or datetime.now().astimezone().isoformat(timespec="seconds"),
        seconds,
        title,
    )
    return replace(made, result=_result(game, made.steps, play(made) if positions is None else positions))
