"""How long to think: so many iterations, or until time is up."""

from __future__ import annotations

import time
from collections.abc import Callable

from sushigo_agents.search.settings import SearchSettings


def think_on(settings: SearchSettings, between_looks: int, work: Callable[[int, int], None]) -> int:
    """Call `work(first, last)` for iterations in order until there are enough, or time is up; how many there were.

    Where time counts the clock is looked at after every `between_looks` iterations.
    """
    done, until = 0, time.perf_counter() + settings.time_ms / 1000
    step = between_looks if settings.time_ms else settings.iterations
    while done < settings.iterations and (done == 0 or not settings.time_ms or time.perf_counter() < until):
        last = min(done + step, settings.iterations)
        work(done, last)
        done = last
    return done
