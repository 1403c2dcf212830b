"""Compiled: a complete position from what a seat sees; `positions.py` tells what is dealt in it."""

from __future__ import annotations

import numpy as np

from sushigo_agents.boat._hidden import write_guesses, write_menus
from sushigo_env._jit import inlined, jit
from sushigo_env._memory import copy, load64, pointer, store64
from sushigo_env.sushi_boat.bits import lowest, store16
from sushigo_env.sushi_boat.cards import (
    CALIFORNIA,
    COLOURS,
    DISH_CARDS,
    KINDS,
    MAX_STACK,
    NUM_DISHES,
    NUM_PLACES,
    SPACES,
    STAFF,
    TILES,
    WHITE_PLATE,
)
from sushigo_env.sushi_boat.legal import write_legal
from sushigo_env.sushi_boat.observation import (
    AFTER,
    BAG_SEEN,
    BAG_SIZE_SEEN,
    BELT_SEEN,
    CUBES_SEEN,
    DECK_LEFT_SEEN,
    DECLARED_SEEN,
    DISCARD_PILE,
    DRAWN,
    EATEN_SEEN,
    HANDS_SEEN,
    PHASE_SEEN,
    PILE_SHOWN,
    PLACES_SEEN,
    PLATE_BYTES,
    POOL_SEEN,
    PURPOSE,
    STACK_SIZES_SEEN,
    STACKS_SEEN,
    TILES_SEEN,
    TO_ACT_SEEN,
    TRASH_SEEN,
    TURN_SEEN,
    WASABI_LEFT_SEEN,
    YEN_SEEN,
)
from sushigo_env.sushi_boat.points import count_stack
from sushigo_env.sushi_boat.rules import MENUS_ON, PLAYERS
from sushigo_env.sushi_boat.state import (
    BACK,
    BAG,
    BAG_SIZE,
    BELT,
    CHANCES,
    CHOOSE_MENU,
    CHOOSE_SPACE,
    CUBES,
    DECK_LEFT,
    DECLARED,
    DONE,
    EATEN,
    EFFECT,
    EFFECTS,
    FILLED,
    HANDS,
    KEY,
    KIND,
    NONE,
    NUM_SATSUKI,
    PAWNS,
    PHASE,
    PHASES,
    PILE,
    PILE_SIZE,
    POOL,
    SATSUKI_AT,
    STACK_SIZES,
    STACKS,
    STARTED,
    TILES_AT,
    TO_ACT,
    TRASH_AT,
    TRASH_SIZE,
    TURN,
    TURN_PHASES,
    WASABI_LEFT,
    YEN,
    State,
)

# mypy: disable-error-code="no-untyped-def"
# (Compiled functions: Numba infers their types; the docstrings give them.)

_BLANK = State(1).rows[0].copy()
"""uint8[ROW]: a row without a game."""
_BLANK[DONE] = 0
_ALL, _COLOUR_BYTES = np.uint64(0xFFFFFFFFFFFFFFFF), np.uint64(0xFFFFFFFFFF)


@inlined
def _hot(seen, at, count):
    """Which of `count` bytes, at most 8 and each 0 or 1, from `at` on is 1; `NONE` if none is."""
    word = load64(seen, at) & (_ALL >> np.uint64(64 - 8 * count))
    return lowest(word) >> 3 if word else NONE


@inlined
def _hot_of_many(seen, at, count):
    """As `_hot`, of 9 to 16 bytes."""
    first = _hot(seen, at, 8)
    if first != NONE:
        return first
    second = _hot(seen, at + count - 8, 8)
    return second if second == NONE else second + count - 8


@inlined
def _plate(seen, at):
    """The kind of a plate that is shown one-hot, or `NONE`."""
    colour = load64(seen, at) & _COLOUR_BYTES
    if colour == 0:
        return NONE
    kind = (lowest(colour) >> 3) * CALIFORNIA + _hot(seen, at + len(COLOURS), PLATE_BYTES - len(COLOURS))
    return min(kind, WHITE_PLATE)


@jit
def write_position(seen, at, rules, key, row):
    """Write to `row` a position that agrees with the observation `seen` of a game that goes on.

    `at` points to the fields' offsets; the stream `key` (uint64) deals what is hidden, and all that is drawn later.
    Nothing is checked: see `_checked.py`.
    """
    players = rules[PLAYERS]
    copy(row, 0, pointer(_BLANK, 0), 0, CHANCES)
    row[KIND], row[STARTED] = 2 * players + rules[MENUS_ON], 1
    store64(row, KEY, key)
    phase = _hot_of_many(seen, at[PHASE_SEEN], len(PHASES))
    row[PHASE], row[TURN] = phase, _hot(seen, at[TURN_SEEN], players)
    row[TO_ACT] = _hot(seen, at[TO_ACT_SEEN], players)
    row[EFFECT] = _hot(seen, at[PURPOSE], len(EFFECTS)) if phase == CHOOSE_SPACE else 0
    after = _hot(seen, at[AFTER], len(TURN_PHASES))
    row[BACK] = CHOOSE_MENU if after == NONE else after  # none goes on in the deal of menus
    row[DECK_LEFT], row[WASABI_LEFT] = seen[at[DECK_LEFT_SEEN]], seen[at[WASABI_LEFT_SEEN]]
    _write_seats(seen, at, rules, row)
    _write_table(seen, at, row)
    write_guesses(seen, at, rules, key, row)
    if rules[MENUS_ON]:
        write_menus(seen, at, rules, key, row)
    write_legal(row, rules)


@jit
def _write_seats(seen, at, rules, row):
    """What lies before each player."""
    players = rules[PLAYERS]
    copy(row, HANDS, seen, at[HANDS_SEEN], players * NUM_DISHES)
    copy(row, EATEN, seen, at[EATEN_SEEN], players * NUM_DISHES)
    copy(row, DECLARED, seen, at[DECLARED_SEEN], players * 2)
    for seat in range(players):
        row[PAWNS + seat] = _hot_of_many(seen, at[PLACES_SEEN] + seat * NUM_PLACES, NUM_PLACES)
        row[YEN + seat], row[CUBES + seat] = seen[at[YEN_SEEN] + seat], seen[at[CUBES_SEEN] + seat]
        size = np.int64(seen[at[STACK_SIZES_SEEN] + seat])
        row[STACK_SIZES + seat] = size
        for i in range(seat * MAX_STACK, seat * MAX_STACK + size):
            row[STACKS + i] = seen[at[STACKS_SEEN] + i] - 1
        count_stack(row, rules, seat)


@jit
def _write_table(seen, at, row):
    """The belt, the tiles, the piles, the bag and the Trash."""
    filled = trash = 0
    for space in range(SPACES):
        plate = _plate(seen, at[BELT_SEEN] + space * PLATE_BYTES)
        row[BELT + space] = plate
        filled |= (plate != NONE) << space
    store16(row, FILLED, filled)
    for position in range(len(TILES)):
        row[TILES_AT + position] = _hot(seen, at[TILES_SEEN] + position * len(STAFF), len(STAFF))
    pile, size = at[DISCARD_PILE], 0
    while size < PILE_SHOWN and seen[pile + size]:
        size += 1
    row[PILE_SIZE] = size
    for i in range(size):
        row[PILE + i] = seen[pile + size - 1 - i] - 1
    copy(row, BAG, seen, at[BAG_SEEN], KINDS)
    copy(row, TRASH_AT, seen, at[TRASH_SEEN], KINDS)
    copy(row, POOL, seen, at[POOL_SEEN], DISH_CARDS)
    for kind in range(KINDS):
        trash += row[TRASH_AT + kind]
    row[BAG_SIZE], row[TRASH_SIZE] = seen[at[BAG_SIZE_SEEN]], trash
    for i in range(2):
        plate = _plate(seen, at[DRAWN] + i * PLATE_BYTES)
        row[SATSUKI_AT + i] = plate
        row[NUM_SATSUKI] += plate != NONE
