"""Named places in a flat observation. A game lists its fields once, in a table; all the rest comes from that."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sushigo_env.errors import SettingError


@dataclass(frozen=True)
class Field:
    """One field of an observation: its name, the shape it is read in, its largest value (broadcast), its meaning.

    Consecutive fields with one `group` lie interleaved: a byte of each in turn.
    """

    name: str
    shape: tuple[int, ...]
    high: ArrayLike
    doc: str
    group: str = ""

    @property
    def size(self) -> int:
        """Bytes of the field."""
        return int(np.prod(self.shape))


class Layout:
    """Where each field lies in D bytes.

    `size` is D; `slices[name]` a slice into the last axis of an observation (with a step where fields interleave);
    `shapes[name]` the shape to read it in; `high` uint8[D] the largest values; `fields` the table itself.
    """

    def __init__(self, fields: Iterable[Field]) -> None:
        self.fields: tuple[Field, ...] = tuple(fields)
        slices: dict[str, slice] = {}
        at = 0
        for members in _groups(self.fields):
            size, step = members[0].size, len(members)
            for offset, field in enumerate(members):
                slices[field.name] = slice(at + offset, at + size * step, step if step > 1 else None)
            at += size * step
        self.size: int = at
        self.slices: Mapping[str, slice] = MappingProxyType(slices)
        self.shapes: Mapping[str, tuple[int, ...]] = MappingProxyType({f.name: f.shape for f in self.fields})
        self.high: NDArray[np.uint8] = np.zeros(at, np.uint8)
        for field in self.fields:
            self.high[slices[field.name]] = np.broadcast_to(np.asarray(field.high, np.uint8), field.shape).ravel()
        self.high.flags.writeable = False

    def __reduce__(self) -> tuple[type[Layout], tuple[tuple[Field, ...]]]:
        return Layout, (self.fields,)

    @cached_property
    def fingerprint(self) -> str:
        """16 hex digits of a SHA-256 over each field's name, shape, place and largest values: the meanings aside, all.

        Layouts of one fingerprint put the same things in the same bytes, in any process and on any machine.
        """
        table = [
            [field.name, list(field.shape), [place.start, place.stop, place.step or 1], self.high[place].tolist()]
            for field, place in zip(self.fields, self.slices.values(), strict=True)
        ]
        return hashlib.sha256(json.dumps(table).encode()).hexdigest()[:16]

    def read(self, observation: NDArray[Any], name: str) -> NDArray[Any]:
        """Field `name` of `observation` ([..., D]) as a view of shape [..., *shapes[name]].

        `SettingError` if there is no such field.
        """
        if name not in self.slices:
            raise SettingError(f"observations have no field {name!r}; the fields are {', '.join(self.slices)}.")
        return observation[..., self.slices[name]].reshape((*observation.shape[:-1], *self.shapes[name]))

    def as_dict(self, observation: NDArray[Any]) -> dict[str, NDArray[Any]]:
        """Every field of `observation` ([..., D]) by name."""
        return {field.name: self.read(observation, field.name) for field in self.fields}

    def scaled(self, observation: NDArray[np.uint8]) -> NDArray[np.float32]:
        """`observation` ([..., D]) as float32 in 0 to 1: each byte divided by its largest value."""
        return np.divide(observation, np.maximum(self.high, 1), dtype=np.float32)

    def markdown(self) -> str:
        """The table of fields for the docs."""
        rows = ["| field | shape | bytes | largest value | meaning |", "|---|---|---|---|---|"]
        for field in self.fields:
            place = self.slices[field.name]
            where = f"{place.start}:{place.stop}" + (f":{place.step}" if place.step else "")
            shape = " x ".join(map(str, field.shape)) or "1"
            high = np.unique(self.high[place])
            most = str(high[0]) if len(high) == 1 else "as many as there are"
            rows.append(f"| `{field.name}` | {shape} | {where} | {most} | {field.doc} |")
        return "\n".join(rows)


def _groups(fields: tuple[Field, ...]) -> Iterable[list[Field]]:
    members: list[Field] = []
    for field in fields:
        if members and not (field.group and field.group == members[-1].group):
            yield members
            members = []
        members.append(field)
    if members:
        yield members
