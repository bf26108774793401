"""The games as environments: `import game.envs` registers those of Gymnasium.

`2048-v0` is `game.envs.twenty48`, many boards at once are `game.envs.twenty48_vector`; connect-4 is a PettingZoo
environment, `game.envs.connect4.env(…)`. docs/environments.md describes them all.
"""

import gymnasium

gymnasium.register(
    id="2048-v0",
    entry_point="game.envs.twenty48:Twenty48Env",
    vector_entry_point="game.envs.twenty48_vector:Twenty48VectorEnv",
)
