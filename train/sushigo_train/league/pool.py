"""The pool of frozen players: scripted anchors, and snapshots of learners, old and new."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

from sushigo_env.errors import SettingError

Kind = Literal["anchor", "snapshot", "exploiter"]


@dataclass(frozen=True)
class Member:
    """A frozen player: an agent's `spec`, or a learner's `weights` at one moment. `SettingError` if it is neither."""

    name: str
    kind: Kind
    """`anchor` (scripted, stays for ever), `snapshot` (of a main learner) or `exploiter` (of an exploiter)."""
    spec: str | None = None
    """An anchor's spec string, such as `greedy`."""
    weights: str | None = None
    """The file that holds the weights of any other."""
    born_at: int = 0
    """Decisions that the run had learned from when it was frozen."""
    parent: str | None = None
    """The live learner that it was taken from."""

    def __post_init__(self) -> None:
        if self.kind not in get_args(Kind):
            raise SettingError(f"kind must be one of {', '.join(get_args(Kind))}, not {self.kind!r}.")
        if (self.spec is None) != (self.kind != "anchor") or (self.weights is None) != (self.kind == "anchor"):
            raise SettingError(f"member {self.name!r} must have a spec if it is an anchor, else weights.")


class Pool:
    """Frozen players in the order in which they came: every anchor, and at most `size` others.

    When one too many comes, one goes. The newest half of `size` and the oldest of all are kept; of those between, the
    one goes whose neighbours lie closest together for its age, that is with the least

        (born_at of the next one - born_at of the one before) / (born_at of the newest - its own born_at)

    (of equals the oldest). So the gaps between old ones grow with their age, and a pool of fixed size reaches back to
    the start of the longest run.

    `SettingError` if `size` is below 2.
    """

    def __init__(self, size: int) -> None:
        if size < 2:
            raise SettingError(f"a pool's size must be at least 2, not {size}.")
        self.size = size
        self._members: dict[str, Member] = {}

    def __len__(self) -> int:
        return len(self._members)

    def __iter__(self) -> Iterator[Member]:
        return iter(self._members.values())

    def __contains__(self, name: object) -> bool:
        return name in self._members

    def __getitem__(self, name: str) -> Member:
        if name not in self._members:
            raise SettingError(f"the pool has no member {name!r}; it has {', '.join(self._members) or 'none'}.")
        return self._members[name]

    @property
    def names(self) -> tuple[str, ...]:
        """The members' names, in order."""
        return tuple(self._members)

    def add(self, member: Member) -> list[Member]:
        """Let a member in; returns who had to go for it.

        `SettingError` if the name is taken, or it was born before a member that is here already (anchors aside).
        """
        if member.name in self._members:
            raise SettingError(f"the pool has a member {member.name!r} already; names must differ.")
        frozen = self._frozen()
        if member.kind != "anchor" and frozen and member.born_at < frozen[-1].born_at:
            last = frozen[-1]
            raise SettingError(f"{member.name!r} was born at {member.born_at}, before {last.name!r} at {last.born_at}.")
        self._members[member.name] = member
        dropped = []
        while len(frozen := self._frozen()) > self.size:
            dropped.append(_crowded(frozen, self.size // 2))
            del self._members[dropped[-1].name]
        return dropped

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready: what `from_dict` makes the same pool from."""
        return {"size": self.size, "members": [asdict(member) for member in self]}

    @classmethod
    def from_dict(cls, told: Mapping[str, Any]) -> Pool:
        """Make the pool that `to_dict` told of."""
        pool = cls(told["size"])
        pool._members = {member["name"]: Member(**member) for member in told["members"]}
        return pool

    def _frozen(self) -> list[Member]:
        """All but the anchors, oldest first."""
        return [member for member in self if member.kind != "anchor"]


def _crowded(members: list[Member], recent: int) -> Member:
    """Who goes: `members` are in order of birth, the last `recent` and the first stay."""
    newest = members[-1].born_at

    def room(i: int) -> float:
        age = newest - members[i].born_at
        return (members[i + 1].born_at - members[i - 1].born_at) / age if age else 0.0

    return members[min(range(1, len(members) - recent), key=room)]
