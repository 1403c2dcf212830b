"""How strong a policy is by now: games against agents that stay the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sushigo_agents.match import play_deals
from sushigo_agents.registry import load

from sushigo_env import games
from sushigo_env.api.contract import Agent, BatchedGame
from sushigo_env.seeding import game_seeds

ANCHORS = ("random", "greedy", "rival")
"""Whom a policy is held against."""
EVALUATION_SEED = 2**48
"""First seed of the deals evaluated on, far from those learned from."""


class Strength(NamedTuple):
    """How an agent did against a field of one kind."""

    win_share: float
    mean_score: float
    field_mean_score: float


def evaluate(
    agent: Agent,
    num_players: int,
    variant: str,
    deals: int,
    anchors: Sequence[str] = ANCHORS,
    game: str = games.DEFAULT,
) -> dict[str, Strength]:
    """Play `agent` against tables full of each of `anchors`: the same `deals` every time, once in each seat."""

    def table(num_games: int) -> BatchedGame:
        return games.find(game).new(num_games, num_players, variant=variant)

    found = {}
    for anchor in anchors:
        field = [load(anchor, game, num_players, variant)] * (num_players - 1)
        result = play_deals([agent, *field], table, game_seeds(EVALUATION_SEED, deals))
        scores, shares = result.scores, result.shares
        found[anchor] = Strength(*(float(each.mean()) for each in (shares[..., 0], scores[..., 0], scores[..., 1:])))
    return found
