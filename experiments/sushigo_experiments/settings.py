"""What is played: the settings of a tournament, checked at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sushigo_env.errors import SettingError
from sushigo_env.seeding import game_seeds
from sushigo_env.sushi_go.cards import PASSINGS, hand_size

GAMES = ("sushi_go",)
"""The games that tournaments are played in."""

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
    passing: str = "left"
    variant: str = "standard"
    game: str = "sushi_go"

    def __post_init__(self) -> None:
        if self.game not in GAMES:
            raise SettingError(f"game must be one of {', '.join(GAMES)}, not {self.game!r}.")
        hand_size(self.players, self.variant)
        if self.passing not in PASSINGS:
            raise SettingError(f"passing must be one of {', '.join(PASSINGS)}, not {self.passing!r}.")
        if not 1 <= self.deals <= MAX_DEALS:
            raise SettingError(f"deals must be at least 1 and at most {MAX_DEALS:,}, not {self.deals}.")
        game_seeds(self.seed, 1)
        _check_agents(self.agents)

    def identity(self) -> dict[str, Any]:
        """All that decides a game's outcome, as JSON-ready values: everything but the number of deals."""
        settings = asdict(self)
        del settings["deals"]
        return settings | {"agents": list(self.agents)}


def _check_agents(agents: Sequence[str]) -> None:
    if len(agents) < 2:
        raise SettingError(f"a tournament needs at least 2 different agents, not {len(agents)}.")
    for agent in agents:
        if agents.count(agent) > 1:
            raise SettingError(f"agent {agent} is named {agents.count(agent)} times; name each once.")
