"""What thinking about a decision found."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Thought(NamedTuple):
    """A decision between M legal plays."""

    actions: NDArray[np.int64]
    """int64[M], ascending."""
    visits: NDArray[np.int64]
    """int64[M]: how often each was tried."""
    values: NDArray[np.float64]
    """float64[M]: the win share that each can be expected to end in; NaN where it was never tried."""
    strategy: NDArray[np.float64]
    """float64[M]: how often each should be played; adds up to 1."""
    iterations: int

    @staticmethod
    def forced(actions: NDArray[np.int64]) -> Thought:
        """Of the one legal play, which nobody thought about."""
        return Thought(actions, np.zeros(1, np.int64), np.full(1, np.nan), np.ones(1), 0)


def pure(best: int, count: int) -> NDArray[np.float64]:
    """float64[count]: 1 at `best`, 0 elsewhere."""
    strategy = np.zeros(count)
    strategy[best] = 1
    return strategy
