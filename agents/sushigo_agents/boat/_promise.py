"""What plates, yen and menus can be expected to become: tables worked out once, in thousandths of a point.

A set is followed plate by plate: of the plates still to be eaten each is of a type that the set lacks with a chance
that falls as the set grows, and an eater takes it where that pays. A second set gets only what the first has already.
"""

from __future__ import annotations

from math import comb

import numpy as np
from numpy.typing import NDArray

from sushigo_env.sushi_boat.cards import DEFAULT, MAX_STACK, TYPES

POINT = 1000
"""Values are whole numbers, thousandths of a point."""
LEVELS = 3
"""The first set, the second, and those behind them."""
FOR_LEVEL = (1.0, 0.55, 0.25)
"""How much likelier than for the sets behind it a plate fits into a set."""
FALL = 1.0
"""How the chance of a type that is lacking falls as a set grows: the higher the later."""
PLATES_A_TURN = 1.4
"""Plates that a player can expect from a turn: the one eaten, and at times one by the staff."""
MOST_TO_COME = 8
"""Nobody looks out for more: with it `boat_greedy` plays stronger."""
MEETING = 0.45
"""Chance that a plate is of a kind that a menu asks for, where one looks out for it."""
MOST_MISSING = 8
"""Plates that a menu may lack."""


def _sets() -> NDArray[np.int64]:
    """int64[3, 7, 21]: what one more type adds to a set of a size, at a level, with so many plates still to come."""
    size, points = len(TYPES), (0, *DEFAULT.set_points)
    gains = np.zeros((LEVELS, size, MAX_STACK + 1), np.int64)
    for level, easier in enumerate(FOR_LEVEL):
        ends = np.zeros((MAX_STACK + 1, size + 1))
        ends[0] = points
        for left in range(1, MAX_STACK + 1):
            ends[left] = ends[left - 1]
            for have in range(size):
                fits = easier * (1 - (have / size) ** FALL)
                ends[left, have] += fits * max(0.0, ends[left - 1, have + 1] - ends[left - 1, have])
        gains[level] = np.round(np.diff(ends, axis=1).T * POINT)
    return gains


def _chances() -> NDArray[np.int64]:
    """int64[9, 21]: the chance, in thousandths, that so many plates which a menu lacks are among so many to come."""
    chances = np.zeros((MOST_MISSING + 1, MAX_STACK + 1), np.int64)
    for missing in range(MOST_MISSING + 1):
        for left in range(MAX_STACK + 1):
            each = [comb(left, n) * MEETING**n * (1 - MEETING) ** (left - n) for n in range(missing, left + 1)]
            chances[missing, left] = round(1000 * sum(each))
    return chances


def _plates_to_come() -> NDArray[np.int64]:
    """int64[26]: plates that so many further turns bring."""
    return np.minimum(MOST_TO_COME, np.round(PLATES_A_TURN * np.arange(26))).astype(np.int64)


def _ahead() -> NDArray[np.int64]:
    """int64[11, 41]: the chance, in thousandths, to end at least level with another who has d - 20 fewer dishes."""
    leads = np.arange(-20, 21)
    return np.array([np.round(1000 / (1 + np.exp(-(leads + 0.6) / (0.15 + 0.25 * turns)))) for turns in range(11)], int)


SET_GAIN, MET, TO_COME, LEVEL_OR_AHEAD = _sets(), _chances(), _plates_to_come(), _ahead()
MOST_LEAD, MOST_TURNS = 20, 10
"""What `LEVEL_OR_AHEAD` reaches to, either way; further turns than that are so many."""
YEN_WORTH, SPARE_YEN, LAST_YEN = 800, 120, 15
"""A yen that some later turn can use; one that is more than the turns left can; one in the last turn."""
CUBE, RUN = POINT, POINT
TOP_SEEN = 40
"""A top plate, for each plate of its colour that lies in sight, as long as there are turns to eat it in."""
