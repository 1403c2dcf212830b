"""Compiled: the play of a heuristic agent in each row of a batch.

A play is worth what lies before the player after it: points already sure, and what sets, wasabi, chopsticks, maki and
puddings can be expected to become.
"""

from __future__ import annotations

import numpy as np

from sushigo_agents._future import expect_hands, plan, weigh_pulls
from sushigo_agents._majorities import maki_worth, pudding_worth
from sushigo_agents._table import FIELD, PASSES, SETS, new_table, read_row
from sushigo_env._jit import jit
from sushigo_env.sushi_go.cards import CHOPSTICKS, PUDDING, WASABI, K
from sushigo_env.sushi_go.plays import FIRST, NONE, NUM_PLAYS, SECOND, WAIT
from sushigo_env.sushi_go.scoring import MAKI_ICONS, NIGIRI_POINTS, WASABI_FACTOR

# mypy: disable-error-code="no-untyped-def"
# (Compiled functions: Numba infers their types; the docstrings give them.)

CONTROLS, HALF, PENDING = FIELD["controls"], FIELD["half"], FIELD["pending"]
DUMMY_SEAT = 2
MORE_CHOPSTICKS = 0.5
"""A second chopsticks card is worth this share of the first, a third this share of the second."""


@jit
def choose_plays(observation, action_mask, at, players, tableaus, turns, denial, actions):
    """Write to `actions` (int32[N]) a play for each row.

    `denial` is the share of the next seat's best gain from the hand passed on that counts against a play.
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

    Who `controls` the dummy will give it the card that the next seat wants most, so only the second counts.
    """
    expect_hands(t, 0)
    plan(t, 0, 1)
    neighbour = 1 if t.facts[PASSES] > 0 else t.players - 1
    if denial > 0:
        expect_hands(t, neighbour)
        plan(t, neighbour, 2)
    best, chosen = -np.inf, 0
    for play in range(NUM_PLAYS):
        if mask[play]:
            first, second = np.int64(FIRST[play]), np.int64(SECOND[play])
            worth = worth_after(t, 0, first, second)
            if denial > 0:
                worth -= denial * best_gain(t, neighbour, first, second, controls)
            if worth > best:
                best, chosen = worth, play
    return chosen


@jit
def choose_for_dummy(pending, mask, t):
    """The card that, laid by the dummy, leaves the opponent least: in the majorities, and in the hand passed on.

    `pending` uint8[K...] are the viewer's own cards, which will lie on the table beside the dummy's.
    """
    for card in range(K):
        t.icons[0] += np.int64(pending[card]) * np.int64(MAKI_ICONS[card])
    t.puddings[0] += np.int64(pending[PUDDING])
    expect_hands(t, 1)
    plan(t, 1, 2)
    best, chosen = -np.inf, 0
    for card in range(K):
        if mask[card]:
            icons, puddings = np.int64(MAKI_ICONS[card]), np.int64(card == PUDDING)
            t.icons[DUMMY_SEAT] += icons
            t.puddings[DUMMY_SEAT] += puddings
            worth = majorities_worth(t, 0) - majorities_worth(t, 1) - best_gain(t, 1, card, NONE, False)
            t.icons[DUMMY_SEAT] -= icons
            t.puddings[DUMMY_SEAT] -= puddings
            if worth > best:
                best, chosen = worth, card
    return chosen


@jit
def majorities_worth(t, seat):
    """What a seat can expect of maki and puddings as things stand."""
    return maki_worth(t, seat, t.icons[seat]) + pudding_worth(t, seat, t.puddings[seat])


@jit
def best_gain(t, seat, first, second, but_one):
    """The most that a card of the viewer's hand, less the cards `first` and `second`, would add for `seat`.

    With `but_one` the best card is not there.
    """
    now = worth_after(t, seat, NONE, NONE)
    best, next_best = 0.0, 0.0
    for card in range(K):
        held = t.hands[0, card] - (card == first) - (card == second)
        if held > 0:
            gain = worth_after(t, seat, card, NONE) - now
            if gain > best:
                best, next_best = gain, gain if held > 1 else best
            elif gain > next_best:
                next_best = gain
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
        worth += t.sets[seat, kind, t.laid[seat, kind] + (first == kind) + (second == kind)]
    share = t.chopsticks[seat]
    for _ in range(chopsticks):
        worth += share
        share *= MORE_CHOPSTICKS
    return worth
