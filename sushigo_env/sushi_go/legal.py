"""Compiled: which plays the rules allow, one at a time and as masks. Rules and rulings: docs/rules.md."""

from __future__ import annotations

import numpy as np

from sushigo_env._jit import jit
from sushigo_env._memory import clear, copy, load32, load64, store32, store64
from sushigo_env.sushi_go.cards import CHOPSTICKS, SALMON, WASABI, K
from sushigo_env.sushi_go.plays import (
    FIRST,
    FIRST_PAIR,
    FIRST_SWAPPED,
    FIRST_WASABI,
    NONE,
    NUM_PLAYS,
    PAIR_ROW,
    SECOND,
    WAIT,
)
from sushigo_env.sushi_go.state import BARE, CONTROLLER, DONE, HALF, HANDS, PENDING, STATUS, STATUS_SIZE, TABLEAUS

# mypy: disable-error-code="no-untyped-def"
# (Compiled functions: Numba infers their types; the docstrings give them.)


@jit
def allowed(rows, g, seat, play, spare):
    """Whether the rules let `seat` lay `play` (0..95); `spare` is how many cards must be left over for the dummy."""
    hand = g + HANDS + seat * K
    first, second = np.int64(FIRST[play]), np.int64(SECOND[play])
    if second == NONE:
        return rows[hand + first] > 0
    if rows[g + TABLEAUS + seat * K + CHOPSTICKS] == 0 or (spare and _hand_size(rows, hand) < 2 + spare):
        return False
    if rows[hand + first] == 0 or rows[hand + second] <= (first == second):
        return False
    bare = rows[g + STATUS + seat * STATUS_SIZE + BARE]
    return play < FIRST_WASABI or bare == (0 if play < FIRST_SWAPPED else 1)


@jit
def _hand_size(rows, hand):
    count = 0
    for card in range(K):
        count += rows[hand + card]
    return count


@jit
def allowed_for_dummy(rows, g, controller, play):
    """Whether the controller may give the dummy `play`: a single card of the hand, less those chosen for themself."""
    if play >= FIRST_PAIR:
        return False
    chosen = rows[g + PENDING + controller]
    left = np.int64(rows[g + HANDS + controller * K + play])
    return left > (np.int64(FIRST[chosen]) == play) + (np.int64(SECOND[chosen]) == play)


@jit
def may(rows, g, seat, dummy, action):
    """Whether `action` (0..95, and `WAIT` in the variant) is legal for `seat` now; False for a seat with no choice."""
    if rows[g + DONE]:
        return False
    if action < 0 or action > WAIT:
        return False
    if not dummy:
        return action < NUM_PLAYS and allowed(rows, g, seat, action, 0)
    controls = np.int64(rows[g + CONTROLLER]) == seat
    if rows[g + HALF]:
        return allowed_for_dummy(rows, g, seat, action) if controls else action == WAIT
    return action < NUM_PLAYS and allowed(rows, g, seat, action, 1 if controls else 0)


@jit
def write_mask(rows, g, seat, spare, mask, m):
    """Write the 96 bytes of a seat's action mask to `mask[m:]` (uint8[:])."""
    hand = g + HANDS + seat * K
    low, high = load64(rows, hand), load32(rows, hand + 8)
    store64(mask, m, ((low + np.uint64(0x7F7F7F7F7F7F7F7F)) >> np.uint64(7)) & np.uint64(0x0101010101010101))
    store32(mask, m + 8, np.uint32(((high + np.uint32(0x7F7F7F7F)) >> np.uint32(7)) & np.uint32(0x01010101)))
    if rows[g + TABLEAUS + seat * K + CHOPSTICKS] == 0 or (spare and _hand_size(rows, hand) < 2 + spare):
        clear(mask, m + FIRST_PAIR, NUM_PLAYS - FIRST_PAIR)
        return
    for first in range(K - 2):
        # the pairs that begin with `first` allow what the single cards allow; what is written too far is mended next
        at = m + PAIR_ROW[first]
        if rows[hand + first]:
            copy(mask, at, mask, m + first, K)
            mask[at] = rows[hand + first] > 1
        else:
            clear(mask, at, K)
    at = m + PAIR_ROW[K - 2]
    mask[at] = rows[hand + K - 2] > 1
    mask[at + 1] = mask[m + K - 2] & mask[m + K - 1]
    mask[at + 2] = rows[hand + K - 1] > 1
    _write_reversed(rows[g + STATUS + seat * STATUS_SIZE + BARE], mask, m)


@jit
def _write_reversed(bare, mask, m):
    """The six pairs laid the other way round, where the order matters."""
    for i in range(3):
        mask[m + FIRST_WASABI + i] = mask[m + WASABI] & mask[m + SALMON + i] & (bare == 0)
        swapped = FIRST_SWAPPED + i
        mask[m + swapped] = mask[m + np.int64(FIRST[swapped])] & mask[m + np.int64(SECOND[swapped])] & (bare == 1)


@jit
def write_dummy_mask(rows, g, seat, mask, m):
    """The mask of a seat in the two-player variant, `wait` aside."""
    controls = np.int64(rows[g + CONTROLLER]) == seat
    if rows[g + HALF] == 0:
        write_mask(rows, g, seat, 1 if controls else 0, mask, m)
        return
    clear(mask, m, NUM_PLAYS)
    if controls:
        for card in range(K):
            mask[m + card] = allowed_for_dummy(rows, g, seat, card)
