"""Advice: what a scripted agent would play, told to a network behind what its seat sees.

A network that is advised soon plays as its adviser does, if that is also its teacher at first, and then learns when to
depart from it, much as in residual policy learning (Silver et al., 2018; Johannink et al., 2019). It pays where an
agent by rule is strong and a network alone would spend most of its training on becoming as good.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sushigo_env.api.contract import Agent
from sushigo_env.errors import SettingError

ADVISERS = ("greedy", "rival", "boat_greedy")
"""Who may advise: agents by rule, named, since a file of weights names its adviser and must not name code."""


def check_adviser(name: str) -> None:
    """`SettingError` unless `name` is one of `ADVISERS`, or empty: nobody."""
    if name not in ("", *ADVISERS):
        raise SettingError(f"adviser must be one of {', '.join(ADVISERS)}, or empty, not {name!r}.")


def advised(
    adviser: Agent, observation: NDArray[np.uint8], action_mask: NDArray[np.bool_], keys: NDArray[np.uint64]
) -> NDArray[np.uint8]:
    """uint8[N, D + A]: each row of `observation` (uint8[N, D]), then a byte an action: 1 for what the adviser would do.

    `action_mask` bool[N, A] and `keys` uint64[N] are as an agent takes them.
    """
    advice = np.zeros(action_mask.shape, np.uint8)
    advice[np.arange(len(keys)), adviser.act(observation, action_mask, keys)] = 1
    return np.concatenate([observation, advice], axis=1)
