"""What a network's inputs look like: how often each byte of an observation is how large, in play at random.

Most bytes count cards and are 0, 1 or 2 where the deck would allow 14. Scaled by their largest value they all but
vanish, and a network learns several times more slowly than from inputs of mean 0 and standard deviation 1.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sushigo_env.api.contract import BatchedGame
from sushigo_env.seeding import decision_keys, game_seeds, uniform_actions

GAMES = 256
"""Games that are looked at."""
SEED = 0
LEAST_DEVIATION = 0.3
"""A byte that hardly ever changes is not blown up: later play may change it more."""


class Inputs(NamedTuple):
    """Of each byte, both float32[D]: `(observation - mean) * scale` has mean 0 and deviation 1, or less."""

    mean: NDArray[np.float32]
    scale: NDArray[np.float32]


def inputs_of(game: BatchedGame) -> Inputs:
    """From every observation of `game`'s games (`GAMES` of them are enough) played at random; the same at every call.

    The game is reset, and over when this returns.
    """
    games, players = game.num_games, game.num_players
    game.reset(seeds=game_seeds(SEED, games))
    keys_of, seats = np.repeat(game.seeds, players), np.tile(np.arange(players), games)
    seen, step = [], 0
    while not game.done.all():
        mask = game.legal().reshape(len(seats), -1)
        decides = game.to_move.reshape(-1) & mask.any(axis=1)
        seen.append(game.observe().reshape(len(seats), -1)[decides])
        game.step(uniform_actions(mask, decision_keys(keys_of, seats, step)).reshape(games, players))
        step += 1
    bytes_seen = np.concatenate(seen)
    mean = bytes_seen.mean(axis=0).astype(np.float32)
    return Inputs(mean, (1 / np.maximum(bytes_seen.std(axis=0), LEAST_DEVIATION)).astype(np.float32))


def with_advice(inputs: Inputs, num_actions: int) -> Inputs:
    """The inputs of a network that is told a piece of advice behind the observation: one byte of `num_actions` is 1."""
    mean = np.concatenate([inputs.mean, np.zeros(num_actions, np.float32)])
    return Inputs(mean, np.concatenate([inputs.scale, np.full(num_actions, 1 / LEAST_DEVIATION, np.float32)]))


def folded(arrays: dict[str, NDArray[np.float32]], inputs: Inputs) -> dict[str, NDArray[np.float32]]:
    """The weights of a network behind `inputs`, changed so that the first layer takes the bytes as they are.

    `arrays` are named as in `sushigo_agents.network`.
    """
    scaled = arrays["trunk.0.weight"].astype(np.float64) * inputs.scale
    bias = (arrays["trunk.0.bias"] - scaled @ inputs.mean.astype(np.float64)).astype(np.float32)
    return arrays | {"trunk.0.weight": scaled.astype(np.float32), "trunk.0.bias": bias}
