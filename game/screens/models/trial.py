"""A short test of a model in a process of its own: `python -m game.screens.models.trial FILE AGENT SIZE PLIES GAMES`.

Every game of 2048 is one line of JSON on standard output. The plain rules check each move and count the points, so
that no agent can cheat. In the window's process all this work in Python would cost frames.
"""

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ai import catalogue
from ai.agent import Thinking
from ai.entries import CatalogueError
from ai.tensors import ModelError
from game.rules import twenty48

GAME = "twenty48"
MANY = 500
"""Moves asked for at once."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One game."""

    score: int
    tile: int
    """The largest one, as a power of two."""
    moves: int


def play_game(agent: Any, start: twenty48.State) -> Outcome:
    """One game to its end.

    Raises:
        ValueError: when the agent plays what the rules or the seed's luck do not allow.
    """
    agent.new_game(start.seed)
    state, moves = start, 0
    while twenty48.outcome(state) is None:
        played = agent.play_many(state, MANY, Thinking())
        if not played:
            raise ValueError("the agent played nothing although something moves")
        for action, cell, exponent in played:
            slide = twenty48.slide(state, int(action))
            if slide is None or twenty48.spawn(slide.cells, state.seed, state.spawns) != (int(cell), int(exponent)):
                raise ValueError(f"the agent played {action} and tile {exponent} on {cell}, which cannot be")
            state = twenty48.place(state, slide, int(cell), int(exponent))
        moves += len(played)
    return Outcome(state.score, 1 << max(state.cells), moves)


def main(arguments: list[str]) -> int:
    """Play the games from seed 0 on, or say in one line why not."""
    path, agent_id, size, plies, games = arguments
    try:
        agent = catalogue.create(
            GAME, catalogue.entry(GAME, agent_id).looking(int(plies), str(Path(path).absolute()))
        )
    except (CatalogueError, ModelError) as error:
        print(json.dumps({"refused": str(error)}), flush=True)
        return 2
    for seed in range(int(games)):
        outcome = play_game(agent, twenty48.start(int(size), seed))
        said = {"score": outcome.score, "tile": outcome.tile, "moves": outcome.moves}
        print(json.dumps(said), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
