"""Compiled: which plays the rules allow, one at a time and as masks. Rules and rulings: docs/rules.md."""

from __future__ import annotations

import numpy as np

from sushigo_env._jit import inlined, jit
from sushigo_env._memory import clear, copy, load32, load64, store32, store64
from sushigo_env.sushi_go.cards import CHOPSTICKS, SALMON, WASABI, K
from sushigo_env.sushi_go.plays import (
    FIRST,
    FIRST_PAIR,
    FIRST_SWAPPED,
    FIRST_WASABI,
    NUM_PLAYS,
    PAIR_ROW,
    SECOND,
    WAIT,
)
from sushigo_env.sushi_go.state import BARE, CONTROLLER, DONE, HALF, HANDS, PENDING, STATUS, STATUS_SIZE, TABLEAUS

# mypy: disable-error-code="no-untyped-def"
# (Compiled functions: Numba infers their types; the docstrings give them.)


@inlined
def allowed(row, seat, play, spare):
    """Whether the rules let `seat` lay `play` (0..95); `spare` is how many cards must be left over for the dummy."""
    hand = HANDS + seat * K
    if play < FIRST_PAIR:
        return row[hand + play] > 0
    first, second = np.int64(FIRST[play]), np.int64(SECOND[play])
    if row[TABLEAUS + seat * K + CHOPSTICKS] == 0 or (spare and _hand_size(row, hand) < 2 + spare):
        return False
    if row[hand + first] == 0 or row[hand + second] <= (first == second):
        return False
    bare = row[STATUS + seat * STATUS_SIZE + BARE]
    return play < FIRST_WASABI or bare == (0 if play < FIRST_SWAPPED else 1)


@jit
def _hand_size(row, hand):
    count = 0
    for card in range(K):
        count += row[hand + card]
    return count


@jit
def allowed_for_dummy(row, controller, play):
    """Whether the controller may give the dummy `play`: a single card of the hand, less those chosen for themself."""
    if play >= FIRST_PAIR:
        return False
    chosen = row[PENDING + controller]
    left = np.int64(row[HANDS + controller * K + play])
    return left > (np.int64(FIRST[chosen]) == play) + (np.int64(SECOND[chosen]) == play)


@inlined
def may(row, seat, dummy, action):
    """Whether `action` (0..95, and `WAIT` in the variant) is legal for `seat` now; False for a seat with no choice."""
    if row[DONE]:
        return False
    if action < 0 or action > WAIT:
        return False
    if not dummy:
        return action < NUM_PLAYS and allowed(row, seat, action, 0)
    controls = np.int64(row[CONTROLLER]) == seat
    if row[HALF]:
        return allowed_for_dummy(row, seat, action) if controls else action == WAIT
    return action < NUM_PLAYS and allowed(row, seat, action, 1 if controls else 0)


@jit
def write_mask(row, seat, spare, mask):
    """Write the 96 bytes of a seat's action mask to `mask`."""
    hand = HANDS + seat * K
    low, high = load64(row, hand), load32(row, hand + 8)
    store64(mask, 0, ((low + np.uint64(0x7F7F7F7F7F7F7F7F)) >> np.uint64(7)) & np.uint64(0x0101010101010101))
    store32(mask, 8, np.uint32(((high + np.uint32(0x7F7F7F7F)) >> np.uint32(7)) & np.uint32(0x01010101)))
    if row[TABLEAUS + seat * K + CHOPSTICKS] == 0 or (spare and _hand_size(row, hand) < 2 + spare):
        clear(mask, FIRST_PAIR, NUM_PLAYS - FIRST_PAIR)
        return
    for first in range(K - 2):
        # the pairs that begin with `first` allow what the single cards allow; what is written too far is mended next
        at = PAIR_ROW[first]
        if row[hand + first]:
            copy(mask, at, mask, first, K)
            mask[at] = row[hand + first] > 1
        else:
            clear(mask, at, K)
    at = PAIR_ROW[K - 2]
    mask[at] = row[hand + K - 2] > 1
    mask[at + 1] = mask[K - 2] & mask[K - 1]
    mask[at + 2] = row[hand + K - 1] > 1
    _write_reversed(row[STATUS + seat * STATUS_SIZE + BARE], mask)


@jit
def _write_reversed(bare, mask):
    """The six pairs laid the other way round, where the order matters."""
    for i in range(3):
        mask[FIRST_WASABI + i] = mask[WASABI] & mask[SALMON + i] & (bare == 0)
        swapped = FIRST_SWAPPED + i
        mask[swapped] = mask[np.int64(FIRST[swapped])] & mask[np.int64(SECOND[swapped])] & (bare == 1)


@jit
def write_dummy_mask(row, seat, mask):
    """The mask of a seat in the two-player variant, `wait` aside."""
    controls = np.int64(row[CONTROLLER]) == seat
    if row[HALF] == 0:
        write_mask(row, seat, 1 if controls else 0, mask)
        return
    clear(mask, 0, NUM_PLAYS)
    if controls:
        for card in range(K):
            mask[card] = allowed_for_dummy(row, seat, card)
