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
    deals, players = len(seeds), len(lineup)
    if deals == 0:
        raise SettingError("there must be at least 1 deal to play, not 0.")
    rotations = players if rotate else 1
    places = np.arange(players)
    seats = (places + np.arange(rotations)[:, None]) % players  # [R, P] place in the lineup -> seat
    seating = np.argsort(seats, axis=1)  # [R, P] seat -> place in the lineup
    scores = np.empty((deals, rotations, players), np.int32)
    shares = np.empty((deals, rotations, players), np.float64)
    kept: list[dict[str, Any]] = []
    at_once = max(1, GAMES_AT_ONCE // rotations)
    game: BatchedGame | None = None
    for start in range(0, deals, at_once):
        chunk = slice(start, min(start + at_once, deals))
        count = chunk.stop - start
        if game is None or game.num_games != count * rotations:
            game = new_game(count * rotations)
        play_games(game, lineup, np.tile(seating, (count, 1)), np.repeat(seeds[chunk], rotations), names=names)
        for out, by_seat in ((scores, game.scores), (shares, victory_shares(game.standings))):
            out[chunk] = np.take_along_axis(by_seat.reshape(count, rotations, players), seats[None], axis=2)
        if records:
            kept += [game.record(index) for index in range(game.num_games)]
        if progress is not None:
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
    if seating.shape != (game.num_games, game.num_players):
        raise SettingError(f"a table for {game.num_players} needs {game.num_players} agents, not {len(agents)}.")
    if not 0 <= seating.min() <= seating.max() < len(agents):
        raise SettingError(f"seating must name agents 0 to {len(agents) - 1}, not {seating.min()} to {seating.max()}.")
    called = list(names) if names is not None else [name_of(agent) for agent in agents]
    game.reset(seeds=seeds)
    decisions = np.zeros(seating.shape, np.int64)
    actions = np.zeros(seating.shape, np.int32)
    seats_by_agent = _seats_by_agent(agents, seating)
    settings = {agent.observation for agent, _ in seats_by_agent}
    game_keys = game.seeds
    while not game.done.all():
        to_move = game.to_move
        legal = game.legal()
        seen = {setting: game.observe(setting) for setting in settings}
        for agent, seated in seats_by_agent:
            rows, seats = np.nonzero(seated & to_move)
            if rows.size == 0:
                continue
            mask = legal[rows, seats]
            keys = decision_keys(game_keys[rows], seats, decisions[rows, seats])
            chosen = agent.act(seen[agent.observation][rows, seats], mask, keys)
            wrong = _broken_contract(game, chosen, mask)
            if wrong is not None:
                at, what = wrong
                row, seat = rows[at], seats[at]
                name = called[seating[row, seat]]
                raise AgentError(f"agent {name} in seat {seat} of the deal with seed {seeds[row]} {what}.")
            actions[rows, seats] = chosen
        decisions += to_move
        game.step(actions)


def victory_shares(standings: NDArray[np.int32]) -> NDArray[np.float64]:
    """float64[B, P]: each game's victory, split evenly among those in front, from its standings (int32[B, P])."""
    first = standings == standings.max(axis=1, keepdims=True)
    shares: NDArray[np.float64] = first / first.sum(axis=1, keepdims=True)
    return shares


def name_of(agent: Agent) -> str:
    """Tell what to call an agent: its own `name` if it has one, else its class."""
    return str(getattr(agent, "name", type(agent).__name__))


def _seats_by_agent(
    agents: Sequence[Agent], seating: NDArray[np.integer[Any]]
) -> list[tuple[Agent, NDArray[np.bool_]]]:
    """Each different agent with the seats it holds (bool[B, P]): one object in several places is asked once."""
    places: dict[int, list[int]] = {}
    for place, agent in enumerate(agents):
        places.setdefault(id(agent), []).append(place)
    seated = [(agents[held[0]], np.isin(seating, held)) for held in places.values()]
    return [(agent, seats) for agent, seats in seated if seats.any()]


def _broken_contract(game: BatchedGame, chosen: object, mask: NDArray[np.bool_]) -> tuple[int, str] | None:
    """None, or the first row at fault and what the agent did wrong there, in words."""
    count, width = mask.shape
    if not isinstance(chosen, np.ndarray) or not np.issubdtype(chosen.dtype, np.integer):
        kind = f"an array of {chosen.dtype}" if isinstance(chosen, np.ndarray) else type(chosen).__name__
        return 0, f"returned {kind} where an array of integers is wanted"
    if chosen.shape != (count,):
        return 0, f"returned actions of shape {chosen.shape} where {(count,)} is wanted"
    outside = (chosen < 0) | (chosen >= width)
    illegal = outside | ~mask[np.arange(count), np.where(outside, 0, chosen)]
    if not illegal.any():
        return None
    at = int(illegal.argmax())
    action = int(chosen[at])
    if outside[at]:
        return at, f"returned action {action}, which is out of range (0 to {width - 1})"
    legal = "; ".join(game.describe_action(int(allowed)) for allowed in np.flatnonzero(mask[at]))
    return at, f"chose an illegal play, {game.describe_action(action)} (action {action}); legal were: {legal}"
