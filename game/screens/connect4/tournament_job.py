"""A tournament in a process of its own: `python -m game.screens.connect4.tournament_job CUP`.

CUP is JSON: agents (id, settings and the model's file), board, players, games, plies, seconds, seed. Each game is one
line of JSON on standard output; between them, a few times a second, a line says how far the present one is.
"""

import json
import random
import sys
import time
from typing import Any

from ai import catalogue, kernels
from ai.agent import Thinking
from ai.entries import CatalogueError
from ai.tensors import ModelError
from game.play import matches
from game.play.asking import AgentFailed, heard
from game.rules import connect4
from game.rules.connect4 import Shape, State

SAY_SECONDS = 0.2


def play_game(agents: dict[int, Any], who: tuple[int, ...], start: State, limit: float | None, number: int) -> State:
    """One game, said on standard output; `who` is the entrant on each seat. Raises AgentFailed."""
    seconds, asked, said = [0.0] * len(who), [0] * len(who), time.perf_counter()
    final, table = start, [agents[entrant] for entrant in who]
    for turn in matches.play(start, table, [f"agent {entrant + 1}" for entrant in who], lambda: Thinking(limit)):
        final = turn.state
        seconds[turn.seat] += turn.seconds
        asked[turn.seat] += 1
        if time.perf_counter() - said > SAY_SECONDS:
            said = time.perf_counter()
            print(json.dumps({"now": number, "who": who, "moves": final.moves}), flush=True)
    spent = [round(each, 6) for each in seconds]
    game = {
        "game": number,
        "who": who,
        "winner": final.winner,
        "moves": final.moves,
        "seconds": spent,
        "asked": asked,
    }
    print(json.dumps(game), flush=True)
    return final


def run(wanted: dict[str, Any]) -> None:
    """Play the whole tournament; raises ValueError with one sentence where that is not possible."""
    shape: Shape = connect4.parse_shape(wanted["board"], wanted["players"])
    specs = [heard(each) for each in wanted["agents"]]
    kernels.warm(kernels.needed("connect4", *specs))
    agents = {number: catalogue.create("connect4", spec) for number, spec in enumerate(specs)}
    seed, plies = wanted["seed"], wanted["plies"]
    for number, (opening, who) in enumerate(matches.schedule(len(specs), shape.players, wanted["games"])):
        start = connect4.start(shape)
        if plies:
            start = matches.opening(connect4.start(shape), plies, random.Random(f"{seed}/{opening}"))
        for entrant in who:  # each its own luck: two random agents must not play the same columns
            agents[entrant].new_game((seed + number) * len(specs) + entrant)
        play_game(agents, who, start, wanted["seconds"], number)


def main(arguments: list[str]) -> int:
    """Play, or say in one line why not."""
    try:
        run(json.loads(arguments[0]))
    except (AgentFailed, CatalogueError, ModelError, ValueError, OSError) as error:
        print(json.dumps({"refused": str(error)}), flush=True)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
