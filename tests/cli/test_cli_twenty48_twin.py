"""Recorded games of 2048, replayed by rules written anew: nothing here but the file's JSON and this file's arithmetic."""

import json
from pathlib import Path

import pytest

MODEL = Path(__file__).resolve().parents[2] / "saves" / "models" / "2048-small.safetensors"
DELTAS = ((-1, 0), (0, 1), (1, 0), (0, -1))
"""Up, right, down, left, as (row, column)."""
GAMMA, FIRST, SECOND, WHOLE = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB, 1 << 64


class TwinGame:
    """A board as a dictionary from (row, column) to the tile's value."""

    def __init__(self, text):
        rows = [line.split() for line in text.split("/")]
        self.size, self.score, self.largest = len(rows), 0, 0
        self.tiles = {(r, c): int(v) for r, row in enumerate(rows) for c, v in enumerate(row) if v != "0"}

    def slide(self, action):
        """Push tile after tile, those nearest the wall first; returns whether anything moved."""
        down, right = DELTAS[action]
        moved, made = False, set()
        for r, c in sorted(self.tiles, key=lambda at: -(at[0] * down + at[1] * right)):
            value, at = self.tiles.pop((r, c)), (r, c)
            while True:
                ahead = (at[0] + down, at[1] + right)
                inside = 0 <= ahead[0] < self.size and 0 <= ahead[1] < self.size
                if inside and ahead not in self.tiles:
                    at = ahead
                    continue
                if inside and self.tiles[ahead] == value and ahead not in made:
                    at, value = ahead, 2 * value
                    made.add(ahead)
                    self.score += value
                break
            moved |= at != (r, c)
            self.tiles[at] = value
        return moved

    def stuck(self):
        every = [(r, c) for r in range(self.size) for c in range(self.size)]
        if len(self.tiles) < len(every):
            return False
        return not any(self.tiles[r, c] in (self.tiles.get((r + 1, c)), self.tiles.get((r, c + 1))) for r, c in every)

    def due(self, seed, number):
        """(cell, value) of the tile whose turn it is: SplitMix64 as published, the k-th empty cell in reading order."""
        z = (seed + (number + 1) * GAMMA) % WHOLE
        z = (z ^ z >> 30) * FIRST % WHOLE
        z = (z ^ z >> 27) * SECOND % WHOLE
        z ^= z >> 31
        free = [i for i in range(self.size**2) if divmod(i, self.size) not in self.tiles]
        # a four when the low half is below a tenth of 2**32, that is below 429,496,729.6
        return free[(z >> 32) * len(free) >> 32], 4 if z % (1 << 32) * 10 < 1 << 32 else 2


AGENTS = (
    "random",
    "greedy",
    "expectimax,depth=1",
    "mcts,simulations=10",
    "mcts,simulations=10,policy=random,value=score,rollout=20",
)


@pytest.mark.parametrize(
    ("size", "agents"), [(4, (*AGENTS, f"ntuple:{MODEL}")), (3, AGENTS), (5, ("greedy", "random"))]
)
def test_recorded_games_replay_to_the_same_score(run, tmp_path, size, agents):
    words = [word for agent in agents for word in ("--agent", agent)]
    found = run(
        "match", "2048", *words, "--games", 1, "--size", size, "--seed", 7, "--record", tmp_path, "--json"
    ).json
    files = sorted(tmp_path.glob("*.json"))
    assert len(files) == len(agents)
    scores = {}
    for path in files:
        told = json.loads(path.read_text())
        game, setup = TwinGame(told["setup"]["start"]), told["setup"]
        for number, (action, cell, exponent, *_) in enumerate(told["steps"]):
            before = dict(game.tiles)
            assert game.slide(action), (path.name, number, before, action)
            value = 2**exponent
            assert (cell, value) == game.due(setup["seed"], setup["spawns"] + number), (path.name, number, before)
            game.tiles[divmod(cell, size)] = value
        print(path.name, game.tiles, game.score)
        assert game.stuck()
        assert told["result"]["score"] == game.score
        assert told["result"]["max_tile"] == max(game.tiles.values())
        scores.setdefault(told["seats"][0], game.score)
    assert scores == {each["agent"]: each["mean"] for each in found["agents"]}
