"""From logits to actions: the distribution drawn from, its edges, and that a row hangs on its key alone."""

from __future__ import annotations

import numpy as np
import pytest
from sushigo_agents.sampling import argmax, sample, softmax

from sushigo_env.errors import SettingError
from sushigo_env.seeding import decision_keys, game_seeds


def keys(count: int, seed: int = 0) -> np.ndarray:
    return decision_keys(game_seeds(seed, count), 0, 0)


def batch(rows: int = 200, width: int = 97, legal: float = 0.1, scale: float = 2.0) -> tuple[np.ndarray, np.ndarray]:
    """Logits float32 and masks, with at least one legal action a row."""
    rng = np.random.default_rng(3)
    mask = rng.random((rows, width)) < legal
    mask[np.arange(rows), rng.integers(0, width, rows)] = True
    return (scale * rng.normal(size=(rows, width))).astype(np.float32), mask


def exact(logits: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """The softmax of one row, by its definition."""
    weights = np.array([np.exp(np.float64(x)) if legal else 0.0 for x, legal in zip(logits, mask, strict=True)])
    return weights / weights.sum()


@pytest.mark.parametrize("width", [1, 5, 12, 96, 97])
def test_draws_are_distributed_as_the_softmax(width: int) -> None:
    draws = 40_000
    logits, mask = batch(3, width, 0.3)
    for row in range(3):
        wanted = exact(logits[row], mask[row])
        many = np.tile(logits[row], (draws, 1)), np.tile(mask[row], (draws, 1))
        actions, log_probs = sample(*many, keys(draws, seed=row * draws))
        seen = np.bincount(actions, minlength=width) / draws
        assert (np.abs(seen - wanted) <= 4.5 * np.sqrt(wanted * (1 - wanted) / draws)).all()
        np.testing.assert_allclose(log_probs, np.log(wanted[actions]), atol=1e-5)


def test_probabilities_are_the_softmax_over_the_legal() -> None:
    logits, mask = batch()
    wanted = np.array([exact(*row) for row in zip(logits, mask, strict=True)])
    np.testing.assert_allclose(softmax(logits, mask), wanted, rtol=1e-5, atol=1e-9)
    assert (softmax(logits, mask)[~mask] == 0).all()


def test_argmax_is_the_highest_legal_logit_and_the_first_of_equals() -> None:
    logits, mask = batch()
    np.testing.assert_array_equal(argmax(logits, mask), np.where(mask, logits, -np.inf).argmax(axis=1))
    np.testing.assert_array_equal(argmax(np.zeros_like(logits), mask), mask.argmax(axis=1))


def test_sharp_logits_are_played_as_by_argmax() -> None:
    logits, mask = batch()
    actions, log_probs = sample(1e6 * logits, mask, keys(200))
    np.testing.assert_array_equal(actions, argmax(logits, mask))
    np.testing.assert_allclose(log_probs, 0, atol=1e-6)


def test_extreme_logits_and_what_is_illegal_do_no_harm() -> None:
    logits = np.array([[3e38, -3e38, 0], [-3e38, -np.inf, np.nan], [np.inf, np.nan, -1]], np.float32)
    mask = np.array([[True, True, False], [True, True, False], [False, False, True]])
    actions, log_probs = sample(logits, mask, keys(3))
    assert actions.tolist() == argmax(logits, mask).tolist() == [0, 0, 2]
    assert log_probs.tolist() == [0, 0, 0]
    assert softmax(logits, mask).tolist() == [[1, 0, 0], [1, 0, 0], [0, 0, 1]]


def test_a_row_with_nan_plays_something_legal_and_says_so() -> None:
    mask = np.array([[False, True, True]])
    actions, log_probs = sample(np.full((1, 3), np.nan, np.float32), mask, keys(1))
    assert actions[0] in (1, 2)
    assert np.isnan(log_probs[0])


def test_empty_rows_get_action_0_and_log_probability_0() -> None:
    logits, mask = batch()
    mask[::3] = False
    actions, log_probs = sample(logits, mask, keys(200))
    assert not actions[::3].any()
    assert not log_probs[::3].any()
    assert not argmax(logits, mask)[::3].any()
    assert not softmax(logits, mask)[::3].any()
    assert sample(logits[:0], mask[:0], keys(0))[0].shape == (0,)


def test_a_row_hangs_on_its_key_alone() -> None:
    logits, mask = batch()
    together = sample(logits, mask, keys(200))
    for row in range(200):
        alone = sample(logits[row : row + 1], mask[row : row + 1], keys(200)[row : row + 1])
        assert (alone[0][0], alone[1][0]) == (together[0][row], together[1][row])
    views = sample(logits[::2], mask[::2], keys(200)[::2])
    np.testing.assert_array_equal(views[0], together[0][::2])
    assert (sample(logits, mask, keys(200, seed=999))[0] != together[0]).any()


def test_shapes_that_do_not_fit_are_named() -> None:
    logits, mask = batch()
    with pytest.raises(SettingError, match=r"one shape \[N, A\], not \(200, 97\) and \(200, 96\)"):
        argmax(logits, mask[:, 1:])
    with pytest.raises(SettingError, match=r"200 rows of logits need as many keys, not an array of shape \(3,\)"):
        sample(logits, mask, keys(3))
