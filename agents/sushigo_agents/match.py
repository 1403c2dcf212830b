"""Seats at tables: agents play games of any batched game, and every deal is played once a seat rotation.

Statistics (means, intervals, tables) are made from a `Result` elsewhere; here games are only played.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sushigo_env.api.contract import Agent, BatchedGame
from sushigo_env.errors import AgentError, SettingError
from sushigo_env.seeding import decision_keys

GAMES_AT_ONCE = 8192
"""About as many games as are played side by side; results do not depend on it, memory does (some 2 KB a game)."""


@dataclass(frozen=True)
class Result:
    """What a lineup of P agents did on D deals, each played in R seatings; the last axis goes by place in the lineup.

    In rotation r the agent at place i of the lineup sits in seat (i + r) mod P.
    """

    seeds: NDArray[np.uint64]
    """uint64[D]: seed of each deal."""
    scores: NDArray[np.int32]
    """int32[D, R, P]: final totals."""
    shares: NDArray[np.float64]
    """float64[D, R, P]: parts of the victory, 1 a game: a victory shared by two is half a victory for each."""
    records: list[dict[str, Any]] = field(default_factory=list)
    """The finished games, deal by deal, rotation by rotation, if they were asked for; else empty."""


def play_deals(
    lineup: Sequence[Agent],
    new_game: Callable[[int], BatchedGame],
    seeds: NDArray[np.uint64],
    *,
    names: Sequence[str] | None = None,
    rotate: bool = True,
    records: bool = False,
    progress: Callable[[int], None] | None = None,
) -> Result:
    """Play each deal once in every rotation of the lineup, or once as it stands without `rotate`.

    `lineup` holds an agent a seat; the same object may sit in several. `new_game(B)` makes B games, such as
    `lambda games: SushiGo(games, num_players=4)`. `seeds` uint64[D] are the deals, as `seeding.game_seeds` gives them.
    `names` are what errors call the agents (default: each agent's own `name`). `progress(deals)` is told after each
    batch how many deals are finished. A deal's games are the same whatever else is played beside it.

    `AgentError` names an agent that broke its contract, its seat and the deal; `SettingError` for a lineup that does
    not fill the table, or no deals.
    """


def play_games(
    game: BatchedGame,
    agents: Sequence[Agent],
    seating: NDArray[np.integer[Any]],
    seeds: NDArray[np.uint64],
    *,
    names: Sequence[str] | None = None,
) -> None:
    """Reset the B games of `game` with `seeds` (uint64[B]) and play them to the end.

    `seating` int[B, P] tells which of `agents` sits where. Every agent is asked once a step, for all its seats at all
    tables together. Errors as in `play_deals`.
    """


def victory_shares(standings: NDArray[np.int32]) -> NDArray[np.float64]:
    """float64[B, P]: each game's victory, split evenly among those in front, from its standings (int32[B, P])."""
    first = standings == standings.max(axis=1, keepdims=True)
    return first / first.sum(axis=1, keepdims=True)
