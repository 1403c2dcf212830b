"""Seats at tables: agents play games of any batched game, and every deal is played once a seat rotation.

Statistics (means, intervals, tables) are made from a `Result` elsewhere; here games are only played.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sushigo_env.api.asking import ask, name_of
from sushigo_env.api.contract import Agent, BatchedGame
from sushigo_env.api.opponents import check_agent, check_config
from sushigo_env.errors import SettingError
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
    progress: Callable[[int], None] = lambda deals: None,
) -> Result:
    """Play each deal once in every rotation of the lineup, or once as it stands without `rotate`.

    `lineup` holds an agent a seat; the same object may sit in several. `new_game(B)` makes B games, such as
    `lambda games: SushiGo(games, num_players=4)`. `seeds` uint64[D] are the deals, as `seeding.game_seeds` gives them.
    `names` are what errors call the agents (default: each agent's own `name`). `progress(deals)` is told after each
    batch how many deals are finished. A deal's games are the same whatever else is played beside it.

    `AgentError` names an agent that broke its contract, its seat and the deal, or one that was made for another table;
    `SettingError` for a lineup that does not fill the table, or no deals.
    """
    deals = len(seeds)
    if deals == 0:
        raise SettingError("there must be at least 1 deal to play, not 0.")
    seats = _rotations(len(lineup), len(lineup) if rotate else 1)
    scores = np.empty((deals, *seats.shape), np.int32)
    shares = np.empty((deals, *seats.shape), np.float64)
    kept: list[dict[str, Any]] = []
    game: BatchedGame | None = None
    for chunk in _chunks(deals, len(seats)):
        seating = np.tile(np.argsort(seats, axis=1), (chunk.stop - chunk.start, 1))
        if game is None or game.num_games != len(seating):
            game = new_game(len(seating))
        play_games(game, lineup, seating, np.repeat(seeds[chunk], len(seats)), names=names)
        scores[chunk] = _by_place(game.scores, seats)
        shares[chunk] = _by_place(victory_shares(game.standings), seats)
        if records:
            kept += [game.record(index) for index in range(game.num_games)]
        progress(chunk.stop)
    return Result(np.asarray(seeds, np.uint64), scores, shares, kept)


def play_games(
    game: BatchedGame,
    agents: Sequence[Agent],
    seating: NDArray[np.integer[Any]],
    seeds: NDArray[np.uint64],
    *,
    names: Sequence[str] | None = None,
) -> None:
    """Reset the B games of `game` with `seeds` (uint64[B]) and play them to the end.

    `seating` int[B, P] tells which of `agents` sits where; there may be more agents than seats. Every agent is asked
    once a step, for all its seats at all tables together. Errors as in `play_deals`.
    """
    _check_seating(game, agents, seating)
    called = list(names) if names is not None else [name_of(agent) for agent in agents]
    if len(called) != len(agents):
        raise SettingError(f"names must be {len(agents)}, one for each agent, not {len(called)}.")
    for agent, name in zip(agents, called, strict=True):
        check_agent(agent, name, game.name, game.num_players, game.variant, game.observations)
        check_config(agent, game)
    game.reset(seeds=seeds)
    decisions = np.zeros(seating.shape, np.int64)
    actions = np.zeros(seating.shape, np.int32)
    seats_by_agent = _seats_by_agent(agents, seating)
    game_keys = game.seeds
    while not game.done.all():
        to_move = game.to_move
        legal = game.legal()
        seen: dict[str, NDArray[np.uint8]] = {}  # by setting: made once a step, and only if somebody is to move by it
        for agent, seated in seats_by_agent:
            rows, seats = np.nonzero(seated & to_move)
            if rows.size == 0:
                continue
            keys = decision_keys(game_keys[rows], seats, decisions[rows, seats])
            who = partial(_who, called, seating, seeds, rows, seats)
            if agent.observation not in seen:
                seen[agent.observation] = game.observe(agent.observation)
            actions[rows, seats] = ask(agent, game, seen[agent.observation][rows, seats], legal[rows, seats], keys, who)
        decisions += to_move
        game.step(actions)


def victory_shares(standings: NDArray[np.int32]) -> NDArray[np.float64]:
    """float64[B, P]: each game's victory, split evenly among those in front, from its standings (int32[B, P])."""
    first = standings == standings.max(axis=1, keepdims=True)
    shares: NDArray[np.float64] = first / first.sum(axis=1, keepdims=True)
    return shares


def _rotations(players: int, rotations: int) -> NDArray[np.int64]:
    """int64[R, P]: the seat of each place in the lineup, by rotation."""
    return (np.arange(players) + np.arange(rotations)[:, None]) % players


def _chunks(deals: int, rotations: int) -> Iterator[slice]:
    """The deals in pieces of about `GAMES_AT_ONCE` games."""
    at_once = max(1, GAMES_AT_ONCE // rotations)
    for start in range(0, deals, at_once):
        yield slice(start, min(start + at_once, deals))


def _by_place(by_seat: NDArray[Any], seats: NDArray[np.int64]) -> NDArray[Any]:
    """[D, R, P] by place in the lineup, from figures by seat of D * R games ([D * R, P]) and `_rotations`."""
    return np.take_along_axis(by_seat.reshape(-1, *seats.shape), seats[None], axis=2)


def _check_seating(game: BatchedGame, agents: Sequence[Agent], seating: NDArray[np.integer[Any]]) -> None:
    if seating.shape != (game.num_games, game.num_players):
        raise SettingError(f"a table for {game.num_players} needs {game.num_players} agents, not {len(agents)}.")
    if not 0 <= seating.min() <= seating.max() < len(agents):
        raise SettingError(f"seating must name agents 0 to {len(agents) - 1}, not {seating.min()} to {seating.max()}.")


def _who(
    called: Sequence[str],
    seating: NDArray[np.integer[Any]],
    seeds: NDArray[np.uint64],
    games: NDArray[np.int64],
    seats: NDArray[np.int64],
    row: int,
) -> str:
    """Name the agent that is asked at seat `seats[row]` of game `games[row]`."""
    game, seat = games[row], seats[row]
    return f"agent {called[seating[game, seat]]} in seat {seat} of the deal with seed {seeds[game]}"


def _seats_by_agent(
    agents: Sequence[Agent], seating: NDArray[np.integer[Any]]
) -> list[tuple[Agent, NDArray[np.bool_]]]:
    """Each different agent with the seats it holds (bool[B, P]): one object in several places is asked once."""
    places: dict[int, list[int]] = {}
    for place, agent in enumerate(agents):
        places.setdefault(id(agent), []).append(place)
    seated = [(agents[held[0]], np.isin(seating, held)) for held in places.values()]
    return [(agent, seats) for agent, seats in seated if seats.any()]
