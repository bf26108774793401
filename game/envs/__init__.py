"""The games as Gymnasium environments: `import game.envs` registers them.

`2048-v0` is `game.envs.twenty48`, many boards at once are `game.envs.twenty48_vector`. docs/environments.md describes
both.
"""

import gymnasium

gymnasium.register(
    id="2048-v0",
    entry_point="game.envs.twenty48:Twenty48Env",
    vector_entry_point="game.envs.twenty48_vector:Twenty48VectorEnv",
)
