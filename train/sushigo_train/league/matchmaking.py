"""Prioritised fictitious self-play: opponents are drawn by how hard they are.

From Vinyals et al., "Grandmaster level in StarCraft II using multi-agent reinforcement learning" (Nature, 2019), where
a learner that beats opponent j with probability w(j) meets it with a probability proportional to f(w(j)):

    hard     f(w) = (1 - w) ** power     the opponents that beat it; those it always beats are left alone
    even     f(w) = w * (1 - w)          the opponents of its own strength
    uniform  f(w) = 1                    fictitious self-play (Heinrich, Lanctot and Silver, 2015)

These are for two players, where an equal opponent means w = 1/2. `as_duel` takes the win share of a larger table there.
"""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sushigo_env.errors import SettingError
from sushigo_env.seeding import draw as bits

Weighting = Literal["hard", "even", "uniform"]
WEIGHTINGS: tuple[str, ...] = get_args(Weighting)


def as_duel(win_shares: ArrayLike, num_players: int) -> NDArray[np.float64]:
    """float64[n]: each win share of one seat against `num_players - 1` equal others, as a win share between two.

    A seat's win share of 0.25 is weak at a table of two and fair at one of four, so f(w) cannot be used as it stands:
    `even` would prefer opponents that take half of a table of four, which are far weaker. Here w is rescaled so that
    nothing stays 0, everything stays 1, and the fair share 1/P becomes 1/2:

        as_duel(w) = (P - 1) w / ((P - 1) w + 1 - w)

    Its odds are w's times P - 1. This is the win share against one of the others under Luce's choice axiom ("Individual
    Choice Behavior", 1959): who has strength s beside P - 1 of strength 1 wins s / (s + P - 1) of the games, and would
    win s / (s + 1) against one. For P = 2 it is w itself, and the weightings are the paper's.
    """
    shares = np.clip(np.asarray(win_shares, np.float64), 0, 1)
    won = (num_players - 1) * shares
    rescaled: NDArray[np.float64] = won / (won + 1 - shares)
    return rescaled


def priorities(
    win_shares: ArrayLike, num_players: int, weighting: Weighting = "hard", power: float = 2.0
) -> NDArray[np.float64]:
    """float64[n] that add up to 1: how likely each opponent is to be met, by the learner's win share against it.

    `power` is for `hard` alone: the higher, the more the hardest stand out. Where every weight is 0 all are equally
    likely. `SettingError` for an unknown weighting or a negative power.
    """
    if weighting not in WEIGHTINGS:
        raise SettingError(f"weighting must be one of {', '.join(WEIGHTINGS)}, not {weighting!r}.")
    if power < 0:
        raise SettingError(f"power must be 0 or more, not {power}.")
    won = as_duel(win_shares, num_players)
    weights = {"hard": (1 - won) ** power, "even": won * (1 - won), "uniform": np.ones_like(won)}[weighting]
    if not weights.any():
        weights = np.ones_like(won)
    scaled: NDArray[np.float64] = weights / weights.sum()
    return scaled


def draw(probabilities: ArrayLike, count: int, key: int) -> NDArray[np.int64]:
    """int64[count], ascending: indices drawn by `probabilities` (float[n], in any scale), the same for the same `key`.

    Systematic sampling: one random offset, then even steps through the probabilities laid end to end. Index i comes up
    `count * p(i)` times, rounded down or up, and that often on average; independent draws would scatter far more.

    `SettingError` if a probability is negative or none is positive, or for a negative count.
    """
    chances = np.asarray(probabilities, np.float64)
    if count < 0:
        raise SettingError(f"count must be 0 or more, not {count}.")
    if chances.ndim != 1 or not (chances >= 0).all() or not 0 < chances.sum() < np.inf:
        raise SettingError(f"probabilities must be 0 or more, and one above 0, not {chances.tolist()}.")
    edges = np.cumsum(chances)
    offset = float(int(bits(np.uint64(key), np.uint64(0))) >> 11) / 2**53
    places = (np.arange(count) + offset) / max(count, 1) * edges[-1]
    found = np.searchsorted(edges, places, side="right")  # from the right: what has no chance has no width
    drawn: NDArray[np.int64] = np.minimum(found, np.flatnonzero(chances)[-1])  # rounded up, the last place is the end
    return drawn
