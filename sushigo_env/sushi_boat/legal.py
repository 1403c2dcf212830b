"""Compiled: which actions the rules allow the seat to act, as 128 bits that are kept in the game's row."""

from __future__ import annotations

import numpy as np

from sushigo_env._jit import inlined, jit
from sushigo_env._memory import load64, store64
from sushigo_env.sushi_boat import plays
from sushigo_env.sushi_boat.belt import seen_plates
from sushigo_env.sushi_boat.bits import nonzero
from sushigo_env.sushi_boat.cards import (
    COLOURS,
    EDAMAME,
    FUGU,
    FUGU_PAIRS,
    KINDS,
    MOCHI,
    NUM_DISHES,
    ONIGIRI,
    TAKOYAKI,
    TEMPURA,
)
from sushigo_env.sushi_boat.challenge import WITH_ONIGIRI, WITH_TAKOYAKI, may_declare
from sushigo_env.sushi_boat.rules import OPEN, PLAYERS, REACH
from sushigo_env.sushi_boat.staff import has_target, position_of, spaces_for, tiles_to_swap
from sushigo_env.sushi_boat.state import (
    ACT,
    BAG_SIZE,
    CHOOSE_DEPTH,
    CHOOSE_MENU,
    CHOOSE_SPACE,
    CHOOSE_TILE,
    CHOOSE_TRASH,
    DECLARE,
    DISCARD_DISH,
    DONE,
    EAT,
    EFFECT,
    END,
    HANDS,
    LEGAL,
    MENU_DECK_SIZE,
    MOVE,
    NAME_COLOURS,
    NONE,
    NUM_OFFERED,
    NUM_SATSUKI,
    PAWNS,
    PHASE,
    PILE_SIZE,
    SATSUKI_DRAW,
    STACK_SIZES,
    START,
    TILES_AT,
    TO_ACT,
    TRASH_AT,
    TRASH_SIZE,
    YEN,
)

# mypy: disable-error-code="no-untyped-def"
# (Compiled functions: Numba infers their types; the docstrings give them.)

NEEDS_PLATE, NEEDS_STACK = 1 << TEMPURA | 1 << EDAMAME, 1 << EDAMAME | 1 << FUGU | 1 << MOCHI
"""Bit by dish: those that need a visible plate, and those that need a plate in the stack."""
_TRASH_WORDS = KINDS // 8
_HALF = 64
"""Actions from this one on are bits of the second word."""


@inlined
def _bit(action):
    return np.uint64(1) << np.uint64(action % _HALF)


@inlined
def _bits(set_, action):
    """The bits of a small set (int64), the first of which stands for `action`; all in one word."""
    return np.uint64(set_) << np.uint64(action % _HALF)


@inlined
def taken_places(row, rules, seat):
    """Bit by place: those where others sit."""
    taken = 0
    for other in range(rules[PLAYERS]):
        place = np.int64(row[PAWNS + other])
        taken |= (other != seat and place != NONE) << (place & 15)
    return taken


@inlined
def playable_dishes(row, seat):
    """Bit by dish: those in hand that may be played as specials."""
    dishes = np.int64(nonzero(load64(row, HANDS + seat * NUM_DISHES)))
    if dishes:
        if row[STACK_SIZES + seat] == 0:
            dishes &= ~NEEDS_STACK
        if seen_plates(row) == 0:
            dishes &= ~NEEDS_PLATE
    return dishes


@inlined
def specials(row, rules, seat):
    """What may be done at any time in one's turn, in one's move only seats to take being left out: two words."""
    low, high = _bits(playable_dishes(row, seat), plays.DISH), np.uint64(0)
    if row[YEN + seat] > 0:
        if row[BAG_SIZE] > 0 or row[TRASH_SIZE] > 0:
            low |= _bit(plays.ORDER)
        if row[MENU_DECK_SIZE] > 0:  # empty without menus
            high |= _bit(plays.ORDER_MENU)
        if row[PAWNS + seat] != NONE and row[PHASE] != MOVE:
            low |= _bits(taken_places(row, rules, seat) & rules[OPEN], plays.PLACE)
    return low, high


@jit
def places_to_move_to(row, rules, seat):
    """Bit by place: where a seat may move; a place taken, or in the row of the only other player, costs 1 yen."""
    own, taken = np.int64(row[PAWNS + seat]), taken_places(row, rules, seat)
    places, costs = rules[OPEN], taken
    if own != NONE:
        places &= ~(1 << own)
    if rules[PLAYERS] == 2 and taken:
        costs = 7 << np.int64(row[PAWNS + 1 - seat]) // 3 * 3
    return places if row[YEN + seat] > 0 else places & ~costs


@jit
def _acts(row, rules, seat):
    low = _bit(plays.TAKE_YEN) | _bit(plays.PASS)
    if row[YEN + seat] > 0:
        position = position_of(row, rules, seat)
        if position >= 0 and has_target(row, rules, seat, np.int64(row[TILES_AT + position])):
            low |= _bit(plays.VISIT)
        if row[PILE_SIZE] > 0:
            low |= _bit(plays.BUY)
    return low


@jit
def _in_turn(row, rules, seat, phase):
    low, high = specials(row, rules, seat)
    if phase == START:
        low |= _bit(plays.REVEAL)
    elif phase == MOVE:
        low |= _bits(places_to_move_to(row, rules, seat), plays.PLACE)
    elif phase == ACT:
        low |= _acts(row, rules, seat)
    elif phase == EAT:
        spaces = rules[REACH + np.int64(row[PAWNS + seat])] & seen_plates(row)
        low |= _bits(spaces, plays.SPACE) if spaces else _bit(plays.EAT_NOTHING)
    else:
        low |= _bit(plays.END_TURN)
    return low, high


@inlined
def _trash_kinds(row):
    """Bit by plate kind: those in the Trash."""
    kinds = np.uint64(row[TRASH_AT + KINDS - 1] > 0) << np.uint64(KINDS - 1)
    for word in range(_TRASH_WORDS):
        kinds |= nonzero(load64(row, TRASH_AT + 8 * word)) << np.uint64(8 * word)
    return kinds


@jit
def _within_turn(row, rules, seat, phase):
    """The actions of a decision within a turn, or of a challenge."""
    low = high = np.uint64(0)
    if phase == CHOOSE_SPACE:
        low = _bits(spaces_for(row, rules, seat, row[EFFECT]), plays.SPACE)
    elif phase == CHOOSE_TRASH:
        kinds = _trash_kinds(row)
        low, high = kinds << np.uint64(plays.TRASH), kinds >> np.uint64(_HALF - plays.TRASH)
    elif phase == DISCARD_DISH:
        high = nonzero(load64(row, HANDS + seat * NUM_DISHES)) << np.uint64(plays.DISCARD % _HALF)
    elif phase == CHOOSE_TILE:
        high = _bits(tiles_to_swap(row, rules, seat), plays.TILE)
    elif phase == SATSUKI_DRAW:
        high = _bits((1 << 2 * np.int64(row[NUM_SATSUKI])) - 1, plays.TOP_OR_BOTTOM)
    elif phase == NAME_COLOURS:
        high = _bits((1 << len(FUGU_PAIRS)) - 1, plays.PAIR)
    elif phase == CHOOSE_DEPTH:
        high = _bits((1 << np.int64(row[STACK_SIZES + seat]) - 1) - 1, plays.DEPTH + 1)
    elif phase == CHOOSE_MENU:
        high = _bits((1 << np.int64(row[NUM_OFFERED])) - 1, plays.KEEP)
    elif phase == DECLARE:
        dishes = may_declare(row, seat, TAKOYAKI, WITH_TAKOYAKI) << TAKOYAKI
        dishes |= may_declare(row, seat, ONIGIRI, WITH_ONIGIRI) << ONIGIRI
        low = _bits(dishes, plays.DISH) | _bit(plays.DECLINE)
    else:
        high = _bits((1 << len(COLOURS)) - 1, plays.GUESS)
    return low, high


@jit
def write_legal(row, rules):
    """Work out what the seat to act may do, and keep it in the row."""
    low = high = np.uint64(0)
    if not row[DONE]:
        seat, phase = np.int64(row[TO_ACT]), np.int64(row[PHASE])
        low, high = _in_turn(row, rules, seat, phase) if phase <= END else _within_turn(row, rules, seat, phase)
    store64(row, LEGAL, low)
    store64(row, LEGAL + 8, high)


@inlined
def may(row, action):
    """Whether `action`, 0 to 127, is legal for the seat to act; what is kept is read."""
    word = load64(row, LEGAL + (8 if action >= _HALF else 0))
    return (word >> np.uint64(action & (_HALF - 1))) & np.uint64(1) != 0
