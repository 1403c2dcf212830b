"""Compiled: what all seats of a game see, written by the offsets of the field table in `observation.py`.

What all see alike is worked out once, for seat 0, and copied. Words are written where a field has fewer bytes: what
spills over is overwritten by the field behind it, since fields are written in order, and the last one is written whole.
"""

from __future__ import annotations

import numpy as np

from sushigo_env._jit import inlined, jit
from sushigo_env._memory import clear, copy, load32, load64, store32, store64
from sushigo_env.sushi_boat.bits import load16, store16
from sushigo_env.sushi_boat.cards import (
    COLOURS,
    CUBES_TAKOYAKI,
    MAX_STACK,
    NUM_DISHES,
    NUM_MENUS,
    NUM_PLACES,
    TYPE_OF,
    TYPES,
)
from sushigo_env.sushi_boat.challenge import TAKOYAKI_GUESSES
from sushigo_env.sushi_boat.encoder_table import (
    FULL,
    MASK,
    ONE_HOT,
    ONLOOKER,
    PLATE_HIGH,
    PLATE_LOW,
    STRICT,
    STRICT_CODE,
    write_table,
)
from sushigo_env.sushi_boat.observation import (
    CUBES_SEEN,
    DECLARED_SEEN,
    EATEN_SEEN,
    GUESSES_SEEN,
    HANDS_SEEN,
    MENUS_HELD,
    MENUS_SEEN,
    MOST,
    OFFERED_SEEN,
    PHASE_SEEN,
    PLACES_SEEN,
    PLATE_BYTES,
    POINTS_SEEN,
    STACK_COLOURS,
    STACK_SIZES_SEEN,
    STACK_TYPES,
    STACKS_SEEN,
    TO_ACT_SEEN,
    TOPS,
    TURN_SEEN,
    YEN_SEEN,
)
from sushigo_env.sushi_boat.points import points_of
from sushigo_env.sushi_boat.rules import MENUS_ON, PLAYERS
from sushigo_env.sushi_boat.state import (
    COLOUR_COUNTS,
    CUBES,
    DECLARED,
    DONE,
    EATEN,
    ENDED,
    GUESSES,
    HANDS,
    LOOKED,
    MENUS_AT,
    NUM_MENUS_AT,
    NUM_OFFERED,
    OFFERED,
    PAWNS,
    STACK_SIZES,
    STACKS,
    STAGE,
    TO_ACT,
    TURN,
    TYPE_COUNTS,
    YEN,
)

# mypy: disable-error-code="no-untyped-def"
# (Compiled functions: Numba infers their types; the docstrings give them.)

_SEVENS, _ONES = np.uint64(0x7F7F7F7F7F7F7F7F), np.uint64(0x0101010101010101)
_HIGHS = np.uint64(0x8080808080808080)
_S8 = np.uint64(8)


@inlined
def _codes(word):
    """Each byte of a uint64 plus 1, and 255 becomes 0: what 0 stands for nothing in."""
    return ((word & _SEVENS) + _ONES) ^ (word & _HIGHS)


@inlined
def _turned(word, seat, players):
    """The bytes by seat of a uint64, from `seat` on; zeros behind the last player."""
    here = word & ((np.uint64(1) << np.uint64(8 * players)) - np.uint64(1))
    return (here >> np.uint64(8 * seat)) | (here << np.uint64(8 * (players - seat)))


@inlined
def _next(seat, players):
    return seat + 1 if seat + 1 < players else 0


@jit
def encode(row, rules, setting, at, size, out):
    """Write to `out` (uint8[P * D], D `size`) what every seat sees of a game; `at` int64[34] holds fields' offsets."""
    players = rules[PLAYERS]
    points = _points(row, rules)
    common = at[PHASE_SEEN]
    for seat in range(players):
        first = seat * size
        _write_seats(row, seat, players, setting, points, at, first, out)
        _write_challenge(row, seat, players, setting, at, first, out)
        if rules[MENUS_ON]:
            _write_menus(row, seat, players, setting, at, first, out)
        if seat == 0:
            write_table(row, setting, rules[MENUS_ON], at, out)
        else:
            copy(out, first + common, out, common, size - common)


@jit
def encode_onlooker(row, rules, at, size, out):
    """Write to `out` (uint8[D]) the table as seat 0 sees it, less what is its secret."""
    players = rules[PLAYERS]
    points = _points(row, rules)
    _write_seats(row, 0, players, ONLOOKER, points, at, 0, out)
    _write_challenge(row, 0, players, ONLOOKER, at, 0, out)
    if rules[MENUS_ON]:
        _write_menus(row, 0, players, ONLOOKER, at, 0, out)
    write_table(row, ONLOOKER, rules[MENUS_ON], at, out)


@jit
def _points(row, rules):
    """Every seat's points as a byte of a word."""
    points = np.uint64(0)
    for seat in range(rules[PLAYERS]):
        points |= np.uint64(min(points_of(row, rules, seat), MOST)) << np.uint64(8 * seat)
    return points


@jit
def _write_seats(row, seat, players, setting, points, at, first, out):
    """The fields by seat, up to the stacks."""
    over = row[DONE]
    turn = np.uint64(0) if over else ONE_HOT[np.int64(row[TURN])]
    store64(out, first + at[TURN_SEEN], _turned(turn, seat, players))
    store64(out, first + at[TO_ACT_SEEN], _turned(ONE_HOT[np.int64(row[TO_ACT]) & MASK], seat, players))
    places, other = first + at[PLACES_SEEN], seat
    for away in range(players):
        place = np.int64(row[PAWNS + other]) & MASK
        store64(out, places + away * NUM_PLACES, ONE_HOT[place])
        out[places + away * NUM_PLACES + 8] = place == 8
        other = _next(other, players)
    store64(out, first + at[YEN_SEEN], _turned(load64(row, YEN), seat, players))
    store64(out, first + at[CUBES_SEEN], _turned(load64(row, CUBES), seat, players))
    hands, eaten, other = first + at[HANDS_SEEN], first + at[EATEN_SEEN], seat
    for away in range(players):
        store64(out, hands + away * NUM_DISHES, load64(row, HANDS + other * NUM_DISHES))
        store64(out, eaten + away * NUM_DISHES, load64(row, EATEN + other * NUM_DISHES))
        other = _next(other, players)
    store64(out, first + at[STACK_SIZES_SEEN], _turned(load64(row, STACK_SIZES), seat, players))
    by_colour, by_type, other = first + at[STACK_COLOURS], first + at[STACK_TYPES], seat
    for away in range(players):
        store64(out, by_colour + away * len(COLOURS), load64(row, COLOUR_COUNTS + 8 * other))
        other = _next(other, players)
    for away in range(players):
        store64(out, by_type + away * len(TYPES), load64(row, TYPE_COUNTS + 8 * other))
        other = _next(other, players)
    tops = first + at[TOPS]
    for away in range(players):
        plate = _top(row, other)
        store64(out, tops + away * PLATE_BYTES, PLATE_LOW[plate])
        store32(out, tops + away * PLATE_BYTES + 8, np.uint32(PLATE_HIGH[plate]))
        other = _next(other, players)
    hidden = setting == STRICT and not (row[DONE] and not row[ENDED])  # points tell of types below the top
    store64(out, first + at[POINTS_SEEN], np.uint64(0) if hidden else _turned(points, seat, players))
    stacks = first + at[STACKS_SEEN]
    for away in range(players):
        stack, shown = STACKS + other * MAX_STACK, stacks + away * MAX_STACK
        store64(out, shown, _codes(load64(row, stack)))
        store64(out, shown + 8, _codes(load64(row, stack + 8)))
        store32(out, shown + 16, np.uint32(_codes(np.uint64(load32(row, stack + 16)))))
        other = _next(other, players)
    if setting == STRICT:
        _hide_types(row, seat, players, by_type, stacks, out)


@inlined
def _top(row, seat):
    """The top plate of a stack; 31 for an empty one."""
    size = np.int64(row[STACK_SIZES + seat])
    return np.int64(row[STACKS + seat * MAX_STACK + size - 1]) if size else MASK


@jit
def _hide_types(row, seat, players, by_type, stacks, out):
    """Under `strict`: what lies below the top of a stack shows its colour alone, but to who looks through the own."""
    other = seat
    for away in range(players):
        looks = away == 0 and row[LOOKED] and np.int64(row[TURN]) == seat
        if not looks:
            top, at = _top(row, other), by_type + away * len(TYPES)
            clear(out, at, len(TYPES))
            if top != MASK:
                out[at + np.int64(TYPE_OF[top])] = 1
            stack = STACKS + other * MAX_STACK
            for i in range(np.int64(row[STACK_SIZES + other]) - 1):
                out[stacks + away * MAX_STACK + i] = STRICT_CODE[np.int64(row[stack + i])]
        other = _next(other, players)


@jit
def _write_challenge(row, seat, players, setting, at, first, out):
    """What was declared, and the guesses in view: the own, and all that the players with a Takoyaki see."""
    declared, shown, other = first + at[DECLARED_SEEN], first + at[GUESSES_SEEN], seat
    stage = row[STAGE]
    for away in range(players):
        store16(out, declared + 2 * away, load16(row, DECLARED + 2 * other))
        other = _next(other, players)
    if stage == 0:
        clear(out, shown, players * len(COLOURS))
        return
    for away in range(players):
        usual = stage == TAKOYAKI_GUESSES and row[DECLARED + 2 * other] == 0
        seen = usual or setting == FULL or (away == 0 and setting != ONLOOKER)
        store64(out, shown + away * len(COLOURS), _guesses(row, other) if seen else np.uint64(0))
        other = _next(other, players)


@inlined
def _guesses(row, seat):
    """A seat's guesses as counts by colour, a byte each."""
    guesses = np.uint64(0)
    for i in range(CUBES_TAKOYAKI):
        guesses += ONE_HOT[np.int64(row[GUESSES + seat * CUBES_TAKOYAKI + i]) & MASK]
    return guesses


@jit
def _write_menus(row, seat, players, setting, at, first, out):
    """The menus held, the own and at the end all, and the offer to the viewer."""
    menus, offered, other = first + at[MENUS_SEEN], first + at[OFFERED_SEEN], seat
    clear(out, menus, players * NUM_MENUS)
    ended = row[DONE] and not row[ENDED]
    for away in range(players):
        if ended or setting == FULL or (away == 0 and setting != ONLOOKER):
            for i in range(np.int64(row[NUM_MENUS_AT + other])):
                out[menus + away * NUM_MENUS + np.int64(row[MENUS_AT + other * NUM_MENUS + i])] = 1
        other = _next(other, players)
    store64(out, first + at[MENUS_HELD], _turned(load64(row, NUM_MENUS_AT), seat, players))
    clear(out, offered, 2 * NUM_MENUS)
    if setting == FULL or (np.int64(row[TO_ACT]) == seat and setting != ONLOOKER):
        for i in range(np.int64(row[NUM_OFFERED])):
            out[offered + i * NUM_MENUS + np.int64(row[OFFERED + i])] = 1
