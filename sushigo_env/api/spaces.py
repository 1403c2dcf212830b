"""The spaces of a game's observations, actions and state, and the arrays that lie in them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from sushigo_env.api.contract import BatchedGame
from sushigo_env.api.settings import Settings
from sushigo_env.layout import Layout


def box(layout: Layout, dtype: str) -> spaces.Box:
    """Bytes up to `layout.high`, or float32 from 0 to 1."""
    if dtype == "uint8":
        return spaces.Box(np.zeros(layout.size, np.uint8), layout.high.copy(), dtype=np.uint8)
    return spaces.Box(0.0, 1.0, (layout.size,), np.float32)


def observation_space(game: BatchedGame, settings: Settings) -> spaces.Space[Any]:
    """The space of one seat's observation: a box, with the action mask beside it where `obs` is "dict"."""
    seen = box(game.layout, settings.dtype)
    if settings.obs == "flat":
        return seen
    return spaces.Dict({"observation": seen, "action_mask": spaces.Box(0, 1, (game.num_actions,), np.int8)})


def encoder(layout: Layout, dtype: str) -> Callable[[NDArray[np.uint8]], NDArray[Any]]:
    """What makes observations (uint8[..., D]) of `dtype`; bytes are handed through, not copied."""
    return _as_they_are if dtype == "uint8" else layout.scaled


def _as_they_are(observation: NDArray[np.uint8]) -> NDArray[Any]:
    return observation
