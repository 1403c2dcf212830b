"""Compiled: the table of positions solved already, with their values.

Places are four words: the two hands, the tables' word with the table's generation above it, the bits of the value.
Positions are told apart by all three words, so that no value can be another's. A new generation empties the table
without touching it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from sushigo_agents.exact._rest import TABLE_BITS
from sushigo_env._jit import inlined, jit
from sushigo_env._memory import pointer
from sushigo_env.seeding import mix

# mypy: disable-error-code="no-untyped-def"
# (Compiled functions: Numba infers their types; the docstrings give them.)

WIDE = 4
"""Words of a place."""
LAST_GENERATION = (1 << 64 - TABLE_BITS) - 1
"""Generations begin at 1: what was never written is of generation 0."""
_GENERATION_AT = np.uint64(TABLE_BITS)
_M1, _M2 = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)
_ONE, _TWO, _THREE, _FOUR = np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(4)


class Places(NamedTuple):
    """A table (uint64[4 M], M a power of two) as kernels use it."""

    words: Any  # pointer to uint64
    values: Any  # pointer to the same as float64
    last: Any  # uint64: M - 1
    mark: Any  # uint64: the generation, where it stands in a place's third word


@jit
def places_of(kept, generation):
    """The table `kept` for a generation (uint64)."""
    last = np.uint64(len(kept) // WIDE - 1)
    return Places(pointer(kept, 0), pointer(kept.view(np.float64), 0), last, generation << _GENERATION_AT)


@inlined
def find(places, hand_0, hand_1, table):
    """(whether a position is kept, where: the first of its words, or of an empty place for it)."""
    word = np.uint64(table) | places.mark
    place = mix(hand_0 * _M1 ^ (hand_1 + word * _M2)) & places.last
    found = False
    while places.words[place * _FOUR + _TWO] >> _GENERATION_AT == word >> _GENERATION_AT:
        at = place * _FOUR
        if places.words[at + _TWO] == word and places.words[at] == hand_0 and places.words[at + _ONE] == hand_1:
            found = True
            break
        place = (place + _ONE) & places.last
    return found, place * _FOUR


@jit
def keep(places, hand_0, hand_1, table, value):
    """Keep a position that is not there yet; the table must have an empty place left."""
    _, at = find(places, hand_0, hand_1, table)
    places.words[at], places.words[at + _ONE] = hand_0, hand_1
    places.words[at + _TWO] = np.uint64(table) | places.mark
    places.values[at + _THREE] = value


@jit
def twice_as_large(kept, generation):
    """A table with twice the places, and all of this generation in it."""
    larger = np.zeros(2 * len(kept), np.uint64)
    to, mask = places_of(larger, generation), (_ONE << _GENERATION_AT) - _ONE
    values = kept.view(np.float64)
    for at in range(0, len(kept), WIDE):
        if kept[at + 2] >> _GENERATION_AT == generation:
            keep(to, kept[at], kept[at + 1], np.int64(kept[at + 2] & mask), values[at + 3])
    return larger
