"""One pool of threads for kernels that release the interpreter lock; a fork starts with none."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

_pool: ThreadPoolExecutor | None = None
_workers = 0
LEAST_SHARE = 4096
"""Games a thread must have to be worth waking: that takes about as long as it takes to step so many."""


def _forget() -> None:
    global _pool, _workers
    _pool, _workers = None, 0


os.register_at_fork(after_in_child=_forget)


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def share(num_games: int, num_threads: int) -> list[tuple[int, int]]:
    """Split `num_games` into at most `num_threads` slices (first, last) of nearly equal length."""
    parts = max(1, min(num_threads, num_games // LEAST_SHARE))
    bounds = [num_games * i // parts for i in range(parts + 1)]
    return list(pairwise(bounds))


def run(kernel: Callable[..., Any], slices: list[tuple[int, int]], *args: Any) -> list[Any]:
    """Call `kernel(first, last, *args)` for each slice, all but the first on the pool; their results in order."""
    global _pool, _workers
    if len(slices) == 1:
        return [kernel(*slices[0], *args)]
    first, *others = slices
    if _pool is None or _workers < len(others):
        _workers = len(others)
        _pool = ThreadPoolExecutor(_workers, thread_name_prefix="sushigo")
    waiting = [_pool.submit(kernel, *part, *args) for part in others]
    return [kernel(*first, *args), *(future.result() for future in waiting)]
