"""Rates of the benchmarks: the median of several repeats, with the slowest and the fastest."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import product
from statistics import median
from typing import NamedTuple

from sushigo_env.errors import SettingError
from sushigo_env.games import DEFAULT, Entry, find
from sushigo_experiments.benchmarks import AT_ONCE, BATCHES, BENCHMARKS, NEEDS, ONE_GAME, SUSHI_GO_ALONE, Run

REPEATS = 5
SECONDS = 0.3
"""A repeat lasts about as long or longer, by playing its games more than once."""
PLAYERS = (2, 4)
GAMES = (1, 64, 1024, 65536)
"""Tables and batches of the default run."""


class Case(NamedTuple):
    """What is to be measured."""

    what: str
    players: int
    games: int
    threads: int
    game: str = DEFAULT


@dataclass(frozen=True)
class Rate:
    """What was measured: decisions a second, and the mean final total of the games played."""

    what: str
    players: int
    games: int
    threads: int
    decisions_per_s: float
    """The median of the repeats."""
    slowest: float
    fastest: float
    mean_score: float
    game: str = DEFAULT


def cases(
    what: str | None = None,
    players: int | None = None,
    games: int | None = None,
    threads: int | None = None,
    cores: int = 1,
    game: str = DEFAULT,
) -> list[Case]:
    """Everything to measure, where None stands for the default run; `SettingError` says what is allowed.

    The default run leaves out what needs a package that is not installed, and what the game does not have.
    """
    entry = find(game)
    if what is not None:
        _check_what(what, entry)
    for name, value in (("games", games), ("threads", threads)):
        if value is not None and value < 1:
            raise SettingError(f"{name} must be 1 or more, not {value}.")
    if players is not None:
        entry.new(1, players)  # whose sentence says which tables there are
    found = []
    possible = [name for name in BENCHMARKS if _has(entry, name) and (name not in NEEDS or find_spec(NEEDS[name]))]
    usual = [count for count in PLAYERS if count in next(iter(entry.variants.values()))]
    for name in possible if what is None else (what,):
        batches: Sequence[int] = (1,) if name in ONE_GAME else BATCHES.get(name, GAMES)
        teams = sorted({1} if name in ONE_GAME else {1, cores})
        if what is not None and name in ONE_GAME and (games or 1, threads or 1) != (1, 1):
            raise SettingError(f"{name} plays 1 game in 1 thread, not {games or 1} in {threads or 1}.")
        if name not in ONE_GAME:
            batches = batches if games is None else (games,)
            teams = teams if threads is None else [threads]
        tables = usual if players is None else [players]
        found += [Case(name, *rest, game) for rest in product(tables, batches, teams)]
    return found


def _has(game: Entry, what: str) -> bool:
    """Whether there is such a thing to measure in a game."""
    return (what not in SUSHI_GO_ALONE or game.name == DEFAULT) and (what not in AT_ONCE or game.simultaneous)


def _check_what(what: str, game: Entry) -> None:
    if what not in BENCHMARKS:
        raise SettingError(f"what must be one of {', '.join(BENCHMARKS)}, not {what!r}.")
    if not _has(game, what):
        there = ", ".join(name for name in BENCHMARKS if _has(game, name))
        why = f"{game.name} asks one seat at a time" if what in AT_ONCE else f"it is for {DEFAULT} alone so far"
        raise SettingError(f"{what} cannot be measured in {game.name}, for {why}; what can: {there}.")


def measure(case: Case) -> Rate:
    """Time one case."""
    run = BENCHMARKS[case.what](find(case.game), case.players, case.games, case.threads)
    played = run()  # compiles what is not compiled yet
    times = max(1, round(SECONDS / _timed(run)))
    rates = sorted(played.decisions * times / _timed(run, times) for _ in range(REPEATS))
    figures = median(rates), rates[0], rates[-1], played.points / played.totals
    return Rate(case.what, case.players, case.games, case.threads, *figures, case.game)


def _timed(run: Run, times: int = 1) -> float:
    """Seconds that `times` runs take."""
    start = time.perf_counter()
    for _ in range(times):
        run()
    return time.perf_counter() - start
