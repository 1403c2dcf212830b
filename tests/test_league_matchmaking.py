"""Prioritised fictitious self-play against values computed by hand, and draws against their chances."""

from __future__ import annotations

import numpy as np
import pytest
from sushigo_train.league import as_duel, draw, priorities

from sushigo_env.errors import SettingError
from sushigo_env.seeding import GOLDEN

WON = [0.0, 0.5, 0.8, 1.0]


@pytest.mark.parametrize("power", [1.0, 2.0, 3.0])
def test_between_two_hard_is_the_papers(power: float):
    weights = np.array([(1 - w) ** power for w in WON])
    np.testing.assert_allclose(priorities(WON, 2, "hard", power), weights / weights.sum())


def test_between_two_even_is_the_papers():
    np.testing.assert_allclose(priorities(WON, 2, "even"), np.array([0, 0.25, 0.16, 0]) / 0.41)


def test_uniform_knows_no_difference():
    assert priorities(WON, 3, "uniform").tolist() == [0.25] * 4


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_fair_share_is_half_of_a_duel(players: int):
    np.testing.assert_allclose(as_duel([0, 1 / players, 1], players), [0, 0.5, 1])
    shares = np.linspace(0, 1, 50)
    assert (np.diff(as_duel(shares, players)) > 0).all()


def test_a_duel_by_hand():
    assert as_duel(0.5, 4) == pytest.approx(3 / 4), "who takes half of a table of four is three times as strong"
    assert as_duel(0.4, 5) == pytest.approx(1.6 / 2.2)
    np.testing.assert_allclose(as_duel(WON, 2), WON)


def test_at_a_table_of_four_even_prefers_the_fair_opponent():
    chances = priorities([0.1, 0.25, 0.5], 4, "even")
    assert chances.argmax() == 1
    np.testing.assert_allclose(chances, np.array([0.1875, 0.25, 0.1875]) / 0.625)


def test_where_all_are_beaten_all_are_met():
    assert priorities([1, 1], 2, "hard").tolist() == [0.5, 0.5]
    assert priorities([0, 1], 2, "even").tolist() == [0.5, 0.5]


def test_every_index_comes_up_as_often_as_it_should_give_or_take_one():
    chances = np.array([0.05, 0.0, 0.61, 0.34])
    for key in range(200):
        drawn = draw(chances, 10, key)
        counts = np.bincount(drawn, minlength=4)
        assert drawn.shape == (10,)
        assert (np.abs(counts - 10 * chances) < 1).all()
        assert counts[1] == 0


def test_draws_are_right_on_average():
    chances = np.array([0.05, 0.61, 0.34])
    total = sum(np.bincount(draw(chances, 2, key), minlength=3) for key in range(4000))
    np.testing.assert_allclose(total / 8000, chances, atol=0.015)


def test_one_key_is_one_draw():
    assert draw([1, 2, 3], 5, 7).tolist() == draw([2, 4, 6], 5, 7).tolist()
    assert len({tuple(draw([1] * 9, 3, key).tolist()) for key in range(50)}) > 1


def test_the_ends_are_safe():
    assert draw([1, 0], 1000, 2**64 - 1).max() == 0
    no_offset = 2**64 - int(GOLDEN)
    assert draw([0, 1, 0], 2, no_offset).tolist() == [1, 1], "what has no chance does not come up"
    assert draw([0.1] * 10, 0, 1).tolist() == []
    assert draw([3.0], 4, 1).tolist() == [0, 0, 0, 0]


def test_what_cannot_be_is_told():
    with pytest.raises(SettingError, match="weighting must be one of hard, even, uniform, not 'easy'"):
        priorities(WON, 2, "easy")  # type: ignore[arg-type]  # that is the point
    with pytest.raises(SettingError, match="power must be 0 or more"):
        priorities(WON, 2, "hard", -1)
    for wrong in ([], [0, 0], [-1, 2], [np.nan, 1], [np.inf, 1]):
        with pytest.raises(SettingError, match="probabilities must be"):
            draw(wrong, 3, 0)
    with pytest.raises(SettingError, match="count must be 0 or more"):
        draw([1], -1, 0)
