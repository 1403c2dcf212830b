"""The settings that every environment of a game has, checked in one place."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from sushigo_env.api.rewards import SCHEMES
from sushigo_env.errors import SettingError

ILLEGAL = ("terminate", "raise")
"""What a masked action does: lose the game at once, or raise `IllegalAction` and change nothing."""
OBS = ("dict", "flat")
"""`{"observation": ..., "action_mask": ...}`, or the observation alone (the mask is in the info either way)."""
DTYPES = ("uint8", "float32")
"""Observations as counts, or each divided by its largest value."""
RENDER_MODES = ("human", "ansi")
"""Print the table as text, or return that text."""


@dataclass(frozen=True)
class Settings:
    """How an environment shows a game; `SettingError` for a value that is not allowed."""

    reward: str = "win"
    illegal: str = "terminate"
    render_mode: str | None = None
    obs: str = "dict"
    dtype: str = "uint8"

    def __post_init__(self) -> None:
        check("reward", self.reward, SCHEMES)
        check("illegal", self.illegal, ILLEGAL)
        if self.render_mode is not None:
            check("render_mode", self.render_mode, RENDER_MODES)
        check("obs", self.obs, OBS)
        check("dtype", self.dtype, DTYPES)


def check(name: str, value: object, allowed: Collection[str]) -> None:
    """Raise `SettingError` unless `value` is one of `allowed`."""
    if not isinstance(value, str) or value not in allowed:
        raise SettingError(f"{name} must be one of {', '.join(allowed)}, not {value!r}.")


def checked_options(options: Any) -> dict[str, Any]:
    """A copy of the `options` given to `reset`, empty for None; `SettingError` for what is no mapping."""
    if options is None:
        return {}
    if not isinstance(options, Mapping):
        raise SettingError(f"options must be a dict, not {type(options).__name__}.")
    return dict(options)
