"""Compiled: a seat's points from the bytes of a game's row: as they stand, and at the end."""

from __future__ import annotations

import numpy as np

from sushigo_env._jit import inlined, jit
from sushigo_env._memory import on_stack, store64
from sushigo_env.sushi_boat.bits import load16, store16
from sushigo_env.sushi_boat.cards import COLOUR_OF, GYOZA, KINDS, MAX_STACK, NUM_DISHES, NUM_MENUS, TYPE_OF
from sushigo_env.sushi_boat.dishes import dishes_eaten
from sushigo_env.sushi_boat.rules import MENU_PLATES, MENU_WORTH, MOST, PLAYERS, SECOND, SET_POINTS
from sushigo_env.sushi_boat.scoring import (
    CUBE_POINTS,
    CUBE_WORTH,
    DISH_MAJORITY,
    GYOZA_POINTS,
    GYOZA_WORTH,
    MENU_POINTS,
    POINT_KINDS,
    RUNS,
    SETS,
    majority_points,
    menu_is_met,
    run_points,
    set_points,
)
from sushigo_env.sushi_boat.state import (
    COLOUR_COUNTS,
    CUBES,
    DONE,
    EATEN,
    ENDED,
    MENUS_AT,
    NUM_MENUS_AT,
    POINTS,
    STACK_POINTS,
    STACK_SIZES,
    STACKS,
    STARTED,
    TYPE_COUNTS,
)

# mypy: disable-error-code="no-untyped-def"
# (Compiled functions: Numba infers their types; the docstrings give them.)

NUM_POINT_KINDS = len(POINT_KINDS)
_MASK = 31
COLOUR_WORD = np.array([1 << 8 * int(COLOUR_OF[i]) if i < KINDS else 0 for i in range(_MASK + 1)], np.uint64)
TYPE_WORD = np.array([1 << 8 * int(TYPE_OF[i]) if i < KINDS else 0 for i in range(_MASK + 1)], np.uint64)
"""uint64[32] each: a plate counted by colour, by type, a byte each; plate & 31 is the place."""


@jit
def count_stack(row, rules, seat):
    """Count a seat's stack anew, by colour and by type, and its points: to be done after every change of it."""
    size, at = np.int64(row[STACK_SIZES + seat]), STACKS + seat * MAX_STACK
    colours = types = np.uint64(0)
    for i in range(at, at + size):
        plate = np.int64(row[i]) & _MASK
        colours += COLOUR_WORD[plate]
        types += TYPE_WORD[plate]
    store64(row, COLOUR_COUNTS + 8 * seat, colours)
    store64(row, TYPE_COUNTS + 8 * seat, types)
    runs, sets = stack_points(row, rules, seat)
    store16(row, STACK_POINTS + 2 * seat, runs + sets)


@jit
def stack_points(row, rules, seat):
    """Points of a seat's runs and of its sets."""
    types = on_stack(8)
    _bytes(row, TYPE_COUNTS + 8 * seat, types)
    runs = run_points(row, STACKS + seat * MAX_STACK, np.int64(row[STACK_SIZES + seat]))
    return runs, set_points(types, rules, SET_POINTS)


@inlined
def _bytes(row, at, out):
    """Write 8 bytes of the row as numbers."""
    for i in range(8):
        out[i] = row[at + i]


@jit
def kept_points(row, seat):
    """Points of a seat's Gyoza eaten and of its cubes."""
    gyoza = np.int64(row[EATEN + seat * NUM_DISHES + GYOZA])
    return gyoza * GYOZA_WORTH, np.int64(row[CUBES + seat]) * CUBE_WORTH


@jit
def points_of(row, rules, seat):
    """A seat's points: final ones, or as they stand, without majorities and menus, where the game has no end (yet)."""
    if not row[STARTED]:
        return 0
    if row[DONE] and not row[ENDED]:
        points = 0
        for kind in range(NUM_POINT_KINDS):
            points += load16(row, POINTS + 2 * (seat * NUM_POINT_KINDS + kind))
        return points
    gyoza, cubes = kept_points(row, seat)
    return load16(row, STACK_POINTS + 2 * seat) + gyoza + cubes


@jit
def write_final_points(row, rules):
    """The end of the game: every seat's points by kind."""
    players = rules[PLAYERS]
    eaten, majority = on_stack(8), on_stack(8)
    for seat in range(players):
        eaten[seat] = dishes_eaten(row, seat)
    majority_points(eaten, players, rules[MOST], rules[SECOND], majority)
    for seat in range(players):
        runs, sets = stack_points(row, rules, seat)
        gyoza, cubes = kept_points(row, seat)
        at = POINTS + 2 * seat * NUM_POINT_KINDS
        store16(row, at + 2 * RUNS, runs)
        store16(row, at + 2 * SETS, sets)
        store16(row, at + 2 * DISH_MAJORITY, majority[seat])
        store16(row, at + 2 * GYOZA_POINTS, gyoza)
        store16(row, at + 2 * CUBE_POINTS, cubes)
        store16(row, at + 2 * MENU_POINTS, menus_met(row, rules, seat, eaten))


@jit
def menus_met(row, rules, seat, eaten):
    """Points of the menus that a seat holds and has met; `eaten` counts dishes by seat [P]."""
    held = np.int64(row[NUM_MENUS_AT + seat])
    if held == 0:
        return 0
    players = rules[PLAYERS]
    plates, cubes, colours, types = on_stack(8), on_stack(8), on_stack(8), on_stack(8)
    for other in range(players):
        plates[other] = row[STACK_SIZES + other]
        cubes[other] = row[CUBES + other]
    _bytes(row, COLOUR_COUNTS + 8 * seat, colours)
    _bytes(row, TYPE_COUNTS + 8 * seat, types)
    points = 0
    for i in range(held):
        menu = np.int64(row[MENUS_AT + seat * NUM_MENUS + i])
        if menu_is_met(menu, seat, players, plates, cubes, eaten, colours, types, rules[MENU_PLATES]):
            points += rules[MENU_WORTH + menu]
    return points
