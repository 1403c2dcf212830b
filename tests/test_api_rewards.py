"""The four reward schemes on cases worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from sushigo_env.api.rewards import SCHEMES, Rewards, margin, rank, win
from tests.api_helpers import GAMES


@pytest.mark.parametrize(
    ("standings", "expected"),
    [
        ([5, 3], [1, -1]),
        ([4, 4], [0, 0]),
        ([9, 2, 1], [1, -1 / 2, -1 / 2]),
        ([9, 9, 1], [1 / 2, 1 / 2, -1]),
        ([3, 3, 3], [0, 0, 0]),
        ([1, 7, 7, 2], [-1 / 2, 1 / 2, 1 / 2, -1 / 2]),
        ([8, 8, 8, 2, 2], [1 / 3, 1 / 3, 1 / 3, -1 / 2, -1 / 2]),
        ([-6, -7], [1, -1]),
    ],
)
def test_win_shares_one_among_winners(standings: list[int], expected: list[float]) -> None:
    assert win(np.array([standings], np.int32))[0].tolist() == pytest.approx(expected)


@pytest.mark.parametrize(
    ("standings", "expected"),
    [
        ([5, 3], [1, -1]),
        ([4, 4], [0, 0]),
        ([1, 2, 3], [-1, 0, 1]),
        ([3, 3, 1], [1 / 2, 1 / 2, -1]),
        ([4, 3, 2, 1], [1, 1 / 3, -1 / 3, -1]),
        ([4, 2, 2, 1], [1, 0, 0, -1]),
        ([4, 1, 1, 1], [1, -1 / 3, -1 / 3, -1 / 3]),
        ([0, 0, 0, 0, 0], [0, 0, 0, 0, 0]),
        ([5, 4, 4, 4, 1], [1, 0, 0, 0, -1]),
    ],
)
def test_rank_is_linear_and_ties_share(standings: list[int], expected: list[float]) -> None:
    assert rank(np.array([standings], np.int32))[0].tolist() == pytest.approx(expected)


@pytest.mark.parametrize(
    ("scores", "expected"),
    [([30, 20], [10, -10]), ([30, 30], [0, 0]), ([40, 31, 35], [5, -9, -5]), ([7, 7, -6, 2], [0, 0, -13, -5])],
)
def test_margin_is_to_the_best_other(scores: list[int], expected: list[float]) -> None:
    assert margin(np.array([scores], np.int32))[0].tolist() == expected


def test_batches_are_rewarded_row_by_row() -> None:
    rng = np.random.default_rng(3)
    scores = rng.integers(-6, 9, (200, 4), dtype=np.int32)
    for function in (win, rank, margin):
        assert np.array_equal(function(scores), np.concatenate([function(row[None]) for row in scores]))
    assert np.abs(win(scores).sum(axis=1)).max() < 1e-12
    assert np.abs(rank(scores).sum(axis=1)).max() < 1e-12


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("scheme", SCHEMES)
def test_rewards_of_whole_games(name: str, scheme: str) -> None:
    game = GAMES[name](6)
    game.reset(seeds=np.arange(6, dtype=np.uint64))
    rewards = Rewards(scheme, game)
    total, over = np.zeros((6, game.num_players)), game.done.copy()
    while not game.done.all():
        game.step(game.legal().argmax(axis=2).astype(np.int32))
        due = rewards.step(game.done & ~over)
        if scheme != "score":
            assert not due[~game.done].any()
        total += due
        over = game.done.copy()
    expected = {"win": win(game.standings), "rank": rank(game.standings), "margin": margin(game.scores)}
    assert np.array_equal(total, expected.get(scheme, game.scores))


def test_score_counts_anew_after_a_reset() -> None:
    game = GAMES["sushi_go"](2)
    rewards = Rewards("score", game)
    for _ in range(2):
        game.reset()
        rewards.reset()
        total = np.zeros(game.scores.shape)
        while not game.done.all():
            game.step(game.legal().argmax(axis=2).astype(np.int32))
            total += rewards.step(game.done)
        assert np.array_equal(total, game.scores)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_offenders_pay_and_the_others_do_not(scheme: str) -> None:
    game = GAMES["sushi_go"](2)
    game.reset()
    rewards = Rewards(scheme, game)
    offenders = np.array([[False, True, True], [False, False, False]])
    game.end(offenders.any(axis=1))
    assert rewards.step(np.zeros(2, np.bool_), offenders).tolist() == [[0, -1, -1], [0, 0, 0]]
