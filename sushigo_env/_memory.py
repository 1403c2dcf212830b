"""Moving bytes inside kernels as C would: copies and unaligned words.

Numba's slices build array objects, and a loop over twelve bytes is not merged into wide moves, since the two arrays
might overlap. These intrinsics are `memcpy`, `memset` and unaligned loads and stores of LLVM itself. Nothing is
checked: the caller keeps to the bounds.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

# mypy: disable-error-code="no-untyped-def,misc"
# (Numba's typing and code generation interfaces carry no types.)


def _pointer(context: Any, builder: Any, array_type: Any, array: Any, index: Any) -> Any:
    data = context.make_array(array_type)(context, builder, array).data
    return builder.gep(builder.bitcast(data, ir.IntType(8).as_pointer()), [index])


@intrinsic
def copy(typingctx, dst, i, src, j, count):
    """`dst[i : i + count] = src[j : j + count]` for uint8[:] that do not overlap there; a constant count is fast."""

    def codegen(context, builder, signature, args):
        to = _pointer(context, builder, signature.args[0], args[0], args[1])
        source = _pointer(context, builder, signature.args[2], args[2], args[3])
        cgutils.raw_memcpy(builder, to, source, args[4], 1)
        return context.get_dummy_value()

    return types.void(dst, types.intp, src, types.intp, types.intp), codegen


@intrinsic
def clear(typingctx, dst, i, count):
    """`dst[i : i + count] = 0` for uint8[:]; a constant count is fast."""

    def codegen(context, builder, signature, args):
        to = _pointer(context, builder, signature.args[0], args[0], args[1])
        cgutils.memset(builder, to, args[2], 0)
        return context.get_dummy_value()

    return types.void(dst, types.intp, types.intp), codegen


def _loader(result):
    def load(typingctx, src, i):
        def codegen(context, builder, signature, args):
            at = _pointer(context, builder, signature.args[0], args[0], args[1])
            word = builder.load(builder.bitcast(at, ir.IntType(result.bitwidth).as_pointer()))
            word.align = 1
            return word

        return result(src, types.intp), codegen

    return load


def _storer(value):
    def store(typingctx, dst, i, word):
        def codegen(context, builder, signature, args):
            at = _pointer(context, builder, signature.args[0], args[0], args[1])
            kept = builder.store(args[2], builder.bitcast(at, ir.IntType(value.bitwidth).as_pointer()))
            kept.align = 1
            return context.get_dummy_value()

        return types.void(dst, types.intp, value), codegen

    return store


load64 = intrinsic(_loader(types.uint64))
"""load64(src, i): the uint64 at bytes i..i+7 of uint8[:]."""
load32 = intrinsic(_loader(types.uint32))
"""load32(src, i): the uint32 at bytes i..i+3 of uint8[:]."""
store64 = intrinsic(_storer(types.uint64))
"""store64(dst, i, word): write a uint64 to bytes i..i+7 of uint8[:]."""
store32 = intrinsic(_storer(types.uint32))
"""store32(dst, i, word): write a uint32 to bytes i..i+3 of uint8[:]."""
