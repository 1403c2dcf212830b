"""Generalised advantage estimation (Schulman et al., "High-Dimensional Continuous Control Using Generalized Advantage
Estimation", 2016) over whole episodes played in lockstep, where not every row is a decision.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sushigo_env.errors import SettingError


def advantages(
    rewards: NDArray[np.float32], values: NDArray[np.float32], decided: NDArray[np.bool_], gamma: float, lam: float
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Advantages and returns, both float32[T, N], of N sequences of T rows that all end after their last row.

    Where `decided` (bool[T, N]) is False the seat had nothing to decide, and the row is no step of the estimator. Its
    reward (float32[T, N]) is credited to the sequence's last decision before it, or to nobody if there is none; its
    value (float32[T, N], the estimate before the row's action) is never read and may be anything; it does not
    discount. So with decisions at rows t < u < ..., and R(t) the rewards of the rows t to u - 1 added up:

        delta(t)     = R(t) + gamma * value(u) - value(t)             (value(u) = 0 after the last decision)
        advantage(t) = delta(t) + gamma * lam * advantage(u)
        return(t)    = advantage(t) + value(t)

    and both are 0 at the rows that were no decision. `gamma` and `lam` are from 0 to 1. `SettingError` if they are
    not, or if the shapes differ.
    """
    if rewards.ndim != 2 or not rewards.shape == values.shape == decided.shape:
        told = f"{rewards.shape}, {values.shape} and {decided.shape}"
        raise SettingError(f"rewards, values and decided must have one shape [T, N], not {told}.")
    for name, share in (("gamma", gamma), ("lam", lam)):
        if not 0 <= share <= 1:
            raise SettingError(f"{name} must be from 0 to 1, not {share}.")
    rows, sequences = rewards.shape
    found = np.zeros((rows, sequences), np.float32)
    returns = np.zeros((rows, sequences), np.float32)
    pending, value, later, now, carried = np.zeros((5, sequences), np.float32)  # `value` and `later` are u's
    for t in range(rows - 1, -1, -1):
        here = decided[t]
        pending += rewards[t]
        np.multiply(value, np.float32(gamma), out=now)
        np.multiply(later, np.float32(gamma * lam), out=carried)
        now += pending
        now -= values[t]
        now += carried
        np.copyto(found[t], now, where=here)
        np.copyto(later, now, where=here)
        np.copyto(value, values[t], where=here)
        np.copyto(pending, 0, where=here)
    np.add(found, values, out=returns, where=decided)
    return found, returns
