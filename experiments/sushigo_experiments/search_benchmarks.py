"""What searching is timed by: whole games played on as a search does it, by compiled rules of thumb."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from sushigo_agents.search.fitted import table
from sushigo_agents.search.rollout import ROLLOUTS, play_games

from sushigo_env import _threads
from sushigo_env.seeding import game_seeds
from sushigo_env.sushi_go.cards import ROUNDS
from sushigo_env.sushi_go.game import SushiGo

if TYPE_CHECKING:
    from sushigo_experiments.benchmarks import Played, Run

GAMES_PLAYED = 4096


def rollouts(rollout: str, players: int, games: int, threads: int) -> Run:
    """Games from deal to end, with no observations and no masks kept: `rollout` is `quick` or `random`."""
    from sushigo_experiments.benchmarks import Played

    game, here, policy = SushiGo(games, players, num_threads=threads), table(players), ROLLOUTS.index(rollout)
    slices = _threads.share(games, threads)
    batches = max(1, GAMES_PLAYED // games)

    def run() -> Played:
        points = 0
        for batch in range(batches):
            seeds = game_seeds(batch * games, games)
            game.reset(seeds=seeds)
            _threads.run(play_games, slices, game.table.rows, here, policy, seeds)
            points += int(game.scores.sum())
        totals = batches * games * players
        return Played(totals * game.hand_size * ROUNDS, points, totals)

    return run


rollouts_quick, rollouts_random = partial(rollouts, "quick"), partial(rollouts, "random")
