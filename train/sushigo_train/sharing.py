"""Rows shared among threads: each takes a share through code that releases the interpreter lock."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from sushigo_agents.registry import load

from sushigo_env import _threads

LEAST_SHARE = 256
"""Rows that a thread must have to be worth waking."""


def shares(rows: int, threads: int) -> list[tuple[int, int]]:
    """What each of at most `threads` takes of some rows: from the first to before the last."""
    parts = max(1, min(threads, rows // LEAST_SHARE))
    return list(pairwise(rows * part // parts for part in range(parts + 1)))


class Anchor:
    """A scripted agent in as many copies as there are threads, since no agent has to bear being asked by two at once.

    `spec` is loaded for a table (game, number of players, variant); errors as `registry.load`.
    """

    def __init__(self, spec: str, table: tuple[str, int, str], threads: int) -> None:
        self.name = spec
        self._copies = [load(spec, *table) for _ in range(threads)]
        self.observation: str = self._copies[0].observation

    def act(
        self, observation: NDArray[np.uint8], action_mask: NDArray[np.bool_], keys: NDArray[np.uint64]
    ) -> NDArray[np.int32]:
        """int32[N]: what the agent chooses, a share of the rows by each copy."""
        parts = shares(len(keys), len(self._copies))
        copies = dict(zip(parts, self._copies, strict=False))

        def ask(first: int, last: int) -> NDArray[np.int32]:
            rows = slice(first, last)
            return np.asarray(copies[first, last].act(observation[rows], action_mask[rows], keys[rows]), np.int32)

        return np.concatenate(_threads.run(ask, parts))
