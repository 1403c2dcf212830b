"""Compiled: a game of Sushi Boat played on by a rule of thumb, and who gains what by it."""

from __future__ import annotations

import math

import numpy as np

from sushigo_agents.boat._choose import choose
from sushigo_agents.boat._dishes import yen_worth
from sushigo_agents.boat._promise import POINT
from sushigo_env._jit import jit
from sushigo_env._memory import load64
from sushigo_env.seeding import below, draw
from sushigo_env.sushi_boat.bits import count_bits, lowest
from sushigo_env.sushi_boat.plays import END_TURN
from sushigo_env.sushi_boat.points import points_of
from sushigo_env.sushi_boat.rules import PLAYERS
from sushigo_env.sushi_boat.state import DECK_LEFT, DONE, LEGAL, YEN
from sushigo_env.sushi_boat.turn import take_action

# mypy: disable-error-code="no-untyped-def"
# (Compiled functions: Numba infers their types; the docstrings give them.)

ROLLOUTS = ("quick", "random")
"""By what games are played on: as `boat_greedy` plays, or at random; kernels take their place here."""
RANDOM = ROLLOUTS.index("random")
_LEAD, _LEAD_A_TURN = 2.0, 1.0
"""Leads count e-fold for so many points, and so many more for each turn of a seat that is still to come."""
_YEN_UNIT = 256
"""Standings: points, then yen, of which nobody has so many."""


@jit
def random_action(row, bits):
    """Any legal action, each as likely."""
    low, high = load64(row, LEGAL), load64(row, LEGAL + 8)
    left = np.int64(below(bits, np.uint64(count_bits(low) + count_bits(high))))
    word, first = low, 0
    if left >= count_bits(low):
        left -= count_bits(low)
        word, first = high, 64
    for _ in range(left):
        word &= word - np.uint64(1)
    return first + lowest(word)


@jit
def play_on(row, rules, rollout, turns, key):
    """Play until so many more turns have ended, or the game has; `key` (uint64) is the stream of random actions."""
    counter = np.uint64(0)
    while not row[DONE] and turns > 0:
        if rollout == RANDOM:
            action = random_action(row, draw(key, counter))
            counter += np.uint64(1)
        else:
            action = choose(row, rules)
        take_action(row, rules, action)
        turns -= action == END_TURN


@jit
def outcome(row, rules, seat):
    """A seat's win share, and the points it leads the best other by: exact at the end, else as they stand."""
    players, own, best = rules[PLAYERS], np.int64(0), np.int64(-(1 << 40))
    if not row[DONE]:
        return _outlook(row, rules, seat)
    winners, highest = 0, np.int64(-1)
    for other in range(players):
        standing = points_of(row, rules, other) * _YEN_UNIT + np.int64(row[YEN + other])
        if other == seat:
            own = standing
        else:
            best = max(best, standing)
        winners = 1 if standing > highest else winners + (standing == highest)
        highest = max(highest, standing)
    return (1.0 / winners if own == highest else 0.0), np.float64(own - best) / _YEN_UNIT


@jit
def _outlook(row, rules, seat):
    """Of a game that goes on: points so far, a yen as what it may buy, and leads as they may still change."""
    players = rules[PLAYERS]
    turns = np.int64(row[DECK_LEFT]) // players
    lead = _LEAD + _LEAD_A_TURN * turns
    own, best, total = 0.0, -1e9, 0.0
    for other in range(players):
        each = np.float64(yen_worth(row, rules, 0, turns)) / POINT
        points = points_of(row, rules, other) + each * row[YEN + other]
        if other == seat:
            own = points
        else:
            best = max(best, points)
    for other in range(players):
        each = np.float64(yen_worth(row, rules, 0, turns)) / POINT
        total += math.exp((points_of(row, rules, other) + each * row[YEN + other] - own) / lead)
    return 1.0 / total, own - best
