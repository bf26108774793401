"""Many games of one agent in a process of its own: `python -m game.screens.twenty48.series_job SPEC SIZE GAMES`.

SPEC is JSON: id, settings and the model's file. The games are those of the seeds from 0 on. Each game is one line of
JSON on standard output; between them, a few times a second, a line says how far the present one is.
"""

import json
import sys
import time
from collections.abc import Iterator
from typing import Any, cast

from ai import catalogue
from ai.agent import Thinking
from ai.entries import CatalogueError, Spec
from ai.tensors import ModelError
from game.rules import twenty48
from game.rules.twenty48 import State
from game.screens.driver import FastPlayer

SAY_SECONDS = 0.25
MANY = 20_000
"""Moves asked for at once; the time ends most calls before that."""


def play_game(agent: Any, start: State) -> Iterator[tuple[State, float]]:
    """One game to its end: the position a few times a second, with the seconds the agent has taken so far.

    Raises:
        ValueError: when the agent plays what the rules or the seed's luck do not allow.
    """
    from ai.twenty48.search.retrace import retrace

    agent.new_game(start.seed)
    state, spent = start, 0.0
    while twenty48.outcome(state) is None:
        began = time.perf_counter()
        if hasattr(agent, "play_many"):
            played = cast(FastPlayer, agent).play_many(state, MANY, Thinking(seconds=SAY_SECONDS))
            spent += time.perf_counter() - began
            after = retrace(state, cast(Any, played))
        else:
            plan = agent.plan(state, Thinking())
            spent += time.perf_counter() - began
            after = twenty48.apply(state, plan.actions[0]) if plan.actions else state
        if after == state:
            raise ValueError("the agent played nothing although something moves")
        state = after
        yield state, spent


def main(arguments: list[str]) -> int:
    """Play the games, or say in one line why not."""
    text, size, games = arguments
    wanted = json.loads(text)
    try:
        agent = catalogue.create("twenty48", Spec(wanted["id"], wanted["settings"], wanted["model"]))
    except (CatalogueError, ModelError) as error:
        print(json.dumps({"refused": str(error)}), flush=True)
        return 2
    said = 0.0
    for seed in range(int(games)):
        start = twenty48.start(int(size), seed)
        state, spent = start, 0.0
        for state, spent in play_game(agent, start):
            if time.perf_counter() - said > SAY_SECONDS:
                said = time.perf_counter()
                print(json.dumps({"now": [state.spawns - start.spawns, state.score, round(spent, 4)]}), flush=True)
        game = {"seed": seed, "score": state.score, "tile": 1 << max(state.cells)}
        print(json.dumps({**game, "moves": state.spawns - start.spawns, "seconds": round(spent, 6)}), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
