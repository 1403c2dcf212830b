"""Compiled: what side dishes are worth: the majority of those eaten, and what each does, now or later."""

from __future__ import annotations

import numpy as np

from sushigo_agents.boat._menus import ALONE, chance_to_lead, level_or_ahead
from sushigo_agents.boat._promise import LAST_YEN, POINT, SPARE_YEN, YEN_WORTH
from sushigo_agents.boat._stack import OWN_YEN, TURNS, gain, look
from sushigo_env._jit import inlined, jit
from sushigo_env.sushi_boat import plays
from sushigo_env.sushi_boat.belt import seen_plates
from sushigo_env.sushi_boat.cards import (
    COLOUR_OF,
    EDAMAME,
    FUGU,
    FUGU_PAIRS,
    GYOZA,
    HAND_LIMIT,
    KINDS,
    MANY_DISHES,
    MAX_STACK,
    MISO_SOUP,
    MOCHI,
    MOST_DISHES_EATEN,
    NO_DISHES,
    NUM_DISHES,
    NUM_MENUS,
    ONIGIRI,
    SPACES,
    TAKOYAKI,
    TEMPURA,
    WHITE,
)
from sushigo_env.sushi_boat.dishes import (
    EDAMAME_YEN,
    FUGU_YEN,
    ONIGIRI_YEN,
    PAIR_COLOURS,
    TEMPURA_YEN,
    dishes_eaten,
    dishes_held,
    top_of_stack,
)
from sushigo_env.sushi_boat.legal import may
from sushigo_env.sushi_boat.rules import MENU_WORTH, MENUS_ON, MOST, PLAYERS, SECOND
from sushigo_env.sushi_boat.scoring import DISHES_ASKED
from sushigo_env.sushi_boat.state import (
    BAG,
    BAG_SIZE,
    BELT,
    HANDS,
    MENU_DECK_SIZE,
    MENUS_AT,
    NUM_MENUS_AT,
    PILE,
    PILE_SIZE,
    STACK_SIZES,
    STACKS,
    WASABI_LEFT,
)

# mypy: disable-error-code="no-untyped-def,assignment"
# (Compiled functions: Numba infers their types; the docstrings give them.)

LATER = np.array([1500, 600, 1000, 900, 700, 0, 700, 950], np.int64)
"""int64[8]: what a dish is expected to do in some later turn, in thousandths; an Onigiri's yen are counted as such."""
MENU_YEN = 600
"""A yen that a menu can be ordered for, in place of one to spare."""


@inlined
def yen_worth(row, rules, yen, turns):
    """What the next yen is worth to a seat that has `yen` already, with so many turns after this one."""
    least = LAST_YEN if turns == 0 else SPARE_YEN
    if rules[MENUS_ON] and row[MENU_DECK_SIZE] > 0:
        least = MENU_YEN
    return YEN_WORTH if yen < turns else least


@jit
def _hope(counts, players, seat, turns, most, second):
    """Points in thousandths that a seat's side dishes can be expected to bring, by how many each has [P]."""
    if counts[seat] == 0 and turns == 0:
        return 0
    points = most * chance_to_lead(counts, players, seat, 0, turns)
    for first in range(1, players):  # who alone stays ahead, as the seat sees them
        chance = 1000 - level_or_ahead(counts, seat, (seat + first) % players, 0, turns)
        for away in range(1, players):
            if away != first:
                chance = chance * level_or_ahead(counts, seat, (seat + away) % players, 0, turns) // 1000
        points += second * chance
    return points


@jit
def eaten_gain(row, rules, seat, turns, more, room):
    """What one more dish eaten adds, beyond those in hand for `more` 1; or for 0 what the last one in hand adds.

    `room` points to int64[8].
    """
    players = rules[PLAYERS]
    for other in range(players):
        room[other] = dishes_eaten(row, other) + dishes_held(row, other)
    room[seat] += more
    after = _hope(room, players, seat, turns, rules[MOST], rules[SECOND])
    room[seat] -= 1
    gained = after - _hope(room, players, seat, turns, rules[MOST], rules[SECOND])
    for i in range(np.int64(row[NUM_MENUS_AT + seat])):
        menu = np.int64(row[MENUS_AT + seat * NUM_MENUS + i])
        if menu == NO_DISHES and dishes_eaten(row, seat) == 0:
            gained -= rules[MENU_WORTH + menu] * POINT
        elif menu == MANY_DISHES and room[seat] < DISHES_ASKED <= room[seat] + 1 + turns:
            gained += rules[MENU_WORTH + menu] * POINT // (DISHES_ASKED - room[seat])
        elif menu == MOST_DISHES_EATEN:
            before = chance_to_lead(room, players, seat, ALONE, turns)
            room[seat] += 1
            gained += rules[MENU_WORTH + menu] * (chance_to_lead(room, players, seat, ALONE, turns) - before)
            room[seat] -= 1
    return gained


@jit
def best_swap(row, rules, seat, eye):
    """The space that Edamame swaps the top plate with best, and what it gains; fills the eye as without the top."""
    look(row, rules, seat, 1, eye)
    top = gain(eye, np.int64(row[top_of_stack(row, seat)]))
    best, highest, seen = -1, -(1 << 40), seen_plates(row)
    for space in range(SPACES):
        if seen >> space & 1:
            gained = gain(eye, np.int64(row[BELT + space])) - top
            if gained > highest:
                best, highest = space, gained
    return best, highest


@jit
def best_depth(row, seat):
    """The depth that Mochi moves the top plate to best, and the points of runs that it gains: 0 for a plate alone."""
    size, first = np.int64(row[STACK_SIZES + seat]), STACKS + seat * MAX_STACK
    if size < 2:
        return 1, 0
    moved, best, highest, before = np.int64(row[first + size - 1]), 1, -(1 << 40), 0
    for depth in range(size):
        points, last = 0, np.int64(-1)
        for place in range(size):  # from the bottom: the plate moved lies at size - 1 - depth
            mine = size - 1 - depth
            plate = moved if place == mine else np.int64(row[first + place - (place > mine)])
            colour = np.int64(COLOUR_OF[plate])
            points += colour == last
            last = last if colour == WHITE else colour
        if depth == 0:
            before = points
        elif points > highest:
            best, highest = depth, points
    return best, (highest - before) * POINT


@jit
def best_pair(row):
    """The two colours that a plate out of the bag is likeliest to have (Fugu), and the chance, in thousandths."""
    size, best, most = np.int64(row[BAG_SIZE]), 0, np.int64(-1)
    for pair in range(len(FUGU_PAIRS)):
        found = 0
        for kind in range(KINDS):
            if PAIR_COLOURS[pair] >> np.int64(COLOUR_OF[kind]) & 1:
                found += np.int64(row[BAG + kind])
        if found > most:
            best, most = pair, found
    return best, 1000 * most // size if size else 500


@jit
def effect_now(row, rules, seat, dish, eye, spare):
    """What a dish in hand does if it is played now, in thousandths; `spare` is room for an eye."""
    turns, yen = eye[TURNS], eye[OWN_YEN]
    each = yen_worth(row, rules, yen, turns)
    if dish == EDAMAME:
        return EDAMAME_YEN * each + best_swap(row, rules, seat, spare)[1]
    if dish == TEMPURA:
        return TEMPURA_YEN * each
    if dish == ONIGIRI:
        return each + (ONIGIRI_YEN - 1) * yen_worth(row, rules, yen + 1, turns)
    if dish == GYOZA:
        return POINT
    if dish == MOCHI:
        return best_depth(row, seat)[1]
    if dish == FUGU:
        look(row, rules, seat, 1, spare)
        chance, top = best_pair(row)[1], gain(spare, np.int64(row[top_of_stack(row, seat)]))
        return (chance * FUGU_YEN * each - (1000 - chance) * top) // 1000
    if dish == MISO_SOUP and row[PILE_SIZE]:
        below = np.int64(row[PILE + np.int64(row[PILE_SIZE]) - 1])
        return POINT + worth_later(row, below, turns)
    return 0


@inlined
def worth_later(row, dish, turns):
    """What holding a dish promises to do in some later turn, in thousandths."""
    if dish == TAKOYAKI and row[WASABI_LEFT] == 0:
        return 0
    return LATER[dish] * turns // (turns + 1)


@jit
def dish_to_play(row, rules, seat, eye, spare, room):
    """The dish that is best played now, at the end of a turn, or -1: what it does must beat what it promises."""
    best, highest, turns = -1, np.int64(-1), eye[TURNS]
    full = dishes_held(row, seat) >= HAND_LIMIT
    counted = eaten_gain(row, rules, seat, turns, 0, room)
    for dish in range(NUM_DISHES):
        if not may(row, plays.DISH + dish):
            continue
        value = effect_now(row, rules, seat, dish, eye, spare)
        later = 0 if dish == GYOZA else worth_later(row, dish, turns)
        value -= later // 2 if full else later
        if turns == 0 or counted < 0:
            value += counted  # in the last turn what is not played does not count; and a menu may ask for none eaten
        if value > highest:
            best, highest = dish, value
    return best


@jit
def buy_worth(row, rules, seat, eye, spare, room):
    """What the top side dish of the discard pile is worth, its yen not counted."""
    size, turns = np.int64(row[PILE_SIZE]), eye[TURNS]
    dish = np.int64(row[PILE + size - 1])
    eaten = eaten_gain(row, rules, seat, turns, 1, room)
    if dish == ONIGIRI:
        effect = 2 * yen_worth(row, rules, eye[OWN_YEN], turns)
    elif dish == MISO_SOUP:
        effect = 0 if size < 2 else (eaten + LATER[MISO_SOUP]) // 2
    elif dish == GYOZA:
        effect = POINT
    elif turns == 0:
        effect = _last_effect(row, rules, seat, dish, eye, spare)
    else:
        effect = worth_later(row, dish, turns)
    value = eaten + effect
    return value // 3 if dishes_held(row, seat) >= HAND_LIMIT else value


@jit
def _last_effect(row, rules, seat, dish, eye, spare):
    """What a dish bought in the last turn will do in it."""
    if dish == TAKOYAKI or row[STACK_SIZES + seat] < 2:
        return 0
    return effect_now(row, rules, seat, dish, eye, spare)


@jit
def dish_to_discard(row, seat, turns):
    """The dish in hand that promises least."""
    best, least = -1, np.int64(1 << 40)
    for dish in range(NUM_DISHES):
        if row[HANDS + seat * NUM_DISHES + dish]:
            value = worth_later(row, dish, turns) + (1500 if dish == ONIGIRI else 0) + (500 if dish == GYOZA else 0)
            if value < least:
                best, least = dish, value
    return best
