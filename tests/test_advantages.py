"""Advantages against an independent computation: sequence by sequence, as explicit sums of discounted errors."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from sushigo_train.advantages import advantages

from sushigo_env.errors import SettingError

Floats = NDArray[np.float32]


def episodes(
    rows: int = 9, sequences: int = 40, share: float = 0.6, seed: int = 0
) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    """Made-up rewards, values and decisions; every sequence has its own gaps, the first has no decision at all."""
    source = np.random.default_rng(seed)
    rewards, values = source.normal(size=(2, rows, sequences)).astype(np.float32)
    decided = source.random((rows, sequences)) < share
    decided[:, 0] = False
    return rewards, values, decided


def steps(rewards: Floats, decided: NDArray[np.bool_], n: int) -> tuple[list[int], list[float]]:
    """The rows of sequence n that are decisions, and what each earned until the next one."""
    rows = [t for t in range(len(decided)) if decided[t, n]]
    ends = [*rows[1:], len(decided)]
    return rows, [sum(float(rewards[t, n]) for t in range(row, end)) for row, end in zip(rows, ends, strict=False)]


def slow(rewards: Floats, values: Floats, decided: NDArray[np.bool_], gamma: float, lam: float) -> NDArray[np.float64]:
    out = np.zeros(rewards.shape)
    for n in range(rewards.shape[1]):
        rows, earned = steps(rewards, decided, n)
        worth = [float(values[t, n]) for t in rows] + [0.0]
        errors = [earned[k] + gamma * worth[k + 1] - worth[k] for k in range(len(rows))]
        for k, t in enumerate(rows):
            out[t, n] = sum((gamma * lam) ** (later - k) * errors[later] for later in range(k, len(rows)))
    return out


@pytest.mark.parametrize("gamma", [1.0, 0.9])
@pytest.mark.parametrize("lam", [0.0, 0.5, 0.95, 1.0])
@pytest.mark.parametrize("share", [0.3, 0.8, 1.0])
def test_the_backward_loop_is_the_explicit_sum(gamma: float, lam: float, share: float):
    rewards, values, decided = episodes(share=share)
    found, returns = advantages(rewards, values, decided, gamma, lam)
    assert found.dtype == returns.dtype == np.float32
    np.testing.assert_allclose(found, slow(rewards, values, decided, gamma, lam), atol=1e-5)
    np.testing.assert_array_equal(returns, np.where(decided, found + values, 0))
    assert not found[~decided].any()
    assert not returns[~decided].any()


def test_with_lambda_1_returns_are_what_came_in():
    rewards, values, decided = episodes()
    _, returns = advantages(rewards, values, decided, gamma=1.0, lam=1.0)
    to_come = np.cumsum(rewards[::-1], axis=0)[::-1]
    np.testing.assert_allclose(returns, np.where(decided, to_come, 0), atol=1e-5)


def test_with_lambda_0_an_advantage_is_the_error_of_one_step():
    rewards = np.array([[0.0], [1.0], [2.0], [4.0]], np.float32)
    values = np.array([[3.0], [np.nan], [5.0], [np.nan]], np.float32)
    decided = np.array([[True], [False], [True], [False]])
    found, returns = advantages(rewards, values, decided, gamma=0.5, lam=0.0)
    assert found[:, 0].tolist() == [0 + 1 + 0.5 * 5 - 3, 0, 2 + 4 - 5, 0], "two rows on, one discount"
    assert returns[:, 0].tolist() == [3.5, 0, 6, 0]


def test_rewards_before_the_first_decision_are_nobodys():
    rewards, values, decided = episodes()
    decided[:3] = False
    before = advantages(rewards, values, decided, 1.0, 0.9)[0]
    rewards[:3] = 100
    np.testing.assert_array_equal(advantages(rewards, values, decided, 1.0, 0.9)[0], before)


def test_a_sequence_does_not_hang_on_its_neighbours():
    rewards, values, decided = episodes()
    together = advantages(rewards, values, decided, 0.99, 0.95)[0]
    alone = [advantages(rewards[:, [n]], values[:, [n]], decided[:, [n]], 0.99, 0.95)[0] for n in range(40)]
    np.testing.assert_array_equal(together, np.concatenate(alone, axis=1))


def test_what_goes_in_is_left_as_it_was():
    given = episodes()
    copies = [array.copy() for array in given]
    advantages(*given, 0.9, 0.9)
    for array, copy in zip(given, copies, strict=True):
        np.testing.assert_array_equal(array, copy)


def test_bad_arguments_are_told():
    rewards, values, decided = episodes()
    with pytest.raises(SettingError, match=r"one shape \[T, N\]"):
        advantages(rewards, values[1:], decided, 1.0, 0.9)
    with pytest.raises(SettingError, match=r"gamma must be from 0 to 1, not 1\.5"):
        advantages(rewards, values, decided, 1.5, 0.9)
    with pytest.raises(SettingError, match="lam must be from 0 to 1, not -1"):
        advantages(rewards, values, decided, 1.0, -1)
