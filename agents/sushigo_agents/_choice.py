"""Compiled: the play of a heuristic agent in each row of a batch.

A play is worth what lies before the player after it: points already sure, and what sets, wasabi, chopsticks, maki and
puddings can be expected to become.
"""

from __future__ import annotations

import numpy as np

from sushigo_agents._future import plan, weigh_pulls
from sushigo_agents._majorities import maki_worth, pudding_worth
from sushigo_agents._table import FIELD, IF_LEFT, IF_TAKEN, SETS, new_table, next_holder, read_row
from sushigo_env._jit import jit
from sushigo_env.sushi_go.cards import CHOPSTICKS, PUDDING, WASABI, K
from sushigo_env.sushi_go.plays import FIRST, NONE, NUM_PLAYS, SECOND, WAIT
from sushigo_env.sushi_go.scoring import MAKI_ICONS, NIGIRI_POINTS, WASABI_FACTOR

# mypy: disable-error-code="no-untyped-def"
# (Compiled functions: Numba infers their types; the docstrings give them.)

CONTROLS, HALF, PENDING = FIELD["controls"], FIELD["half"], FIELD["pending"]
VIEWER, OPPONENT, DUMMY_SEAT = np.int64(0), np.int64(1), np.int64(2)
"""Seats; the last two in the two-player variant. (For each plain int, Numba would compile all that takes it anew.)"""
NOW, NEXT_TURN, NO_CARD = np.int64(0), np.int64(1), np.int64(NONE)
ONE = np.int64(1)
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
    plan(t, VIEWER, NOW)
    neighbour = next_holder(t, VIEWER)
    if denial > 0:
        plan(t, neighbour, NEXT_TURN)
    best, chosen = -np.inf, 0
    for play in range(NUM_PLAYS):
        if mask[play]:
            first, second = np.int64(FIRST[play]), np.int64(SECOND[play])
            worth = worth_after(t, VIEWER, first, second)
            if denial > 0:
                worth -= denial * left_to(t, neighbour, first, second, controls)
            if worth > best:
                best, chosen = worth, play
    return chosen


@jit
def choose_for_dummy(pending, mask, t):
    """The card that, laid by the dummy, leaves the opponent least: in the hand passed on, and in the majorities.

    `pending` uint8[K...] are the viewer's own cards, which will lie on the table beside the dummy's.
    """
    for card in range(K):
        lay_for_majorities(t, VIEWER, card, np.int64(pending[card]))
    plan(t, OPPONENT, NEXT_TURN)
    best, chosen = -np.inf, 0
    for card in range(K):
        if mask[card]:
            lay_for_majorities(t, DUMMY_SEAT, card, ONE)
            own = maki_worth(t, VIEWER, t.icons[0]) + pudding_worth(t, VIEWER, t.puddings[0])
            worth = own - best_worth(t, OPPONENT, card, NO_CARD, False)
            lay_for_majorities(t, DUMMY_SEAT, card, -ONE)
            if worth > best:
                best, chosen = worth, card
    return chosen


@jit
def lay_for_majorities(t, seat, card, count):
    """Add to the icons and puddings of `seat` those of `count` cards (fewer than 0: take them away)."""
    if card != NONE:
        t.icons[seat] += count * np.int64(MAKI_ICONS[card])
        t.puddings[seat] += count * np.int64(card == PUDDING)


@jit
def left_to(t, seat, first, second, controls):
    """What the table of `seat` will be worth if the viewer lays `first` and `second` and passes the rest of the hand.

    Who `controls` the dummy will give it the card that `seat` wants most.
    """
    lay_for_majorities(t, VIEWER, first, ONE)
    lay_for_majorities(t, VIEWER, second, ONE)
    worth = best_worth(t, seat, first, second, controls)
    lay_for_majorities(t, VIEWER, first, -ONE)
    lay_for_majorities(t, VIEWER, second, -ONE)
    return worth


@jit
def best_worth(t, seat, first, second, but_one):
    """The most that the table of `seat` is worth after one card of the viewer's hand, less `first` and `second`.

    With `but_one` the best card is not there. With no card there, what it is worth as it is.
    """
    best = next_best = worth_after(t, seat, NO_CARD, NO_CARD)
    for card in range(K):
        held = t.hands[0, card] - (card == first) - (card == second)
        if held > 0:
            worth = worth_after(t, seat, card, NO_CARD)
            if worth > best:
                best, next_best = worth, worth if held > 1 else best
            else:
                next_best = max(next_best, worth)
    return next_best if but_one else best


@jit
def worth_after(t, seat, first, second):
    """What lies before `seat` is worth after it lays `first`, then `second` (`NONE`: no card)."""
    icons, puddings = t.icons[seat], t.puddings[seat]
    bare, nigiri, chopsticks = t.bare[seat], t.nigiri[seat], t.laid[seat, CHOPSTICKS]
    if second != NONE:
        chopsticks -= 1
    for card in (first, second):
        if card == NONE:
            continue
        points = np.int64(NIGIRI_POINTS[card])
        icons += np.int64(MAKI_ICONS[card])
        puddings += card == PUDDING
        chopsticks += card == CHOPSTICKS
        if card == WASABI:
            bare += 1
        elif points > 0 and bare > 0:
            bare -= 1
            nigiri += points * WASABI_FACTOR
        else:
            nigiri += points
    worth = nigiri + t.wasabi[seat, bare] + maki_worth(t, seat, icons) + pudding_worth(t, seat, puddings)
    for kind in range(SETS):
        taken = (first == kind) + (second == kind)
        case = IF_TAKEN if taken else IF_LEFT
        worth += t.sets[case, seat, kind, t.laid[seat, kind] + taken]
    share = t.chopsticks[seat]
    for _ in range(chopsticks):
        worth += share
        share *= MORE_CHOPSTICKS
    return worth
