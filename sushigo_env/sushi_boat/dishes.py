"""Compiled: side dishes: the hand, the discard pile, and what each dish does when it is played."""

from __future__ import annotations

import numpy as np

from sushigo_env._jit import inlined, jit
from sushigo_env._memory import load64
from sushigo_env.sushi_boat.belt import push
from sushigo_env.sushi_boat.cards import (
    COLOUR_OF,
    EDAMAME,
    FUGU,
    FUGU_PAIRS,
    HAND_LIMIT,
    MAX_STACK,
    MISO_SOUP,
    MOCHI,
    NUM_DISHES,
    ONIGIRI,
    TEMPURA,
)
from sushigo_env.sushi_boat.chance import draw_plate, put_into_trash
from sushigo_env.sushi_boat.state import (
    BACK,
    BAG,
    BAG_SIZE,
    BELT,
    BY_EDAMAME,
    BY_TEMPURA,
    CHOOSE_DEPTH,
    CHOOSE_SPACE,
    DISCARD_DISH,
    EATEN,
    EFFECT,
    HANDS,
    LOOKED,
    NAME_COLOURS,
    NONE,
    PHASE,
    PILE,
    PILE_SIZE,
    STACK_SIZES,
    STACKS,
    YEN,
)

# mypy: disable-error-code="no-untyped-def"
# (Compiled functions: Numba infers their types; the docstrings give them.)

EDAMAME_YEN, TEMPURA_YEN, ONIGIRI_YEN, FUGU_YEN = 1, 1, 2, 3
PAIR_COLOURS = np.array([1 << first | 1 << second for first, second in FUGU_PAIRS], np.int64)
"""int64[10]: bit by colour: the two of a pair."""
_ONES, _S56 = np.uint64(0x0101010101010101), np.uint64(56)


@inlined
def dishes_held(row, seat):
    """How many side dishes a seat has in hand."""
    return np.int64((load64(row, HANDS + seat * NUM_DISHES) * _ONES) >> _S56)


@inlined
def dishes_eaten(row, seat):
    """How many side dishes a seat has eaten."""
    return np.int64((load64(row, EATEN + seat * NUM_DISHES) * _ONES) >> _S56)


@inlined
def put_on_stack(row, seat, plate):
    """A plate comes on top of a seat's stack."""
    size = np.int64(row[STACK_SIZES + seat])
    row[STACKS + seat * MAX_STACK + size] = plate
    row[STACK_SIZES + seat] = size + 1


@inlined
def top_of_stack(row, seat):
    """The byte at which the top plate of a seat's stack lies; the stack must not be empty."""
    return STACKS + seat * MAX_STACK + np.int64(row[STACK_SIZES + seat]) - 1


@inlined
def ask(row, phase):
    """A decision within the turn comes next; after it the present phase goes on."""
    row[BACK] = row[PHASE]
    row[PHASE] = phase


@jit
def put_on_pile(row, dish):
    """A side dish comes on top of the discard pile."""
    size = np.int64(row[PILE_SIZE])
    row[PILE + size] = dish
    row[PILE_SIZE] = size + 1


@jit
def take_from_pile(row, seat):
    """The top of the discard pile, which must not be empty, comes to a seat's hand; a third dish is one too many."""
    size = np.int64(row[PILE_SIZE]) - 1
    dish = np.int64(row[PILE + size])
    row[PILE + size] = NONE
    row[PILE_SIZE] = size
    row[HANDS + seat * NUM_DISHES + dish] += 1
    if dishes_held(row, seat) > HAND_LIMIT:
        ask(row, DISCARD_DISH)


@jit
def discard(row, seat, dish):
    """A dish in hand goes on the discard pile."""
    row[HANDS + seat * NUM_DISHES + dish] -= 1
    put_on_pile(row, dish)
    row[PHASE] = row[BACK]


@jit
def eat_dish(row, seat, dish):
    """A dish leaves the hand and lies face up before the seat."""
    row[HANDS + seat * NUM_DISHES + dish] -= 1
    row[EATEN + seat * NUM_DISHES + dish] += 1


@jit
def play_dish(row, seat, dish):
    """Play a dish as a special; Takoyaki and Gyoza do nothing at once."""
    eat_dish(row, seat, dish)
    if dish == EDAMAME:
        row[YEN + seat] += EDAMAME_YEN
        row[EFFECT] = BY_EDAMAME
        ask(row, CHOOSE_SPACE)
    elif dish == TEMPURA:
        row[YEN + seat] += TEMPURA_YEN
        row[EFFECT] = BY_TEMPURA
        ask(row, CHOOSE_SPACE)
    elif dish == FUGU:
        ask(row, NAME_COLOURS)
    elif dish == MOCHI:
        if row[STACK_SIZES + seat] > 1:  # one plate alone has nowhere to go
            ask(row, CHOOSE_DEPTH)
    elif dish == ONIGIRI:
        row[YEN + seat] += ONIGIRI_YEN
    elif dish == MISO_SOUP:
        row[LOOKED] = 1
        if row[PILE_SIZE]:
            take_from_pile(row, seat)


@jit
def edamame(row, seat, space):
    """The top plate changes places with the plate on a space."""
    top = top_of_stack(row, seat)
    plate = row[top]
    row[top] = row[BELT + space]
    row[BELT + space] = plate
    row[PHASE] = row[BACK]


@jit
def tempura(row, space):
    """The plate on a space moves one space on."""
    push(row, space)
    row[PHASE] = row[BACK]


@jit
def fugu(row, seat, pair):
    """Two colours are named and a plate is drawn: 3 yen for a match, else the top plate goes to the Trash."""
    plate = draw_plate(row)
    if plate >= 0:
        if PAIR_COLOURS[pair] >> np.int64(COLOUR_OF[plate]) & 1:
            row[YEN + seat] += FUGU_YEN
        else:
            top = top_of_stack(row, seat)
            put_into_trash(row, np.int64(row[top]))
            row[top] = NONE
            row[STACK_SIZES + seat] -= 1
        row[BAG + plate] += 1
        row[BAG_SIZE] += 1
    row[PHASE] = row[BACK]


@jit
def mochi(row, seat, depth):
    """The top plate moves into the stack, so that `depth` plates lie above it."""
    top = top_of_stack(row, seat)
    plate = row[top]
    for at in range(top, top - depth, -1):
        row[at] = row[at - 1]
    row[top - depth] = plate
    row[PHASE] = row[BACK]
