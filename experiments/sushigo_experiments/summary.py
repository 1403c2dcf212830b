"""From finished games to figures: how each agent did against each field, with intervals by deal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sushigo_experiments._version import version
from sushigo_experiments.settings import Settings
from sushigo_experiments.statistics import CONFIDENCE, Estimate, score_estimate, share_estimate
from sushigo_experiments.store import Games, Store
from sushigo_experiments.tournament import Match, matches

Rows = NDArray[np.float64]


@dataclass(frozen=True)
class Row:
    """How an agent did against a field. Figures are a seat's: those of an agent in two seats are averaged over both."""

    agent: str
    field: str | tuple[str, ...]
    """The agent in all other seats, or all the agents of the mixed tables."""
    games: int
    """Games the agent sat in."""
    win_share: Estimate
    """A seat's part of the victory; 1 over the number of players is a fair share."""
    score: Estimate
    """A seat's final total."""
    field_score: Estimate
    """The final total of a seat held by another agent, at the same tables."""
    margin: Estimate
    """A seat's final total less that of the best other seat."""

    @property
    def mixed(self) -> bool:
        """Whether the tables were mixed."""
        return not isinstance(self.field, str)

    def as_json(self) -> dict[str, Any]:
        """The row as JSON-ready values; an interval that one deal cannot give is null."""
        return {
            "agent": self.agent,
            "field": self.field if isinstance(self.field, str) else list(self.field),
            "games": self.games,
            "win_share": self.win_share.mean,
            "win_share_ci": _pair(self.win_share),
            "mean_score": self.score.mean,
            "mean_score_ci": _pair(self.score),
            "field_mean_score": self.field_score.mean,
            "field_mean_score_ci": _pair(self.field_score),
            "margin": self.margin.mean,
            "margin_ci": _pair(self.margin),
        }


@dataclass(frozen=True)
class Summary:
    """A tournament's figures: a row an agent and field, and each agent's totals at the mixed tables."""

    settings: Settings
    rows: tuple[Row, ...]
    totals: dict[str, NDArray[np.int32]]
    """Agent -> int32[N]: its final totals at the mixed tables, a seat and game each."""

    def row(self, agent: str, field: str | None) -> Row | None:
        """The row of `agent` against `field`, or at the mixed tables where `field` is None; None if there is none."""
        for row in self.rows:
            if row.agent == agent and (row.mixed if field is None else row.field == field):
                return row
        return None

    def ranking(self) -> list[Row]:
        """The rows of the mixed tables, best win share first."""
        return sorted((row for row in self.rows if row.mixed), key=lambda row: -row.win_share.mean)

    def as_json(self) -> dict[str, Any]:
        """The whole as JSON-ready values."""
        told = self.settings.as_json()
        order = ("game", "players", "passing", "variant", "deals", "seed", "agents")
        return {
            **{name: told[name] for name in order if name in told},
            "confidence": CONFIDENCE,
            "version": version(),
            "matches": [row.as_json() for row in self.rows],
        }


def summarise(settings: Settings, store: Store) -> Summary:
    """The figures of a tournament all of whose games are in `store`."""
    rows: list[Row] = []
    totals: dict[str, NDArray[np.int32]] = {}
    for match in matches(settings):
        games = store.games(match.key)
        for agent, field in _measured(settings, match):
            name, seated = settings.agents[agent], games.seats == agent
            if not seated.any():  # a few deals may not bring everybody to the mixed tables
                continue
            rows.append(_row(name, field, games, seated))
            if match.mixed:
                totals[name] = games.totals[seated]
    order = {name: place for place, name in enumerate(settings.agents)}
    rows.sort(key=lambda row: (row.mixed, order[row.agent]))
    return Summary(settings, tuple(rows), totals)


def _measured(settings: Settings, match: Match) -> list[tuple[int, str | tuple[str, ...]]]:
    """Whom a match measures against which field; with 2 players each agent is the other's field."""
    agents = settings.agents
    if match.agent is None or match.field is None:
        return [(agent, agents) for agent in range(len(agents))]
    pairs: list[tuple[int, str | tuple[str, ...]]] = [(match.agent, agents[match.field])]
    if settings.players == 2:
        pairs.append((match.field, agents[match.agent]))
    return pairs


def _row(name: str, field: str | tuple[str, ...], games: Games, seated: NDArray[np.bool_]) -> Row:
    """The figures of the seats marked in `seated` (bool[D, R, P])."""
    return Row(
        agent=name,
        field=field,
        games=int(seated.any(axis=2).sum()),
        win_share=share_estimate(_by_deal(games.shares, seated)),
        score=score_estimate(_by_deal(games.totals, seated)),
        field_score=score_estimate(_by_deal(games.totals, ~seated & seated.any(axis=2, keepdims=True))),
        margin=score_estimate(_by_deal(margins(games.totals), seated)),
    )


def margins(totals: NDArray[np.integer[Any]]) -> NDArray[np.integer[Any]]:
    """int[..., P]: each seat's total less that of the best other seat, from totals int[..., P]."""
    ordered = np.sort(totals, axis=-1)
    best, second = ordered[..., -1:], ordered[..., -2:-1]
    return totals - np.where(totals == best, second, best)


def _by_deal(values: NDArray[Any], seated: NDArray[np.bool_]) -> Rows:
    """float64[D']: the average of `values` [D, R, P] over the marked seats of each deal that has any."""
    count = seated.sum(axis=(1, 2))
    total = np.where(seated, values, 0).sum(axis=(1, 2))
    return np.asarray(total[count > 0] / count[count > 0], np.float64)


def _pair(estimate: Estimate) -> list[float] | None:
    return None if estimate.interval is None else list(estimate.interval)
