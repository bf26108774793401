"""The games as environments: `import game.envs` registers those of Gymnasium.

`2048-v0` is `game.envs.twenty48`, many boards at once are `game.envs.twenty48_vector`; Sokoban's, under the names of
gym-sokoban, are listed in `game.envs.sokoban_ids`; connect-4 is a PettingZoo environment, `game.envs.connect4.env(…)`.
docs/environments.md describes them all.
"""

import gymnasium

from game.envs import sokoban_ids

gymnasium.register(
    id="2048-v0",
    entry_point="game.envs.twenty48:Twenty48Env",
    vector_entry_point="game.envs.twenty48_vector:Twenty48VectorEnv",
)
for _name, _kind in sokoban_ids.generated().items():
    gymnasium.register(
        id=_name,
        entry_point="game.envs.sokoban:SokobanEnv",
        vector_entry_point="game.envs.sokoban_vector:SokobanVectorEnv",
        kwargs=_kind,
    )
for _name, _kind in sokoban_ids.from_folder().items():
    gymnasium.register(
        id=_name,
        entry_point="game.envs.sokoban_boxoban:BoxobanEnv",
        vector_entry_point="game.envs.sokoban_boxoban:BoxobanVectorEnv",
        kwargs=_kind,
    )
