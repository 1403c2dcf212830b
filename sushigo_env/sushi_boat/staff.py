"""Compiled: the staff: whom a visit can move to do something, and what they do."""

from __future__ import annotations

import numpy as np

from sushigo_env._jit import inlined, jit
from sushigo_env.sushi_boat.belt import seen_plates, take_from_belt
from sushigo_env.sushi_boat.cards import (
    AKIKO,
    COLOUR_OF,
    HIROSHI,
    MAX_STACK,
    MOMOKO,
    NEKO,
    SAKURA,
    SATSUKI,
    SPACES,
    TILES,
    YUKI,
)
from sushigo_env.sushi_boat.chance import draw_plate
from sushigo_env.sushi_boat.dishes import ask, edamame, put_on_stack, tempura, top_of_stack
from sushigo_env.sushi_boat.rules import ACROSS, BESIDE, STAFF_AT
from sushigo_env.sushi_boat.state import (
    BACK,
    BAG,
    BAG_SIZE,
    BELT,
    BY_AKIKO,
    BY_EDAMAME,
    BY_HIROSHI,
    BY_TEMPURA,
    BY_YUKI,
    CHOOSE_SPACE,
    CHOOSE_TILE,
    CHOOSE_TRASH,
    CUBES,
    EAT,
    EFFECT,
    NONE,
    NUM_SATSUKI,
    PAWNS,
    PHASE,
    SATSUKI_AT,
    SATSUKI_DRAW,
    STACK_SIZES,
    STACKS,
    TILES_AT,
    TRASH_AT,
    TRASH_SIZE,
    YEN,
)

# mypy: disable-error-code="no-untyped-def"
# (Compiled functions: Numba infers their types; the docstrings give them.)


@jit
def other_colours(row, seat):
    """Bit by space: visible plates whose colour is not that of the stack's top (Akiko); all for an empty stack."""
    seen = seen_plates(row)
    if row[STACK_SIZES + seat] == 0:
        return seen
    colour = COLOUR_OF[row[top_of_stack(row, seat)]]
    same = 0
    for space in range(SPACES):
        plate = np.int64(row[BELT + space])
        same |= (plate != NONE and COLOUR_OF[plate] == colour) << space
    return seen & ~same


@inlined
def spaces_for(row, rules, seat, effect):
    """Bit by space: those that `effect` (one of `EFFECTS`) may be used on by a seat, from its place."""
    if effect == BY_HIROSHI:
        return seen_plates(row) & rules[ACROSS + np.int64(row[PAWNS + seat])]
    if effect == BY_YUKI:
        return seen_plates(row) & rules[BESIDE + np.int64(row[PAWNS + seat])]
    if effect == BY_AKIKO:
        return other_colours(row, seat)
    return seen_plates(row)


@inlined
def position_of(row, rules, seat):
    """The tile position at the seat's place, or -1."""
    return rules[STAFF_AT + np.int64(row[PAWNS + seat])]


@jit
def has_target(row, rules, seat, staff):
    """Whether a staff kind, used at the seat's place, has something to do."""
    if staff == HIROSHI:
        return spaces_for(row, rules, seat, BY_HIROSHI) != 0
    if staff == YUKI:
        return spaces_for(row, rules, seat, BY_YUKI) != 0
    if staff == AKIKO:
        return other_colours(row, seat) != 0
    if staff == SATSUKI:
        return row[BAG_SIZE] > 0 or row[TRASH_SIZE] > 0
    if staff == NEKO:
        return row[TRASH_SIZE] > 0
    return True  # Sakura, and Momoko, who can always swap with Sakura


@jit
def tiles_to_swap(row, rules, seat):
    """Bit by tile position: those that Momoko, at the seat's place, may swap with."""
    own, found = position_of(row, rules, seat), 0
    for position in range(len(TILES)):
        if position != own and has_target(row, rules, seat, np.int64(row[TILES_AT + position])):
            found |= 1 << position
    return found


@jit
def use_tile(row, rules, seat):
    """The tile at the seat's place does its work, or asks for what it needs; then the seat eats."""
    staff = np.int64(row[TILES_AT + position_of(row, rules, seat)])
    row[PHASE] = EAT
    if staff == SAKURA:
        row[CUBES + seat] += 1
    elif staff == MOMOKO:
        ask(row, CHOOSE_TILE)
    elif staff == NEKO:
        ask(row, CHOOSE_TRASH)
    elif staff == SATSUKI:
        _draw_for_satsuki(row)
        ask(row, SATSUKI_DRAW)
    else:
        row[EFFECT] = BY_HIROSHI if staff == HIROSHI else BY_YUKI if staff == YUKI else BY_AKIKO
        ask(row, CHOOSE_SPACE)


@jit
def visit(row, rules, seat):
    """A tip of 1 yen to the bank, and the tile is used."""
    row[YEN + seat] -= 1
    use_tile(row, rules, seat)


@jit
def swap_tiles(row, rules, seat, position):
    """Momoko's tile and that at `position` change places; the one that came is used."""
    own = position_of(row, rules, seat)
    staff = row[TILES_AT + own]
    row[TILES_AT + own] = row[TILES_AT + position]
    row[TILES_AT + position] = staff
    use_tile(row, rules, seat)


@jit
def _draw_for_satsuki(row):
    row[NUM_SATSUKI] = 0
    for i in range(2):
        plate = draw_plate(row)
        if plate >= 0:
            row[SATSUKI_AT + i] = plate
            row[NUM_SATSUKI] += 1


@jit
def keep_drawn(row, seat, choice):
    """Satsuki: of the plates drawn, one goes to the top or the bottom of the stack, the other back into the bag."""
    kept, below = choice >> 1, choice & 1
    plate = row[SATSUKI_AT + kept]
    if row[NUM_SATSUKI] == 2:
        row[BAG + np.int64(row[SATSUKI_AT + 1 - kept])] += 1
        row[BAG_SIZE] += 1
    put_on_stack(row, seat, plate)
    if below:
        stack = STACKS + seat * MAX_STACK
        for at in range(stack + np.int64(row[STACK_SIZES + seat]) - 1, stack, -1):
            row[at] = row[at - 1]
        row[stack] = plate
    row[SATSUKI_AT] = NONE
    row[SATSUKI_AT + 1] = NONE
    row[NUM_SATSUKI] = 0
    row[PHASE] = row[BACK]


@jit
def take_from_trash(row, seat, kind):
    """Neko: a plate of a kind in the Trash comes on top of the stack."""
    row[TRASH_AT + kind] -= 1
    row[TRASH_SIZE] -= 1
    put_on_stack(row, seat, kind)
    row[PHASE] = row[BACK]


@jit
def use_space(row, seat, space):
    """What a space was chosen for happens: a dish, or a plate taken for the staff."""
    effect = row[EFFECT]
    if effect == BY_EDAMAME:
        edamame(row, seat, space)
    elif effect == BY_TEMPURA:
        tempura(row, space)
    else:
        put_on_stack(row, seat, take_from_belt(row, space))
        row[PHASE] = row[BACK]
