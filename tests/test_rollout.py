"""Rollouts: who sits where, and what is kept to learn from."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from sushigo_agents.match import victory_shares
from sushigo_agents.registry import load
from sushigo_train.league import Match
from sushigo_train.rollout import collect, seat

from sushigo_env import seeding
from sushigo_env.api import rewards
from sushigo_env.sushi_go.cards import DUMMY
from sushigo_env.sushi_go.game import SushiGo


class Uniform:
    """Chooses at random; tells the count of its legal actions as value."""

    def see(
        self, observation: NDArray[np.uint8], action_mask: NDArray[np.bool_], keys: NDArray[np.uint64]
    ) -> NDArray[np.uint8]:
        return observation

    def choose(
        self, inputs: NDArray[np.uint8], action_mask: NDArray[np.bool_], keys: NDArray[np.uint64]
    ) -> tuple[NDArray[np.int32], NDArray[np.float32], NDArray[np.float32]]:
        options = action_mask.sum(axis=1).astype(np.float32)
        return seeding.uniform_actions(action_mask, keys), -np.log(options), options


def played(players: int, matches: list[Match], variant: str = "standard", **weights: float):
    games = sum(match.games for match in matches)
    game = SushiGo(games, players, variant=variant)
    seating = seat(matches, "main", players)
    opponents = {spec: load(spec, "sushi_go", players, variant) for spec in ("greedy", "random")}
    told = {"win_weight": 1.0, "margin_weight": 0.1} | weights
    return game, seating, collect(game, seeding.game_seeds(5, games), seating, Uniform(), opponents, **told)


def test_seats_are_shared_out_once_and_go_round():
    seating = seat([Match("main", 2), Match("greedy", 4), Match("old", 3)], "main", 3)
    taken = np.concatenate([seating.learning, *seating.opposing])
    assert sorted(taken) == list(range(27))
    assert seating.learning[:6].tolist() == [0, 1, 2, 3, 4, 5]
    assert (seating.learning[6:] // 3).tolist() == [2, 3, 4, 5, 6, 7, 8]  # one seat of every other game
    assert np.bincount(seating.learning[6:10] % 3).tolist() == [1, 1, 2]
    assert [len(seats) for seats in seating.opposing] == [0, 8, 6]
    assert seating.games == [slice(0, 2), slice(2, 6), slice(6, 9)]


@pytest.mark.parametrize(("players", "variant"), [(2, "standard"), (4, "standard"), (2, DUMMY)])
def test_rewards_are_margin_and_victory(players: int, variant: str):
    game, seating, rollout = played(players, [Match("main", 6), Match("greedy", 6)], variant)
    owed = 0.1 * rewards.margin(game.scores) + rewards.win(game.standings)
    np.testing.assert_allclose(rollout.rewards.sum(axis=0), owed.reshape(-1)[seating.learning], rtol=1e-4, atol=1e-5)
    shares = victory_shares(game.standings).reshape(-1)[seating.learning]
    assert sum(rollout.shares) == pytest.approx(shares.sum())
    assert rollout.shares[0] == pytest.approx(6)  # in self-play somebody always wins
    assert rollout.mean_score == pytest.approx(game.scores.reshape(-1)[seating.learning].mean())


@pytest.mark.parametrize(("players", "variant"), [(2, "standard"), (5, "standard"), (2, DUMMY)])
def test_every_choice_is_kept_and_nothing_else(players: int, variant: str):
    matches = [Match("main", 5), Match("random", 5)] if variant != DUMMY else [Match("main", 10)]
    _, seating, rollout = played(players, matches, variant)
    steps, seats = rollout.decided.shape
    assert seats == len(seating.learning)
    assert rollout.decided.sum() == len(rollout.actions) == len(rollout.inputs) == len(rollout.log_probs)
    assert (rollout.action_mask.sum(axis=1) > 1).all()
    assert rollout.action_mask[np.arange(len(rollout.actions)), rollout.actions].all()
    np.testing.assert_array_equal(rollout.values[rollout.decided], rollout.action_mask.sum(axis=1))
    assert not rollout.values[~rollout.decided].any()
    waits = 0 if variant != DUMMY else steps // 2 * seats / 2  # half of the seats wait in each second half
    assert rollout.decisions == steps * seats - waits


def test_games_are_those_of_their_seeds():
    """The first observations are those of the games themselves, seat by seat."""
    _, seating, rollout = played(3, [Match("main", 4), Match("greedy", 3)])
    game = SushiGo(7, 3)
    game.reset(seeds=seeding.game_seeds(5, 7))
    first = game.observe().reshape(21, -1)[seating.learning]
    np.testing.assert_array_equal(rollout.inputs[: len(first)], first)


def test_what_pays_nothing_is_not_paid():
    game, seating, rollout = played(2, [Match("main", 8)], win_weight=0.0)
    owed = 0.1 * rewards.margin(game.scores).reshape(-1)[seating.learning]
    np.testing.assert_allclose(rollout.rewards.sum(axis=0), owed, atol=1e-5)
    assert np.flatnonzero(rollout.rewards.any(axis=1)).tolist() == [9, 19, 29]  # where a round's points are counted
