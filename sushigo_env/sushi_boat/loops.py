"""Compiled: the loops over games. Each handles games `first` to `last` of a batch, so that threads can share one.

`rows` is uint8[B * ROW], all games' rows end to end; `rules` the table's vector. `actions` are int32: with `stride` P
they are [B * P] and only the entry of the seat to act counts; with `stride` 0 they are [B], the acting seats'.
"""

from __future__ import annotations

import numpy as np

from sushigo_env._jit import inlined, jit
from sushigo_env._memory import clear, load64, pointer, prefetch
from sushigo_env.sushi_boat.bits import write_bits
from sushigo_env.sushi_boat.deal import begin
from sushigo_env.sushi_boat.encoder import encode, encode_onlooker
from sushigo_env.sushi_boat.legal import may, write_legal
from sushigo_env.sushi_boat.points import count_stack, points_of
from sushigo_env.sushi_boat.rules import PLAYERS
from sushigo_env.sushi_boat.state import DONE, HOT, LEGAL, ROW, TO_ACT
from sushigo_env.sushi_boat.turn import take_action

# mypy: disable-error-code="no-untyped-def"
# (Compiled functions: Numba infers their types; the docstrings give them.)

AHEAD = 8
"""Games ahead of which rows are asked for: in large batches they wait in memory, not in a cache."""
LINE = 64
"""Bytes of a cache line."""


@inlined
def _ask_ahead(row):
    """Ask for the bytes that most steps touch, of a row some games ahead."""
    for line in range(0, HOT, LINE):
        prefetch(row, AHEAD * ROW + line)


@inlined
def _place(row, i, stride):
    """Where in `actions` the action of game i stands; the game is not over."""
    return i * stride + np.int64(row[TO_ACT]) if stride else i


@jit
def reset_games(first, last, rows, rules, mask, seeds, episodes):
    """Begin the games where `mask` (bool[B]), each of its seed (uint64[B]) and episode (uint32[B])."""
    numbers = pointer(rules, 0)
    for i in range(first, last):
        if mask[i]:
            begin(pointer(rows, i * ROW), numbers, seeds[i], np.uint64(episodes[i]))


@jit
def mask_games(first, last, rows, players, actions, out):
    """Write every seat's action mask to `out` (uint8[B * P * A]): zeros for all but the seat to act."""
    for i in range(first, last):
        row, masks = pointer(rows, i * ROW), pointer(out, i * players * actions)
        prefetch(row, AHEAD * ROW)
        clear(masks, 0, players * actions)
        if not row[DONE]:
            seat = np.int64(row[TO_ACT])
            write_bits(
                load64(row, LEGAL), load64(row, LEGAL + 8), pointer(out, (i * players + seat) * actions), actions
            )


@jit
def observe_games(first, last, rows, rules, setting, at, size, out):
    """Write what every seat sees to `out` (uint8[B * P * D], D `size`)."""
    numbers, offsets = pointer(rules, 0), pointer(at, 0)
    width = numbers[PLAYERS] * size
    for i in range(first, last):
        row = pointer(rows, i * ROW)
        _ask_ahead(row)
        encode(row, numbers, setting, offsets, size, pointer(out, i * width))


@jit
def whole_tables(first, last, rows, rules, at, size, out):
    """Write to `out` (uint8[B * D], D `size`) each table as seat 0 sees it, less what is its secret."""
    for i in range(first, last):
        encode_onlooker(pointer(rows, i * ROW), pointer(rules, 0), pointer(at, 0), size, pointer(out, i * size))


@jit
def acting_mask_games(first, last, rows, actions, out):
    """Write the action mask of each game's seat to act to `out` (uint8[B * A]); zeros where the game is over."""
    for i in range(first, last):
        row = pointer(rows, i * ROW)
        prefetch(row, AHEAD * ROW)
        write_bits(load64(row, LEGAL), load64(row, LEGAL + 8), pointer(out, i * actions), actions)


@jit
def find_illegal(first, last, rows, actions, stride):
    """The first game whose action the rules forbid, or -1."""
    for i in range(first, last):
        row = pointer(rows, i * ROW)
        prefetch(row, AHEAD * ROW)
        if not row[DONE]:
            action = np.int64(actions[_place(row, i, stride)])
            if action < 0 or action > 127 or not may(row, action):
                return i
    return -1


@jit
def step_games(first, last, rows, rules, actions, stride):
    """One decision of every game that is not over, with `actions` known to be legal; how many games there were."""
    stepped, numbers = 0, pointer(rules, 0)
    for i in range(first, last):
        row = pointer(rows, i * ROW)
        _ask_ahead(row)
        if not row[DONE]:
            take_action(row, numbers, np.int64(actions[_place(row, i, stride)]))
            stepped += 1
    return stepped


@jit
def checked_step(first, last, rows, rules, actions, stride):
    """`step_games` if nothing is illegal, and how many games it stepped; else -1 less the first game of which it is."""
    wrong = find_illegal(first, last, rows, actions, stride)
    if wrong >= 0:
        return -1 - wrong
    return step_games(first, last, rows, rules, actions, stride)


@jit
def score_games(first, last, rows, rules, out):
    """Write every seat's points, as they stand or final, to `out` (int32[B * P])."""
    numbers = pointer(rules, 0)
    players = numbers[PLAYERS]
    for i in range(first, last):
        for seat in range(players):
            out[i * players + seat] = points_of(pointer(rows, i * ROW), numbers, seat)


@jit
def refresh(first, last, rows, rules):
    """Work out anew what is kept of every game beside what it is: stacks counted, what may be done."""
    numbers = pointer(rules, 0)
    for i in range(first, last):
        row = pointer(rows, i * ROW)
        for seat in range(numbers[PLAYERS]):
            count_stack(row, numbers, seat)
        write_legal(row, numbers)
