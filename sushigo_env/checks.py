"""Checks of what users hand in: one sentence for each thing that is not allowed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sushigo_env.errors import ActionError, SettingError


def whole_number(name: str, value: Any) -> int:
    """`value` as an int from 1 on; `SettingError` for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 1:
        raise SettingError(f"{name} must be a whole number from 1 on, not {value!r}.")
    return int(value)


def one_of(name: str, value: Any, allowed: Sequence[str]) -> str:
    """`value` if it is one of the names `allowed`; else `SettingError`."""
    if not isinstance(value, str) or value not in allowed:
        raise SettingError(f"{name} must be one of {', '.join(allowed)}, not {value!r}.")
    return value


def game_index(index: Any, num_games: int) -> int:
    """`index` as an int in 0 to B - 1; else `SettingError`."""
    if isinstance(index, bool) or not isinstance(index, int | np.integer) or not 0 <= index < num_games:
        raise SettingError(f"a game's index is 0 to {num_games - 1}, not {index!r}.")
    return int(index)


def flags(name: str, given: Any, num_games: int) -> NDArray[np.bool_]:
    """A copy of `given` if it is bool[B]; else `SettingError`."""
    array = np.asarray(given)
    if array.shape != (num_games,) or array.dtype != np.bool_:
        raise SettingError(f"{name} must be bool[{num_games}], not {array.dtype}{list(array.shape)}.")
    return array.astype(np.bool_)


def seeds(given: Any, num_games: int) -> NDArray[np.uint64]:
    """`given` as uint64[B] if it is B integers from 0 on; else `SettingError`."""
    try:
        array = np.asarray(given)
    except ValueError:  # lists of different lengths
        raise SettingError(f"seeds must be uint64[{num_games}], not rows of different lengths.") from None
    if array.shape != (num_games,) or array.dtype.kind not in "iu" or (array.dtype.kind == "i" and (array < 0).any()):
        kind = "negative numbers" if array.dtype.kind == "i" and (array < 0).any() else f"{array.dtype}{[*array.shape]}"
        raise SettingError(f"seeds must be uint64[{num_games}], not {kind}.")
    return array.astype(np.uint64)


def actions(given: Any, shape: tuple[int, ...], one: str = "game") -> NDArray[np.integer[Any]]:
    """`given` as an array of that shape, games (which errors call `one`) first; `ActionError` unless it can be."""
    axes = f"{one}s, seats" if len(shape) == 2 else f"{one}s"
    try:
        array = np.asarray(given)
    except ValueError:  # lists of different lengths
        raise ActionError(f"actions must have the shape {shape} ({axes}), not rows of different lengths.") from None
    if array.dtype.kind not in "iu":
        raise ActionError(f"actions must be integers, not {array.dtype}.")
    if array.shape != shape:
        raise ActionError(f"actions must have the shape {shape} ({axes}), not {array.shape}.")
    return array


def seats(name: str, given: Any, num_players: int, num_games: int) -> NDArray[np.uint8]:
    """A seat for each game from one for all or one each, as uint8[B]; else `SettingError`."""
    array = np.asarray(given)
    if array.dtype.kind not in "iu" or not ((array >= 0) & (array < num_players)).all():
        raise SettingError(f"{name} must be a seat, 0 to {num_players - 1}, not {given!r}.")
    if array.shape not in ((), (num_games,)):
        raise SettingError(f"{name} must be one seat or {num_games}, not of shape {array.shape}.")
    return np.broadcast_to(array, num_games).astype(np.uint8)


def mapping(name: str, given: Any) -> Mapping[str, Any]:
    """`given` if it is a mapping, an empty one for None; else `SettingError`."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise SettingError(f"{name} must be a dict, not {type(given).__name__}.")
    return given
