"""What is told of a trained agent: how it came to be, and how strong it is. A JSON file beside its weights."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from sushigo_agents.files import in_words, write_whole
from sushigo_env.errors import AgentError


@dataclass(frozen=True)
class Strength:
    """How the agent did in one seat against a field of another in all the rest, every deal in each rotation."""

    field: str
    """Spec of the agent in the other seats."""
    games: int
    win_share: float
    """Part of the victories, 0 to 1; a fair share is 1 over the players."""
    win_share_ci: tuple[float, float]
    """95% interval, by deal."""
    mean_score: float
    field_mean_score: float


@dataclass(frozen=True)
class Regret:
    """What the agent gives away at the ends of rounds for two, which are solved exactly (docs/endgames.md)."""

    positions: int
    mean: float
    """Points of margin."""
    mean_ci: tuple[float, float]
    """95% interval."""
    in_support: float
    """How often its play is one of an equilibrium's, 0 to 1."""


@dataclass(frozen=True)
class Card:
    """The facts of one file of weights, by which it can be judged and trained again."""

    name: str
    """What stands behind `zoo:`."""
    game: str
    num_players: int
    variant: str
    recipe: dict[str, Any]
    """Every setting of the training."""
    decisions: int
    """Decisions it learned from."""
    wall_time_s: float
    machine: str
    env_version: str
    layout: str
    """Fingerprint of the observations' layout."""
    parameters: int
    """Numbers in the network."""
    trained: str
    """Date, as 2025-12-31."""
    strength: tuple[Strength, ...] = ()
    regret: Regret | None = None
    """At tables for two, if it was measured."""
    notes: str = field(default="")

    def against(self, spec: str) -> Strength | None:
        """Its strength against a field of `spec`; None if that was not measured."""
        return next((strength for strength in self.strength if strength.field == spec), None)

    def as_json(self) -> dict[str, Any]:
        """As JSON-ready values."""
        told = asdict(self)
        told["strength"] = [asdict(each) | {"win_share_ci": list(each.win_share_ci)} for each in self.strength]
        if self.regret is None:
            del told["regret"]
        else:
            told["regret"]["mean_ci"] = list(self.regret.mean_ci)
        return told

    def write(self, path: Path) -> None:
        """Write the card, whole or not at all; `SettingError` where that fails."""
        write_whole(path, (json.dumps(self.as_json(), indent=1, ensure_ascii=False) + "\n").encode())

    @classmethod
    def read(cls, path: Path) -> Card:
        """The card in a file; `AgentError` names the file and what is wrong with it."""
        try:
            told = json.loads(path.read_text(encoding="utf-8"))
        except OSError as error:
            raise AgentError(f"the card {path} cannot be read: {in_words(error)}.") from error
        except ValueError as error:
            raise AgentError(f"the card {path} is no JSON: {error}.") from error
        try:
            return cls.from_json(told)
        except AgentError as error:
            raise AgentError(f"the card {path} is not as it should be: {error}") from error

    @classmethod
    def from_json(cls, told: Any) -> Card:
        """The card of JSON-ready values; `AgentError` says what is wrong with them."""
        values = _checked(cls, told)
        values["strength"] = tuple(_strength(each) for each in values.get("strength", ()))
        if "regret" in values:
            values["regret"] = _regret(values["regret"])
        return cls(**values)


_KINDS: Mapping[str, tuple[type, ...]] = {
    "int": (int,),
    "float": (int, float),
    "str": (str,),
    "dict[str, Any]": (dict,),
    "tuple[Strength, ...]": (list,),
    "Regret | None": (dict,),
    "tuple[float, float]": (list,),
}
"""Type of a field, as it is written here -> what JSON has for it."""


def _strength(told: Any) -> Strength:
    values = _checked(Strength, told)
    interval = values["win_share_ci"]
    low, high = values["win_share_ci"] = _interval("win_share_ci", interval)
    if not 0 <= low <= values["win_share"] <= high <= 1:
        raise AgentError(f"a win share of {values['win_share']} must lie in its interval {interval}, and in 0 to 1.")
    return Strength(**values)


def _regret(told: Any) -> Regret:
    values = _checked(Regret, told)
    low, high = _interval("mean_ci", values["mean_ci"])
    if not (low <= values["mean"] <= high and 0 <= values["mean"] < float("inf")):
        raise AgentError(f"a regret of {values['mean']} must be 0 or more, and lie in its interval {[low, high]}.")
    if values["positions"] < 1 or not 0 <= values["in_support"] <= 1:
        raise AgentError("a regret must tell 1 position or more, and in_support from 0 to 1.")
    return Regret(**values | {"mean_ci": (low, high)})


def _interval(name: str, told: list[Any]) -> tuple[float, float]:
    if len(told) != 2 or not all(type(end) in (float, int) for end in told):
        raise AgentError(f"{name} must be two numbers, not {told!r}.")
    low, high = map(float, told)
    return low, high


def _checked(kind: type, told: Any) -> dict[str, Any]:
    """`told` as keyword arguments of the dataclass `kind`; `AgentError` for what is missing, unknown or mistyped."""
    if not isinstance(told, dict):
        raise AgentError(f"a {kind.__name__.lower()} must be an object, not {type(told).__name__}.")
    known = {each.name: str(each.type) for each in fields(kind)}
    needed = [name for name in known if name not in ("strength", "regret", "notes")]
    odd = [name for name in told if name not in known] or [name for name in needed if name not in told]
    if odd:
        wrong = "an unknown" if odd[0] in told else "no"
        raise AgentError(f"it has {wrong} {odd[0]}; it must have {', '.join(needed)}.")
    for name, value in told.items():
        if not isinstance(value, _KINDS[known[name]]) or isinstance(value, bool):
            wanted = known[name].removesuffix(" | None")
            raise AgentError(f"its {name} must be of type {wanted}, not {value!r}.")
    return dict(told)
