"""What the tests of agents that search share: positions to ask them about, and ways to make them."""

from __future__ import annotations

import numpy as np
from sushigo_agents.search.monte_carlo import MonteCarlo
from sushigo_agents.search.search import Search

from sushigo_env import seeding
from sushigo_env.sushi_go.game import SushiGo
from sushigo_env.sushi_go.position import Position

KEYS = np.arange(3, dtype=np.uint64)


def games_at(position: Position, num_players: int) -> SushiGo:
    game = SushiGo(len(KEYS), num_players)
    game.reset(seeds=seeding.game_seeds(1, len(KEYS)), options={"position": position})
    return game


def chosen(agent, position: Position, num_players: int) -> list[int]:
    """What it plays in seat 0, by three keys."""
    game = games_at(position, num_players)
    return agent.act(game.observe()[:, 0].copy(), game.legal()[:, 0].copy(), KEYS).tolist()


GREEDY = {"rollout": "greedy", "others": "rollout"}
MAKERS = {
    "search": lambda players, variant: Search("sushi_go", players, variant, iterations=60),
    "regret": lambda players, variant: Search("sushi_go", players, variant, iterations=60, selection="regret"),
    "game": lambda players, variant: Search("sushi_go", players, variant, iterations=60, horizon="game"),
    "model": lambda players, variant: Search("sushi_go", players, variant, iterations=60, **GREEDY),
    "guided": lambda players, variant: Search("sushi_go", players, variant, iterations=30, policy="zoo:self_play"),
    "monte_carlo": lambda players, variant: MonteCarlo("sushi_go", players, variant, iterations=20),
}


def decisions(num_players: int, variant: str = "standard", games: int = 4, steps: int = 3):
    """Some decisions on the way through some games: observations, masks, keys."""
    game = SushiGo(games, num_players, variant=variant)
    game.reset(seeds=seeding.game_seeds(5, games))
    found = []
    for step in range(steps * 3):
        keys = seeding.decision_keys(np.repeat(game.seeds, num_players), np.tile(np.arange(num_players), games), step)
        seen, mask = game.observe().reshape(len(keys), -1).copy(), game.legal().reshape(len(keys), -1).copy()
        if step % 3 == 2:
            found.append((seen, mask, keys))
        game.step(seeding.uniform_actions(mask, keys).reshape(games, num_players))
    seen, mask, keys = (np.concatenate(part) for part in zip(*found, strict=True))
    able = mask.any(axis=1)
    return seen[able], mask[able], keys[able]
