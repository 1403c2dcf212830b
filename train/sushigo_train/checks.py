"""What settings of every kind are held against."""

from __future__ import annotations

import math
from dataclasses import fields
from typing import Any

from sushigo_env.errors import SettingError


def check_finite(settings: Any) -> None:
    """`SettingError` if a number among the fields of a dataclass is infinite or none at all (nan)."""
    for field in fields(settings):
        value = getattr(settings, field.name)
        if isinstance(value, float) and not math.isfinite(value):
            raise SettingError(f"{field.name} must be a finite number, not {value}.")


def check_widths(widths: tuple[int, ...]) -> None:
    """`SettingError` unless these are sizes of layers that a network can have."""
    if not widths or min(widths) < 1 or max(widths) > MOST_UNITS:
        raise SettingError(f"widths must name one or more layers of 1 to {MOST_UNITS:,} units, not {list(widths)}.")


MOST_UNITS = 65_536
"""Of a layer; far beyond what learns here."""
