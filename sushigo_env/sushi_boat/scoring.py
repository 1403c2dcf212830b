"""The scoring of Sushi Boat as small functions, compiled and (as `.py_func`) plain. Numbers come from the config.

They read from what is indexed, an array or a kernel's pointer, from item `at` on.
"""

from __future__ import annotations

import numpy as np

from sushigo_env._jit import jit
from sushigo_env.sushi_boat.cards import (
    ALL_TYPES,
    COLOUR_OF,
    COLOUR_PAIRS,
    FEWEST_PLATES,
    FIRST_PAIR,
    FIRST_TYPE,
    MANY_DISHES,
    MANY_WHITES,
    MOST_CUBES,
    MOST_DISHES_EATEN,
    MOST_PLATES,
    NO_DISHES,
    TYPES,
    WHITE,
)

# mypy: disable-error-code="no-untyped-def"
# (Compiled functions: Numba infers their types; the docstrings give them.)

POINT_KINDS = ("runs", "sets", "dishes", "gyoza", "cubes", "menus")
"""What a player is scored for, in the order of `points` arrays."""
(RUNS, SETS, DISH_MAJORITY, GYOZA_POINTS, CUBE_POINTS, MENU_POINTS) = range(6)
CUBE_WORTH, GYOZA_WORTH = 1, 1
TYPES_AND_DISHES = 2
"""Side dishes that the menu of all 7 types asks for besides."""
WHITES_ASKED, DISHES_ASKED, PAIR_ASKED = 3, 5, 4
"""What the menus of whites, of many side dishes and of colour pairs ask for (each colour of a pair)."""
_FIRST_OF_PAIR = np.array([first for first, _ in COLOUR_PAIRS], np.int64)
_SECOND_OF_PAIR = np.array([second for _, second in COLOUR_PAIRS], np.int64)


@jit
def run_points(stack, at, size):
    """Points of the runs of one colour in a stack of `size` plates: a run's size less one; whites do not break it."""
    points, last = 0, np.int64(-1)
    for i in range(at, at + size):
        colour = np.int64(COLOUR_OF[np.int64(stack[i])])
        points += colour == last
        last = last if colour == WHITE else colour
    return points


@jit
def set_points(counts, worth, at):
    """Points of the sets of different types, for `counts` by type [7]; `worth[at + n]` are those of a set of n.

    Each set takes one of every type left, which is best since the points are convex.
    """
    points, made = 0, 0
    while True:
        size = 0
        for kind in range(len(TYPES)):
            size += counts[kind] > made
        if size == 0:
            return points
        points += worth[at + size]
        made += 1


@jit
def majority_points(eaten, players, most, second, out):
    """Write into `out` each player's points for side dishes eaten (`eaten` [P]).

    All tied for most get `most`, and then there is no second; all tied for second get `second`; none eaten, none.
    """
    top = runner_up = tied = 0
    for seat in range(players):
        top = max(top, eaten[seat])
    for seat in range(players):
        tied += eaten[seat] == top
        runner_up = max(runner_up, eaten[seat] if eaten[seat] < top else 0)
    for seat in range(players):
        out[seat] = 0
        if eaten[seat] > 0 and eaten[seat] == top:
            out[seat] = most
        elif eaten[seat] > 0 and tied == 1 and eaten[seat] == runner_up:
            out[seat] = second


@jit
def kept_of_two(a, b, first, second):
    """Cubes kept of two, on the colours `a` and `b`, where `first` and `second` were hidden: what both have in common.

    Green and red against green and green keeps 1.
    """
    return max((a == first) + (b == second), (a == second) + (b == first))


@jit
def kept_of_three(a, b, c, first, second):
    """Cubes kept of three: the best choice of the extra one, which is kept if its colour is hidden."""
    without_a = kept_of_two(b, c, first, second) + max(a == first, a == second)
    without_b = kept_of_two(a, c, first, second) + max(b == first, b == second)
    without_c = kept_of_two(a, b, first, second) + max(c == first, c == second)
    return max(without_a, max(without_b, without_c))


@jit
def is_sole_most(counts, players, seat):
    """Whether a seat has more than every other (`counts` [P])."""
    as_many = 0
    for other in range(players):
        as_many += counts[other] >= counts[seat]
    return as_many == 1


@jit
def is_sole_fewest(counts, players, seat):
    """Whether a seat has fewer than every other (`counts` [P])."""
    as_few = 0
    for other in range(players):
        as_few += counts[other] <= counts[seat]
    return as_few == 1


@jit
def menu_is_met(menu, seat, players, plates, cubes, dishes, colours, types, of_type):
    """Whether a seat has what a menu asks for; sole holders only for most and fewest.

    `plates`, `cubes`, `dishes` (eaten) are counts by seat [P]; `colours` [5] and `types` [7] those of the seat's own
    stack; `of_type` is how many the menus of one type ask for.
    """
    if menu == MOST_PLATES:
        return is_sole_most(plates, players, seat)
    if menu == ALL_TYPES:
        missing = 0
        for kind in range(len(TYPES)):
            missing += types[kind] == 0
        return missing == 0 and dishes[seat] >= TYPES_AND_DISHES
    if menu == NO_DISHES:
        return dishes[seat] == 0
    if menu == MOST_CUBES:
        return is_sole_most(cubes, players, seat)
    if menu == MANY_WHITES:
        return colours[WHITE] >= WHITES_ASKED
    if menu == FEWEST_PLATES:
        return is_sole_fewest(plates, players, seat)
    if menu == MANY_DISHES:
        return dishes[seat] >= DISHES_ASKED
    if menu == MOST_DISHES_EATEN:
        return is_sole_most(dishes, players, seat)
    if menu >= FIRST_TYPE:
        return types[menu - FIRST_TYPE] >= of_type
    pair = menu - FIRST_PAIR
    return colours[_FIRST_OF_PAIR[pair]] >= PAIR_ASKED and colours[_SECOND_OF_PAIR[pair]] >= PAIR_ASKED
