"""Compiled: the last two turns of a round. The very last is no choice, so a game of two turns is one matrix."""

from __future__ import annotations

import numpy as np

from sushigo_agents.exact._frames import list_plays, payoff_at, place_of, solve_position
from sushigo_agents.exact._rest import CHOPSTICKS_AT, ICONS, SEAT_0, SEAT_1, UNIT, WORDS, margin_of_majorities
from sushigo_env._jit import jit
from sushigo_env.sushi_go.cards import PUDDING

# mypy: disable-error-code="no-untyped-def"
# (Compiled functions: Numba infers their types; the docstrings give them.)

TWO = np.int64(2)
"""Turns left. (For each plain int, Numba would compile all that takes it anew.)"""


@jit
def lowest(hand):
    """The first type in deck order that a hand has; it must have one."""
    card = np.int64(0)
    for step in (8, 4, 2, 1):
        if hand & ((np.uint64(1) << np.uint64(4 * step)) - np.uint64(1)) == 0:
            hand >>= np.uint64(4 * step)
            card += step
    return card


@jit
def value_of_two(frames, effects, hands, words, majorities, final, pudding_value):
    """The value with two turns left; `hands`, `words`: of both seats."""
    (hand_0, hand_1), (word_0, word_1) = hands, words
    if (word_0 | word_1) >> CHOPSTICKS_AT & 7 == 0:
        return _without_chopsticks(effects, hand_0, hand_1, word_0, word_1, majorities, final, pudding_value)
    list_plays(frames, effects, TWO, SEAT_0, hand_0, word_0, pudding_value)
    list_plays(frames, effects, TWO, SEAT_1, hand_1, word_1, pudding_value)
    cell = payoff_at(2)
    for i in range(frames.counts[4]):
        for j in range(frames.counts[5]):
            here = place_of(2, 0, i), place_of(2, 1, j)
            frames.payoff[cell] = margin_of_two(frames, effects, *here, majorities, final, pudding_value)
            cell += 1
    return solve_position(frames, TWO)


@jit
def margin_of_two(frames, effects, i, j, majorities, final, pudding_value):
    """Margin from the plays at the places i and j, with two turns left, and from the last turn."""
    lead, any_0, any_1, puddings = majorities
    card_0, card_1 = lowest(frames.left[j]), lowest(frames.left[i])  # passed on
    word_0, word_1 = frames.word[i], frames.word[j]
    icons_0, icons_1 = frames.icons[i] + ICONS[card_0], frames.icons[j] + ICONS[card_1]
    margin = frames.gain[i] - frames.gain[j]
    margin += effects.points[card_0 * WORDS + word_0] - effects.points[card_1 * WORDS + word_1]
    got = (card_0 == PUDDING) - (card_1 == PUDDING)
    puddings += got + frames.puddings[i] - frames.puddings[j]
    ends = (lead + icons_0 - icons_1, any_0 | (icons_0 > 0), any_1 | (icons_1 > 0), puddings)
    return margin + pudding_value * got + margin_of_majorities(effects, ends, final)


@jit
def _without_chopsticks(effects, hand_0, hand_1, word_0, word_1, majorities, final, pudding_value):
    """As `value_of_two` where each seat lays one card of the one hand and one of the other."""
    a, c = lowest(hand_0), lowest(hand_1)
    b, d = lowest(hand_0 - UNIT[a]), lowest(hand_1 - UNIT[c])
    rest = majorities, final, pudding_value
    ac = _exchange(effects, a, b, c, d, word_0, word_1, *rest)
    ad = _exchange(effects, a, b, d, c, word_0, word_1, *rest)
    bc = _exchange(effects, b, a, c, d, word_0, word_1, *rest)
    bd = _exchange(effects, b, a, d, c, word_0, word_1, *rest)
    low, high = max(min(ac, ad), min(bc, bd)), min(max(ac, bc), max(ad, bd))
    if low >= high:
        return low
    return (ac * bd - ad * bc) / ((ac - ad) + (bd - bc))


@jit
def _exchange(
    effects, first_0, first_1_later, first_1, first_0_later, word_0, word_1, majorities, final, pudding_value
):
    """Margin when seat 0 lays `first_0` and then what seat 1 left it, and seat 1 likewise."""
    lead, any_0, any_1, puddings = majorities
    first, other = first_0 * WORDS + word_0, first_1 * WORDS + word_1
    margin = effects.points[first] + effects.points[first_0_later * WORDS + effects.after[first]]
    margin -= effects.points[other] + effects.points[first_1_later * WORDS + effects.after[other]]
    icons_0, icons_1 = ICONS[first_0] + ICONS[first_0_later], ICONS[first_1] + ICONS[first_1_later]
    got = (first_0 == PUDDING) + (first_0_later == PUDDING) - (first_1 == PUDDING) - (first_1_later == PUDDING)
    ends = (lead + icons_0 - icons_1, any_0 | (icons_0 > 0), any_1 | (icons_1 > 0), puddings + got)
    return margin + pudding_value * got + margin_of_majorities(effects, ends, final)
