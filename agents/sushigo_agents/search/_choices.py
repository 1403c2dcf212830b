"""Compiled: choosing among legal plays while a game is played on in the mind, as fast as can be.

`quick` is a rule of thumb for rollouts: a card's logit is what a small table says, by what lies before the player and
the turns left. It is far weaker than `greedy`, and some seventy times as fast.
"""

from __future__ import annotations

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from sushigo_agents.search.fitted import STATES, UNIT
from sushigo_env._jit import inlined, jit
from sushigo_env._memory import clear, load64, on_stack
from sushigo_env.seeding import below, mix
from sushigo_env.sushi_go.cards import CHOPSTICKS, DUMPLING, EGG, SALMON, SASHIMI, TEMPURA, WASABI, K
from sushigo_env.sushi_go.legal import write_dummy_mask, write_mask
from sushigo_env.sushi_go.plays import FIRST, FIRST_PAIR, FIRST_SWAPPED, FIRST_WASABI, NUM_PLAYS, PAIR_ROW, SECOND, WAIT
from sushigo_env.sushi_go.scoring import NIGIRI_POINTS, SASHIMI_SET, TEMPURA_SET
from sushigo_env.sushi_go.state import BARE, CONTROLLER, HALF, HANDS, STATUS, STATUS_SIZE, TABLEAUS, TURN

# mypy: disable-error-code="no-untyped-def,misc,assignment"
# (Compiled functions: Numba infers their types; the docstrings give them.)

MASK_SIZE = 104
"""Bytes of a mask in whole words: 96 plays, `wait`, and 7 that stay 0."""
MASK_WORDS = NUM_PLAYS // 8
"""int64 of room that a mask of plays takes."""
LOWEST = np.int64(-(1 << 40))
_ONES = np.uint64(0x0101010101010101)


@intrinsic
def as_bytes(typingctx, words):
    """The room of int64 that `on_stack` gave, as a pointer to bytes."""

    def codegen(context, builder, signature, args):
        return builder.bitcast(args[0], ir.IntType(8).as_pointer())

    return types.CPointer(types.uint8)(types.CPointer(types.int64)), codegen


@inlined
def choose_legal(mask, width, bits):
    """One of the actions that `mask` (bytes, a whole number of words) allows, each as likely, by `bits`."""
    count = np.uint64(0)
    for word in range(width >> 3):
        count += (load64(mask, word * 8) * _ONES) >> np.uint64(56)
    left, word = below(bits, count), 0
    here = (load64(mask, 0) * _ONES) >> np.uint64(56)
    while left >= here:
        left -= here
        word += 1
        here = (load64(mask, word * 8) * _ONES) >> np.uint64(56)
    action = word * 8
    while True:
        if mask[action]:
            if left == 0:
                return action
            left -= np.uint64(1)
        action += 1


GUMBEL = np.round(UNIT * -np.log(-np.log((np.arange(32) + 0.5) / 32))).astype(np.int64)
"""int64[32]: what added to logits turns the largest into a draw from their softmax, in 32 steps."""


@inlined
def _state_of(row, seat, card):
    """Which of its worths a card has."""
    laid = np.int64(row[TABLEAUS + seat * K + card])
    if card == TEMPURA:
        return laid % TEMPURA_SET
    if card == SASHIMI:
        return laid % SASHIMI_SET
    if card == DUMPLING:
        return min(laid, STATES - 1)
    if SALMON <= card <= EGG:
        return np.int64(row[STATUS + seat * STATUS_SIZE + BARE] > 0)
    return np.int64(0)


@jit
def quick(row, seat, table, turns_left, spare, bits):
    """The play of the rule of thumb, drawn by `bits`; `spare` cards must be left over for the dummy."""
    hand = HANDS + seat * K
    best = second = np.int64(-1)
    high = low = LOWEST
    cards = np.int64(0)
    for card in range(K):
        count = np.int64(row[hand + card])
        if count == 0:
            continue
        cards += count
        worth = table.worth[card, _state_of(row, seat, card), turns_left]
        worth += GUMBEL[np.int64((bits >> np.uint64(5 * card)) & np.uint64(31))]
        if worth > high:
            if count == 1:
                second, low = best, high
            else:
                second, low = card, worth
            best, high = card, worth
        elif worth > low:
            second, low = card, worth
    chopsticks = row[TABLEAUS + seat * K + CHOPSTICKS] > 0 and best != CHOPSTICKS and second != CHOPSTICKS
    if not chopsticks or cards < 2 + spare or low < table.pair_least[turns_left]:
        return best
    return _pair(row[STATUS + seat * STATUS_SIZE + BARE], best, second)


@inlined
def _pair(bare, a, b):
    """The action that lays both cards, in the better order: wasabi before a nigiri, the dearer nigiri on a wasabi."""
    first, second = min(a, b), max(a, b)
    if SALMON <= first <= EGG:
        if second == WASABI and bare == 0:
            return FIRST_WASABI + first - SALMON
        if second <= EGG and first != second and bare == 1 and NIGIRI_POINTS[second] > NIGIRI_POINTS[first]:
            return FIRST_SWAPPED + (first - SALMON) + (second - SALMON) - 1
    return PAIR_ROW[first] + second - first


@jit
def random_play(row, seat, spare, bits):
    """Any legal play, each as likely, by `bits`."""
    words = on_stack(MASK_WORDS)
    mask = as_bytes(words)
    write_mask(row, seat, spare, mask)
    return choose_legal(mask, NUM_PLAYS, mix(bits))


@jit
def worth_of_play(row, seat, table, action):
    """What the rule of thumb makes of any play: a logit in units of 1 / `UNIT`."""
    turns_left = table.size - 1 - np.int64(row[TURN])
    first = np.int64(FIRST[action])
    worth = table.worth[first, _state_of(row, seat, first), turns_left]
    if action < FIRST_PAIR:
        return worth
    second = np.int64(SECOND[action])
    other = table.worth[second, _state_of(row, seat, second), turns_left]
    return max(worth, other) + min(worth, other) - table.pair_least[turns_left]


@jit
def write_legal(row, seat, table, mask):
    """Write the 104 bytes of a seat's mask, `WAIT` included."""
    if table.dummy:
        write_dummy_mask(row, seat, mask)
    else:
        write_mask(row, seat, 0, mask)
    clear(mask, NUM_PLAYS, MASK_SIZE - NUM_PLAYS)
    if table.dummy:
        mask[WAIT] = row[HALF] == 1 and row[CONTROLLER] != seat
