"""The equilibrium of a zero-sum game of two players who choose at once, from its table of payoffs.

The row player gets what the column player pays. First a saddle point is looked for, one play each that neither regrets;
failing that, the formula for two plays each; else the simplex method (Dantzig 1951) on the linear program of the column
player, whose dual is the row player's. Where its pivots do not move on, Bland's rule (1977) takes over, which cannot
cycle. What comes out is held against the payoffs, and done again by Bland's rule alone should it not hold.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sushigo_env._jit import inlined, jit
from sushigo_env._memory import pointer
from sushigo_env.errors import SettingError

# mypy: disable-error-code="no-untyped-def"
# (Compiled functions: Numba infers their types; the docstrings give them.)

SADDLE = 1e-13
"""Of the range of the payoffs: two guarantees as near as that are one."""
HOLDS = 1e-11
"""Of the range of the payoffs: strategies whose guarantees lie further apart are worked out again."""
ZERO = 1e-12
"""What is smaller in a tableau (of payoffs brought to 1 to 2) is rounding."""
PATIENCE = 4
"""Pivots by the fast rule, for each row and column, before Bland's takes over."""
MOST = 1e100
"""Payoffs that sums and products of are still finite."""
LIMIT = 1000
"""Pivots for each row and column after which no more are made; never seen."""


def room(rows: int, columns: int) -> int:
    """float64 of scratch that `equilibrium` needs; of int64 it needs `rows + columns`."""
    return (rows + 1) * (columns + 1)


def solve_matrix(payoff: NDArray[np.float64]) -> tuple[float, NDArray[np.float64], NDArray[np.float64]]:
    """Value and equilibrium strategies of the game `payoff` (float64[M, N]: what row i gets from column j).

    Gives the value, the row player's chances float64[M] and the column player's float64[N]. The row player's guarantee
    at least the value, the column player's at most, to some 1e-11 of the range of the payoffs. Where there are several
    equilibria it is one of them, always the same. `SettingError` unless there is a payoff, and none beyond 1e100.
    """
    try:
        given: NDArray[Any] = np.asarray(payoff)
    except ValueError as error:
        raise SettingError(f"payoff must be of shape [M, N]: {error}.") from error
    if given.ndim != 2 or not given.size or given.dtype.kind not in "fiu" or not (np.abs(given) <= MOST).all():
        raise SettingError(
            f"payoff must be numbers from -{MOST} to {MOST} of shape [M, N], M and N at least 1, not {given.dtype} "
            f"of shape {[*given.shape]}{' with others' if given.ndim == 2 and given.size else ''}."
        )
    rows, columns = given.shape
    row_strategy, column_strategy = np.zeros(rows), np.zeros(columns)
    scratch, labels = np.empty(room(rows, columns)), np.empty(rows + columns, np.int64)
    table = np.ascontiguousarray(given, np.float64).reshape(-1)
    value = _solve(table, rows, columns, scratch, labels, row_strategy, column_strategy)
    return float(value), row_strategy, column_strategy


@jit
def _solve(payoff, rows, columns, scratch, labels, row_strategy, column_strategy):
    given = pointer(payoff, 0), pointer(scratch, 0), pointer(labels, 0)
    x, y = pointer(row_strategy, 0), pointer(column_strategy, 0)
    return equilibrium(given[0], 0, columns, rows, columns, given[1], given[2], x, y)


@jit
def equilibrium(payoff, at, stride, rows, columns, scratch, labels, x, y):
    """The value of a game; the strategies go to `x` and `y` (pointers to float64).

    Entry i, j is `payoff[at + i * stride + j]` (a pointer to float64). `scratch` (a pointer to `room(rows, columns)`
    float64) and `labels` (a pointer to `rows + columns` int64) need not be cleared. Allocates nothing.
    """
    least, most, low, row, high, column = _pure(payoff, at, stride, rows, columns)
    if high - low <= SADDLE * (most - least):
        _choose_one(x, rows, row)
        _choose_one(y, columns, column)
        return low
    if rows == 2 and columns == 2:
        return _two_by_two(payoff, at, stride, x, y)
    for careful in range(2):
        _write_tableau(payoff, at, stride, rows, columns, least, most - least, scratch, labels)
        _run_simplex(rows, columns, scratch, labels, careful)
        _read_strategies(rows, columns, scratch, labels, x, y)
        low, high = _guarantees(payoff, at, stride, rows, columns, x, y)
        if high - low <= HOLDS * (most - least):
            break
    return (low + high) / 2


@inlined
def _pure(payoff, at, stride, rows, columns):
    """Least and most of all payoffs; the best guarantee and its row by rows alone; the same by columns."""
    least = most = payoff[at]
    low, row = -np.inf, 0
    for i in range(rows):
        worst = payoff[at + i * stride]
        for j in range(columns):
            entry = payoff[at + i * stride + j]
            worst = min(worst, entry)
            most = max(most, entry)
        least = min(least, worst)
        if worst > low:
            low, row = worst, i
    high, column = np.inf, 0
    for j in range(columns):
        best = payoff[at + j]
        for i in range(1, rows):
            best = max(best, payoff[at + i * stride + j])
        if best < high:
            high, column = best, j
    return least, most, low, row, high, column


@inlined
def _choose_one(strategy, count, chosen):
    for i in range(count):
        strategy[i] = 0.0
    strategy[chosen] = 1.0


@inlined
def _two_by_two(payoff, at, stride, x, y):
    """Two plays each and no saddle point: each makes the other's two plays as good."""
    a, b, c, d = payoff[at], payoff[at + 1], payoff[at + stride], payoff[at + stride + 1]
    whole = (a - b) + (d - c)  # neither is 0, and both have one sign, else there were a saddle point
    x[0], y[0] = (d - c) / whole, (d - b) / whole
    x[1], y[1] = 1.0 - x[0], 1.0 - y[0]
    return x[0] * a + x[1] * c


@inlined
def _write_tableau(payoff, at, stride, rows, columns, least, scale, tableau, labels):
    """The program `maximise sum(y), payoffs @ y <= 1, y >= 0`, with the payoffs brought to 1 to 2.

    One row for each row, whose last entry is the right side, and one for the aim. `labels`: 0 to rows - 1 are slacks
    (the row player's plays), those after them the column player's plays; the basic ones first.
    """
    width = columns + 1
    for i in range(rows):
        for j in range(columns):
            tableau[i * width + j] = 1.0 + (payoff[at + i * stride + j] - least) / scale
        tableau[i * width + columns] = 1.0
        labels[i] = i
    for j in range(columns):
        tableau[rows * width + j] = -1.0
        labels[rows + j] = rows + j
    tableau[rows * width + columns] = 0.0


@jit
def _run_simplex(rows, columns, tableau, labels, careful):
    """Pivot until no play of the column player improves the aim."""
    patience = 0 if careful else PATIENCE * (rows + columns)
    for step in range(LIMIT * (rows + columns)):
        bland = step >= patience
        column = _entering(rows, columns, tableau, labels, bland)
        if column < 0:
            return
        row = _leaving(rows, columns, tableau, labels, column, bland)
        if row < 0:
            return  # cannot be: all payoffs are at least 1, so the program is bounded
        _pivot(rows, columns, tableau, row, column)
        labels[row], labels[rows + column] = labels[rows + column], labels[row]


@inlined
def _entering(rows, columns, tableau, labels, bland):
    """The column to bring in: that of the steepest gain, or by Bland's rule the first by label; -1 at the end."""
    aim = rows * (columns + 1)
    chosen, steepest = -1, -ZERO
    for j in range(columns):
        gain = tableau[aim + j]
        if gain < -ZERO:
            if bland:
                if chosen < 0 or labels[rows + j] < labels[rows + chosen]:
                    chosen = j
            elif gain < steepest:
                chosen, steepest = j, gain
    return chosen


@inlined
def _leaving(rows, columns, tableau, labels, column, bland):
    """The row that bounds the step; of those as near, the largest pivot, or by Bland's rule the first by label."""
    width = columns + 1
    chosen, least, size = -1, np.inf, 0.0
    for i in range(rows):
        entry = tableau[i * width + column]
        if entry <= ZERO:
            continue
        step = tableau[i * width + columns] / entry
        if step < least - ZERO:
            chosen, least, size = i, step, entry
        elif step <= least + ZERO and (labels[i] < labels[chosen] if bland else entry > size):
            chosen, least, size = i, min(step, least), entry
    return chosen


@inlined
def _pivot(rows, columns, tableau, row, column):
    """Exchange the basic variable of `row` with the other one of `column`."""
    width = columns + 1
    at = row * width
    over = 1.0 / tableau[at + column]
    tableau[at + column] = 1.0
    for j in range(width):
        tableau[at + j] *= over
    for i in range(rows + 1):
        if i != row:
            factor = tableau[i * width + column]
            if factor != 0.0:
                tableau[i * width + column] = 0.0
                for j in range(width):
                    tableau[i * width + j] -= factor * tableau[at + j]


@inlined
def _read_strategies(rows, columns, tableau, labels, x, y):
    """Write both strategies: the basic plays' right sides, and what the aim still says of the slacks."""
    width = columns + 1
    for i in range(rows):
        x[i] = 0.0
    for j in range(columns):
        y[j] = 0.0
    for i in range(rows):
        if labels[i] >= rows:
            y[labels[i] - rows] = max(tableau[i * width + columns], 0.0)
    for j in range(columns):
        if labels[rows + j] < rows:
            x[labels[rows + j]] = max(tableau[rows * width + j], 0.0)
    _to_chances(x, rows)
    _to_chances(y, columns)


@inlined
def _to_chances(strategy, count):
    whole = 0.0
    for i in range(count):
        whole += strategy[i]
    for i in range(count):
        strategy[i] /= whole


@inlined
def _guarantees(payoff, at, stride, rows, columns, x, y):
    """The least that `x` gets, and the most that `y` pays."""
    low, high = np.inf, -np.inf
    for j in range(columns):
        paid = 0.0
        for i in range(rows):
            paid += x[i] * payoff[at + i * stride + j]
        low = min(low, paid)
    for i in range(rows):
        got = 0.0
        for j in range(columns):
            got += y[j] * payoff[at + i * stride + j]
        high = max(high, got)
    return low, high
