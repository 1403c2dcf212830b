"""Whole games played by a learner, against itself and others, as rows to learn from."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray
from sushigo_agents.match import victory_shares

from sushigo_env.api import rewards
from sushigo_env.api.contract import Agent, BatchedGame
from sushigo_env.seeding import decision_keys
from sushigo_train.league import Match


class Chooser(Protocol):
    """What a learner is to a rollout."""

    def see(
        self, observation: NDArray[np.uint8], action_mask: NDArray[np.bool_], keys: NDArray[np.uint64]
    ) -> NDArray[np.uint8]:
        """uint8[N, K]: what its network takes for rows uint8[N, D]."""

    def choose(
        self, inputs: NDArray[np.uint8], action_mask: NDArray[np.bool_], keys: NDArray[np.uint64]
    ) -> tuple[NDArray[np.int32], NDArray[np.float32], NDArray[np.float32]]:
        """Actions int32[N], drawn by the keys, their log-probabilities float32[N], and values float32[N]."""


class Seating(NamedTuple):
    """Who sits where in an iteration's games; seats are counted through all games, seat p of game b being b * P + p."""

    matches: list[Match]
    games: list[slice]
    """The games of each match."""
    learning: NDArray[np.int64]
    """int64[N]: the learner's seats."""
    opposing: list[NDArray[np.int64]]
    """Of each match, the opponent's seats; none in pure self-play."""


def seat(matches: Sequence[Match], role: str, num_players: int) -> Seating:
    """Give each match its games in a row; against others the learner's seat goes round from game to game."""
    games, learning, opposing, start = [], [], [], 0
    for match in matches:
        seats = np.arange(start * num_players, (start + match.games) * num_players)
        of_learner = np.ones(len(seats), np.bool_)
        if match.opponent != role:
            of_learner = seats % num_players == seats // num_players % num_players
        games.append(slice(start, start + match.games))
        learning.append(seats[of_learner])
        opposing.append(seats[~of_learner])
        start += match.games
    return Seating(list(matches), games, np.concatenate(learning), opposing)


@dataclass(frozen=True)
class Rollout:
    """T steps of N learning seats. `decided` bool[T, N]: more than one action was legal.

    T is the length of the longest game; a seat decides nothing while others are to move, and once its game is over.

    `inputs` uint8[R, K] (what the learner's network takes), `action_mask` bool[R, A], `actions` int64[R] and
    `log_probs` float32[R] are the R rows where it is True, in its order; `values` and `rewards` are float32[T, N],
    values 0 elsewhere.
    """

    inputs: NDArray[np.uint8]
    action_mask: NDArray[np.bool_]
    actions: NDArray[np.int64]
    log_probs: NDArray[np.float32]
    values: NDArray[np.float32]
    rewards: NDArray[np.float32]
    decided: NDArray[np.bool_]
    decisions: int
    """Times that a learning seat was to move, forced moves included."""
    shares: list[float]
    """Of each match, the learner's win shares added up over its games (in self-play those of all seats)."""
    mean_score: float
    """Of the learning seats."""
    environment_s: float
    """Seconds that the games themselves took: observations, masks, steps."""


def collect(
    game: BatchedGame,
    seeds: NDArray[np.uint64],
    seating: Seating,
    learner: Chooser,
    opponents: Mapping[str, Agent],
    win_weight: float,
    margin_weight: float,
) -> Rollout:
    """Play the games of `seeds` (uint64[B]) to the end and keep what the learner saw and did.

    A seat is paid `margin_weight` times each change of its margin (points over the best other seat), when the game's
    points change, and at its game's end `win_weight` times the reward `win`. `opponents` are the matches' opponents by
    name.
    """
    clock = _Clock()
    with clock:
        game.reset(seeds=seeds)
    seats, players = seating.learning, game.num_players
    keys_of, seat_of = np.repeat(game.seeds, players), np.tile(np.arange(players), game.num_games)
    step, decisions = 0, 0
    kept: list[tuple[NDArray[np.uint8], NDArray[np.bool_], NDArray[np.int32], NDArray[np.float32]]] = []
    values, paid, decided = [], [], []
    margin = rewards.margin(game.scores)
    actions = np.zeros(game.num_games * players, np.int32)
    while not game.done.all():
        with clock:
            legal = game.legal().reshape(len(actions), -1)
            seen = game.observe().reshape(len(actions), -1)
        keys = decision_keys(keys_of, seat_of, step)
        mask = legal[seats]
        choices = np.count_nonzero(mask, axis=1)
        decides = choices > 1
        rows = seats[decides]
        value = np.zeros(len(seats), np.float32)
        actions[seats] = mask.argmax(axis=1)
        if len(rows):
            inputs = learner.see(seen[rows], mask[decides], keys[rows])
            chosen, log_probs, value[decides] = learner.choose(inputs, mask[decides], keys[rows])
            actions[rows] = chosen
            kept.append((inputs, mask[decides], chosen, log_probs))
        _ask_opponents(game, seating, opponents, legal, {game.observation: seen}, keys, actions)
        decisions += int(np.count_nonzero(game.to_move.reshape(-1)[seats]))
        playing = ~game.done
        with clock:
            game.step(actions.reshape(-1, players))
        before, margin = margin, rewards.margin(game.scores)
        due = margin_weight * (margin - before)
        over = playing & game.done
        if over.any():
            due[over] += win_weight * rewards.win(game.standings[over])
        values.append(value)
        decided.append(decides)
        paid.append(due.reshape(-1)[seats].astype(np.float32))
        step += 1
    shares = victory_shares(game.standings)
    won = np.zeros(len(actions))
    won[seats] = shares.reshape(-1)[seats]
    inputs, masks, chosen, log_probs = (np.concatenate(part) for part in zip(*kept, strict=True))
    return Rollout(
        inputs,
        masks,
        chosen.astype(np.int64),
        log_probs,
        np.stack(values),
        np.stack(paid),
        np.stack(decided),
        decisions,
        [float(won.reshape(-1, players)[games].sum()) for games in seating.games],
        float(game.scores.reshape(-1)[seats].mean()),
        clock.seconds,
    )


class _Clock:
    """Adds up the seconds spent within."""

    seconds = 0.0

    def __enter__(self) -> None:
        self._began = time.perf_counter()

    def __exit__(self, *raised: object) -> None:
        self.seconds += time.perf_counter() - self._began


def _ask_opponents(
    game: BatchedGame,
    seating: Seating,
    opponents: Mapping[str, Agent],
    legal: NDArray[np.bool_],
    seen: dict[str, NDArray[np.uint8]],
    keys: NDArray[np.uint64],
    actions: NDArray[np.int32],
) -> None:
    """Write what the opponents of all matches choose to `actions`; `seen` are observations made already, by setting."""
    for match, seats in zip(seating.matches, seating.opposing, strict=True):
        if len(seats):
            agent = opponents[match.opponent]
            asked = seats[legal[seats].any(axis=1)]
            if len(asked) == 0:
                continue
            if agent.observation not in seen:
                seen[agent.observation] = game.observe(agent.observation).reshape(len(actions), -1)
            actions[asked] = agent.act(seen[agent.observation][asked], legal[asked], keys[asked])
