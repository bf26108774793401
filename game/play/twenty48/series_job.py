"""Many games of one agent in a process of its own: `python -m game.play.twenty48.series_job SPEC SIZE GAMES`.

SPEC is JSON: id, settings and the model's file. The games are those of the seeds from 0 on. Each game is one line of
JSON on standard output; between them, a few times a second, a line says how far the present one is.
"""

import json
import sys
import time

from ai import catalogue
from ai.entries import CatalogueError
from ai.tensors import ModelError
from game.play import solo
from game.play.asking import heard
from game.rules import twenty48

SAY_SECONDS = 0.25
MANY = 20_000
"""Moves asked for at once; the time ends most calls before that."""


def main(arguments: list[str]) -> int:
    """Play the games, or say in one line why not."""
    text, size, games = arguments
    spec = heard(json.loads(text))
    try:
        agent = catalogue.create("twenty48", spec)
    except (CatalogueError, ModelError) as error:
        print(json.dumps({"refused": str(error)}), flush=True)
        return 2
    from ai.twenty48.search.retrace import retrace

    said = 0.0
    for seed in range(int(games)):
        start = twenty48.start(int(size), seed)
        state, spent = start, 0.0
        agent.new_game(seed)
        for turn in solo.play(agent, spec.id, start, most=MANY, seconds=SAY_SECONDS, check=retrace):
            state, spent = turn.state, spent + turn.seconds
            if time.perf_counter() - said > SAY_SECONDS:
                said = time.perf_counter()
                print(json.dumps({"now": [state.spawns - start.spawns, state.score, round(spent, 4)]}), flush=True)
        game = {"seed": seed, "score": state.score, "tile": 1 << max(state.cells)}
        print(json.dumps({**game, "moves": state.spawns - start.spawns, "seconds": round(spent, 6)}), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
