"""Compiled: the play of a heuristic agent in each row of a batch.

A play is worth what lies before the player after it: points already sure, and what sets, wasabi, chopsticks, maki and
puddings can be expected to become.
"""

from __future__ import annotations

import numpy as np

from sushigo_agents._future import expect_hand, expect_hands, plan, weigh_pulls
from sushigo_agents._majorities import maki_worth, pudding_worth
from sushigo_agents._table import FIELD, SETS, lay, new_table, next_holder, read_row, take_back
from sushigo_env._jit import jit
from sushigo_env.sushi_go.cards import CHOPSTICKS, K
from sushigo_env.sushi_go.plays import FIRST, NONE, NUM_PLAYS, SECOND, WAIT

# mypy: disable-error-code="no-untyped-def"
# (Compiled functions: Numba infers their types; the docstrings give them.)

CONTROLS, HALF, PENDING = FIELD["controls"], FIELD["half"], FIELD["pending"]
VIEWER, OPPONENT, DUMMY_SEAT = np.int64(0), np.int64(1), np.int64(2)
"""Seats; the last two in the two-player variant. (For each plain int, Numba would compile all that takes it anew.)"""
NOW, NEXT_TURN = np.int64(0), np.int64(1)
MORE_CHOPSTICKS = 0.5
"""A second chopsticks card is worth this share of the first, a third this share of the second."""


@jit
def choose_plays(observation, action_mask, at, players, tableaus, turns, denial, actions):
    """Write to `actions` (int32[N]) a play for each row.

    `denial` is the share of what a play leaves to the next seat that counts against it.
    """
    t = new_table(players, tableaus, turns)
    for row in range(len(actions)):
        mask = action_mask[row]
        if tableaus > players and mask[WAIT]:
            actions[row] = WAIT
            continue
        read_row(observation[row], at, t)
        weigh_pulls(t)
        if tableaus > players and observation[row, at[HALF]]:
            actions[row] = choose_for_dummy(observation[row, at[PENDING] :], mask, t)
        else:
            controls = tableaus > players and observation[row, at[CONTROLS]] == 1
            actions[row] = choose_play(mask, t, denial, controls)


@jit
def choose_play(mask, t, denial, controls):
    """The legal play that is worth most; of equals, the first in the table of plays.

    `controls`: the viewer also chooses the dummy's card.
    """
    neighbour = next_holder(t, VIEWER)
    if denial > 0:
        expect_hands(t, neighbour)
        plan(t, neighbour, NEXT_TURN)
    expect_hands(t, VIEWER)
    best, chosen = -np.inf, 0
    for play in range(NUM_PLAYS):
        if mask[play]:
            first, second = np.int64(FIRST[play]), np.int64(SECOND[play])
            points, more = lay(t, VIEWER, first), np.int64(0)
            if second != NONE:
                swap_chopsticks(t, 1)
                more = lay(t, VIEWER, second)
            expect_hand(t, VIEWER, VIEWER)
            plan(t, VIEWER, NOW)
            worth = table_worth(t, VIEWER)
            if denial > 0:
                worth -= denial * best_worth(t, neighbour, controls)
            if second != NONE:
                take_back(t, VIEWER, second, more)
                swap_chopsticks(t, -1)
            take_back(t, VIEWER, first, points)
            if worth > best:
                best, chosen = worth, play
    return chosen


@jit
def swap_chopsticks(t, count):
    """Put the viewer's chopsticks back into the hand (1), or on the table again (-1)."""
    t.laid[0, CHOPSTICKS] -= count
    t.hands[0, CHOPSTICKS] += count


@jit
def choose_for_dummy(pending, mask, t):
    """The card that, laid by the dummy, leaves the opponent least: in the hand passed on, and in the majorities.

    `pending` uint8[K...] are the viewer's own cards, which will lie on the table beside the dummy's.
    """
    for card in range(K):
        for _ in range(pending[card]):
            t.hands[0, card] += 1
            lay(t, VIEWER, card)
    expect_hands(t, OPPONENT)
    plan(t, OPPONENT, NEXT_TURN)
    best, chosen = -np.inf, 0
    for card in range(K):
        if mask[card]:
            points = lay(t, DUMMY_SEAT, card)
            own = maki_worth(t, VIEWER, t.icons[VIEWER]) + pudding_worth(t, VIEWER, t.puddings[VIEWER])
            worth = own - best_worth(t, OPPONENT, False)
            take_back(t, DUMMY_SEAT, card, points)
            if worth > best:
                best, chosen = worth, card
    return chosen


@jit
def best_worth(t, seat, but_one):
    """The most that the table of `seat` is worth after one card of the viewer's hand; with none, what it is as it is.

    With `but_one` the best card is not there.
    """
    best = next_best = table_worth(t, seat)
    for card in range(K):
        held = t.hands[0, card]
        if held > 0:
            points = lay(t, seat, card)
            worth = table_worth(t, seat)
            take_back(t, seat, card, points)
            if worth > best:
                best, next_best = worth, worth if held > 1 else best
            else:
                next_best = max(next_best, worth)
    return next_best if but_one else best


@jit
def table_worth(t, seat):
    """What lies before `seat` is worth, by the plan made for it."""
    worth = t.nigiri[seat] + t.wasabi[seat, t.bare[seat]]
    worth += maki_worth(t, seat, t.icons[seat]) + pudding_worth(t, seat, t.puddings[seat])
    for kind in range(SETS):
        worth += t.sets[seat, kind, t.laid[seat, kind]]
    share = t.chopsticks[seat]
    for _ in range(t.laid[seat, CHOPSTICKS]):
        worth += share
        share *= MORE_CHOPSTICKS
    return worth
