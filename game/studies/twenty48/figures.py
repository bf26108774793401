"""The figures of the report this project grew from, beside which `2048-learning-rate` puts its own.

Its network learned from 50,000 games at each of four learning rates and then played 1,000 without exploration.
"""

LAST_GAMES: dict[float, float] = {0.0025: 38_086, 0.005: 50_849, 0.01: 60_888, 0.05: 47_895}
"""α -> mean score of the last 1,000 games of the training."""
LAST_REACHED: dict[float, float] = {0.0025: 82.9, 0.005: 92.6, 0.01: 93.6, 0.05: 93.7}
"""α -> per cent of these games that reached 2048."""
PLAYED: dict[float, float] = {0.0025: 41_081, 0.005: 53_691, 0.01: 62_704, 0.05: 47_569}
"""α -> mean score of 1,000 games without exploration."""
BEST = 0.01
"""The α of the figures that follow."""
PLAYED_TILES: dict[int, float] = {256: 0.4, 512: 1.0, 1024: 2.8, 2048: 23.4, 4096: 68.4, 8192: 4.0}
"""Largest tile -> per cent of the 1,000 games without exploration."""
TOUCHED = 38.0
"""Per cent of all weights that were no longer 10."""
IMPORTANCE = (12.512, 12.542, 0.611, 0.576, 14.372, 14.670, 12.084, 2.316)
"""Mean |w - 10| over the touched weights of each pattern, in the order of `ai.twenty48.report.shapes`."""
RANDOM = 1_127.0
"""Mean score of random moves."""
RANDOM_TILES: dict[int, float] = {16: 0.1, 32: 5.9, 64: 36.1, 128: 49.3, 256: 8.6}
"""Largest tile -> per cent of the games of random moves."""
