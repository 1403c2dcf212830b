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
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sushigo_agents.match import play_games, victory_shares
from sushigo_agents.registry import load

from sushigo_env.api.contract import Agent, BatchedGame
from sushigo_env.errors import AgentError
from sushigo_env.seeding import decision_keys, game_seeds
from sushigo_env.sushi_go.game import SushiGo
from sushigo_experiments.settings import Settings
from sushigo_experiments.store import Games, Store

FIRST_CHUNK, LARGEST_CHUNK = 16, 2048
"""Deals played side by side at first, and at most."""
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


def load_agents(settings: Settings) -> list[Agent]:
    """The agents of a tournament, in order; `AgentError` for one that is not to be had."""
    return [load(spec, settings.game, settings.players, settings.variant) for spec in settings.agents]


def play(
    settings: Settings,
    agents: list[Agent],
    store: Store,
    threads: int = 1,
    progress: Callable[[int], None] = lambda games: None,
) -> None:
    """Play every game of the tournament that is not in `store` yet.

    `progress(games)` is told how many games each chunk had. `AgentError` if an agent breaks its contract, with the
    agent, the seat and the deal; what was finished before stays in the store.
    """
    table = Table(settings, agents, threads)
    for match in matches(settings):
        seats = seating(settings, match)
        for deals in _chunks(_deals_left(settings, store, match)):
            try:
                totals, shares = table.play(seats[deals], deals)
            except AgentError as error:
                raise AgentError(f"the tournament stopped: {error}") from error
            store.add(match.key, deals, Games(seats[deals], totals, shares))
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
    """Where the games of a tournament are played, many side by side."""

    def __init__(self, settings: Settings, agents: list[Agent], threads: int) -> None:
        self._settings, self._agents, self._threads = settings, agents, threads
        self._seeds = game_seeds(settings.seed, settings.deals)
        self._game: BatchedGame | None = None

    def play(self, seats: NDArray[np.int64], deals: NDArray[np.int64]) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        """Totals int32[N, R, P] and victory shares float64[N, R, P] of `seats` int64[N, R, P] at `deals` int64[N]."""
        count, rotations, players = seats.shape
        game = self._game = self._game_of(count * rotations)
        seeds = np.repeat(self._seeds[deals], rotations)
        play_games(game, self._agents, seats.reshape(-1, players), seeds, names=self._settings.agents)
        return game.scores.reshape(seats.shape).copy(), victory_shares(game.standings).reshape(seats.shape)

    def _game_of(self, games: int) -> BatchedGame:
        if self._game is not None and self._game.num_games == games:
            return self._game
        return new_game(self._settings, games, self._threads)


def new_game(settings: Settings, games: int, threads: int = 1) -> BatchedGame:
    """`games` games of the settings' kind."""
    return SushiGo(games, settings.players, passing=settings.passing, variant=settings.variant, num_threads=threads)


def _chunks(deals: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """`deals` in pieces, sized by the time the piece before took."""
    size, at = FIRST_CHUNK, 0
    short, long = CHUNK_SECONDS
    while at < len(deals):
        start = time.monotonic()
        yield deals[at : at + size]
        at += size
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
