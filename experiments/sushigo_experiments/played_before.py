"""Whole games played beforehand with uniform actions, for loops that are timed without the time of a policy."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sushigo_env.api.contract import BatchedGame
from sushigo_env.seeding import decision_keys, game_seeds, uniform_actions

GAMES_PLAYED = 256
"""At least so many games are played (batch after batch), so that their mean total tells something."""


class Batch(NamedTuple):
    """Games side by side, and what it takes to play them again."""

    seeds: NDArray[np.uint64]
    """uint64[B]."""
    turns: list[NDArray[np.int32]]
    """Actions, step by step, until the last of the games has ended."""
    decisions: int
    """Choices made: those of seats that were not to move, or whose game was over, are none."""


def played_before(tables: BatchedGame) -> list[Batch]:
    """Batches of whole games at `tables`, with actions int32[B, P] a step."""
    batches = []
    for seed in range(0, max(tables.num_games, GAMES_PLAYED), tables.num_games):
        seeds = game_seeds(seed, tables.num_games)
        tables.reset(seeds=seeds)
        turns: list[NDArray[np.int32]] = []
        decisions = 0
        while not tables.done.all():
            decisions += int(tables.to_move.sum())
            turns.append(uniform(tables, len(turns)))
            tables.step(turns[-1])
        batches.append(Batch(seeds, turns, decisions))
    return batches


def uniform(tables: BatchedGame, turn: int) -> NDArray[np.int32]:
    """int32[B, P]: a uniform choice from the mask of every seat that is asked."""
    mask, seeds = tables.legal(), tables.seeds
    games, players, actions = mask.shape
    if tables.simultaneous:
        keys = decision_keys(np.repeat(seeds, players), np.tile(np.arange(players), games), turn)
        return uniform_actions(mask.reshape(-1, actions), keys).reshape(games, players)
    choices = np.zeros((games, players), np.int32)
    asked, seats = np.nonzero(tables.to_move)
    choices[asked, seats] = uniform_actions(mask[asked, seats], decision_keys(seeds[asked], seats, turn))
    return choices


def pick(seen: Any, seed: int, seat: int, decision: int) -> int:
    """A uniform choice from one seat's mask."""
    mask = np.asarray(seen["action_mask"], np.bool_)
    return int(uniform_actions(mask[None], decision_keys(game_seeds(seed, 1), seat, decision))[0])
