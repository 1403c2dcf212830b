"""Compiled: points that maki and puddings can be expected to bring, from how the seats stand and what is to come.

The cards still to come fall to the seats by chance. So a seat ends ahead of another with a chance that is a logistic
curve of its expected lead, the flatter the more is to come. With nothing to come the rules themselves count.
"""

from __future__ import annotations

import numpy as np

from sushigo_agents._table import LEFT, MAKI_TO_COME, PUDDINGS_TO_COME, ROUNDS_LEFT
from sushigo_env._jit import jit
from sushigo_env.sushi_go.cards import PUDDING, K
from sushigo_env.sushi_go.scoring import (
    FEWEST_PUDDINGS,
    MAKI_ICONS,
    MOST_MAKI,
    MOST_PUDDINGS,
    SECOND_MAKI,
    maki_points,
    pudding_points,
)

# mypy: disable-error-code="no-untyped-def"
# (Compiled functions: Numba infers their types; the docstrings give them.)

MAKI_SPREAD, LEAST_MAKI_SPREAD = 0.5, 0.3
"""Scale of the curve for maki: the square root of what is to come, times the first, plus the second."""
PUDDING_SPREAD, LEAST_PUDDING_SPREAD = 0.23, 0.278
"""The same for puddings, where the square root is of what is to come for two seats."""


@jit
def maki_worth(t, seat, icons):
    """Points that `seat` can expect of this round's maki if it has `icons` after this turn."""
    if t.facts[LEFT] == 0:
        for other in range(t.tableaus):
            t.counts[other] = t.icons[other]
            if 0 < other < t.players:
                for card in range(K):
                    t.counts[other] += t.hands[other, card] * np.int64(MAKI_ICONS[card])
        t.counts[seat] = icons
        maki_points(t.counts, t.tableaus, t.points)
        return np.float64(t.points[seat])
    to_come = max(t.to_come[MAKI_TO_COME] - (icons - t.icons[seat]), 0.0)
    spread = LEAST_MAKI_SPREAD + MAKI_SPREAD * np.sqrt(to_come)
    due = icons + t.icons_due[seat]
    most, second = 1.0, 0.0
    for other in range(t.tableaus):
        if other != seat:
            ahead = 1 / (1 + np.exp((t.icons[other] + t.icons_due[other] - due) / spread))
            second = second * ahead + most * (1 - ahead)
            most *= ahead
    return MOST_MAKI * most + SECOND_MAKI * second


@jit
def pudding_worth(t, seat, puddings):
    """Points that `seat` can expect of the game's puddings if it has `puddings` after this turn."""
    if t.facts[LEFT] == 0 and t.facts[ROUNDS_LEFT] == 0:
        for other in range(t.tableaus):
            t.counts[other] = t.puddings[other]
            if 0 < other < t.players:
                t.counts[other] += t.hands[other, PUDDING]
        t.counts[seat] = puddings
        pudding_points(t.counts, t.tableaus, t.points)
        return np.float64(t.points[seat])
    to_come = max(t.to_come[PUDDINGS_TO_COME] - (puddings - t.puddings[seat]), 0.0)
    spread = LEAST_PUDDING_SPREAD + PUDDING_SPREAD * np.sqrt(2 * to_come / t.tableaus)
    most, fewest = 1.0, 1.0
    for other in range(t.tableaus):
        if other != seat:
            ahead = 1 / (1 + np.exp((t.puddings[other] - puddings) / spread))
            most *= ahead
            fewest *= 1 - ahead
    return MOST_PUDDINGS * most + (FEWEST_PUDDINGS * fewest if t.tableaus > 2 else 0.0)
