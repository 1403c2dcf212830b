"""How strong a policy is by now: games against agents that stay the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sushigo_agents.match import play_deals
from sushigo_agents.registry import load

from sushigo_env.api.contract import Agent
from sushigo_env.seeding import game_seeds
from sushigo_env.sushi_go.game import SushiGo

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
    agent: Agent, num_players: int, variant: str, deals: int, anchors: Sequence[str] = ANCHORS
) -> dict[str, Strength]:
    """Play `agent` against tables full of each of `anchors`: the same `deals` every time, once in each seat."""

    def table(games: int) -> SushiGo:
        return SushiGo(games, num_players, variant=variant)

    found = {}
    for anchor in anchors:
        field = [load(anchor, SushiGo.name, num_players, variant)] * (num_players - 1)
        result = play_deals([agent, *field], table, game_seeds(EVALUATION_SEED, deals))
        scores, shares = result.scores, result.shares
        found[anchor] = Strength(*(float(each.mean()) for each in (shares[..., 0], scores[..., 0], scores[..., 1:])))
    return found
