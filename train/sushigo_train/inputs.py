"""What a network's inputs look like: how often each byte of an observation is how large, in play at random.

Most bytes count cards and are 0, 1 or 2 where the deck would allow 14. Scaled by their largest value they all but
vanish, and a network learns several times more slowly than from inputs of mean 0 and standard deviation 1.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from sushigo_env.seeding import decision_keys, game_seeds, uniform_actions
from sushigo_env.sushi_go.game import SushiGo

GAMES = 256
SEED = 0
LEAST_DEVIATION = 0.3
"""A byte that hardly ever changes is not blown up: later play may change it more."""


@cache
def normalisation(num_players: int, variant: str, observation: str) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """`mean` and `scale`, both float32[D]: `(observation - mean) * scale` has mean 0 and deviation 1, or less.

    From every observation of a few hundred games played at random; the same at every call.
    """
    game = SushiGo(GAMES, num_players, variant=variant, observation=observation)
    game.reset(seeds=game_seeds(SEED, GAMES))
    rows, seats = np.repeat(game.seeds, num_players), np.tile(np.arange(num_players), GAMES)
    seen, turn = [], 0
    while not game.done.all():
        mask = game.legal().reshape(len(rows), -1)
        decides = game.to_move.reshape(-1) & mask.any(axis=1)
        seen.append(game.observe().reshape(len(rows), -1)[decides])
        game.step(uniform_actions(mask, decision_keys(rows, seats, turn)).reshape(GAMES, num_players))
        turn += 1
    bytes_seen = np.concatenate(seen)
    mean = bytes_seen.mean(axis=0).astype(np.float32)
    scale = (1 / np.maximum(bytes_seen.std(axis=0), LEAST_DEVIATION)).astype(np.float32)
    mean.flags.writeable = scale.flags.writeable = False
    return mean, scale
