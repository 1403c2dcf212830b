"""Compiled: one observation row, unpacked into the table that the heuristic agents reason about.

Seats are the viewer's (0 is the viewer, 1 the left neighbour, ...; the dummy comes last, and holds no hand).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sushigo_env._jit import jit
from sushigo_env.sushi_go.cards import HAND_SIZE, PUDDING, ROUNDS, K
from sushigo_env.sushi_go.observation import FIELD_NAMES, layout
from sushigo_env.sushi_go.scoring import MAKI_ICONS, dumpling_points, sashimi_points, tempura_points

# mypy: disable-error-code="no-untyped-def"
# (Compiled functions: Numba infers their types; the docstrings give them.)

SEATS = max(HAND_SIZE)
"""Room for the largest table."""
TURNS = max(HAND_SIZE.values())
"""Turns of the longest round."""
SETS = 3
"""Card types 0, 1, 2 (tempura, sashimi, dumplings) score by their number alone: the sets."""
MOST_LAID = 2 * TURNS
"""More cards of a type than this cannot come to lie before a seat, two a turn counted."""

FIELD = {name: place for place, name in enumerate(FIELD_NAMES)}
_OWN_HAND, _OTHER_HANDS, _UNSEEN = FIELD["own_hand"], FIELD["other_hands"], FIELD["unseen"]
_TABLEAUS, _WASABI, _NIGIRI = FIELD["tableaus"], FIELD["wasabi"], FIELD["nigiri_points"]
_PUDDINGS, _UNKNOWN, _SIZES = FIELD["puddings"], FIELD["unknown_cards"], FIELD["hand_sizes"]
_TURN, _ROUND, _DIRECTION = FIELD["turn"], FIELD["round"], FIELD["direction"]
STATUS_STEP = layout(2).slices["wasabi"].step
"""Bytes from one seat's status to the next seat's, in the interleaved fields."""


class Table(NamedTuple):
    """What a seat knows, and room for what is worked out from it. Made once a batch, filled for each row."""

    players: int
    tableaus: int
    turns: int
    """Turns of a round."""
    facts: NDArray[np.int64]  # [4] by LEFT, PASSES, ROUNDS_LEFT, LISTED
    hands: NDArray[np.int64]  # [SEATS, K] cards known to be in each seat's hand
    unknown: NDArray[np.int64]  # [SEATS] cards in each seat's hand that the viewer cannot name
    chance: NDArray[np.float64]  # [K] chance that an unknown card is of each type
    to_come: NDArray[np.float64]  # [2] maki icons still in hands; puddings still in hands and deals to come
    icons_due: NDArray[np.float64]  # [SEATS] maki icons each seat lays if it takes average cards of the hands it gets
    laid: NDArray[np.int64]  # [SEATS, K] cards on the table
    bare: NDArray[np.int64]  # [SEATS] wasabi with no nigiri on it
    nigiri: NDArray[np.int64]  # [SEATS] points of the nigiri laid
    icons: NDArray[np.int64]  # [SEATS] maki icons laid
    puddings: NDArray[np.int64]  # [SEATS] puddings of the game
    set_points: NDArray[np.int64]  # [SETS, MOST_LAID] points of a number of tempura, sashimi, dumplings
    pull: NDArray[np.float64]  # [SEATS, K] how much each seat is drawn to each type
    there: NDArray[np.float64]  # [2, TURNS, K] chance that a later turn's hand has each type, by IF_LEFT, IF_TAKEN
    stays: NDArray[np.float64]  # [K] chance that one card stays in a hand, while seats take from it
    gains: NDArray[np.float64]  # [K] what a card of each type adds at a later turn
    order: NDArray[np.int64]  # [K] the types that matter at a turn, by falling gain
    sets: NDArray[np.float64]  # [2, SEATS, SETS, MOST_LAID] worth of a number of each set card, by IF_LEFT, IF_TAKEN
    wasabi: NDArray[np.float64]  # [SEATS, K] worth of a number of uncovered wasabi
    chopsticks: NDArray[np.float64]  # [SEATS] worth of a chopsticks card
    counts: NDArray[np.int64]  # [SEATS] scratch for the majorities
    points: NDArray[np.int64]  # [SEATS] scratch for the majorities


LEFT, PASSES, ROUNDS_LEFT, LISTED = range(4)
"""Places in `facts`: turns after this one, 1 or -1 for passing to the left or right, rounds after this one, and how
many types `order` lists."""
MAKI_TO_COME, PUDDINGS_TO_COME = range(2)
"""Places in `to_come`."""
IF_LEFT, IF_TAKEN = range(2)
"""What is expected of a type differs with the present play: it leaves that type in its hand, or takes one of it."""


@jit
def new_table(players, tableaus, turns):
    """Make an empty table for a kind of game."""
    set_points = np.zeros((SETS, MOST_LAID), np.int64)
    for count in range(MOST_LAID):
        set_points[0, count] = tempura_points(count)
        set_points[1, count] = sashimi_points(count)
        set_points[2, count] = dumpling_points(count)
    return Table(
        players,
        tableaus,
        turns,
        np.zeros(4, np.int64),
        np.zeros((SEATS, K), np.int64),
        np.zeros(SEATS, np.int64),
        np.zeros(K),
        np.zeros(2),
        np.zeros(SEATS),
        np.zeros((SEATS, K), np.int64),
        np.zeros(SEATS, np.int64),
        np.zeros(SEATS, np.int64),
        np.zeros(SEATS, np.int64),
        np.zeros(SEATS, np.int64),
        set_points,
        np.zeros((SEATS, K)),
        np.zeros((2, TURNS, K)),
        np.zeros(K),
        np.zeros(K),
        np.zeros(K, np.int64),
        np.zeros((2, SEATS, SETS, MOST_LAID)),
        np.zeros((SEATS, K)),
        np.zeros(SEATS),
        np.zeros(SEATS, np.int64),
        np.zeros(SEATS, np.int64),
    )


@jit
def read_row(row, at, t):
    """Fill table `t` from an observation `row` (uint8[D]); `at` int64[17] holds the fields' offsets."""
    t.facts[LEFT] = t.turns - 1 - np.int64(row[at[_TURN]])
    t.facts[PASSES] = 1 - 2 * np.int64(row[at[_DIRECTION]])
    t.facts[ROUNDS_LEFT] = ROUNDS - 1 - np.int64(row[at[_ROUND]])
    unseen = 0.0
    for card in range(K):
        unseen += np.int64(row[at[_UNSEEN] + card])
    for card in range(K):
        t.chance[card] = np.int64(row[at[_UNSEEN] + card]) / max(unseen, 1.0)
    for seat in range(t.players):
        hand = at[_OWN_HAND] if seat == 0 else at[_OTHER_HANDS] + (seat - 1) * K
        t.unknown[seat] = 0 if seat == 0 else np.int64(row[at[_UNKNOWN] + seat - 1])
        for card in range(K):
            t.hands[seat, card] = row[hand + card]
    for seat in range(t.tableaus):
        t.icons[seat] = 0
        for card in range(K):
            t.laid[seat, card] = row[at[_TABLEAUS] + seat * K + card]
            t.icons[seat] += t.laid[seat, card] * np.int64(MAKI_ICONS[card])
        t.bare[seat] = row[at[_WASABI] + seat * STATUS_STEP]
        t.nigiri[seat] = row[at[_NIGIRI] + seat * STATUS_STEP]
        t.puddings[seat] = t.laid[seat, PUDDING] + np.int64(row[at[_PUDDINGS] + seat * STATUS_STEP])
    expect_maki(t)
    expect_puddings(t)


@jit
def next_holder(t, seat):
    """The seat that gets the hand of `seat`."""
    seat += t.facts[PASSES]
    if seat == t.players:
        return 0
    return seat if seat >= 0 else t.players - 1


@jit
def expect_maki(t):
    """Count the maki icons in hands, and what each seat would lay of them if every card taken were average.

    What is unknown counts by its chance; the viewer's present play is left out.
    """
    t.to_come[MAKI_TO_COME] = 0.0
    t.icons_due[:] = 0.0
    for hand in range(t.players):
        icons, cards = 0.0, t.unknown[hand]
        for card in range(K):
            icons += np.int64(MAKI_ICONS[card]) * (t.hands[hand, card] + t.unknown[hand] * t.chance[card])
            cards += t.hands[hand, card]
        t.to_come[MAKI_TO_COME] += icons
        holder = hand
        for turn in range(t.facts[LEFT] + 1):
            if turn > 0 or holder > 0:
                t.icons_due[holder] += icons / max(cards, 1)
            holder = next_holder(t, holder)


@jit
def expect_puddings(t):
    """Count the puddings in hands and in the deals to come."""
    unknown = t.facts[ROUNDS_LEFT] * t.tableaus * t.turns
    known = np.int64(0)
    for hand in range(t.players):
        unknown += t.unknown[hand]
        known += t.hands[hand, PUDDING]
    t.to_come[PUDDINGS_TO_COME] = known + unknown * t.chance[PUDDING]
