"""Compiled: how likely a menu is to be met, what a plate adds to the menus held, and which of two to keep."""

from __future__ import annotations

import numpy as np

from sushigo_agents.boat._promise import LEVEL_OR_AHEAD, MET, MOST_LEAD, MOST_MISSING, MOST_TURNS
from sushigo_env._jit import inlined, jit
from sushigo_env._memory import load64
from sushigo_env.sushi_boat.cards import (
    ALL_TYPES,
    COLOUR_PAIRS,
    FEWEST_PLATES,
    FIRST_PAIR,
    FIRST_TYPE,
    KINDS,
    MANY_DISHES,
    MANY_WHITES,
    MOST_CUBES,
    MOST_DISHES_EATEN,
    MOST_PLATES,
    NO_DISHES,
    NUM_MENUS,
    TYPES,
    WHITE,
)
from sushigo_env.sushi_boat.dishes import dishes_eaten, dishes_held
from sushigo_env.sushi_boat.points import COLOUR_WORD, TYPE_WORD
from sushigo_env.sushi_boat.rules import MENU_PLATES, MENU_WORTH, PLAYERS
from sushigo_env.sushi_boat.scoring import DISHES_ASKED, PAIR_ASKED, TYPES_AND_DISHES, WHITES_ASKED
from sushigo_env.sushi_boat.state import COLOUR_COUNTS, CUBES, MENUS_AT, NUM_MENUS_AT, OFFERED, STACK_SIZES, TYPE_COUNTS

# mypy: disable-error-code="no-untyped-def"
# (Compiled functions: Numba infers their types; the docstrings give them.)

_FIRST = np.array([first for first, _ in COLOUR_PAIRS], np.int64)
_SECOND = np.array([second for _, second in COLOUR_PAIRS], np.int64)
_BYTE = np.uint64(255)
ALONE = 1
"""Lead that a menu of most or fewest asks for."""


@inlined
def _at(word, place):
    """A byte of a word of counts."""
    return np.int64((word >> np.uint64(8 * place)) & _BYTE)


@inlined
def of_plates(menu):
    """Whether a menu asks for plates of some kinds."""
    return menu in (MANY_WHITES, ALL_TYPES) or FIRST_PAIR <= menu < NUM_MENUS - 1


@jit
def _missing(menu, colours, types, of_type):
    """Plates that a menu of plates still lacks, of a stack counted by colour and by type in words of bytes."""
    if menu == MANY_WHITES:
        return max(0, WHITES_ASKED - _at(colours, WHITE))
    if menu == ALL_TYPES:
        missing = 0
        for kind in range(len(TYPES)):
            missing += _at(types, kind) == 0
        return missing
    if menu >= FIRST_TYPE:
        return max(0, of_type - _at(types, menu - FIRST_TYPE))
    pair = menu - FIRST_PAIR
    first, second = _at(colours, _FIRST[pair]), _at(colours, _SECOND[pair])
    return max(0, PAIR_ASKED - first) + max(0, PAIR_ASKED - second)


@inlined
def _met(menu, colours, types, of_type, plates_left):
    """Chance in thousandths that a menu of plates will be met."""
    return MET[min(_missing(menu, colours, types, of_type), MOST_MISSING), plates_left]


@jit
def menu_gains(row, rules, seat, colours, types, plates_left, eye, at):
    """Write to `eye` from `at` on what a plate of each kind adds to the menus that a seat holds."""
    for kind in range(KINDS):
        eye[at + kind] = 0
    for i in range(np.int64(row[NUM_MENUS_AT + seat])):
        menu = np.int64(row[MENUS_AT + seat * NUM_MENUS + i])
        worth, asked = rules[MENU_WORTH + menu], rules[MENU_PLATES]
        if of_plates(menu):
            before = _met(menu, colours, types, asked, plates_left)
            for kind in range(KINDS):
                after = _met(menu, colours + COLOUR_WORD[kind], types + TYPE_WORD[kind], asked, plates_left)
                eye[at + kind] += worth * (after - before)
        elif menu == MOST_PLATES:
            for kind in range(KINDS):
                eye[at + kind] += 100 * worth


@inlined
def level_or_ahead(counts, seat, other, lead, turns):
    """Chance in thousandths that a seat will be `lead` ahead of another, or level with it for 0."""
    place = min(max(MOST_LEAD + counts[seat] - counts[other] - lead, 0), 2 * MOST_LEAD)
    return LEVEL_OR_AHEAD[min(turns, MOST_TURNS), place]


@jit
def chance_to_lead(counts, players, seat, lead, turns):
    """Chance in thousandths that a seat, with `counts` [P] now, will be `lead` ahead of each other, or level for 0."""
    chance = 1000
    for away in range(1, players):  # as the seat sees them: roundings hang on the order
        chance = chance * level_or_ahead(counts, seat, (seat + away) % players, lead, turns) // 1000
    return chance


@jit
def menu_chance(row, rules, seat, menu, turns, plates_left, room):
    """Chance in thousandths that a seat will meet a menu; `room` points to int64[8]."""
    players, dishes = rules[PLAYERS], dishes_eaten(row, seat) + dishes_held(row, seat)
    if menu == NO_DISHES:
        return 1000 - min(1000, 150 * turns) if dishes == 0 else 0
    if menu == MANY_DISHES:
        return MET[min(max(0, DISHES_ASKED - dishes), MOST_MISSING), min(turns, 10)]
    if of_plates(menu):
        colours, types = load64(row, COLOUR_COUNTS + 8 * seat), load64(row, TYPE_COUNTS + 8 * seat)
        chance = _met(menu, colours, types, rules[MENU_PLATES], plates_left)
        if menu == ALL_TYPES:
            chance = chance * MET[max(0, TYPES_AND_DISHES - dishes), min(turns, 10)] // 1000
        return chance
    for other in range(players):
        if menu == MOST_PLATES:
            room[other] = row[STACK_SIZES + other]
        elif menu == FEWEST_PLATES:
            room[other] = -np.int64(row[STACK_SIZES + other])
        elif menu == MOST_CUBES:
            room[other] = row[CUBES + other]
        elif menu == MOST_DISHES_EATEN:
            room[other] = dishes_eaten(row, other) + dishes_held(row, other)
    return chance_to_lead(room, players, seat, ALONE, turns)


@jit
def better_offer(row, rules, seat, offered, turns, plates_left, room):
    """Which of the menus offered, 0 or 1, is worth most; the first where both are."""
    best, highest = 0, -1
    for i in range(offered):
        menu = np.int64(row[OFFERED + i])
        worth = rules[MENU_WORTH + menu] * menu_chance(row, rules, seat, menu, turns, plates_left, room)
        if worth > highest:
            best, highest = i, worth
    return best
