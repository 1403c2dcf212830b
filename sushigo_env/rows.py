"""The state of B games: one row of bytes a game, with a shaped view of each field.

Rows are what kernels work on, and what is copied, saved and restored. A game gives the table of its fields; where each
lies in a row follows from it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import DTypeLike, NDArray


@dataclass(frozen=True)
class StateField:
    """A field of a game's row: name, dtype, shape, meaning."""

    name: str
    dtype: DTypeLike
    shape: tuple[int, ...]
    doc: str

    @property
    def size(self) -> int:
        """Bytes in a row."""
        return math.prod(self.shape) * np.dtype(self.dtype).itemsize


def offsets_of(fields: Sequence[StateField]) -> tuple[dict[str, int], int]:
    """Field -> its first byte in a row, in the order of `fields`; bytes of a row, a multiple of 8."""
    at, offsets = 0, {}
    for field in fields:
        offsets[field.name] = at
        at += field.size
    return offsets, -(-at // 8) * 8


class Rows:
    """The rows of B games, `rows` uint8[B, bytes a game], and a view of each field as an attribute, [B, *shape].

    A subclass gives its `fields` and says in annotations what views there are; these every game has.
    """

    fields: ClassVar[Sequence[StateField]]
    done: NDArray[np.bool_]
    started: NDArray[np.bool_]
    ended: NDArray[np.bool_]
    episode: NDArray[np.uint32]
    seed: NDArray[np.uint64]
    kind: NDArray[np.uint8]

    @classmethod
    def of(cls, rows: NDArray[np.uint8]) -> Self:
        """The views of given `rows` (uint8[B, bytes a game]), which are shared where they are contiguous."""
        made = cls.__new__(cls)
        made._view(np.ascontiguousarray(rows))
        return made

    def _view(self, rows: NDArray[np.uint8]) -> None:
        self.rows = rows
        at = 0
        for field in self.fields:
            column = rows[:, at : at + field.size].view(field.dtype)
            setattr(self, field.name, column.reshape(len(rows), *field.shape))
            at += field.size

    def __getstate__(self) -> dict[str, Any]:
        return {"rows": self.rows}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self._view(kept["rows"])
