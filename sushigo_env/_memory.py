"""Moving bytes inside kernels as C would: raw pointers, copies, unaligned words, room on the stack.

Kernels work on a pointer to one game's row (`pointer(rows, first byte)`), not on an array: a pointer has no reference
count and no shape, so handing it to a function costs nothing, and an index is not tested for being negative. Nothing
is checked: whoever makes the pointer keeps the array alive and to its bounds.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

# mypy: disable-error-code="no-untyped-def,misc"
# (Numba's typing and code generation interfaces carry no types.)

_BYTES = types.CPointer(types.uint8)
_NUMBERS = types.CPointer(types.int64)


@intrinsic
def pointer(typingctx, array, offset):
    """A pointer to item `offset` of a contiguous array."""

    def codegen(context, builder, signature, args):
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        return builder.gep(data, [args[1]])

    return types.CPointer(array.dtype)(array, types.intp), codegen


@intrinsic(prefer_literal=True)
def on_stack(typingctx, count):
    """Room for a constant `count` of int64 on the stack, not cleared; gone when the calling function returns."""
    size = count.literal_value

    def codegen(context, builder, signature, args):
        return cgutils.alloca_once(builder, ir.IntType(64), size=size)

    return _NUMBERS(count), codegen


@intrinsic
def copy(typingctx, dst, i, src, j, count):
    """`dst[i : i + count] = src[j : j + count]` for bytes that do not overlap; a constant count is fast."""

    def codegen(context, builder, signature, args):
        to, source = builder.gep(args[0], [args[1]]), builder.gep(args[2], [args[3]])
        cgutils.raw_memcpy(builder, to, source, args[4], 1)
        return context.get_dummy_value()

    return types.void(_BYTES, types.intp, _BYTES, types.intp, types.intp), codegen


@intrinsic
def clear(typingctx, dst, i, count):
    """`dst[i : i + count] = 0`; a constant count is fast."""

    def codegen(context, builder, signature, args):
        cgutils.memset(builder, builder.gep(args[0], [args[1]]), args[2], 0)
        return context.get_dummy_value()

    return types.void(_BYTES, types.intp, types.intp), codegen


@intrinsic
def prefetch(typingctx, src, i):
    """Ask for the cache line of byte i, soon to be needed; any address will do, since nothing is read."""

    def codegen(context, builder, signature, args):
        at = builder.gep(args[0], [args[1]])
        word = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [at.type, word, word, word])
        ask = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")
        builder.call(ask, [at, word(1), word(3), word(1)])
        return context.get_dummy_value()

    return types.void(_BYTES, types.intp), codegen


def _loader(result: Any) -> Any:
    def load(typingctx, src, i):
        def codegen(context, builder, signature, args):
            at = builder.gep(args[0], [args[1]])
            word = builder.load(builder.bitcast(at, ir.IntType(result.bitwidth).as_pointer()))
            word.align = 1
            return word

        return result(_BYTES, types.intp), codegen

    return load


def _storer(value: Any) -> Any:
    def store(typingctx, dst, i, word):
        def codegen(context, builder, signature, args):
            at = builder.gep(args[0], [args[1]])
            kept = builder.store(args[2], builder.bitcast(at, ir.IntType(value.bitwidth).as_pointer()))
            kept.align = 1
            return context.get_dummy_value()

        return types.void(_BYTES, types.intp, value), codegen

    return store


load64 = intrinsic(_loader(types.uint64))
"""load64(src, i): the uint64 at bytes i..i+7."""
load32 = intrinsic(_loader(types.uint32))
"""load32(src, i): the uint32 at bytes i..i+3."""
store64 = intrinsic(_storer(types.uint64))
"""store64(dst, i, word): write a uint64 to bytes i..i+7."""
store32 = intrinsic(_storer(types.uint32))
"""store32(dst, i, word): write a uint32 to bytes i..i+3."""
