"""Compiled: sets as bits, counts as the bytes of words: what keeps the kernels short and fast."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from sushigo_env._jit import inlined, jit
from sushigo_env._memory import load64, store64

# mypy: disable-error-code="no-untyped-def,misc"
# (Compiled functions and Numba's code generation interface carry no types.)

_ONES = np.uint64(0x0101010101010101)
_SEVENS = np.uint64(0x7F7F7F7F7F7F7F7F)
_DIAGONAL = np.uint64(0x8040201008040201)
_GATHER = np.uint64(0x0102040810204080)
_HIGHS = np.uint64(0x8080808080808080)
_S7, _S56 = np.uint64(7), np.uint64(56)
_BYTE = np.uint64(255)


@intrinsic
def lowest(typingctx, word):
    """Number of the lowest bit set of a uint64 that is not 0, as an int64."""

    def codegen(context, builder, signature, args):
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), codegen


@intrinsic
def count_bits(typingctx, word):
    """How many bits of a uint64 are set, as an int64."""

    def codegen(context, builder, signature, args):
        return builder.ctpop(args[0])

    return types.int64(types.uint64), codegen


@inlined
def load16(row, at):
    """int64: the uint16 at bytes at, at + 1 (Numba's pointer to bytes makes one load of it)."""
    return np.int64(row[at]) | np.int64(row[at + 1]) << 8


@inlined
def store16(row, at, number):
    """Write an int64 below 65536 as the uint16 at bytes at, at + 1."""
    row[at] = number & 255
    row[at + 1] = number >> 8


@inlined
def has(word, place):
    """Whether bit `place` of a uint64 is set."""
    return (word >> np.uint64(place)) & np.uint64(1) != 0


@inlined
def nonzero(word):
    """uint64: bit i is set where byte i of `word` (uint64, bytes below 128) is not 0."""
    return ((((word + _SEVENS) >> _S7) & _ONES) * _GATHER) >> _S56


@jit
def take_one(row, at, number):
    """Take the `number`-th thing, from 0, out of the counts that begin at byte `at`, in order of kind; gives its kind.

    There must be more than `number` things; counts add up to less than 128. Bytes behind the counts do not matter.
    """
    left, kind = np.uint64(number), 0
    while True:
        word = load64(row, at + kind)
        sums = word * _ONES  # byte i holds the sum of the bytes up to i
        # a byte's high bit is set where its sum is more than `left`; what lies behind the counts may spill upwards only
        beyond = (((sums & _SEVENS) + (np.uint64(127) - left) * _ONES) | sums) & _HIGHS
        if beyond:
            byte = lowest(beyond) >> 3
            store64(row, at + kind, word - (np.uint64(1) << np.uint64(byte << 3)))
            return kind + byte
        left -= sums >> _S56
        kind += 8


@jit
def write_bits(low, high, out, size):
    """Write `size` bytes, 8 to 128: byte i is bit i of the 128 bits (`low`, `high`, uint64 each)."""
    last = size - 8
    for at in range(0, last, 8):
        store64(out, at, _spread(_byte_at(low, high, at)))
    store64(out, last, _spread(_byte_at(low, high, last)))


@inlined
def _byte_at(low, high, at):
    """Bits `at` to `at` + 7 of 128 bits."""
    if at >= 64:
        return (high >> np.uint64(at - 64)) & _BYTE
    shift = np.uint64(at)
    carried = (high << (np.uint64(63) - shift)) << np.uint64(1)
    return ((low >> shift) | carried) & _BYTE


@inlined
def _spread(byte):
    """The 8 bits of `byte` (uint64 below 256) as the 8 bytes of a word."""
    return ((((byte * _ONES) & _DIAGONAL) + _SEVENS) >> _S7) & _ONES


def bits_of(words: Any, size: int) -> list[int]:
    """The bits set in uint64 `words`, lowest first, below `size`."""
    left = (int(words[0]) | int(words[1]) << 64) & ((1 << size) - 1)
    found = []
    while left:
        found.append((left & -left).bit_length() - 1)
        left &= left - 1
    return found
