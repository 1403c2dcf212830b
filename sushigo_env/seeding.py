"""All randomness of the project: counter-based streams, each keyed by a seed.

A stream is SplitMix64 (Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", 2014): the n-th number of
stream `key` is `mix(key + n * GOLDEN)`, so any number can be had without those before it, and results depend neither
on batch sizes nor on threads. A game's key comes from its seed and its episode; an agent's from them too, by
another way that gives nothing of the deal away, and from the seat and the count of decisions.

Choices below n are made from 32 random bits by multiplication (Lemire, 2019); their bias is under n / 2**32.
"""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sushigo_env._jit import jit
from sushigo_env._memory import load64, pointer
from sushigo_env.errors import SettingError

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_M1 = np.uint64(0xBF58476D1CE4E5B9)
_M2 = np.uint64(0x94D049BB133111EB)
_S30, _S27, _S31, _S32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)
_S56 = np.uint64(56)
_LOW = np.uint64(0xFFFFFFFF)
_ONES = np.uint64(0x0101010101010101)


@jit
def mix(x):  # type: ignore[no-untyped-def]  # compiled: Numba infers uint64 -> uint64
    """uint64 -> uint64: SplitMix64's finaliser, a bijection that looks random."""
    x = (x ^ (x >> _S30)) * _M1
    x = (x ^ (x >> _S27)) * _M2
    return x ^ (x >> _S31)


@jit
def draw(key, counter):  # type: ignore[no-untyped-def]  # compiled
    """uint64, uint64 -> uint64: the number at place `counter` of the stream `key`."""
    return mix(key + (counter + np.uint64(1)) * GOLDEN)


@jit
def below(bits, n):  # type: ignore[no-untyped-def]  # compiled
    """A choice in 0..n-1 from the low 32 of `bits` (uint64); n is uint64."""
    return ((bits & _LOW) * n) >> _S32


@jit
def episode_key(seed, episode):  # type: ignore[no-untyped-def]  # compiled
    """uint64, uint64 -> uint64: key of the `episode`-th game (0, 1, ...) of a seed."""
    return mix(mix(seed + GOLDEN) + episode * _M1)


@jit
def _decision_keys(seeds, seats, decisions, out):  # type: ignore[no-untyped-def]  # compiled
    for i in range(out.size):
        out[i] = mix(mix(seeds[i] + (np.uint64(seats[i]) + np.uint64(1)) * _M2) + np.uint64(decisions[i]) * GOLDEN)


@jit
def _public_keys(seeds, episodes, out):  # type: ignore[no-untyped-def]  # compiled
    for i in range(out.size):
        key = episode_key(seeds[i], np.uint64(episodes[i]))
        out[i] = mix(key) ^ mix(key ^ _M2)  # two bijections added up are none: the way back is closed


@jit
def _uniform(mask, keys, width, out):  # type: ignore[no-untyped-def]  # compiled
    for i in range(out.size):
        row = pointer(mask, i * width)
        words = width >> 3
        count = np.uint64(0)
        for w in range(words):
            count += (load64(row, w * 8) * _ONES) >> _S56  # a product's top byte is the sum of the word's bytes
        for a in range(words * 8, width):
            count += np.uint64(row[a])
        left, w = below(mix(keys[i]), count), 0
        while w < words:
            here = (load64(row, w * 8) * _ONES) >> _S56
            if left < here:
                break
            left -= here
            w += 1
        for a in range(w * 8, width):
            if row[a]:
                if left == 0:
                    out[i] = a
                    break
                left -= np.uint64(1)


@jit
def _shuffle(key, out):  # type: ignore[no-untyped-def]  # compiled: Fisher and Yates, from the end
    for i in range(out.size - 1, 0, -1):
        j = np.int64(below(draw(key, np.uint64(i)), np.uint64(i + 1)))
        out[i], out[j] = out[j], out[i]


def game_seeds(seed: int | None, num_games: int) -> NDArray[np.uint64]:
    """uint64[B]: seeds s, s+1, ... of the games of a batch; from the operating system where `seed` is None."""
    if seed is None:
        return np.array([secrets.randbits(64) for _ in range(num_games)], dtype=np.uint64)
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or not 0 <= seed < 2**64:
        raise SettingError(f"seed must be an integer from 0 to 2**64 - 1, not {seed!r}.")
    return np.uint64(seed) + np.arange(num_games, dtype=np.uint64)


def public_keys(seeds: NDArray[np.uint64], episodes: NDArray[np.integer[Any]]) -> NDArray[np.uint64]:
    """uint64[N]: what agents' keys are made from, for games of these seeds and episodes.

    Not the keys of the games themselves: `mix` can be undone, and an agent that undid it would know the whole deck.
    """
    out = np.empty(seeds.shape, np.uint64)
    _public_keys(seeds, episodes, out)
    return out


def decision_keys(
    seeds: NDArray[np.uint64], seats: NDArray[np.integer[Any]] | int, decisions: NDArray[np.integer[Any]] | int
) -> NDArray[np.uint64]:
    """uint64[N]: one key a row for agents, from each row's game key, seat and count of decisions so far."""
    seeds = np.ascontiguousarray(seeds, dtype=np.uint64)
    out = np.empty(seeds.shape, np.uint64)
    seats = np.broadcast_to(np.asarray(seats, np.int64), seeds.shape)
    decisions = np.broadcast_to(np.asarray(decisions, np.int64), seeds.shape)
    _decision_keys(seeds, seats, decisions, out)
    return out


def permutation(count: int, key: int) -> NDArray[np.int64]:
    """int64[count]: 0 to count - 1 in an order that `key` (0 to 2**64 - 1) decides."""
    out = np.arange(count)
    _shuffle(np.uint64(key), out)
    return out


def key_of(key: int, *counters: int) -> int:
    """A key (0 to 2**64 - 1) for one purpose, from a key and counters: `key_of(run_seed, iteration, epoch)`."""
    for counter in counters:
        key = int(draw(np.uint64(key), np.uint64(counter)))
    return key


def uniform_actions(action_mask: NDArray[np.bool_], keys: NDArray[np.uint64]) -> NDArray[np.int32]:
    """int32[N]: for each row of `action_mask` (bool[N, A]) a uniform choice of its True entries; 0 for an empty row.

    `SettingError` if there are not as many `keys` as rows.
    """
    if action_mask.ndim != 2 or len(action_mask) != len(keys):
        raise SettingError(f"{len(keys)} keys need a mask of as many rows, not one of shape {action_mask.shape}.")
    out = np.zeros(len(keys), np.int32)
    flat = np.ascontiguousarray(action_mask, np.bool_).view(np.uint8).reshape(-1)
    _uniform(flat, np.ascontiguousarray(keys, np.uint64), action_mask.shape[1], out)
    return out


def weighted_choice(weights: NDArray[np.float64], keys: NDArray[np.uint64]) -> NDArray[np.int64]:
    """int64[N]: for each key (uint64[N]) one of the M `weights` (float64[M], above 0), as often as it weighs."""
    shares = np.cumsum(weights) / np.sum(weights)
    drawn = (keys >> np.uint64(11)) * 2.0**-53  # 53 bits: as many as a float64 holds exactly
    return np.minimum(np.searchsorted(shares, drawn, side="right"), len(weights) - 1)
