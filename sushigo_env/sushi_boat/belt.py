"""Compiled: the belt. Plates enter at space 0, push the block before them up to the first gap, and fall from 13.

The belt is 14 bytes that are moved as two words; the two bytes behind it belong to other fields and are left alone.
"""

from __future__ import annotations

import numpy as np

from sushigo_env._jit import inlined, jit
from sushigo_env._memory import load64, store64
from sushigo_env.sushi_boat.bits import count_bits, load16, lowest, store16
from sushigo_env.sushi_boat.cards import SPACES, TUNNEL
from sushigo_env.sushi_boat.chance import draw_plate, put_into_trash
from sushigo_env.sushi_boat.rules import VISIBLE
from sushigo_env.sushi_boat.state import BELT, FILLED, NONE

# mypy: disable-error-code="no-untyped-def"
# (Compiled functions: Numba infers their types; the docstrings give them.)

FULL = (1 << SPACES) - 1
"""Bit by space: a belt without a gap."""
BEFORE_TUNNEL = (1 << TUNNEL[0]) - 1
"""Bit by space: those between the start and the tunnel."""
_LOW = np.array([(1 << 8 * min(space, 8)) - 1 for space in range(SPACES + 1)], np.uint64)
_HIGH = np.array([(1 << 8 * max(space - 8, 0)) - 1 for space in range(SPACES + 1)], np.uint64)
"""uint64[15] each: the bytes of the spaces before a space, in the belt's first and second word."""
_S8, _S56 = np.uint64(8), np.uint64(56)


@inlined
def seen_plates(row):
    """Bit by space: plates that lie outside the tunnel."""
    return load16(row, FILLED) & VISIBLE


@inlined
def shift_block(row, first, gap, plate):
    """Plates on spaces `first` to `gap` - 1 move one space on; `plate` comes to `first`."""
    low, high = load64(row, BELT), load64(row, BELT + 8)
    moved_low, moved_high = low << _S8, (high << _S8) | (low >> _S56)
    low_bytes, high_bytes = _LOW[gap + 1] ^ _LOW[first], _HIGH[gap + 1] ^ _HIGH[first]
    start = _LOW[first + 1] ^ _LOW[first]
    moved_low = (moved_low & ~start) | (np.uint64(plate) * np.uint64(0x0101010101010101) & start)
    start = _HIGH[first + 1] ^ _HIGH[first]
    moved_high = (moved_high & ~start) | (np.uint64(plate) * np.uint64(0x0101010101010101) & start)
    store64(row, BELT, (low & ~low_bytes) | (moved_low & low_bytes))
    store64(row, BELT + 8, (high & ~high_bytes) | (moved_high & high_bytes))


@inlined
def first_gap(row, space):
    """The first space from `space` on without a plate; 14 if there is none."""
    return lowest(np.uint64(~load16(row, FILLED)) >> np.uint64(space)) + space


@jit
def feed(row, plate):
    """A plate enters; gives 1 if one fell into the Trash for it, else 0."""
    gap, fell = first_gap(row, 0), 0
    if gap == SPACES:
        put_into_trash(row, np.int64(row[BELT + SPACES - 1]))
        gap, fell = SPACES - 1, 1
    shift_block(row, 0, gap, plate)
    store16(row, FILLED, load16(row, FILLED) | (1 << gap))
    return fell


@jit
def push(row, space):
    """The plate on `space` moves one space on and pushes the block before it (Tempura)."""
    gap = first_gap(row, space)
    if gap == SPACES:
        put_into_trash(row, np.int64(row[BELT + SPACES - 1]))
        gap = SPACES - 1
    shift_block(row, space, gap, NONE)
    store16(row, FILLED, (load16(row, FILLED) | (1 << gap)) & ~(1 << space))


@jit
def take_from_belt(row, space):
    """Take the plate on a space off the belt; gives its kind."""
    plate = np.int64(row[BELT + space])
    row[BELT + space] = NONE
    store16(row, FILLED, load16(row, FILLED) & ~(1 << space))
    return plate


@jit
def feed_until_full(row):
    """Feed plates until no gap is left (green arrow), or none can be drawn."""
    for _ in range(SPACES - count_bits(np.uint64(load16(row, FILLED)))):
        plate = draw_plate(row)
        if plate < 0:
            return
        feed(row, plate)


@jit
def feed_until_one_falls(row):
    """Feed plates until one falls into the Trash (red arrow), or none can be drawn."""
    while True:
        plate = draw_plate(row)
        if plate < 0 or feed(row, plate):
            return


@jit
def feed_out_the_tunnel(row):
    """Feed until both plates in the tunnel are out of it: as many as there are gaps before it, and two."""
    gaps = TUNNEL[0] - count_bits(np.uint64(load16(row, FILLED) & BEFORE_TUNNEL))
    for _ in range(gaps + len(TUNNEL)):
        plate = draw_plate(row)
        if plate < 0:
            return
        feed(row, plate)
