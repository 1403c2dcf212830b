"""Tournaments: each agent against a field of each other agent, and all of them mixed.

- One against a field: the agent holds one seat, the other agent all the rest.
- Mixed: different agents at one table. For each deal those agents sit down that sat least often so far (lots decide
  between equals, and who sits beside whom): as many different agents as there are seats, or, with fewer agents than
  seats, each of them equally often. Over the deals every agent sits as often as any other, give or take one seat.

Every table plays its deal once in each rotation of the seats, so that each place at the table gets each hand, and the
luck of the deal cancels. Deal d of a tournament with seed s is the game of seed s + d. What is finished lands in a
`Store`, chunk by chunk; results depend neither on the chunks nor on threads.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sushigo_agents.match import play_games, victory_shares
from sushigo_agents.registry import load

from sushigo_env.api.contract import Agent, BatchedGame
from sushigo_env.errors import AgentError, SettingError
from sushigo_env.seeding import decision_keys, game_seeds
from sushigo_experiments.settings import Settings
from sushigo_experiments.store import Games, Store

FIRST_CHUNK, LARGEST_CHUNK = 16, 2048
"""Deals that a thread plays side by side at first, and at most."""
CHUNK_SECONDS = 1.0, 4.0
"""Chunks grow while they take less, and shrink when they take more, so that a killed run loses little."""


@dataclass(frozen=True)
class Match:
    """Games of one kind: `agent` against a field of `field` (indices of the settings' agents), or all mixed (None)."""

    key: int
    """The match's number in the store."""
    agent: int | None = None
    field: int | None = None

    @property
    def mixed(self) -> bool:
        """Whether all agents sit mixed."""
        return self.agent is None


def matches(settings: Settings) -> list[Match]:
    """All matches of a tournament: the ordered pairs of agents, then the mixed one.

    With 2 players A against B and B against A are the same games, played once, as the match of the first named.
    """
    agents = len(settings.agents)
    pairs = [
        (agent, field)
        for agent in range(agents)
        for field in range(agents)
        if agent != field and (agent < field or settings.players > 2)
    ]
    return [Match(key, agent, field) for key, (agent, field) in enumerate(pairs)] + [Match(len(pairs))]


def seating(settings: Settings, match: Match) -> NDArray[np.int64]:
    """int64[D, R, P]: index of the agent in each seat, by deal and rotation (R = P)."""
    players, deals = settings.players, settings.deals
    if match.agent is None or match.field is None:
        lineups = _mixed_lineups(settings)
    else:
        lineups = np.broadcast_to([match.agent] + [match.field] * (players - 1), (deals, players))
    seats = np.arange(players)
    place = (seats - np.arange(players)[:, None]) % players  # [R, P]: in rotation r, place i sits in seat i + r
    return np.asarray(lineups, np.int64)[:, place]


def load_teams(settings: Settings, threads: int = 1) -> list[list[Agent]]:
    """The agents of a tournament, in order, once a thread, since agents need not be safe to share.

    `AgentError` for one that is not to be had, `SettingError` for no threads.
    """
    if threads < 1:
        raise SettingError(f"threads must be 1 or more, not {threads}.")
    loaded = (settings.game, settings.players, settings.variant)
    return [[load(spec, *loaded) for spec in settings.agents] for _ in range(threads)]


def play(
    settings: Settings,
    teams: Sequence[list[Agent]],
    store: Store,
    progress: Callable[[int], None] = lambda games: None,
) -> None:
    """Play every game of the tournament that is not in `store` yet, in as many threads as there are `teams`.

    `progress(games)` is told how many games each chunk had. `AgentError` if an agent breaks its contract, with the
    agent, the seat and the deal; what was finished before stays in the store.
    """
    tables = [Table(settings, agents) for agents in teams]
    with ThreadPoolExecutor(len(tables), thread_name_prefix="table") as pool:
        for match in matches(settings):
            seats = seating(settings, match)
            for deals in _chunks(_deals_left(settings, store, match), len(tables)):
                parts = np.array_split(deals, min(len(tables), len(deals)))
                try:
                    played = list(pool.map(Table.play, tables, [seats[part] for part in parts], parts))
                except AgentError as error:
                    raise AgentError(f"the tournament stopped: {error}") from error
                for part, (totals, shares) in zip(parts, played, strict=True):
                    store.add(match.key, part, Games(seats[part], totals, shares))
                progress(len(deals) * settings.players)


def total_games(settings: Settings) -> int:
    """How many games a tournament has."""
    return len(matches(settings)) * settings.deals * settings.players


def games_left(settings: Settings, store: Store) -> int:
    """How many of them are not in `store` yet."""
    return sum(len(_deals_left(settings, store, match)) for match in matches(settings)) * settings.players


def _deals_left(settings: Settings, store: Store, match: Match) -> NDArray[np.int64]:
    return np.setdiff1d(np.arange(settings.deals), store.deals_played(match.key))


class Table:
    """Where one thread plays games of a tournament, many side by side."""

    def __init__(self, settings: Settings, agents: list[Agent]) -> None:
        self._settings, self._agents = settings, agents
        self._seeds = game_seeds(settings.seed, settings.deals)
        self._game: BatchedGame | None = None

    def play(self, seats: NDArray[np.int64], deals: NDArray[np.int64]) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        """Totals int32[N, R, P] and victory shares float64[N, R, P] of `seats` int64[N, R, P] at `deals` int64[N]."""
        count, rotations, players = seats.shape
        if self._game is None or self._game.num_games != count * rotations:
            self._game = self._settings.new_game(count * rotations)
        seeds = np.repeat(self._seeds[deals], rotations)
        play_games(self._game, self._agents, seats.reshape(-1, players), seeds, names=self._settings.agents)
        totals, shares = self._game.scores, victory_shares(self._game.standings)
        return totals.reshape(seats.shape).copy(), shares.reshape(seats.shape)


def _chunks(deals: NDArray[np.int64], threads: int) -> Iterator[NDArray[np.int64]]:
    """`deals` in pieces for all threads together, sized by the time the piece before took."""
    size, at = FIRST_CHUNK, 0
    short, long = CHUNK_SECONDS
    while at < len(deals):
        start = time.monotonic()
        yield deals[at : at + size * threads]
        at += size * threads
        spent = time.monotonic() - start
        if spent < short:
            size = min(2 * size, LARGEST_CHUNK)
        elif spent > long:
            size = max(1, size // 2)


def _mixed_lineups(settings: Settings) -> NDArray[np.int64]:
    """int64[D, P]: the agents at the mixed table of each deal, in the order they sit."""
    players, agents = settings.players, len(settings.agents)
    seeds = game_seeds(settings.seed, settings.deals)
    lots, places = _lots(seeds, agents, 0), _lots(seeds, players, 1)
    sat = np.zeros(agents, np.int64)
    lineups = np.empty((settings.deals, players), np.int64)
    for deal in range(settings.deals):
        least_first = np.lexsort((lots[deal], sat))
        chosen = np.resize(least_first, players)  # over again, if there are fewer agents than seats
        sat += np.bincount(chosen, minlength=agents)
        lineups[deal] = chosen[np.argsort(places[deal])]
    return lineups


def _lots(seeds: NDArray[np.uint64], count: int, which: int) -> NDArray[np.uint64]:
    """uint64[D, count]: random numbers of the deals' own; the `which`-th set of them."""
    rows = np.repeat(seeds, count)
    return decision_keys(rows, np.tile(np.arange(count), len(seeds)), which).reshape(len(seeds), count)
