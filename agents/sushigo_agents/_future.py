"""Compiled: what later turns of the round can be expected to bring to a seat, given what lies before it.

First, which cards will still be in each hand when it comes round: hands that were seen are known, and the seats on the
way take what draws them most. Then, from the last turn back to the next one, what a card adds at a turn, over the best
of the others there: that surplus is what it is worth to wait for.
"""

from __future__ import annotations

import numpy as np

from sushigo_agents._majorities import maki_worth, pudding_worth
from sushigo_agents._table import IF_LEFT, IF_TAKEN, LEFT, LISTED, SETS, next_holder
from sushigo_env._jit import jit
from sushigo_env.sushi_go.cards import CHOPSTICKS, EGG, MAKI_1, MAKI_3, PUDDING, SALMON, SQUID, WASABI, K
from sushigo_env.sushi_go.scoring import MAKI_ICONS, NIGIRI_POINTS, WASABI_FACTOR

# mypy: disable-error-code="no-untyped-def"
# (Compiled functions: Numba infers their types; the docstrings give them.)

PROMISE = np.array([3.2, 1.14, 3.21, 0.385, 1.65, 1.95, 0.5, 0.83, 0.29, 0.84, 2.69, 0.93])
"""float64[12]: what draws a seat to a card of each type, beside the points that it adds at once.

Cards that only promise more cards (sets, wasabi, chopsticks) promise the less, the fewer turns are left.
"""
PULL_POWER = 1.067
"""The higher, the more surely a seat takes what draws it most."""
LEAST_PULL = 0.01
"""No card is never taken."""
NEGLIGIBLE = 0.01
"""Chances below this are left out."""
CERTAINTY = 0.75
"""How much of a later turn's surplus is counted on."""


@jit
def weigh_pulls(t):
    """Write how much each seat is drawn to each card type."""
    for seat in range(t.players):
        for card in range(K):
            promise = PROMISE[card]
            if card < SETS or card >= WASABI:
                promise *= t.facts[LEFT] / (t.turns - 1)
            if card < SETS:
                laid = t.laid[seat, card]
                points = t.set_points[card, laid + 1] - t.set_points[card, laid]
            else:
                points = np.int64(NIGIRI_POINTS[card]) * (WASABI_FACTOR if t.bare[seat] else 1)
            t.pull[seat, card] = (promise + points + LEAST_PULL) ** PULL_POWER


@jit
def expect_hands(t, seat, present):
    """Write, for each turn after turn `present`, the chance that the hand `seat` then gets has a card of each type.

    Turn 0 is this one. Whenever a hand comes to `seat`, one card of each type counts as taken by it; of the hand it
    has in turn `present`, that is so `IF_TAKEN` only.
    """
    for hand in range(t.players):
        t.stays[:] = 1.0
        taken, spared = 0, 0
        holder = hand
        for turn in range(t.facts[LEFT] + 1):
            if holder != seat:
                _take_from(t, hand, holder)
            else:
                if turn > present:
                    _look_into(t, hand, taken, t.there[IF_TAKEN, turn])
                    _look_into(t, hand, taken - spared, t.there[IF_LEFT, turn])
                elif turn == present:
                    spared = 1
                taken += 1
            holder = next_holder(t, holder)


@jit
def _look_into(t, hand, taken, there):
    """Write the chance that `hand`, less `taken` of each type, still has a card of each type."""
    unknown = max(t.unknown[hand] - taken, 0)
    for card in range(K):
        none = 1.0
        for _ in range(t.hands[hand, card] - taken):
            none *= 1 - t.stays[card]
        if unknown > 0 and none > 0:
            none *= (1 - t.chance[card] * t.stays[card]) ** unknown
        there[card] = 1 - none


@jit
def _take_from(t, hand, holder):
    """`holder` takes a card: each type by its number in the hand, and by how much it draws."""
    total = 0.0
    for card in range(K):
        expected = (t.hands[hand, card] + t.unknown[hand] * t.chance[card]) * t.stays[card]
        total += expected * t.pull[holder, card]
    share = 1 / max(total, 1e-9)
    for card in range(K):
        t.stays[card] *= max(0.0, 1 - t.pull[holder, card] * share)


@jit
def plan(t, seat, present):
    """Write what sets, wasabi and chopsticks before `seat` are worth, with the turns after `present` still to come."""
    expect_hands(t, seat, present)
    left = t.facts[LEFT]
    for kind in range(SETS):
        for count in range(t.laid[seat, kind], t.laid[seat, kind] + left + 4):
            t.sets[:, seat, kind, count] = t.set_points[kind, count]
    t.wasabi[seat, :] = 0.0
    t.chopsticks[seat] = 0.0
    _gains_of_majorities(t, seat)
    for turn in range(left, present, -1):
        _gains_of_turn(t, seat)
        _order_turn(t, turn)
        pair = _second_best(t, turn)
        _add_turn_to_sets(t, seat, turn)
        _add_turn_to_wasabi(t, seat, turn)
        if turn < left:  # the last hand is a single card
            t.chopsticks[seat] = max(t.chopsticks[seat], pair)


@jit
def _gains_of_majorities(t, seat):
    """What maki and puddings add, now as later."""
    icons, puddings = t.icons[seat], t.puddings[seat]
    now = maki_worth(t, seat, icons)
    for card in range(MAKI_1, MAKI_3 + 1):
        t.gains[card] = maki_worth(t, seat, icons + np.int64(MAKI_ICONS[card])) - now
    t.gains[PUDDING] = pudding_worth(t, seat, puddings + 1) - pudding_worth(t, seat, puddings)


@jit
def _gains_of_turn(t, seat):
    """Write what each card would add, with the turns planned so far still to come."""
    for kind in range(SETS):
        laid = t.laid[seat, kind]
        worth = t.sets[IF_LEFT, seat, kind]
        t.gains[kind] = worth[laid + 1] - worth[laid]
    bare, wasabi = t.bare[seat], t.wasabi[seat]
    for card in range(SALMON, EGG + 1):
        points = np.float64(NIGIRI_POINTS[card])
        t.gains[card] = points * WASABI_FACTOR + wasabi[bare - 1] - wasabi[bare] if bare else points
    t.gains[WASABI] = wasabi[bare + 1] - wasabi[bare]
    t.gains[CHOPSTICKS] = t.chopsticks[seat]


@jit
def _order_turn(t, turn):
    """Write the card types that may be in a turn's hand and would add something, by falling gain."""
    end = 0
    for card in range(K):
        if t.there[IF_LEFT, turn, card] < NEGLIGIBLE or t.gains[card] <= 0:
            continue
        place = end
        while place > 0 and t.gains[t.order[place - 1]] < t.gains[card]:
            t.order[place] = t.order[place - 1]
            place -= 1
        t.order[place] = card
        end += 1
    t.facts[LISTED] = end


@jit
def _second_best(t, turn):
    """What the second-best card of a turn's hand can be expected to add: what chopsticks would bring there."""
    none, one, second = 1.0, 0.0, 0.0
    for place in range(t.facts[LISTED]):
        card = t.order[place]
        there = t.there[IF_LEFT, turn, card]
        second += one * there * t.gains[card]
        one = one * (1 - there) + none * there
        none *= 1 - there
    return second


@jit
def _surplus(t, turn, gain, low, high):
    """What `gain` can be expected to exceed the best other card of the turn by; types `low` to `high` - 1 apart."""
    if gain <= 0:
        return 0.0
    none, surplus = 1.0, 0.0
    for place in range(t.facts[LISTED]):
        card = t.order[place]
        if low <= card < high:
            continue
        there = t.there[IF_LEFT, turn, card]
        if t.gains[card] < gain:
            surplus += none * there * (gain - t.gains[card])
        none *= 1 - there
        if none < NEGLIGIBLE:
            return surplus
    return surplus + none * gain


@jit
def _add_turn_to_sets(t, seat, turn):
    for case in range(2):
        for kind in range(SETS):
            there = t.there[case, turn, kind]
            if there < NEGLIGIBLE:
                continue
            worth, laid = t.sets[case, seat, kind], t.laid[seat, kind]
            for count in range(laid, laid + 3 + turn):
                surplus = _surplus(t, turn, worth[count + 1] - worth[count], kind, kind + 1)
                worth[count] += CERTAINTY * there * surplus


@jit
def _add_turn_to_wasabi(t, seat, turn):
    """An uncovered wasabi gets the best nigiri of the turn's hand, if that is worth it."""
    worth = t.wasabi[seat]
    for bare in range(t.bare[seat] + 2, 0, -1):
        none, surplus = 1.0, 0.0
        for card in (SQUID, SALMON, EGG):
            if t.there[IF_LEFT, turn, card] < NEGLIGIBLE:
                continue
            gain = np.float64(NIGIRI_POINTS[card]) * WASABI_FACTOR + worth[bare - 1] - worth[bare]
            surplus += none * t.there[IF_LEFT, turn, card] * _surplus(t, turn, gain, SALMON, EGG + 1)
            none *= 1 - t.there[IF_LEFT, turn, card]
        worth[bare] += CERTAINTY * surplus
