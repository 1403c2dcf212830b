"""Compiled: what a place is worth: the plate to eat there, and the best that can be done before."""

from __future__ import annotations

import numpy as np

from sushigo_agents.boat._dishes import buy_worth, yen_worth
from sushigo_agents.boat._promise import CUBE, POINT, RUN
from sushigo_agents.boat._stack import ASKED, COUNTS, GAIN, OWN_YEN, PLATES_LEFT, TURNS, gain, gain_of_two, set_gain
from sushigo_env._jit import inlined, jit
from sushigo_env.sushi_boat import plays
from sushigo_env.sushi_boat.belt import first_gap, seen_plates
from sushigo_env.sushi_boat.cards import (
    AKIKO,
    COLOUR_OF,
    HIROSHI,
    KINDS,
    MAX_STACK,
    MOMOKO,
    MOST_CUBES,
    NEKO,
    NUM_MENUS,
    NUM_PLACES,
    SAKURA,
    SATSUKI,
    SPACES,
    TILES,
    WHITE,
    YUKI,
)
from sushigo_env.sushi_boat.legal import may
from sushigo_env.sushi_boat.rules import ACROSS, BESIDE, PLAYERS, REACH, STAFF_AT
from sushigo_env.sushi_boat.staff import other_colours
from sushigo_env.sushi_boat.state import (
    BAG,
    BAG_SIZE,
    BELT,
    MENUS_AT,
    NONE,
    NUM_MENUS_AT,
    PAWNS,
    PILE_SIZE,
    SATSUKI_AT,
    STACK_SIZES,
    STACKS,
    TILES_AT,
    TRASH_AT,
    TRASH_SIZE,
)

# mypy: disable-error-code="no-untyped-def,assignment"
# (Compiled functions: Numba infers their types; the docstrings give them.)

NO_PLATE, NO_SPACE = -1, -1
LOWEST = -(1 << 40)
CUBES_MENU = 800
"""What a cube adds to the menu of most cubes."""
_SPREAD = 500
"""The better of two plates drawn is better than the mean by so many thousandths of what the best is."""


@jit
def best_eat(row, rules, eye, place, first, gone):
    """What eating at a place adds, after a plate of kind `first` (or -1) that lay on space `gone` (or -1); both told.

    Where there is nothing to eat, it is what `first` adds alone.
    """
    best = 0 if first == NO_PLATE else LOWEST
    spaces = rules[REACH + place] & seen_plates(row)
    if gone != NO_SPACE:
        spaces &= ~(1 << gone)
    if spaces == 0:
        return 0 if first == NO_PLATE else gain(eye, first)
    for space in range(SPACES):
        if spaces >> space & 1:
            plate = np.int64(row[BELT + space])
            worth = gain(eye, plate) if first == NO_PLATE else gain_of_two(eye, first, plate)
            best = max(best, worth)
    return best


@jit
def best_of_spaces(row, rules, eye, place, spaces):
    """The space, of a set, whose plate is best taken before eating at a place, and what both add; or -1."""
    best, highest = NO_SPACE, LOWEST
    for space in range(SPACES):
        if spaces >> space & 1:
            worth = best_eat(row, rules, eye, place, np.int64(row[BELT + space]), space)
            if worth > highest:
                best, highest = space, worth
    return best, highest


@jit
def best_of_trash(row, rules, eye, place):
    """The kind in the Trash that is best taken before eating at a place, and what both add; or -1."""
    best, highest = NO_PLATE, LOWEST
    for kind in range(KINDS):
        if row[TRASH_AT + kind]:
            worth = best_eat(row, rules, eye, place, kind, NO_SPACE)
            if worth > highest:
                best, highest = kind, worth
    return best, highest


@jit
def _of_a_draw(row, rules, eye, place):
    """What Satsuki's better plate of two adds, and eating after it."""
    mean, highest = 0, 0
    for kind in range(KINDS):
        mean += np.int64(row[BAG + kind]) * eye[GAIN + kind]
        if row[BAG + kind]:
            highest = max(highest, eye[GAIN + kind])
    if row[BAG_SIZE] == 0:
        if row[TRASH_SIZE] == 0:
            return LOWEST
        return POINT + best_eat(row, rules, eye, place, NO_PLATE, NO_SPACE)
    mean //= np.int64(row[BAG_SIZE])
    better = mean + (highest - mean) * _SPREAD // 1000
    return better + best_eat(row, rules, eye, place, NO_PLATE, NO_SPACE)


@inlined
def cube_worth(row, seat):
    """What a cube is worth to a seat, its own menus counted."""
    worth = CUBE
    for i in range(np.int64(row[NUM_MENUS_AT + seat])):
        worth += CUBES_MENU * (row[MENUS_AT + seat * NUM_MENUS + i] == MOST_CUBES)
    return worth


@jit
def staff_worth(row, rules, seat, eye, place, staff):
    """What a member of the staff, not Momoko, adds at a place with eating there; `LOWEST` without a target."""
    if staff == SAKURA:
        return cube_worth(row, seat) + best_eat(row, rules, eye, place, NO_PLATE, NO_SPACE)
    if staff == SATSUKI:
        return _of_a_draw(row, rules, eye, place)
    if staff == NEKO:
        return best_of_trash(row, rules, eye, place)[1]
    spaces = 0
    if staff == HIROSHI:
        spaces = rules[ACROSS + place] & seen_plates(row)
    elif staff == YUKI:
        spaces = rules[BESIDE + place] & seen_plates(row)
    elif staff == AKIKO:
        spaces = other_colours(row, seat)
    return best_of_spaces(row, rules, eye, place, spaces)[1]


@jit
def best_tile(row, rules, seat, eye, place):
    """The tile position that Momoko, at a place, swaps with best, and what that adds with eating there."""
    best, highest = -1, LOWEST
    for position in range(len(TILES)):
        staff = np.int64(row[TILES_AT + position])
        if staff != MOMOKO:
            worth = staff_worth(row, rules, seat, eye, place, staff)
            if worth > highest:
                best, highest = position, worth
    return best, highest


@jit
def best_act(row, rules, seat, eye, place, yen, bought):
    """The best action at a place with so many yen, and what it adds together with eating there.

    `bought` is what the top of the discard pile is worth.
    """
    eaten = best_eat(row, rules, eye, place, NO_PLATE, NO_SPACE)
    best, highest = plays.TAKE_YEN, eaten + yen_worth(row, rules, yen, eye[TURNS])
    if yen > 0:
        paid = yen_worth(row, rules, yen - 1, eye[TURNS])
        if row[PILE_SIZE] and eaten + bought - paid > highest:
            best, highest = plays.BUY, eaten + bought - paid
        position = rules[STAFF_AT + place]
        if position >= 0:
            staff = np.int64(row[TILES_AT + position])
            if staff == MOMOKO:
                worth = best_tile(row, rules, seat, eye, place)[1]
            else:
                worth = staff_worth(row, rules, seat, eye, place, staff)
            if worth - paid > highest:
                best, highest = plays.VISIT, worth - paid
    return best, highest


@jit
def best_place(row, rules, seat, eye, spare, room):
    """The move to the place where most can be had, what it costs counted."""
    yen, bought, best, highest = eye[OWN_YEN], 0, -1, LOWEST
    if yen > 0 and row[PILE_SIZE]:
        bought = buy_worth(row, rules, seat, eye, spare, room)
    for place in range(NUM_PLACES):
        if may(row, plays.PLACE + place):
            cost = _is_paid(row, rules, seat, place)
            worth = best_act(row, rules, seat, eye, place, yen - cost, bought)[1]
            if cost:  # what one pays another gets
                worth -= yen_worth(row, rules, yen - 1, eye[TURNS]) * rules[PLAYERS] // (rules[PLAYERS] - 1)
            if worth > highest:
                best, highest = place, worth
    return plays.PLACE + best


@jit
def _is_paid(row, rules, seat, place):
    """Whether a move to a place costs a yen."""
    for other in range(rules[PLAYERS]):
        there = np.int64(row[PAWNS + other])
        near = there == place or (rules[PLAYERS] == 2 and there // 3 == place // 3)
        if near and other != seat and there != NONE:
            return 1
    return 0


@jit
def plate_to_eat(row, eye):
    """The action of eating the best plate, or none where none lies there, and what it adds."""
    best, highest = plays.EAT_NOTHING, LOWEST
    for space in range(SPACES):
        if may(row, plays.SPACE + space):
            worth = gain(eye, np.int64(row[BELT + space]))
            if worth > highest:
                best, highest = plays.SPACE + space, worth
    return best, max(highest, 0) if best == plays.EAT_NOTHING else highest


@jit
def after_an_order(row, rules, eye, place):
    """What eating at a place adds after a special order has pushed the block; a plate to be drawn is worth the mean."""
    gap, best = min(first_gap(row, 0), SPACES - 1), LOWEST
    for space in range(SPACES):
        if rules[REACH + place] >> space & 1:
            plate = np.int64(row[BELT + (space - 1 if 0 < space <= gap else space)])
            if space == 0:
                best = max(best, _mean(row, eye))
            elif plate != NONE:
                best = max(best, gain(eye, plate))
    return best


@jit
def _mean(row, eye):
    total, size = 0, np.int64(row[BAG_SIZE])
    for kind in range(KINDS):
        total += np.int64(row[BAG + kind]) * eye[GAIN + kind]
    return total // size if size else 0


@jit
def best_push(row, rules, eye, place):
    """The space whose plate Tempura pushes before a place best, and what eating it adds; or -1."""
    best, highest, seen = NO_SPACE, LOWEST, seen_plates(row)
    for space in range(1, SPACES):
        if rules[REACH + place] >> space & 1 and seen >> (space - 1) & 1:
            worth = gain(eye, np.int64(row[BELT + space - 1]))
            if worth > highest:
                best, highest = space - 1, worth
    return best, highest


@jit
def best_drawn(row, rules, seat, eye, place, drawn):
    """What to do with Satsuki's plates: the action + 0..3, for the plate kept and where it goes."""
    best, highest = 0, LOWEST
    bottom, size = np.int64(-1), np.int64(row[STACK_SIZES + seat])
    for i in range(size - 1, -1, -1):
        colour = np.int64(COLOUR_OF[np.int64(row[STACKS + seat * MAX_STACK + i])])
        bottom = bottom if colour == WHITE else colour
    for i in range(drawn):
        plate = np.int64(row[SATSUKI_AT + i])
        top = best_eat(row, rules, eye, place, plate, NO_SPACE)
        below = set_gain(np.uint64(eye[COUNTS]), plate, eye[PLATES_LEFT]) + eye[ASKED + plate]
        below += RUN * (np.int64(COLOUR_OF[plate]) == bottom) + best_eat(row, rules, eye, place, NO_PLATE, NO_SPACE)
        if top > highest:
            best, highest = 2 * i, top
        if below > highest:
            best, highest = 2 * i + 1, below
    return best
