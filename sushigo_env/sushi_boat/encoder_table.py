"""Compiled: the part of an observation that all seats see alike, and the words that bytes are shown by."""

from __future__ import annotations

import numpy as np

from sushigo_env._jit import inlined, jit
from sushigo_env._memory import clear, load64, store32, store64
from sushigo_env.sushi_boat.cards import COLOUR_OF, KINDS, SPACES, TILES, TUNNEL
from sushigo_env.sushi_boat.observation import (
    AFTER,
    BAG_SEEN,
    BAG_SIZE_SEEN,
    BELT_SEEN,
    COLOUR_CODE,
    DECK_LEFT_SEEN,
    DISCARD_PILE,
    DISCARD_TOP,
    DRAWN,
    LAST_TURN,
    MENU_DECK_LEFT,
    OBSERVATIONS,
    PHASE_SEEN,
    PILE_SHOWN,
    PLATE_BYTES,
    POOL_SEEN,
    PURPOSE,
    TILES_SEEN,
    TRASH_SEEN,
    WASABI_LEFT_SEEN,
    plate_bytes,
)
from sushigo_env.sushi_boat.state import (
    BACK,
    BAG,
    BAG_SIZE,
    BELT,
    CHOOSE_MENU,
    CHOOSE_SPACE,
    DECK_LEFT,
    DISCARD_DISH,
    DONE,
    EFFECT,
    END,
    MENU_DECK_SIZE,
    PHASE,
    PHASES,
    PILE,
    PILE_SIZE,
    POOL,
    SATSUKI_AT,
    TILES_AT,
    TRASH_AT,
    WASABI_LEFT,
)

# mypy: disable-error-code="no-untyped-def"
# (Compiled functions: Numba infers their types; the docstrings give them.)

MEMORY, STRICT, FULL = range(len(OBSERVATIONS))
"""The observation settings, as kernels take them."""
ONLOOKER = len(OBSERVATIONS)
"""One more, for `state()`: as `MEMORY`, without the viewer's own secrets."""

MASK = 31
_KNOWN = np.array([plate_bytes(kind) for kind in range(KINDS)])
_PLATE = np.zeros((MASK + 1, 16), np.uint8)
_PLATE[:KINDS, :PLATE_BYTES] = _KNOWN
PLATE_LOW, PLATE_HIGH = _PLATE.view(np.uint64).T.copy()
"""uint64[32] each: the first 8 bytes and the others of a plate shown; plate & 31 is the place, zeros for no plate."""
ONE_HOT = np.array([1 << 8 * i if i < 8 else 0 for i in range(MASK + 1)], np.uint64)
"""uint64[32]: byte i is 1; nothing from 8 on."""
STRICT_CODE = np.array([COLOUR_CODE + int(COLOUR_OF[i]) if i < KINDS else 0 for i in range(MASK + 1)], np.uint8)
"""uint8[32]: a plate's code in a stack where its colour alone is shown."""


@jit
def write_table(row, setting, menus, at, out):
    """What all see alike, for the first viewer."""
    phase, strict = np.int64(row[PHASE]), setting == STRICT
    store64(out, at[PHASE_SEEN], ONE_HOT[phase])
    store64(out, at[PHASE_SEEN] + len(PHASES) - 8, ONE_HOT[(phase - 8) & MASK])
    purpose = ONE_HOT[np.int64(row[EFFECT])] if phase == CHOOSE_SPACE else np.uint64(0)
    store64(out, at[PURPOSE], purpose)
    within = DISCARD_DISH <= phase <= CHOOSE_MENU and row[BACK] <= END
    store64(out, at[AFTER], ONE_HOT[np.int64(row[BACK])] if within else np.uint64(0))
    belt, tiles = at[BELT_SEEN], at[TILES_SEEN]
    for space in range(SPACES):
        _write_plate(out, belt + space * PLATE_BYTES, row[BELT + space])
    if strict:
        clear(out, belt + TUNNEL[0] * PLATE_BYTES, len(TUNNEL) * PLATE_BYTES)
    for position in range(len(TILES)):
        store64(out, tiles + position * 7, ONE_HOT[np.int64(row[TILES_AT + position])])
    _write_pile(row, strict, at, out)
    out[at[BAG_SIZE_SEEN]] = row[BAG_SIZE]
    for i in range(0, KINDS - 1, 8):
        store64(out, at[BAG_SEEN] + i, load64(row, BAG + i))
        store64(out, at[TRASH_SEEN] + i, load64(row, TRASH_AT + i))
    out[at[BAG_SEEN] + KINDS - 1] = row[BAG + KINDS - 1]
    out[at[TRASH_SEEN] + KINDS - 1] = row[TRASH_AT + KINDS - 1]
    out[at[DECK_LEFT_SEEN]] = row[DECK_LEFT]
    out[at[WASABI_LEFT_SEEN]] = row[WASABI_LEFT]
    store64(out, at[POOL_SEEN], load64(row, POOL))
    store64(out, at[POOL_SEEN] + 8, load64(row, POOL + 8))
    if strict:
        clear(out, at[BAG_SEEN], KINDS)
        clear(out, at[POOL_SEEN], 16)
    for i in range(2):
        _write_plate(out, at[DRAWN] + i * PLATE_BYTES, row[SATSUKI_AT + i])
    out[at[LAST_TURN]] = row[DECK_LEFT] == 0 and not row[DONE]
    if menus:
        out[at[MENU_DECK_LEFT]] = row[MENU_DECK_SIZE]


@inlined
def _write_plate(out, at, plate):
    shown = np.int64(plate) & MASK
    store64(out, at, PLATE_LOW[shown])
    store32(out, at + 8, np.uint32(PLATE_HIGH[shown]))


@jit
def _write_pile(row, strict, at, out):
    """The top of the discard pile, and all of it, from its top."""
    size, pile = np.int64(row[PILE_SIZE]), at[DISCARD_PILE]
    store64(out, at[DISCARD_TOP], ONE_HOT[np.int64(row[PILE + size - 1])] if size else np.uint64(0))
    clear(out, pile, PILE_SHOWN)
    for i in range(1 if strict and size else size):
        out[pile + i] = row[PILE + size - 1 - i] + 1
