"""Compiled: what a plate adds to a seat's stack: to its runs, its sets and the menus that the seat holds.

A seat's `eye` is room on the stack where this is worked out for every plate kind before plates are compared.
"""

from __future__ import annotations

import numpy as np

from sushigo_agents.boat._menus import menu_gains
from sushigo_agents.boat._promise import LEVELS, RUN, SET_GAIN, TO_COME, TOP_SEEN
from sushigo_env._jit import inlined, jit
from sushigo_env._memory import load64
from sushigo_env.sushi_boat.cards import COLOUR_OF, KINDS, MAX_STACK, SPACES, TUNNEL, TYPE_OF, TYPES, WHITE
from sushigo_env.sushi_boat.points import COLOUR_WORD, TYPE_WORD
from sushigo_env.sushi_boat.rules import MENUS_ON, PLAYERS
from sushigo_env.sushi_boat.state import (
    BELT,
    COLOUR_COUNTS,
    DECK_LEFT,
    NONE,
    PHASE,
    STACK_SIZES,
    STACKS,
    START,
    TYPE_COUNTS,
    YEN,
)

# mypy: disable-error-code="no-untyped-def,assignment,index,arg-type"
# (Compiled functions: Numba infers their types; the docstrings give them.)

TURNS, PLATES_LEFT, OWN_YEN, LAST_COLOUR, COUNTS = range(5)
"""Places in an eye: further turns of the seat, plates that these bring, its yen, the colour that a run would go on
with (-1: none), its plates by type as the bytes of a word."""
TOP = 8
"""+ colour: what it is worth to have it on top."""
ASKED = TOP + 8
"""+ plate kind: what it adds to the menus held."""
GAIN = ASKED + 32
"""+ plate kind: what it adds in all, less what is told under `TOP`."""
EYE = GAIN + 32
"""int64 that an eye takes."""
NO_COLOUR = -1
_BYTE = np.uint64(255)


@inlined
def further_turns(row, rules):
    """Turns that the seat whose turn it is will have after this one."""
    left = np.int64(row[DECK_LEFT]) - (row[PHASE] == START)
    return max(left, 0) // rules[PLAYERS]


@inlined
def set_gain(counts, kind, plates_left):
    """What one more plate of `kind` adds to the sets of a stack counted by type in a uint64, promise included."""
    have = (counts >> np.uint64(8 * np.int64(TYPE_OF[kind]))) & _BYTE
    size = 0
    for other in range(len(TYPES)):
        size += ((counts >> np.uint64(8 * other)) & _BYTE) > have
    return SET_GAIN[min(np.int64(have), LEVELS - 1), size, plates_left]


@jit
def last_colour(row, seat, size):
    """The colour of the last plate that is not white among the lowest `size` of a stack, or -1."""
    for i in range(size - 1, -1, -1):
        colour = np.int64(COLOUR_OF[np.int64(row[STACKS + seat * MAX_STACK + i]) & 31])
        if colour != WHITE:
            return colour
    return NO_COLOUR


@jit
def look(row, rules, seat, without_top, eye):
    """Fill a seat's eye; with `without_top` (0 or 1) as if its stack had no top plate."""
    size = np.int64(row[STACK_SIZES + seat]) - without_top
    counts, turns = load64(row, TYPE_COUNTS + 8 * seat), further_turns(row, rules)
    if without_top:
        counts -= TYPE_WORD[np.int64(row[STACKS + seat * MAX_STACK + size])]
    last, left = last_colour(row, seat, size), TO_COME[turns]
    eye[TURNS], eye[PLATES_LEFT], eye[OWN_YEN] = turns, left, row[YEN + seat]
    eye[LAST_COLOUR], eye[COUNTS] = last, np.int64(counts)
    for colour in range(WHITE + 1):
        eye[TOP + colour] = 0
    if turns:
        for space in range(SPACES):
            plate = np.int64(row[BELT + space])
            if plate != NONE and space != TUNNEL[0] and space != TUNNEL[1] and COLOUR_OF[plate] != WHITE:
                eye[TOP + np.int64(COLOUR_OF[plate])] += TOP_SEEN
    if rules[MENUS_ON]:
        colours = load64(row, COLOUR_COUNTS + 8 * seat)
        if without_top:
            colours -= COLOUR_WORD[np.int64(row[STACKS + seat * MAX_STACK + size])]
        menu_gains(row, rules, seat, colours, counts, left, eye, ASKED)
    else:
        for kind in range(KINDS):
            eye[ASKED + kind] = 0
    for kind in range(KINDS):
        runs = RUN * (COLOUR_OF[kind] == last)
        eye[GAIN + kind] = runs + set_gain(counts, kind, left) + eye[ASKED + kind]


@inlined
def top_worth(eye, kind):
    """What a plate of `kind` is worth for lying on top; a white one leaves the colour before it there."""
    colour = np.int64(COLOUR_OF[kind])
    if colour == WHITE:
        colour = eye[LAST_COLOUR]
    return eye[TOP + colour] if colour >= 0 else 0


@inlined
def gain(eye, kind):
    """What a plate of `kind` adds as the last of a turn."""
    return eye[GAIN + kind] + top_worth(eye, kind)


@jit
def gain_of_two(eye, first, second):
    """What two plates add, one after the other."""
    colour = np.int64(COLOUR_OF[first])
    last = eye[LAST_COLOUR] if colour == WHITE else colour
    runs = RUN * (np.int64(COLOUR_OF[second]) == last and last >= 0)
    counts = np.uint64(eye[COUNTS]) + TYPE_WORD[first]
    top = np.int64(COLOUR_OF[second])
    if top == WHITE:
        top = last
    shown = eye[TOP + top] if top >= 0 else 0
    return eye[GAIN + first] + runs + set_gain(counts, second, eye[PLATES_LEFT]) + eye[ASKED + second] + shown
