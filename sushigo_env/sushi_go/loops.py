"""Compiled: the loops over games. Each handles games `first` to `last` of a batch, so that threads can share one.

`rows` is uint8[B * ROW], all games' rows end to end; `actions` int32[B * P].
"""

from __future__ import annotations

import numpy as np

from sushigo_env._jit import inlined, jit
from sushigo_env._memory import clear, pointer, prefetch
from sushigo_env.sushi_go.cards import ROUNDS
from sushigo_env.sushi_go.encoder import FULL, HALF_SEEN, encode
from sushigo_env.sushi_go.kernels import begin, shuffle, take_turn
from sushigo_env.sushi_go.legal import may, write_dummy_mask, write_mask
from sushigo_env.sushi_go.plays import NUM_PLAYS, WAIT
from sushigo_env.sushi_go.state import CONTROLLER, DONE, HALF, HOT, PLAYS_AT, ROW

AHEAD = 8
"""Games ahead of which rows are asked for: in large batches they wait in memory, not in a cache."""
LINE = 64
"""Bytes of a cache line."""

# mypy: disable-error-code="no-untyped-def"
# (Compiled functions: Numba infers their types; the docstrings give them.)


@inlined
def _ask_ahead(row):
    """Ask for the bytes that every step touches, of a row some games ahead."""
    for line in range(0, HOT, LINE):
        prefetch(row, AHEAD * ROW + line)


@jit
def reset_games(first, last, rows, mask, seeds, episodes, shuffled, players, size, dummy):
    """Begin the games where `mask` (bool[B]); deal by `seeds`, `episodes` unless the decks are `shuffled` already."""
    for i in range(first, last):
        if mask[i]:
            row = pointer(rows, i * ROW)
            if not shuffled:
                shuffle(row, seeds[i], np.uint64(episodes[i]), ROUNDS * (players + dummy) * size)
            begin(row, players, size, dummy)


@jit
def observe_games(first, last, rows, players, size, dummy, setting, at, width, out):
    """Write every seat's observation to `out` (uint8[B * P * D])."""
    fields = pointer(at, 0)
    for i in range(first, last):
        row = pointer(rows, i * ROW)
        _ask_ahead(row)
        for seat in range(players):
            encode(row, seat, players, size, dummy, setting, fields, pointer(out, (i * players + seat) * width))


@jit
def mask_games(first, last, rows, players, dummy, actions, out):
    """Write every seat's action mask to `out` (uint8[B * P * A])."""
    for i in range(first, last):
        row = pointer(rows, i * ROW)
        _ask_ahead(row)
        for seat in range(players):
            mask = pointer(out, (i * players + seat) * actions)
            if row[DONE]:
                clear(mask, 0, NUM_PLAYS)
            elif dummy:
                write_dummy_mask(row, seat, mask)
            else:
                write_mask(row, seat, 0, mask)
            if dummy:
                mask[WAIT] = row[HALF] == 1 and row[CONTROLLER] != seat and not row[DONE]


@jit
def find_illegal(first, last, rows, players, dummy, actions):
    """The first place in `actions` that the rules forbid, or -1; only seats to move are asked."""
    for i in range(first, last):
        row = pointer(rows, i * ROW)
        _ask_ahead(row)
        if row[DONE]:
            continue
        for seat in range(players):
            if dummy and row[HALF] and row[CONTROLLER] != seat:
                continue
            if not may(row, seat, dummy, np.int64(actions[i * players + seat])):
                return i * players + seat
    return -1


@jit
def mark_illegal(first, last, rows, players, dummy, actions, out):
    """Mark in `out` (bool[B * P]) every place in `actions` that the rules forbid, of seats that may be asked."""
    for i in range(first, last):
        row = pointer(rows, i * ROW)
        for seat in range(players):
            at = i * players + seat
            out[at] = not row[DONE] and not may(row, seat, dummy, np.int64(actions[at]))


@jit
def step_games(first, last, rows, players, size, alternate, dummy, actions):
    """One step of every game that is not over, with `actions` known to be legal; how many games there were."""
    stepped = 0
    for i in range(first, last):
        row = pointer(rows, i * ROW)
        _ask_ahead(row)
        prefetch(row, AHEAD * ROW + PLAYS_AT)
        if not row[DONE]:
            take_turn(row, players, size, alternate, dummy, pointer(actions, i * players))
            stepped += 1
    return stepped


@jit
def checked_step(first, last, rows, players, size, alternate, dummy, actions):
    """`step_games` if nothing is illegal, and how many games it stepped; else -1 less the first illegal place."""
    wrong = find_illegal(first, last, rows, players, dummy, actions)
    if wrong >= 0:
        return -1 - wrong
    return step_games(first, last, rows, players, size, alternate, dummy, actions)


@jit
def whole_tables(first, last, rows, players, size, dummy, at, width, out):
    """Write to `out` (uint8[B * D]) each table as seat 0 would see it with open hands, less what is pending."""
    for i in range(first, last):
        row, seen = pointer(rows, i * ROW), pointer(out, i * width)
        half = row[HALF]
        row[HALF] = 0
        encode(row, 0, players, size, dummy, FULL, pointer(at, 0), seen)
        row[HALF] = half
        if dummy:
            seen[at[HALF_SEEN]] = half
