"""Compiled: positions written only from what a game can show, and for masks that allow no more than the rules."""

from __future__ import annotations

import numpy as np

from sushigo_agents.boat._position import write_position
from sushigo_agents.boat._possible import FINE, MASKED, NOTHING, STAFF_OFF, WAITS, why_impossible
from sushigo_env._jit import inlined, jit
from sushigo_env._memory import load64, pointer
from sushigo_env.sushi_boat.bits import nonzero
from sushigo_env.sushi_boat.state import LEGAL, ROW, TO_ACT

# mypy: disable-error-code="no-untyped-def"
# (Compiled functions: Numba infers their types; the docstrings give them.)


@jit
def write_checked(seen, at, rules, limits, size, key, row):
    """`write_position` if a game shows `seen`; gives what is wrong with it, as `REASONS` numbers it, or `FINE`.

    `limits` points to what `limits_of` gives, `size` is D.
    """
    wrong = why_impossible(seen, at, rules, limits, size)
    if wrong == FINE:
        write_position(seen, at, rules, key, row)
        if load64(row, LEGAL) | load64(row, LEGAL + 8) == 0:
            return STAFF_OFF
    return wrong


@inlined
def read_mask(mask, count):
    """Bit by action, in two words: what a mask of `count` bytes, which are 0 or 1, allows."""
    low = high = np.uint64(0)
    for word in range(8):
        low |= nonzero(load64(mask, 8 * word)) << np.uint64(8 * word)
    for word in range(8, count // 8):
        high |= nonzero(load64(mask, 8 * word)) << np.uint64(8 * word - 64)
    return low, high | nonzero(load64(mask, count - 8)) << np.uint64(count - 72)


@jit
def write_asked(seen, low, high, at, rules, limits, size, key, row):
    """As `write_checked`, of a decision of the viewer whose mask is `low` and `high`, as `read_mask` gives it."""
    wrong = write_checked(seen, at, rules, limits, size, key, row)
    if wrong == FINE:
        if row[TO_ACT] != 0:
            return WAITS
        if low | high == 0:
            return NOTHING
        if low & ~load64(row, LEGAL) | high & ~load64(row, LEGAL + 8):
            return MASKED
    return wrong


@jit
def find_impossible(observation, mask, at, rules, limits):
    """The first row that cannot be, and what is wrong with it; or -1 and `FINE`. `mask` uint8[N, A], N 0 for none."""
    position, size, count = np.zeros(ROW, np.uint8), observation.shape[1], mask.shape[1]
    row, key = pointer(position, 0), np.uint64(0)
    fields, numbers, most = pointer(at, 0), pointer(rules, 0), pointer(limits, 0)
    for i in range(len(observation)):
        seen = pointer(observation[i], 0)
        if len(mask):
            low, high = read_mask(pointer(mask[i], 0), count)
            wrong = write_asked(seen, low, high, fields, numbers, most, size, key, row)
        else:
            wrong = write_checked(seen, fields, numbers, most, size, key, row)
        if wrong != FINE:
            return i, wrong
    return -1, FINE
