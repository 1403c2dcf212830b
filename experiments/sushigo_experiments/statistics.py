"""Means with 95% intervals, by deal.

A deal is played once in every rotation of the seats. Those games share their cards, so they are not independent;
deals are. Every figure is therefore averaged over the rotations of one deal first, and intervals are made from these
averages alone.

- Scores and margins: Student's t on the averages by deal.
- Win shares lie between 0 and 1, where Student's t fails (at a win share of 1.0 it has no width at all). They take the
  interval of Korn and Graubard (Survey Methodology 24, 1998), made for proportions from clustered samples: the exact
  Clopper-Pearson interval of as many independent tosses as would give the variance seen between the deals. Where the
  deals do not vary at all, or there is only one, that variance says nothing, and each deal counts as one toss: 1.0 over
  100 deals is 0.964 to 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sushigo_env.errors import SettingError
from sushigo_experiments import _extras
from sushigo_experiments._extras import needs

CONFIDENCE = 0.95
"""How often intervals made this way cover the true mean."""


@dataclass(frozen=True)
class Estimate:
    """A mean and its 95% interval; `low` and `high` are None where one deal cannot tell."""

    mean: float
    low: float | None
    high: float | None

    @property
    def interval(self) -> tuple[float, float] | None:
        """`(low, high)`, or None."""
        return None if self.low is None or self.high is None else (self.low, self.high)


def check_installed() -> None:
    """`SettingError` if what intervals are made with is missing; to be asked before hours of games."""
    _extras.check_installed("experiments", "scipy")


def score_estimate(by_deal: NDArray[np.floating[Any]]) -> Estimate:
    """Mean of float[D] (one average a deal, in points) with Student's t interval; no interval where D is 1."""
    _check(by_deal)
    mean, deals = float(by_deal.mean()), len(by_deal)
    if deals == 1:
        return Estimate(mean, None, None)
    half = _t_quantile(deals - 1) * float(by_deal.std(ddof=1)) / deals**0.5
    return Estimate(mean, mean - half, mean + half)


def share_estimate(by_deal: NDArray[np.floating[Any]]) -> Estimate:
    """Mean of float[D] (one average a deal, in 0 to 1) with the interval of Korn and Graubard."""
    _check(by_deal)
    if by_deal.min() < 0 or by_deal.max() > 1:
        raise SettingError(f"win shares lie in 0 to 1, not in {by_deal.min()} to {by_deal.max()}.")
    mean, tosses = float(by_deal.mean()), _effective_tosses(by_deal)
    with needs("experiments"):
        from scipy.stats import beta
    won, tail = mean * tosses, (1 - CONFIDENCE) / 2
    low = float(beta.ppf(tail, won, tosses - won + 1)) if mean > 0 else 0.0
    high = float(beta.ppf(1 - tail, won + 1, tosses - won)) if mean < 1 else 1.0
    return Estimate(mean, low, high)


def _effective_tosses(by_deal: NDArray[np.floating[Any]]) -> float:
    """How many independent tosses would give the variance seen between the deals."""
    deals, mean = len(by_deal), float(by_deal.mean())
    variance = float(by_deal.var(ddof=1)) / deals if deals > 1 else 0.0
    if variance < 1e-20:  # rounding aside, none
        return float(deals)
    # The variance is itself an estimate from few deals: a t quantile in place of the normal one widens the interval.
    return mean * (1 - mean) / variance * (_normal_quantile() / _t_quantile(deals - 1)) ** 2


def _check(by_deal: NDArray[np.floating[Any]]) -> None:
    if by_deal.ndim != 1 or by_deal.size == 0:
        raise SettingError(f"an estimate needs one figure a deal, of 1 or more deals, not shape {by_deal.shape}.")


def _t_quantile(freedom: int) -> float:
    with needs("experiments"):
        from scipy.stats import t
    return float(t.ppf((1 + CONFIDENCE) / 2, freedom))


def _normal_quantile() -> float:
    with needs("experiments"):
        from scipy.stats import norm
    return float(norm.ppf((1 + CONFIDENCE) / 2))
