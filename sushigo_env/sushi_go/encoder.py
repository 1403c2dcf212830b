"""Compiled: what a seat sees, written by the offsets of the field table in `observation.py`.

A hand that a viewer has held stays known. Hands move one seat a turn, so after t turns the viewer has held the hands
that now lie with the neighbours 1 to t places on (in the direction of passing): what is known follows from the turn.
Chopsticks seen to go back into a hand are known to be there, held or not.
In the two-player variant the other hand is known from the second turn on, but for a card just drawn into it.
"""

from __future__ import annotations

import numpy as np

from sushigo_env._jit import jit
from sushigo_env._memory import clear, copy, load32, load64, pointer, store32, store64
from sushigo_env.sushi_go.cards import CHOPSTICKS, COPIES, PUDDING, ROUNDS, K
from sushigo_env.sushi_go.kernels import HIGH
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
    RETURNED,
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
def encode(row, seat, players, size, dummy, setting, at, out):
    """Write to `out` what `seat` sees of a game; `at` int64[17] holds the fields' offsets."""
    turn, over = np.int64(row[TURN]), row[ROUND] == ROUNDS
    cards = 0 if over else size - turn
    backwards = row[REVERSED]
    copy(out, at[OWN_HAND], row, HANDS + seat * K, K)
    low, high = load64(row, UNDEALT), load32(row, UNDEALT + 8)
    hands, tables, status = at[OTHER_HANDS], at[TABLEAUS_SEEN], at[STATUS_SEEN]
    unknown, sizes = at[UNKNOWN_CARDS], at[HAND_SIZES]
    copy(out, tables, row, TABLEAUS + seat * K, K)
    store32(out, status, load32(row, STATUS + seat * STATUS_SIZE))
    out[sizes] = cards
    other = seat
    for away in range(1, players):
        other += 1
        if other == players:
            other = 0
        copy(out, tables + away * K, row, TABLEAUS + other * K, K)
        store32(out, status + away * STATUS_SIZE, load32(row, STATUS + other * STATUS_SIZE))
        out[sizes + away] = cards
        hand = HANDS + other * K
        held = (players - away if backwards else away) <= turn
        if (held and setting != TABLE) or setting == FULL:
            copy(out, hands + (away - 1) * K, row, hand, K)
            out[unknown + away - 1] = 0
        else:
            clear(out, hands + (away - 1) * K, K)
            returned = row[RETURNED + other] if setting == MEMORY else np.uint8(0)
            out[hands + (away - 1) * K + CHOPSTICKS] = returned
            out[unknown + away - 1] = cards - returned
            low += load64(row, hand)
            high = np.uint32(high + load32(row, hand + 8) - returned * HIGH[CHOPSTICKS])
    store64(out, at[UNSEEN], low)
    store32(out, at[UNSEEN] + 8, high)
    if setting == TABLE:
        count_from_table(row, seat, players + dummy, out, at[UNSEEN])
    out[at[TURN_SEEN]] = turn
    out[at[ROUND_SEEN]] = row[ROUND]
    out[at[DIRECTION]] = backwards
    if dummy:
        encode_variant(row, seat, size, over, setting, at, out)


@jit
def count_from_table(row, seat, tableaus, out, unseen):
    """Unseen cards for someone without memory: all but the own hand, the tableaus and the puddings kept."""
    low, high = load64(pointer(COPIES, 0), 0), load32(pointer(COPIES, 0), 8)
    low -= load64(row, HANDS + seat * K)
    high = np.uint32(high - load32(row, HANDS + seat * K + 8))
    for i in range(tableaus):
        low -= load64(row, TABLEAUS + i * K)
        high = np.uint32(high - load32(row, TABLEAUS + i * K + 8))
    store64(out, unseen, low)
    store32(out, unseen + 8, high)
    for i in range(tableaus):
        out[unseen + PUDDING] -= row[STATUS + i * STATUS_SIZE + PUDDINGS]


@jit
def encode_variant(row, seat, size, over, setting, at, out):
    """What the two-player variant adds: the dummy, the pile, control, the drawn card, the own pending cards."""
    turn, controller = np.int64(row[TURN]), np.int64(row[CONTROLLER])
    copy(out, at[TABLEAUS_SEEN] + DUMMY_SEAT * K, row, TABLEAUS + DUMMY_SEAT * K, K)
    dummy_status = load32(row, STATUS + DUMMY_SEAT * STATUS_SIZE)
    store32(out, at[STATUS_SEEN] + DUMMY_SEAT * STATUS_SIZE, dummy_status)
    out[at[PILE_SIZE]] = 0 if over else size - turn - 1
    out[at[CONTROLS]] = controller == seat and not over
    out[at[HALF_SEEN]] = row[HALF]
    clear(out, at[PENDING_SEEN], K)
    if over:
        return
    out[at[HAND_SIZES] + (0 if controller == seat else 1)] += 1
    drawn = np.int64(row[DRAWN])
    if controller != seat and drawn != NO_CARD and setting != FULL:
        if setting == MEMORY and turn > 0:
            out[at[OTHER_HANDS] + drawn] -= 1
            out[at[UNSEEN] + drawn] += 1
            out[at[UNKNOWN_CARDS]] = 1
        else:
            out[at[UNKNOWN_CARDS]] += 1
    if row[HALF]:
        chosen = np.int64(row[PENDING + seat])
        put_aside(out, at, np.int64(FIRST[chosen]))
        if SECOND[chosen] < K:
            put_aside(out, at, np.int64(SECOND[chosen]))


@jit
def put_aside(out, at, card):
    """Show a card chosen but not yet revealed as pending, and no longer in the hand."""
    out[at[OWN_HAND] + card] -= 1
    out[at[PENDING_SEEN] + card] += 1
    out[at[HAND_SIZES]] -= 1
