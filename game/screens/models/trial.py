"""A short test of a model in a process of its own: `python -m game.screens.models.trial FILE AGENT SIZE PLIES GAMES`.

Every game of 2048 is one line of JSON on standard output. Each move is played again by the rules,
so that no agent can cheat. In the window's process all this work in Python would cost frames.
"""

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ai import catalogue
from ai.agent import Agent
from ai.entries import CatalogueError
from ai.tensors import ModelError
from game.play import solo
from game.rules import twenty48

GAME = twenty48.GAME.id


@dataclass(frozen=True, slots=True)
class Outcome:
    """One game."""

    score: int
    tile: int
    """The largest one, as a power of two."""
    moves: int


def play_game(agent: Agent[Any], name: str, start: twenty48.State) -> Outcome:
    """One game to its end; raises AgentFailed when the agent plays what the rules or the seed's luck do not allow."""
    from ai.twenty48.search.retrace import retrace

    agent.new_game(start.seed)
    final = start
    for turn in solo.play(agent, name, start, check=retrace):
        final = turn.state
    return Outcome(final.score, 1 << max(final.cells), final.spawns - start.spawns)


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
        outcome = play_game(agent, agent_id, twenty48.start(int(size), seed))
        said = {"score": outcome.score, "tile": outcome.tile, "moves": outcome.moves}
        print(json.dumps(said), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
