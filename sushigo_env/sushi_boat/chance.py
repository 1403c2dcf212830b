"""Compiled: the one way to anything random: seats, tiles, menus, plates and cards drawn.

What was drawn is kept, as codes (`DRAWS` names them), so that a game can be written down; draws given beforehand
(`scripted` codes in `chances`) are taken in place of those of chance, so that what was written down can be played
again. Where a given one is not there to be drawn, the first that is there is drawn and kept: whoever gives draws
compares them afterwards.
"""

from __future__ import annotations

import numpy as np

from sushigo_env._jit import inlined, jit
from sushigo_env._memory import clear, load64, store64
from sushigo_env.seeding import below, draw
from sushigo_env.sushi_boat.bits import load16, lowest, store16, take_one
from sushigo_env.sushi_boat.cards import (
    DISH_CARDS,
    DISHES,
    KINDS,
    MENUS,
    NUM_MENUS,
    PLATES,
    SEATS,
    STAFF,
    TILES,
)
from sushigo_env.sushi_boat.state import (
    BAG,
    BAG_SIZE,
    CHANCES,
    CHANCES_KEPT,
    KEY,
    NUM_CHANCES,
    SCRIPTED,
    TRASH_AT,
    TRASH_SIZE,
    WASABI_LEFT,
)

# mypy: disable-error-code="no-untyped-def"
# (Compiled functions: Numba infers their types; the docstrings give them.)


SEAT_CODE = 0
"""+ seat: the first player."""
STAFF_CODE = SEAT_CODE + SEATS
"""+ staff kind: a tile."""
MENU_CODE = STAFF_CODE + len(STAFF)
"""+ menu."""
PLATE_CODE = MENU_CODE + NUM_MENUS
"""+ plate kind."""
CARD_CODE = PLATE_CODE + KINDS
"""+ dish card."""
WASABI_CODE = CARD_CODE + DISH_CARDS
NO_WASABI_CODE = WASABI_CODE + 1
"""The top card is a side dish; which one is the next draw."""
DRAWS: tuple[str, ...] = (
    *(f"player_{seat}" for seat in range(SEATS)),
    *STAFF,
    *MENUS,
    *PLATES,
    *(f"{dish} {arrow}" for dish in DISHES for arrow in ("green", "red")),
    "Wasabi",
    "a side dish",
)
"""Code -> what was drawn, each in words of its own."""
SEAT_CODES = np.arange(SEAT_CODE, STAFF_CODE)
TILE_CODES = np.array([STAFF_CODE + staff for staff in TILES])
MENU_CODES = np.arange(MENU_CODE, PLATE_CODE)
"""int64 each: the codes of seats, of the 8 tiles, of menus."""


@inlined
def _is_given(row):
    """Whether the next draw was given beforehand."""
    return load16(row, NUM_CHANCES) < load16(row, SCRIPTED)


@inlined
def _given(row):
    """The code that was given for the next draw."""
    return np.int64(row[CHANCES + load16(row, NUM_CHANCES)])


@inlined
def _chance(row, count):
    """A choice in 0..count - 1, from 1 on, of the game's stream."""
    return np.int64(below(draw(load64(row, KEY), np.uint64(load16(row, NUM_CHANCES))), np.uint64(count)))


@inlined
def _keep(row, code):
    made = load16(row, NUM_CHANCES)
    if made < CHANCES_KEPT:
        row[CHANCES + made] = code
        store16(row, NUM_CHANCES, made + 1)


@jit
def draw_counted(row, at, size, code, kinds):
    """Draw one of `size` things counted by kind from byte `at` on, `code` being the first kind's; gives its kind."""
    if _is_given(row):
        kind = _given(row) - code
        if kind < 0 or kind >= kinds or row[at + kind] == 0:
            kind = 0
            while row[at + kind] == 0:
                kind += 1
        row[at + kind] -= 1
    else:
        kind = take_one(row, at, _chance(row, size))
    _keep(row, code + kind)
    return kind


@jit
def draw_left(row, left, count, codes):
    """Draw one of the `count` things left (bit by thing), of `codes` (a pointer to int64); gives the thing."""
    thing = np.int64(lowest(np.uint64(left)))
    if _is_given(row):
        other = thing
        while left >> other:
            if left >> other & 1 and codes[other] == _given(row):
                thing = other
                break
            other += 1
    else:
        number = _chance(row, count)
        while not left >> thing & 1 or number > 0:
            number -= left >> thing & 1
            thing += 1
    _keep(row, codes[thing])
    return thing


@jit
def draw_wasabi(row, cards):
    """Whether the top of `cards` cards, of which some are Wasabi cards, is one."""
    wasabi = np.int64(row[WASABI_LEFT])
    if _is_given(row):
        found = wasabi == cards or (wasabi > 0 and _given(row) == WASABI_CODE)
    else:
        found = _chance(row, cards) < wasabi
    _keep(row, WASABI_CODE if found else NO_WASABI_CODE)
    return found


@jit
def empty_trash(row):
    """All plates in the Trash go back into the bag."""
    for at in range(0, KINDS - 1, 8):
        store64(row, BAG + at, load64(row, BAG + at) + load64(row, TRASH_AT + at))
    row[BAG + KINDS - 1] += row[TRASH_AT + KINDS - 1]
    clear(row, TRASH_AT, KINDS)
    row[BAG_SIZE] += row[TRASH_SIZE]
    row[TRASH_SIZE] = 0


@jit
def draw_plate(row):
    """A plate out of the bag, which the Trash fills if it is empty: its kind, or -1 if there is none."""
    if row[BAG_SIZE] == 0:
        if row[TRASH_SIZE] == 0:
            return -1
        empty_trash(row)
    size = np.int64(row[BAG_SIZE])
    row[BAG_SIZE] = size - 1
    return draw_counted(row, BAG, size, PLATE_CODE, KINDS)


@jit
def put_into_trash(row, plate):
    """A plate falls, or is put, into the Trash."""
    row[TRASH_AT + plate] += 1
    row[TRASH_SIZE] += 1
