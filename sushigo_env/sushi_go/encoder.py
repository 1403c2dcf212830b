"""Compiled: what a seat sees, written by the offsets of the field table in `observation.py`.

A hand that a viewer has held stays known. Hands move one seat a turn, so after t turns the viewer has held the hands
that now lie with the neighbours 1 to t places on (in the direction of passing): what is known follows from the turn.
In the two-player variant the other hand is known from the second turn on, but for a card just drawn into it.
"""

from __future__ import annotations

import numpy as np

from sushigo_env._jit import jit
from sushigo_env._memory import clear, copy, load32, load64, store32, store64
from sushigo_env.sushi_go.cards import COPIES, PUDDING, ROUNDS, K
from sushigo_env.sushi_go.observation import FIELD_NAMES, OBSERVATIONS
from sushigo_env.sushi_go.plays import FIRST, SECOND
from sushigo_env.sushi_go.state import (
    CONTROLLER,
    DRAWN,
    DUMMY_SEAT,
    HALF,
    HANDS,
    NO_CARD,
    PENDING,
    PUDDINGS,
    REVERSED,
    ROUND,
    STATUS,
    STATUS_SIZE,
    TABLEAUS,
    TURN,
    UNDEALT,
)

# mypy: disable-error-code="no-untyped-def"
# (Compiled functions: Numba infers their types; the docstrings give them.)

MEMORY, TABLE, FULL = range(len(OBSERVATIONS))
"""The observation settings, as kernels take them."""
(
    OWN_HAND,
    OTHER_HANDS,
    UNSEEN,
    TABLEAUS_SEEN,
    STATUS_SEEN,
    _,
    _,
    _,
    UNKNOWN_CARDS,
    HAND_SIZES,
    TURN_SEEN,
    ROUND_SEEN,
    DIRECTION,
    PILE_SIZE,
    CONTROLS,
    HALF_SEEN,
    PENDING_SEEN,
) = range(len(FIELD_NAMES))
"""A field's place in the table of offsets."""


@jit
def encode(rows, g, seat, players, size, dummy, setting, at, out, o):
    """Write to `out[o:]` (uint8[:]) what `seat` sees of game `g`; `at` int64[17] holds the fields' offsets."""
    turn, over = np.int64(rows[g + TURN]), rows[g + ROUND] == ROUNDS
    cards = 0 if over else size - turn
    backwards = rows[g + REVERSED]
    copy(out, o + at[OWN_HAND], rows, g + HANDS + seat * K, K)
    low, high = load64(rows, g + UNDEALT), load32(rows, g + UNDEALT + 8)
    hands, tables, status = o + at[OTHER_HANDS], o + at[TABLEAUS_SEEN], o + at[STATUS_SEEN]
    unknown, sizes = o + at[UNKNOWN_CARDS], o + at[HAND_SIZES]
    copy(out, tables, rows, g + TABLEAUS + seat * K, K)
    store32(out, status, load32(rows, g + STATUS + seat * STATUS_SIZE))
    out[sizes] = cards
    other = seat
    for away in range(1, players):
        other += 1
        if other == players:
            other = 0
        copy(out, tables + away * K, rows, g + TABLEAUS + other * K, K)
        store32(out, status + away * STATUS_SIZE, load32(rows, g + STATUS + other * STATUS_SIZE))
        out[sizes + away] = cards
        hand = g + HANDS + other * K
        held = (players - away if backwards else away) <= turn
        if (held and setting != TABLE) or setting == FULL:
            copy(out, hands + (away - 1) * K, rows, hand, K)
            out[unknown + away - 1] = 0
        else:
            clear(out, hands + (away - 1) * K, K)
            out[unknown + away - 1] = cards
            low += load64(rows, hand)
            high = np.uint32(high + load32(rows, hand + 8))
    store64(out, o + at[UNSEEN], low)
    store32(out, o + at[UNSEEN] + 8, high)
    if setting == TABLE:
        count_from_table(rows, g, seat, players + dummy, out, o + at[UNSEEN])
    out[o + at[TURN_SEEN]] = turn
    out[o + at[ROUND_SEEN]] = rows[g + ROUND]
    out[o + at[DIRECTION]] = backwards
    if dummy:
        encode_variant(rows, g, seat, size, over, setting, at, out, o)


@jit
def count_from_table(rows, g, seat, tableaus, out, unseen):
    """Unseen cards for someone without memory: all but the own hand, the tableaus and the puddings kept."""
    low, high = load64(COPIES, 0), load32(COPIES, 8)
    low -= load64(rows, g + HANDS + seat * K)
    high = np.uint32(high - load32(rows, g + HANDS + seat * K + 8))
    for i in range(tableaus):
        low -= load64(rows, g + TABLEAUS + i * K)
        high = np.uint32(high - load32(rows, g + TABLEAUS + i * K + 8))
    store64(out, unseen, low)
    store32(out, unseen + 8, high)
    for i in range(tableaus):
        out[unseen + PUDDING] -= rows[g + STATUS + i * STATUS_SIZE + PUDDINGS]


@jit
def encode_variant(rows, g, seat, size, over, setting, at, out, o):
    """What the two-player variant adds: the dummy, the pile, control, the drawn card, the own pending cards."""
    turn, controller = np.int64(rows[g + TURN]), np.int64(rows[g + CONTROLLER])
    copy(out, o + at[TABLEAUS_SEEN] + DUMMY_SEAT * K, rows, g + TABLEAUS + DUMMY_SEAT * K, K)
    dummy_status = load32(rows, g + STATUS + DUMMY_SEAT * STATUS_SIZE)
    store32(out, o + at[STATUS_SEEN] + DUMMY_SEAT * STATUS_SIZE, dummy_status)
    out[o + at[PILE_SIZE]] = 0 if over else size - turn - 1
    out[o + at[CONTROLS]] = controller == seat and not over
    out[o + at[HALF_SEEN]] = rows[g + HALF]
    clear(out, o + at[PENDING_SEEN], K)
    if over:
        return
    out[o + at[HAND_SIZES] + (0 if controller == seat else 1)] += 1
    drawn = np.int64(rows[g + DRAWN])
    if controller != seat and drawn != NO_CARD and setting != FULL:
        if setting == MEMORY and turn > 0:
            out[o + at[OTHER_HANDS] + drawn] -= 1
            out[o + at[UNSEEN] + drawn] += 1
            out[o + at[UNKNOWN_CARDS]] = 1
        else:
            out[o + at[UNKNOWN_CARDS]] += 1
    if rows[g + HALF]:
        chosen = np.int64(rows[g + PENDING + seat])
        put_aside(out, o, at, np.int64(FIRST[chosen]))
        if SECOND[chosen] < K:
            put_aside(out, o, at, np.int64(SECOND[chosen]))


@jit
def put_aside(out, o, at, card):
    """Show a card chosen but not yet revealed as pending, and no longer in the hand."""
    out[o + at[OWN_HAND] + card] -= 1
    out[o + at[PENDING_SEEN] + card] += 1
    out[o + at[HAND_SIZES]] -= 1
