"""Means and intervals on made data."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.conftest import need

need("scipy")

from scipy import stats  # noqa: E402
from sushigo_experiments.statistics import Estimate, check_installed, score_estimate, share_estimate  # noqa: E402

from sushigo_env.errors import SettingError  # noqa: E402


def test_scores_take_students_interval() -> None:
    by_deal = np.array([40.0, 44.0, 39.0, 45.0])
    found = score_estimate(by_deal)
    expected = stats.ttest_1samp(by_deal, 0).confidence_interval(0.95)
    assert found.mean == 42.0
    assert found.interval == pytest.approx((expected.low, expected.high))
    assert found.low == pytest.approx(42 - 3.182446 * 2.943920 / 2, abs=1e-5)  # t of 3 degrees, s by hand


def test_one_deal_gives_no_interval_of_scores() -> None:
    assert score_estimate(np.array([40.0])) == Estimate(40.0, None, None)


def test_a_win_share_of_one_is_not_certain() -> None:
    found = share_estimate(np.ones(100))
    assert found.interval == pytest.approx((0.025 ** (1 / 100), 1.0))  # Clopper-Pearson, 100 of 100
    lost = share_estimate(np.zeros(100))
    assert lost.interval == pytest.approx((0.0, 1 - 0.025 ** (1 / 100)))


def test_independent_tosses_take_clopper_pearson_up_to_the_t_quantile() -> None:
    by_deal = np.array([1.0] * 30 + [0.0] * 970)
    found, exact = share_estimate(by_deal), stats.binomtest(30, 1000).proportion_ci(0.95, "exact")
    assert found.interval == pytest.approx((exact.low, exact.high), rel=0.01)


def test_luck_that_cancels_within_deals_narrows_the_interval() -> None:
    steady = np.array([0.5, 0.25] * 50)
    swinging = np.array([1.0, 0.0, 0.5, 0.0] * 25)
    assert steady.mean() == swinging.mean()
    widths = [share_estimate(by_deal).interval for by_deal in (steady, swinging)]
    assert widths[0] is not None
    assert widths[1] is not None
    assert widths[0][1] - widths[0][0] < 0.5 * (widths[1][1] - widths[1][0])


@pytest.mark.parametrize(("share", "deals"), [(0.25, 20), (0.9, 50), (0.99, 100)])
def test_intervals_of_win_shares_cover_the_truth(share: float, deals: int) -> None:
    random = np.random.default_rng(3)
    trials = 300
    covered = 0
    for _ in range(trials):
        chance = random.beta(20 * share, 20 * (1 - share), deals)  # deals differ: some are lucky for the agent
        found = share_estimate(random.binomial(4, chance) / 4)
        assert found.low is not None
        assert found.high is not None
        covered += found.low <= share <= found.high
    assert covered / trials > 0.93


def test_a_missing_extra_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("scipy", "scipy.stats"):
        monkeypatch.setitem(sys.modules, name, None)
    for asked in (check_installed, lambda: share_estimate(np.ones(3))):
        with pytest.raises(SettingError, match=r"needs scipy, .*pip install 'sushigo-env\[experiments\]'"):
            asked()


@pytest.mark.parametrize("by_deal", [np.zeros(0), np.zeros((2, 2))])
def test_estimates_need_one_figure_a_deal(by_deal: NDArray[np.float64]) -> None:
    with pytest.raises(SettingError, match="one figure a deal"):
        score_estimate(by_deal)


def test_win_shares_outside_0_to_1_are_refused() -> None:
    with pytest.raises(SettingError, match="0 to 1"):
        share_estimate(np.array([0.5, 1.5]))
