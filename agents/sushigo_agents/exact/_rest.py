"""Compiled: the rest of a round for two players as three words, with all left out that cannot matter any more.

A hand is 13 counts of four bits: the card types, and `DEAD`, cards that can bring nobody anything any more. The tables
are one word: for each seat what its sets, dumplings, wasabi and chopsticks still wait for, and for both who leads in
maki and in puddings. Points that are sure are no part of it: they come out as numbers, and are added up on the way.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sushigo_env._jit import inlined, jit
from sushigo_env._memory import on_stack, pointer
from sushigo_env.sushi_go.cards import (
    CHOPSTICKS,
    DUMPLING,
    EGG,
    MAKI_1,
    MAKI_2,
    MAKI_3,
    PUDDING,
    SALMON,
    SASHIMI,
    SQUID,
    TEMPURA,
    WASABI,
    K,
)
from sushigo_env.sushi_go.scoring import (
    DUMPLING_POINTS,
    MAKI_ICONS,
    NIGIRI_POINTS,
    SASHIMI_SET,
    TEMPURA_SET,
    WASABI_FACTOR,
    dumpling_points,
    maki_points,
    pudding_points,
    sashimi_points,
    tempura_points,
)

# mypy: disable-error-code="no-untyped-def"
# (Compiled functions: Numba infers their types; the docstrings give them.)

DEAD = K
"""The type of cards that matter to nobody."""
TYPES = K + 1
NOTHING = np.int64(TYPES)
"""In place of a second card: none."""
SEAT_0, SEAT_1 = np.int64(0), np.int64(1)
"""The seats. (For each plain int, Numba would compile all that takes it anew.)"""
UNIT = np.array([1 << 4 * card for card in range(TYPES)], np.uint64)
"""uint64[13]: one card of a type in a hand."""
ICONS = np.append(MAKI_ICONS, 0).astype(np.int64)
"""int64[13]: maki icons by type."""

# a seat's word, from the lowest bit: tempura and sashimi towards the next set, dumplings, open wasabi, chopsticks
SASHIMI_AT, DUMPLING_AT, BARE_AT, CHOPSTICKS_AT, SEAT_BITS = 1, 3, 6, 9, 12
WORDS = 1 << SEAT_BITS
ONE_PAIR_LESS = 1 << CHOPSTICKS_AT
# the tables' word: both seats', then the lead in maki, who has any, and the lead in puddings
LEAD_AT, ANY_AT, PUDDINGS_AT, TABLE_BITS = 24, 32, 34, 40
NO_LEAD, NO_PUDDING_LEAD = 64, 16
MOST_DUMPLINGS = DUMPLING_POINTS.size - 1

_NIBBLE, _FOUR = np.uint64(15), np.uint64(4)
_EVEN, _ONES, _TOP = np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0x0101010101010101), np.uint64(56)
_DEAD_AT = np.uint64(4 * DEAD)
_ALL = [int(UNIT[card]) * 15 for card in range(K)]
TEMPURAS, SASHIMIS, DUMPLINGS, WASABIS = (np.uint64(_ALL[card]) for card in (TEMPURA, SASHIMI, DUMPLING, WASABI))
MAKIS, PUDDINGS = np.uint64(_ALL[MAKI_1] | _ALL[MAKI_2] | _ALL[MAKI_3]), np.uint64(_ALL[PUDDING])
STICKS = np.uint64(_ALL[CHOPSTICKS])


class Effects(NamedTuple):
    """What the scoring says, as tables to look up."""

    after: NDArray[np.int64]  # [13 * WORDS] a seat's word after it lays a card
    points: NDArray[np.int64]  # [13 * WORDS] points that the card makes sure
    maki: NDArray[np.int64]  # [3 * 2 * 2] maki margin by who leads (seat 1, nobody, seat 0), and who has any icons
    puddings: NDArray[np.int64]  # [3] pudding margin at the game's end, by who leads


@cache
def effects() -> Effects:
    """The tables, made once."""
    made = Effects(
        np.zeros(TYPES * WORDS, np.int64),
        np.zeros(TYPES * WORDS, np.int64),
        np.zeros(3 * 2 * 2, np.int64),
        np.zeros(3, np.int64),
    )
    _write_effects(made)
    return made


@jit
def pointers_to(effects):
    """The same tables as pointers, which cost nothing to hand on."""
    maki, puddings = pointer(effects.maki, 0), pointer(effects.puddings, 0)
    return Effects(pointer(effects.after, 0), pointer(effects.points, 0), maki, puddings)


@jit
def seat_word(tempura, sashimi, dumplings, bare, chopsticks):
    """A seat's word, from what lies on its table."""
    return (
        tempura % TEMPURA_SET
        | sashimi % SASHIMI_SET << SASHIMI_AT
        | min(dumplings, MOST_DUMPLINGS) << DUMPLING_AT
        | bare << BARE_AT
        | chopsticks << CHOPSTICKS_AT
    )


@jit
def _write_effects(effects):
    counts, points = on_stack(2), on_stack(2)
    for word in range(WORDS):
        tempura, sashimi = word & 1, word >> SASHIMI_AT & 3
        dumplings = min(word >> DUMPLING_AT & 7, MOST_DUMPLINGS)
        bare, chopsticks = word >> BARE_AT & 7, word >> CHOPSTICKS_AT & 7
        for card in range(TYPES):
            t, s, d = tempura + (card == TEMPURA), sashimi + (card == SASHIMI), dumplings + (card == DUMPLING)
            sure = tempura_points(t) + sashimi_points(s) + dumpling_points(d) - dumpling_points(dumplings)
            nigiri = np.int64(NIGIRI_POINTS[card]) if card < DEAD else 0
            covers = nigiri > 0 and bare > 0
            sure += nigiri * (WASABI_FACTOR if covers else 1)
            b = min(bare + (card == WASABI) - covers, 7)
            c = min(chopsticks + (card == CHOPSTICKS), 7)
            effects.after[card * WORDS + word] = seat_word(t, s, d, b, c)
            effects.points[card * WORDS + word] = sure
    for lead in range(-1, 2):
        for any_0 in range(2):
            for any_1 in range(2):
                counts[0], counts[1] = any_0 * (1 + (lead > 0)), any_1 * (1 + (lead < 0))
                maki_points(counts, 2, points)
                effects.maki[(lead + 1) * 4 + any_0 * 2 + any_1] = points[0] - points[1]
        counts[0], counts[1] = lead > 0, lead < 0
        pudding_points(counts, 2, points)
        effects.puddings[lead + 1] = points[0] - points[1]


@inlined
def count_of(hand, card):
    """How many cards of a type a hand has."""
    return np.int64((hand >> np.uint64(4 * card)) & _NIBBLE)


@inlined
def sign(number):
    """-1, 0 or 1."""
    return np.int64(number > 0) - np.int64(number < 0)


@inlined
def majorities_of(table):
    """Of the tables' word: seat 0's lead in maki, whether seats 0 and 1 have any, and seat 0's lead in puddings."""
    any_0, any_1 = table >> ANY_AT & 1, table >> (ANY_AT + 1) & 1
    return (table >> LEAD_AT & 255) - NO_LEAD, any_0, any_1, (table >> PUDDINGS_AT & 63) - NO_PUDDING_LEAD


@inlined
def margin_of_majorities(effects, majorities, final):
    """Margin of maki at the round's end, and in the final round of puddings; `majorities` as `majorities_of`."""
    lead, any_0, any_1, puddings = majorities
    margin = effects.maki[(sign(lead) + 1) * 4 + any_0 * 2 + any_1]
    return margin + effects.puddings[sign(puddings) + 1] if final else margin


@inlined
def _without_dead(hand, dead):
    """A hand whose cards of the types in the mask `dead` are of the type `DEAD`."""
    here = hand & dead
    here = (here & _EVEN) + ((here >> _FOUR) & _EVEN)
    return (hand & ~dead) + (((here * _ONES) >> _TOP) << _DEAD_AT)


@jit
def _seat_left(word, tempura, sashimi, dumplings, nigiri, turns):
    """A seat's word less what cannot matter: sets that cannot be completed, wasabi and chopsticks without use.

    The numbers are of the cards left in both hands; `turns` are left, and the last one has no use for chopsticks.
    """
    t, s, d = word & 1, word >> SASHIMI_AT & 3, word >> DUMPLING_AT & 7
    if t + tempura < TEMPURA_SET:
        t = 0
    if s + sashimi < SASHIMI_SET:
        s = 0
    if dumplings == 0:
        d = 0
    bare, chopsticks = min(word >> BARE_AT & 7, nigiri), min(word >> CHOPSTICKS_AT & 7, turns - 1)
    return t | s << SASHIMI_AT | d << DUMPLING_AT | bare << BARE_AT | chopsticks << CHOPSTICKS_AT


@jit
def _dead_sets(word_0, word_1, tempura, sashimi, nigiri, turns):
    """The mask of cards, maki and puddings aside, that can bring neither seat anything."""
    dead = np.uint64(0)
    if tempura + max(word_0 & 1, word_1 & 1) < TEMPURA_SET:
        dead |= TEMPURAS
    if sashimi + max(word_0 >> SASHIMI_AT & 3, word_1 >> SASHIMI_AT & 3) < SASHIMI_SET:
        dead |= SASHIMIS
    if nigiri == 0:
        dead |= WASABIS
    if turns <= 2:
        dead |= STICKS
    return dead


@jit
def canonical(turns, hands, words, majorities, final, effects):
    """What matters of the rest of a round: (hand of seat 0, of seat 1, the tables' word, points of margin now sure).

    `turns` are left; `hands` and `words` are of both seats, `majorities` as `majorities_of` gives them. The lead in
    puddings counts only in the `final` round, where they are scored.
    """
    (hand_0, hand_1), (word_0, word_1), (lead, any_0, any_1, puddings) = hands, words, majorities
    both = hand_0 + hand_1
    tempura, sashimi, dumplings = count_of(both, TEMPURA), count_of(both, SASHIMI), count_of(both, DUMPLING)
    nigiri = count_of(both, SALMON) + count_of(both, SQUID) + count_of(both, EGG)
    full = min(word_0 >> DUMPLING_AT & 7, word_1 >> DUMPLING_AT & 7) >= MOST_DUMPLINGS
    if full:
        dumplings = 0
    word_0 = _seat_left(word_0, tempura, sashimi, dumplings, nigiri, turns)
    word_1 = _seat_left(word_1, tempura, sashimi, dumplings, nigiri, turns)
    dead = _dead_sets(word_0, word_1, tempura, sashimi, nigiri, turns)
    if full:
        dead |= DUMPLINGS
    sure = np.int64(0)
    icons = np.int64(0)
    for card in range(MAKI_1, MAKI_3 + 1):
        icons += count_of(both, card) * ICONS[card]
    behind = any_1 if lead > 0 else any_0
    if icons == 0 or (abs(lead) > icons and behind):
        sure += effects.maki[(sign(lead) + 1) * 4 + any_0 * 2 + any_1]
        lead, any_0, any_1 = 0, 0, 0
        dead |= MAKIS
    lead = min(max(lead, -icons - 1), icons + 1)
    if final:
        left = count_of(both, PUDDING)
        if left == 0 or abs(puddings) > left:
            sure += effects.puddings[sign(puddings) + 1]
            puddings = 0
            dead |= PUDDINGS
    else:
        puddings = 0
    if both & dead:
        hand_0, hand_1 = _without_dead(hand_0, dead), _without_dead(hand_1, dead)
    table = word_0 | word_1 << SEAT_BITS | (lead + NO_LEAD) << LEAD_AT
    table |= any_0 << ANY_AT | any_1 << (ANY_AT + 1) | (puddings + NO_PUDDING_LEAD) << PUDDINGS_AT
    return hand_0, hand_1, table, sure
