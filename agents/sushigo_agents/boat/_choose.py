"""Compiled: what `boat_greedy` does, phase by phase, from a game's row; it looks at nothing its seat cannot see."""

from __future__ import annotations

import numpy as np

from sushigo_agents.boat._dishes import (
    best_depth,
    best_pair,
    best_swap,
    buy_worth,
    dish_to_discard,
    dish_to_play,
    eaten_gain,
    yen_worth,
)
from sushigo_agents.boat._menus import better_offer
from sushigo_agents.boat._places import (
    NO_PLATE,
    NO_SPACE,
    after_an_order,
    best_act,
    best_drawn,
    best_eat,
    best_of_spaces,
    best_of_trash,
    best_place,
    best_push,
    best_tile,
    plate_to_eat,
)
from sushigo_agents.boat._stack import EYE, OWN_YEN, PLATES_LEFT, TURNS, further_turns, look
from sushigo_env._jit import jit
from sushigo_env._memory import on_stack
from sushigo_env.sushi_boat import plays
from sushigo_env.sushi_boat.belt import seen_plates
from sushigo_env.sushi_boat.cards import (
    COLOUR_OF,
    CUBES_TAKOYAKI,
    NUM_PLACES,
    ONIGIRI,
    SPACES,
    TAKOYAKI,
    TEMPURA,
    TUNNEL,
)
from sushigo_env.sushi_boat.legal import may
from sushigo_env.sushi_boat.rules import PLAYERS
from sushigo_env.sushi_boat.staff import spaces_for
from sushigo_env.sushi_boat.state import (
    ACT,
    BELT,
    BY_EDAMAME,
    BY_TEMPURA,
    CHOOSE_DEPTH,
    CHOOSE_MENU,
    CHOOSE_TILE,
    CHOOSE_TRASH,
    DECLARE,
    DISCARD_DISH,
    EAT,
    EFFECT,
    END,
    GUESS_COLOUR,
    GUESSES,
    MOVE,
    NAME_COLOURS,
    NONE,
    NUM_GUESSES,
    NUM_OFFERED,
    NUM_SATSUKI,
    PAWNS,
    PHASE,
    SATSUKI_DRAW,
    START,
    TO_ACT,
    YEN,
)

# mypy: disable-error-code="no-untyped-def"
# (Compiled functions: Numba infers their types; the docstrings give them.)

ENOUGH = 250
"""Thousandths of a point by which a special must beat going on without it, so that trifles cost nothing."""


@jit
def choose(row, rules):
    """The action that `boat_greedy` takes for the seat to act; the game goes on."""
    seat, phase = np.int64(row[TO_ACT]), np.int64(row[PHASE])
    if phase == START:
        return np.int64(plays.REVEAL)
    if phase == DECLARE:
        return np.int64(plays.DISH + TAKOYAKI) if may(row, plays.DISH + TAKOYAKI) else np.int64(plays.DECLINE)
    if phase == GUESS_COLOUR:
        return plays.GUESS + _colour_to_guess(row, seat)
    if phase == DISCARD_DISH:
        return plays.DISCARD + dish_to_discard(row, seat, further_turns(row, rules))
    if phase == NAME_COLOURS:
        return plays.PAIR + best_pair(row)[0]
    if phase == CHOOSE_DEPTH:
        return plays.DEPTH + best_depth(row, seat)[0]
    eye, spare, room = on_stack(EYE), on_stack(EYE), on_stack(8)
    look(row, rules, seat, 0, eye)
    if phase == CHOOSE_MENU:
        offered = np.int64(row[NUM_OFFERED])
        return plays.KEEP + better_offer(row, rules, seat, offered, eye[TURNS], eye[PLATES_LEFT], room)
    if phase == MOVE:
        return _move(row, rules, seat, eye, spare, room)
    if phase == END:
        return _end(row, rules, seat, eye, spare, room)
    place = np.int64(row[PAWNS + seat])
    if phase == ACT:
        bought = buy_worth(row, rules, seat, eye, spare, room) if may(row, plays.BUY) else 0
        return np.int64(best_act(row, rules, seat, eye, place, eye[OWN_YEN], bought)[0])
    if phase == EAT:
        return _eat(row, rules, seat, eye, place)
    return _for_staff(row, rules, seat, eye, spare, place, phase)


@jit
def _move(row, rules, seat, eye, spare, room):
    """A move; before it an Onigiri's yen are fetched where they are needed."""
    poor = may(row, plays.DISH + ONIGIRI) and row[YEN + seat] == 0
    if poor and eaten_gain(row, rules, seat, eye[TURNS], 0, room) >= 0:
        return np.int64(plays.DISH + ONIGIRI)
    return best_place(row, rules, seat, eye, spare, room)


@jit
def _eat(row, rules, seat, eye, place):
    """Eat, after a special if that brings a better plate by more than it costs."""
    best, highest = plate_to_eat(row, eye)
    best, limit = np.int64(best), highest + ENOUGH
    if may(row, plays.DISH + TEMPURA):
        worth = best_push(row, rules, eye, place)[1]
        if worth > limit + ENOUGH:
            best, limit = np.int64(plays.DISH + TEMPURA), worth
    if row[YEN + seat] > 0:
        paid = yen_worth(row, rules, eye[OWN_YEN] - 1, eye[TURNS])
        if may(row, plays.ORDER):
            worth = after_an_order(row, rules, eye, place) - paid
            if worth > limit:
                best, limit = np.int64(plays.ORDER), worth
        for other in range(NUM_PLACES):
            if may(row, plays.PLACE + other):
                cost = paid * rules[PLAYERS] // (rules[PLAYERS] - 1)
                worth = best_eat(row, rules, eye, other, NO_PLATE, NO_SPACE) - cost
                if worth > limit:
                    best, limit = np.int64(plays.PLACE + other), worth
    return best


@jit
def _end(row, rules, seat, eye, spare, room):
    """Dishes that pay now, menus for yen that nothing else needs, or the end of the turn."""
    dish = dish_to_play(row, rules, seat, eye, spare, room)
    if dish >= 0:
        return np.int64(plays.DISH + dish)
    if may(row, plays.ORDER_MENU) and eye[OWN_YEN] > eye[TURNS]:
        return np.int64(plays.ORDER_MENU)
    return np.int64(plays.END_TURN)


@jit
def _for_staff(row, rules, seat, eye, spare, place, phase):
    """What the staff, or a dish, asks for."""
    if phase == CHOOSE_TILE:
        return plays.TILE + best_tile(row, rules, seat, eye, place)[0]
    if phase == CHOOSE_TRASH:
        return plays.TRASH + best_of_trash(row, rules, eye, place)[0]
    if phase == SATSUKI_DRAW:
        return plays.TOP_OR_BOTTOM + best_drawn(row, rules, seat, eye, place, np.int64(row[NUM_SATSUKI]))
    effect = np.int64(row[EFFECT])
    if effect == BY_EDAMAME:
        return plays.SPACE + best_swap(row, rules, seat, spare)[0]
    if effect == BY_TEMPURA:
        return plays.SPACE + _space_to_push(row, rules, eye, place)
    return plays.SPACE + best_of_spaces(row, rules, eye, place, spaces_for(row, rules, seat, effect))[0]


@jit
def _space_to_push(row, rules, eye, place):
    """The plate that comes before the own place; elsewhere the last on the belt."""
    if place != NONE:
        best = best_push(row, rules, eye, place)[0]
        if best >= 0:
            return best
    seen, last = seen_plates(row), 0
    for space in range(SPACES):
        if seen >> space & 1:
            last = space
    return last


@jit
def _colour_to_guess(row, seat):
    """A colour of a hidden plate that the seat's cubes do not tell of yet; the third cube is an extra one."""
    first = np.int64(COLOUR_OF[np.int64(row[BELT + TUNNEL[0]])])
    second = np.int64(COLOUR_OF[np.int64(row[BELT + TUNNEL[1]])])
    on_first = on_second = 0
    for i in range(np.int64(row[NUM_GUESSES + seat])):
        colour = np.int64(row[GUESSES + seat * CUBES_TAKOYAKI + i])
        on_first += colour == first
        on_second += colour == second
    return second if on_first > 0 and (on_second == 0 or first == second) else first
