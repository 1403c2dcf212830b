"""A training run as its folder tells it: how long, how much, and how the player grew."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from sushigo_env.errors import SettingError

_SHARE = "/win_share"
"""Ends the names of an evaluation's win shares in a run's log; before it stands the spec of the field."""


class Point(NamedTuple):
    """The player at one evaluation."""

    seconds: float
    """Of playing and learning until then."""
    decisions: int
    """Learned from until then."""
    shares: dict[str, float]
    """Spec of a field -> win share against it, 0 to 1."""


@dataclass(frozen=True)
class Training:
    """How an agent was trained, evaluation by evaluation; the last one stands at the run's end."""

    policy: str
    """Spec of the player: the path of its file."""
    recipe: str
    players: int
    anchors: tuple[str, ...]
    """Specs of the scripted agents that it learned from, beside itself."""
    cores: int
    points: tuple[Point, ...]

    @property
    def fields(self) -> list[str]:
        """Specs of whom the player was held against."""
        return list(self.points[-1].shares)

    def as_json(self) -> dict[str, Any]:
        """As JSON-ready values."""
        last = self.points[-1]
        return {
            "policy": self.policy,
            "recipe": self.recipe,
            "players": self.players,
            "anchors": list(self.anchors),
            "cores": self.cores,
            "decisions": last.decisions,
            "seconds": last.seconds,
            "evaluations": [point._asdict() for point in self.points],
        }


def read_training(run: Path, recipe: str, cores: int) -> Training:
    """The run in the folder `run`, by `recipe`, on so many cores; `SettingError` if its files do not tell of one."""
    try:
        settings = json.loads((run / "settings.json").read_text(encoding="utf-8"))["settings"]
        lines = (run / "log.jsonl").read_text(encoding="utf-8").splitlines()
        entries = [entry for entry in map(json.loads, lines) if entry.get("evaluation")]
        points = tuple(_point(entry) for entry in entries)
        players, anchors = int(settings["num_players"]), tuple(map(str, settings["league"]["anchors"]))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise SettingError(f"{run} is no run's folder: its settings or its log cannot be read.") from error
    if not points:
        raise SettingError(f"the run in {run} ended before its first evaluation; train longer.")
    return Training(str(run / "policy.safetensors"), recipe, players, anchors, cores, points)


def _point(entry: dict[str, Any]) -> Point:
    shares = {name.removesuffix(_SHARE): float(value) for name, value in entry.items() if name.endswith(_SHARE)}
    return Point(float(entry["seconds"]), int(entry["decisions"]), shares)
