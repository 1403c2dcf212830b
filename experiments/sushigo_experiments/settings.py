"""What is played: the settings of a tournament, checked at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sushigo_env import games
from sushigo_env.api.contract import BatchedGame
from sushigo_env.errors import SettingError
from sushigo_env.seeding import game_seeds

MAX_DEALS = 1_000_000
"""Far beyond what tells agents apart; the figures of so many deals still fit into memory."""


@dataclass(frozen=True)
class Settings:
    """A tournament: which agents, at which tables, on which deals. `SettingError` says what is allowed."""

    agents: tuple[str, ...]
    """Spec strings of the agents, two or more, all different."""
    players: int
    deals: int
    seed: int = 0
    """Deal d is the game of seed `seed + d`."""
    passing: str = ""
    """Who gets a hand next: nothing stands for the game's usual way, and for a game in which no hands are passed."""
    variant: str = "standard"
    game: str = games.DEFAULT

    def __post_init__(self) -> None:
        ways = games.find(self.game).passings
        if not self.passing and ways:
            object.__setattr__(self, "passing", ways[0])  # so that the same table is told by the same settings
        if self.passing and not ways:
            raise SettingError(f"no hands are passed in {self.game}, so leave passing out, not {self.passing!r}.")
        self.new_game(1)  # whose sentences say what the rules do not know
        if not 1 <= self.deals <= MAX_DEALS:
            raise SettingError(f"deals must be at least 1 and at most {MAX_DEALS:,}, not {self.deals}.")
        game_seeds(self.seed, 1)
        _check_agents(self.agents)

    def new_game(self, num_games: int) -> BatchedGame:
        """So many games at this table."""
        passing = {"passing": self.passing} if self.passing else {}
        return games.find(self.game).new(num_games, self.players, variant=self.variant, **passing)

    def identity(self) -> dict[str, Any]:
        """All that decides a game's outcome, as JSON-ready values: everything but the number of deals."""
        return {name: value for name, value in self.as_json().items() if name != "deals"}

    def as_json(self) -> dict[str, Any]:
        """As JSON-ready values; without `passing` where no hands are passed."""
        told = asdict(self) | {"agents": list(self.agents)}
        return {name: value for name, value in told.items() if value != ""}


def _check_agents(agents: Sequence[str]) -> None:
    if len(agents) < 2:
        raise SettingError(f"a tournament needs at least 2 different agents, not {len(agents)}.")
    for agent in agents:
        if agents.count(agent) > 1:
            raise SettingError(f"agent {agent} is named {agents.count(agent)} times; name each once.")
