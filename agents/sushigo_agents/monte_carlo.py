"""The one name `monte_carlo`: whichever game is played gets its own agent of that kind."""

from __future__ import annotations

from typing import Any

from sushigo_agents.boat.base import GAME as BOAT
from sushigo_agents.boat.monte_carlo import BoatMonteCarlo
from sushigo_agents.search.monte_carlo import MonteCarlo
from sushigo_env.api.contract import Agent
from sushigo_env.errors import AgentError


class MonteCarloOfAGame:
    """A factory of `monte_carlo` agents; see `search.monte_carlo` and `boat.monte_carlo` for the settings."""

    games = (*MonteCarlo.games, BOAT)
    """What it can make agents for."""

    def __call__(
        self,
        game: str,
        num_players: int,
        variant: str,
        *,
        iterations: int | None = None,
        time_ms: float | None = None,
        rollout: str | None = None,
        horizon: str | None = None,
    ) -> Agent:
        """The agent for a table, with the game's own defaults for what is not told. Errors as the agents raise them."""
        if game not in self.games:
            raise AgentError(f"agent 'monte_carlo' plays {' and '.join(self.games)}, not {game!r}.")
        told = {"iterations": iterations, "time_ms": time_ms, "rollout": rollout, "horizon": horizon}
        settings: dict[str, Any] = {name: value for name, value in told.items() if value is not None}
        made = BoatMonteCarlo if game == BOAT else MonteCarlo
        return made(game, num_players, variant, **settings)

    def specs(self, game: str, num_players: int, variant: str) -> list[str]:
        """None: thinking takes its time, so it plays in a tournament of all only if it is asked to."""
        return []


monte_carlo = MonteCarloOfAGame()
