"""Compiled: the loops over games. Each handles games `first` to `last` of a batch, so that threads can share one."""

from __future__ import annotations

import numpy as np

from sushigo_env._jit import jit
from sushigo_env._memory import clear
from sushigo_env.sushi_go.encoder import FULL, HALF_SEEN, encode
from sushigo_env.sushi_go.kernels import begin, shuffle, take_turn
from sushigo_env.sushi_go.legal import may, write_dummy_mask, write_mask
from sushigo_env.sushi_go.plays import NUM_PLAYS, WAIT
from sushigo_env.sushi_go.state import CONTROLLER, DONE, HALF, ROW

# mypy: disable-error-code="no-untyped-def"
# (Compiled functions: Numba infers their types; the docstrings give them.)


@jit
def reset_games(first, last, rows, mask, seeds, episodes, shuffled, players, size, dummy):
    """Begin the games where `mask` (bool[B]); deal by `seeds`, `episodes` unless the decks are `shuffled` already."""
    for i in range(first, last):
        if mask[i]:
            g = i * ROW
            if not shuffled:
                shuffle(rows, g, seeds[i], np.uint64(episodes[i]), 3 * (players + dummy) * size)
            begin(rows, g, players, size, dummy)


@jit
def observe_games(first, last, rows, players, size, dummy, setting, at, width, out):
    """Write every seat's observation to `out` (uint8[B * P * D])."""
    for i in range(first, last):
        for seat in range(players):
            encode(rows, i * ROW, seat, players, size, dummy, setting, at, out, (i * players + seat) * width)


@jit
def mask_games(first, last, rows, players, dummy, actions, out):
    """Write every seat's action mask to `out` (uint8[B * P * A])."""
    for i in range(first, last):
        g = i * ROW
        for seat in range(players):
            m = (i * players + seat) * actions
            if rows[g + DONE]:
                clear(out, m, NUM_PLAYS)
            elif not dummy:
                write_mask(rows, g, seat, 0, out, m)
            else:
                write_dummy_mask(rows, g, seat, out, m)
            if dummy:
                waits = not rows[g + DONE] and rows[g + HALF] == 1 and rows[g + CONTROLLER] != seat
                out[m + WAIT] = waits


@jit
def find_illegal(first, last, rows, players, dummy, actions):
    """The first place in `actions` (int32[B * P]) that the rules forbid, or -1; games that are over have none."""
    for i in range(first, last):
        g = i * ROW
        if rows[g + DONE]:
            continue
        for seat in range(players):
            if not may(rows, g, seat, dummy, np.int64(actions[i * players + seat])):
                return i * players + seat
    return -1


@jit
def mark_illegal(first, last, rows, players, dummy, actions, out):
    """Mark in `out` (bool[B * P]) every place in `actions` that the rules forbid."""
    for i in range(first, last):
        over = rows[i * ROW + DONE]
        for seat in range(players):
            at = i * players + seat
            out[at] = not over and not may(rows, i * ROW, seat, dummy, np.int64(actions[at]))


@jit
def step_games(first, last, rows, players, size, alternate, dummy, actions, scratch):
    """One step of every game that is not over, with `actions` (int32[B * P]) known to be legal; how many there were.

    `scratch` is int64[10] of this thread's own.
    """
    stepped = 0
    for i in range(first, last):
        if not rows[i * ROW + DONE]:
            take_turn(rows, i * ROW, players, size, alternate, dummy, actions, i * players, scratch)
            stepped += 1
    return stepped


@jit
def checked_step(first, last, rows, players, size, alternate, dummy, actions, scratch):
    """`step_games` if nothing is illegal, and how many games it stepped; else -1 less the first illegal place."""
    wrong = find_illegal(first, last, rows, players, dummy, actions)
    if wrong >= 0:
        return -1 - wrong
    return step_games(first, last, rows, players, size, alternate, dummy, actions, scratch)


@jit
def whole_tables(first, last, rows, players, size, dummy, at, width, out):
    """Write to `out` (uint8[B * D]) each table as seat 0 would see it with open hands, less what is pending."""
    for i in range(first, last):
        g = i * ROW
        half = rows[g + HALF]
        rows[g + HALF] = 0
        encode(rows, g, 0, players, size, dummy, FULL, at, out, i * width)
        rows[g + HALF] = half
        if dummy:
            out[i * width + at[HALF_SEEN]] = half


@jit
def step_apart(first, last, rows, players, size, alternate, dummy, actions):
    """`step_games` for one of several threads, which must not share scratch space."""
    return step_games(first, last, rows, players, size, alternate, dummy, actions, np.zeros(10, np.int64))
