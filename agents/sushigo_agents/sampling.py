"""From logits to actions: the likeliest legal action, or one drawn from the softmax over the legal ones.

Drawing is Gumbel-argmax (Gumbel 1954; Maddison, Tarlow, Minka, "A* Sampling", 2014) in its other form, a race of
exponential clocks: with E[a] exponential and p[a] the softmax, the a of least E[a] / p[a] is distributed as p. Each
E[a] comes from the row's key and a alone, so the same key and logits give the same action on any batch size.

Kernels look at legal actions only; illegal logits may be anything.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sushigo_env._jit import jit
from sushigo_env._memory import load64, pointer
from sushigo_env.errors import SettingError
from sushigo_env.seeding import draw

_S12 = np.uint64(12)
_HALF, _UNIT = 0.5, 2.0**-52


@jit
def legal_of(row, width, legal):  # type: ignore[no-untyped-def]  # compiled
    """Write the legal actions of a row's mask (a pointer to `width` bytes) to `legal`; how many there are."""
    count, words = 0, width >> 3
    for word in range(words):
        if load64(row, word * 8):
            for action in range(word * 8, word * 8 + 8):
                legal[count] = action
                count += row[action] != 0  # kept only if legal: no branch to guess
    for action in range(words * 8, width):
        legal[count] = action
        count += row[action] != 0
    return count


@jit
def _argmax(logits, mask, width, out):  # type: ignore[no-untyped-def]  # compiled
    legal = np.empty(width + 1, np.int64)
    for i in range(out.size):
        count = legal_of(pointer(mask, i * width), width, legal)
        if count:
            best = legal[0]
            for place in range(1, count):
                if logits[i, legal[place]] > logits[i, best]:
                    best = legal[place]
            out[i] = best


@jit
def _sample(logits, mask, width, keys, actions, log_probs):  # type: ignore[no-untyped-def]  # compiled
    legal = np.empty(width + 1, np.int64)
    for i in range(actions.size):
        count = legal_of(pointer(mask, i * width), width, legal)
        if count == 0:
            continue
        most = np.float64(logits[i, legal[0]])
        for place in range(1, count):
            most = max(most, np.float64(logits[i, legal[place]]))
        total, least, chosen = 0.0, np.inf, legal[0]
        for place in range(count):
            action = legal[place]
            weight = np.exp(np.float64(logits[i, action]) - most)
            total += weight
            uniform = (np.float64(draw(keys[i], np.uint64(action)) >> _S12) + _HALF) * _UNIT  # never 0, never 1
            rings = -np.log(uniform) / weight
            if rings < least:
                least, chosen = rings, action
        actions[i] = chosen
        log_probs[i] = np.float64(logits[i, chosen]) - most - np.log(total)


def argmax(logits: NDArray[np.float32], action_mask: NDArray[np.bool_]) -> NDArray[np.int32]:
    """int32[N]: each row's legal action of highest logit, the first of equals; 0 for a row with none.

    `logits` float32[N, A], `action_mask` bool[N, A]. `SettingError` if they are not of one shape.
    """
    rows, mask = _checked(logits, action_mask)
    out = np.zeros(len(rows), np.int32)
    _argmax(rows, mask, rows.shape[1], out)
    return out


def sample(
    logits: NDArray[np.float32], action_mask: NDArray[np.bool_], keys: NDArray[np.uint64]
) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """Actions int32[N] drawn from the softmax over each row's legal logits, and their log-probabilities float32[N].

    `logits` float32[N, A], `action_mask` bool[N, A], `keys` uint64[N]: the only randomness. A row with nothing legal
    gets action 0 and log-probability 0; one with a legal NaN a legal action and NaN. `SettingError` if the shapes do
    not fit together.
    """
    rows, mask = _checked(logits, action_mask)
    if keys.shape != (len(rows),):
        raise SettingError(f"{len(rows)} rows of logits need as many keys, not an array of shape {keys.shape}.")
    actions, log_probs = np.zeros(len(rows), np.int32), np.zeros(len(rows), np.float32)
    _sample(rows, mask, rows.shape[1], np.ascontiguousarray(keys, np.uint64), actions, log_probs)
    return actions, log_probs


def softmax(logits: NDArray[np.float32], action_mask: NDArray[np.bool_]) -> NDArray[np.float32]:
    """float32[N, A]: the probabilities that `sample` draws with; 0 for what is illegal, and all 0 in an empty row.

    `logits` float32[N, A], `action_mask` bool[N, A]. `SettingError` if they are not of one shape.
    """
    rows, _ = _checked(logits, action_mask)
    legal = np.where(action_mask, rows, -np.inf).astype(np.float64)
    most = legal.max(axis=1, keepdims=True, initial=-np.inf)
    weights = np.exp(legal - np.where(np.isneginf(most), 0, most))
    out: NDArray[np.float32] = (weights / np.maximum(weights.sum(axis=1, keepdims=True), 1)).astype(np.float32)
    return out


def _checked(
    logits: NDArray[np.float32], action_mask: NDArray[np.bool_]
) -> tuple[NDArray[np.float32], NDArray[np.uint8]]:
    """`logits` as the kernels want them, and the mask as one run of bytes."""
    if logits.ndim != 2 or action_mask.shape != logits.shape:
        raise SettingError(
            f"logits and action_mask must have one shape [N, A], not {logits.shape} and {action_mask.shape}."
        )
    mask = np.ascontiguousarray(action_mask, np.bool_).view(np.uint8).reshape(-1)
    return np.ascontiguousarray(logits, np.float32), mask
