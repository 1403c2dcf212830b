"""The rule book's scoring as small pure functions; the numbers of the rules stand here and nowhere else.

Each is compiled and may be called from Python or from a kernel. Rulings and their sources: docs/rules.md.
"""

from __future__ import annotations

import numpy as np

from sushigo_env._jit import jit
from sushigo_env.sushi_go.cards import EGG, MAKI_1, MAKI_2, MAKI_3, SALMON, SQUID, K

NIGIRI_POINTS = np.zeros(K + 1, np.uint8)
"""uint8[13]: points of a bare nigiri by card type; 0 for every other card and for no card."""
NIGIRI_POINTS[[SALMON, SQUID, EGG]] = 2, 3, 1
WASABI_FACTOR = 3
MAKI_ICONS = np.zeros(K, np.uint8)
"""uint8[12]: maki icons by card type."""
MAKI_ICONS[[MAKI_1, MAKI_2, MAKI_3]] = 1, 2, 3
TEMPURA_SET, TEMPURA_POINTS = 2, 5
SASHIMI_SET, SASHIMI_POINTS = 3, 10
DUMPLING_POINTS = np.array([0, 1, 3, 6, 10, 15], np.uint8)
"""uint8[6]: points for 0 to 5 dumplings; more than 5 score as 5."""
MOST_MAKI, SECOND_MAKI = 6, 3
MOST_PUDDINGS, FEWEST_PUDDINGS = 6, -6

KINDS = ("tempura", "sashimi", "dumpling", "nigiri", "maki")
"""What a round is scored for, in the order of `round_points` arrays."""
MAX_ROUND_POINTS = 51
"""No seat can score more in a round: 10 cards at 4.5 each (a squid on a wasabi, the best two cards) and 6 for maki."""


@jit
def tempura_points(count):  # type: ignore[no-untyped-def]  # compiled: int -> int
    """Points of `count` tempura: 5 for each set of 2."""
    return count // TEMPURA_SET * TEMPURA_POINTS


@jit
def sashimi_points(count):  # type: ignore[no-untyped-def]  # compiled
    """Points of `count` sashimi: 10 for each set of 3."""
    return count // SASHIMI_SET * SASHIMI_POINTS


@jit
def dumpling_points(count):  # type: ignore[no-untyped-def]  # compiled
    """Points of `count` dumplings: 1, 3, 6, 10, and 15 for 5 or more."""
    return np.int64(DUMPLING_POINTS[min(count, DUMPLING_POINTS.size - 1)])


@jit
def maki_points(icons, count, out):  # type: ignore[no-untyped-def]  # compiled
    """Write into `out` each of the first `count` seats' maki points for `icons`.

    Most icons 6, second most 3; tied seats split, the remainder ignored. A tie for most leaves no second place; no
    icons, no points.
    """
    most = second = tied_most = tied_second = 0
    for seat in range(count):
        most = max(most, icons[seat])
    for seat in range(count):
        second = max(second, icons[seat] if icons[seat] < most else 0)
    for seat in range(count):
        tied_most += icons[seat] == most
        tied_second += icons[seat] == second
    for seat in range(count):
        out[seat] = 0
        if most > 0 and icons[seat] == most:
            out[seat] = MOST_MAKI // tied_most
        elif second > 0 and tied_most == 1 and icons[seat] == second:
            out[seat] = SECOND_MAKI // tied_second


@jit
def pudding_points(puddings, count, out):  # type: ignore[no-untyped-def]  # compiled
    """Write into `out` each of the first `count` seats' pudding points at the end of the game.

    Most +6, fewest -6 (none at all counts as fewest); tied seats split, remainders ignored towards zero. All equal:
    nothing. With two tableaus nobody loses points.
    """
    most, fewest = puddings[0], puddings[0]
    tied_most = tied_fewest = 0
    for seat in range(count):
        most, fewest = max(most, puddings[seat]), min(fewest, puddings[seat])
    for seat in range(count):
        tied_most += puddings[seat] == most
        tied_fewest += puddings[seat] == fewest
    for seat in range(count):
        out[seat] = 0
        if most > fewest and puddings[seat] == most:
            out[seat] = MOST_PUDDINGS // tied_most
        elif most > fewest and count > 2 and puddings[seat] == fewest:
            out[seat] = -(-FEWEST_PUDDINGS // tied_fewest)
