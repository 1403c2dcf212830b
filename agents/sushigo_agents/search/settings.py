"""The settings of agents that search, as a spec gives them, checked in one place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Any

from sushigo_agents.search._tree import SELECTIONS
from sushigo_agents.search.rollout import ROLLOUTS
from sushigo_env.errors import AgentError, SettingError
from sushigo_env.sushi_go.cards import ROUNDS

HORIZONS = ("round", "game")
OTHERS = ("think", "rollout")
AIMS = ("win", "margin")
CHOICES = ("best", "mixed")
ALLOWED = {
    "rollout": ROLLOUTS,
    "horizon": HORIZONS,
    "selection": SELECTIONS,
    "others": OTHERS,
    "aim": AIMS,
    "choice": CHOICES,
}
"""Settings that are one of a few words."""
MOST_ITERATIONS = 1_000_000
MOST_TIME_MS, MOST_EXPLORE = 24 * 60 * 60 * 1000, 1000


@dataclass(frozen=True)
class SearchSettings:
    """How a decision is thought over. `SettingError` says what is allowed."""

    iterations: int = 2000
    """Iterations of `search`, or positions that `monte_carlo` tries every play in; with `time_ms`, the most."""
    time_ms: float = 0.0
    """If above 0, thinking stops after so many milliseconds; the result then depends on the machine's speed."""
    rollout: str = "quick"
    """How games are played on: by the rule of thumb `quick`, as `greedy` plays, or `random`."""
    horizon: str = "round"
    """How far: to the end of the `round`, or of the `game`."""
    selection: str = "puct"
    """How seats choose in the tree: `puct`, `uct` or `regret`."""
    others: str = "think"
    """How the other seats choose: by the tree as well (`think`), or as rollouts do (`rollout`)."""
    aim: str = "win"
    """What it plays for: to `win` the game, or the `margin`, its points less the best other's."""
    choice: str = "best"
    """What is played in the end: what is surely worth most, or a draw by how often each play was tried (`mixed`)."""
    explore: float = 1.0
    """Weight of what has been tried little, in `puct` and `uct`."""

    def __post_init__(self) -> None:
        _whole("iterations", self.iterations, 1, MOST_ITERATIONS)
        _number("time_ms", self.time_ms, MOST_TIME_MS)
        _number("explore", self.explore, MOST_EXPLORE)
        for name, allowed in ALLOWED.items():
            if getattr(self, name) not in allowed:
                raise SettingError(f"{name} must be one of {', '.join(allowed)}, not {getattr(self, name)!r}.")

    @property
    def rounds(self) -> int:
        """Rounds to look ahead, the present one included."""
        return 1 if self.horizon == "round" else ROUNDS

    def words(self, usual: Mapping[str, Any] = MappingProxyType({})) -> str:
        """What differs from an agent's `usual` settings, or else from the defaults, as a spec writes it."""
        told = {field.name: getattr(self, field.name) for field in fields(self)}
        usual = {name: getattr(type(self), name) for name in told} | dict(usual)
        return ",".join(f"{name}={value}" for name, value in told.items() if value != usual[name])


def settings_of(agent: str, told: dict[str, Any]) -> SearchSettings:
    """The settings that a spec gives to `agent`; `AgentError` in a sentence that names the agent."""
    known = [field.name for field in fields(SearchSettings)]
    for name in told:
        if name not in known:
            raise AgentError(f"agent {agent!r}: there is no setting {name!r}; there are policy, {', '.join(known)}.")
    try:
        return SearchSettings(**told)
    except SettingError as error:
        raise AgentError(f"agent {agent!r}: {error}") from error


def _whole(name: str, value: Any, low: int, high: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise SettingError(f"{name} must be a whole number from {low} to {high:,}, not {value!r}.")


def _number(name: str, value: Any, most: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= most:
        raise SettingError(f"{name} must be a number from 0 to {most:,}, not {value!r}.")
