"""Compiled: what plays come to, in positions that agree with what a seat saw, played on by the search's rule of thumb.

Two plays are compared in the same positions, with the same draws after them, so that what they have in common cancels.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sushigo_agents.search.fitted import Table
from sushigo_agents.search.guide import Net, ask, write_values
from sushigo_agents.search.positions import write_position
from sushigo_agents.search.rollout import QUICK, choose, play_on, write_shares
from sushigo_agents.search.search import DEVIATION
from sushigo_agents.search.thought import Thought

from sushigo_env._jit import jit
from sushigo_env._memory import pointer
from sushigo_env.seeding import draw
from sushigo_env.sushi_go.cards import ROUNDS
from sushigo_env.sushi_go.kernels import take_turn
from sushigo_env.sushi_go.state import DONE, ROUND, ROW, SCORE, SEATS, STATUS, STATUS_SIZE

# mypy: disable-error-code="no-untyped-def"
# (Compiled functions: Numba infers their types; the docstrings give them.)

FIRST_COUNTER, LATER = np.uint64(2048), np.uint64(4096)
"""Counters of a sample's stream: those before the first dealt the position; from the second on, later rounds' draws."""
DEVIATIONS = 2.0
"""How far below its mean a play's worth may lie, in standard deviations of what the search saw."""
ANY = -1
"""In place of an action: what the rule of thumb chooses."""


class Difference(NamedTuple):
    """What one play is better by than another, with standard errors."""

    chance: float
    chance_error: float
    points: float
    points_error: float


def compare(
    seen: NDArray[np.uint8],
    at: NDArray[np.int64],
    table: Table,
    net: Net | None,
    key: np.uint64,
    better: int,
    worse: int,
    samples: int,
) -> Difference:
    """By how much `better` is the better play for the seat that sees `seen` (uint8[D]), in win share and points.

    Win share: as the search reckons it, at the end of the round, or by `net` after the turn. Points: the margin at the
    end of the game. `samples` must be 2 or more.
    """
    one, other = (outcomes(seen, at, table, net, key, action, samples) for action in (better, worse))
    gained = one - other
    means = gained.mean(axis=0)
    errors = gained.std(axis=0, ddof=1) / np.sqrt(samples)
    return Difference(float(means[0]), float(errors[0]), float(means[1]), float(errors[1]))


def most_lost(thought: Thought, best: int, played: int) -> float:
    """The most that `played` can have lost beside the play at `best`, by what the search itself saw of both.

    Samples are played on by a rule of thumb, which may misjudge a play that the search, looking deeper, finds nearly as
    good. Its own means are trusted as far as visits make them sure.
    """
    place = int(np.flatnonzero(thought.actions == played)[0])
    worth, visits = float(thought.values[best]), int(thought.visits[place])
    if visits == 0:
        return worth
    gap = worth - float(thought.values[place]) + DEVIATIONS * DEVIATION / math.sqrt(visits)
    return min(max(gap, 0.0), worth)


@jit
def outcomes(seen, at, table, net, key, action, samples):
    """float64[samples, 2]: win share, and margin in points, of the seat that sees `seen` when it plays `action`."""
    out, shares = np.zeros((samples, 2)), np.zeros(SEATS)
    rows, chosen = np.zeros(ROW, np.uint8), np.zeros(SEATS, np.int32)
    row, taken, fields = pointer(rows, 0), pointer(chosen, 0), pointer(at, 0)
    for sample in range(samples):
        stream, counter = draw(key, np.uint64(sample)), FIRST_COUNTER
        write_position(pointer(seen, 0), fields, table.players, table.size, table.dummy, stream, 1, row)
        stop = np.int64(row[ROUND]) + 1
        for seat in range(table.players):
            taken[seat] = choose(row, seat, table, QUICK, None, draw(stream, counter))
            counter += np.uint64(1)
        if action != ANY:
            taken[0] = action
        take_turn(row, table.players, table.size, table.alternate, table.dummy, taken)
        if net is not None and not row[DONE]:
            ask(row, fields, table, net)
            write_values(table, net, shares)
            play_on(row, table, QUICK, None, stop, stream, counter, taken)
        else:
            play_on(row, table, QUICK, None, stop, stream, counter, taken)
            write_shares(row, table, shares)
        play_on(row, table, QUICK, None, ROUNDS, stream, counter + LATER, taken)
        out[sample, 0], out[sample, 1] = shares[0], _margin(row, table.players)
    return out


@jit
def _margin(row, players):
    """Points of seat 0 less those of the best other seat; the dummy is nobody's opponent."""
    best = np.int64(-1)
    for seat in range(1, players):
        best = max(best, np.int64(row[STATUS + seat * STATUS_SIZE + SCORE]))
    return np.float64(np.int64(row[STATUS + SCORE]) - best)


def chances_at(rows: NDArray[np.uint8], table: Table) -> NDArray[np.float64]:
    """float64[N, P]: every seat's win share by scores and puddings alone, for games (`SushiGo.save`) between rounds."""
    out = np.zeros((len(rows), SEATS))
    _write_chances(rows, table, out)
    return out[:, : table.players]


@jit
def _write_chances(rows, table, out):
    for i in range(len(rows)):
        write_shares(pointer(rows[i], 0), table, out[i])
