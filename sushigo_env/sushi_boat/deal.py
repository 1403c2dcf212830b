"""Compiled: the beginning of a game: first player, staff, menus, belt. All that is random is drawn in this order."""

from __future__ import annotations

import numpy as np

from sushigo_env._jit import jit
from sushigo_env._memory import clear, copy, pointer, store64
from sushigo_env.seeding import episode_key
from sushigo_env.sushi_boat.belt import feed
from sushigo_env.sushi_boat.bits import load16, store16
from sushigo_env.sushi_boat.cards import (
    DISH_CARDS,
    FIRST_TRASH,
    KINDS,
    SPACES,
    START_YEN,
    TILES,
    WASABI_CARDS,
    WHITE_PLATE,
)
from sushigo_env.sushi_boat.chance import SEAT_CODES, TILE_CODES, draw_left, draw_plate, put_into_trash
from sushigo_env.sushi_boat.legal import write_legal
from sushigo_env.sushi_boat.menus import deal_menus, shuffle_menus
from sushigo_env.sushi_boat.rules import DECK, DISHES_AT, MENUS_ON, PLATES_AT, PLAYERS
from sushigo_env.sushi_boat.state import (
    ACTIONS,
    ACTIONS_KEPT,
    BAG,
    BAG_SIZE,
    CHANCES,
    CHANCES_KEPT,
    DECK_LEFT,
    DONE,
    EPISODE,
    FIRST,
    KEY,
    KIND,
    PHASE,
    POOL,
    SCRIPTED,
    START,
    STARTED,
    TILES_AT,
    TO_ACT,
    TURN,
    WASABI_LEFT,
    YEN,
    State,
)

# mypy: disable-error-code="no-untyped-def"
# (Compiled functions: Numba infers their types; the docstrings give them.)

_TILES = np.array(TILES, np.uint8)
_BLANK = State(1).rows[0].copy()
"""uint8[ROW]: a row without a game."""


@jit
def begin(row, rules, seed, episode):
    """Begin the game of a seed and an episode; the first `scripted` draws of the row are taken as they are."""
    given = load16(row, SCRIPTED)
    copy(row, 0, pointer(_BLANK, 0), 0, KIND)
    copy(row, KIND + 1, pointer(_BLANK, 0), KIND + 1, EPISODE - KIND - 1)
    clear(row, CHANCES + given, CHANCES_KEPT - given)
    clear(row, ACTIONS, ACTIONS_KEPT)
    store16(row, SCRIPTED, given)
    store64(row, KEY, episode_key(seed, episode))
    row[DONE] = 0
    row[STARTED] = 1
    players = rules[PLAYERS]
    for seat in range(players):
        row[YEN + seat] = START_YEN
    row[DECK_LEFT] = rules[DECK]
    row[WASABI_LEFT] = WASABI_CARDS
    for card in range(DISH_CARDS):
        row[POOL + card] = rules[DISHES_AT + card]
    first = draw_left(row, (1 << players) - 1, players, pointer(SEAT_CODES, 0))
    row[FIRST] = first
    row[TURN] = first
    row[TO_ACT] = first
    _shuffle_staff(row)
    row[PHASE] = START
    if rules[MENUS_ON]:
        shuffle_menus(row)
    _fill_belt(row, rules)
    if rules[MENUS_ON]:
        deal_menus(row)
    write_legal(row, rules)


@jit
def _shuffle_staff(row):
    """Each position gets one of the tiles left, taken in order of staff kind."""
    left = (1 << len(TILES)) - 1  # bit by tile; tiles are in order of kind
    for position in range(len(TILES)):
        tile = draw_left(row, left, len(TILES) - position, pointer(TILE_CODES, 0))
        left &= ~(1 << tile)
        row[TILES_AT + position] = _TILES[tile]


@jit
def _fill_belt(row, rules):
    """Coloured plates alone are drawn: onto the belt, then into the Trash; the whites come into the bag last."""
    coloured = 0
    for kind in range(KINDS - 1):
        row[BAG + kind] = rules[PLATES_AT + kind]
        coloured += rules[PLATES_AT + kind]
    row[BAG_SIZE] = coloured
    for _ in range(SPACES):
        feed(row, draw_plate(row))
    for _ in range(FIRST_TRASH):
        put_into_trash(row, draw_plate(row))
    row[BAG + WHITE_PLATE] = rules[PLATES_AT + WHITE_PLATE]
    row[BAG_SIZE] += rules[PLATES_AT + WHITE_PLATE]
