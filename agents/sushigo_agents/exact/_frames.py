"""Compiled: the scratch of a walk through a round's rest, and the plays that are listed there for each position."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sushigo_agents.exact._rest import (
    BARE_AT,
    CHOPSTICKS_AT,
    ICONS,
    NOTHING,
    ONE_PAIR_LESS,
    SEAT_0,
    SEAT_1,
    SEAT_BITS,
    TYPES,
    UNIT,
    WORDS,
    count_of,
)
from sushigo_agents.exact.matrix_game import equilibrium, room
from sushigo_env._jit import inlined, jit
from sushigo_env._memory import pointer
from sushigo_env.sushi_go.cards import CHOPSTICKS, EGG, HAND_SIZE, PUDDING, SALMON, WASABI

# mypy: disable-error-code="no-untyped-def"
# (Compiled functions: Numba infers their types; the docstrings give them.)

LEVELS = HAND_SIZE[2] + 1
PLAYS = 64
"""Room for a seat's plays: with ten cards of ten types 10 single cards, 45 pairs, 3 laid the other way round."""


class Frames(NamedTuple):
    """A frame for each number of turns left, by which all is indexed first. Whatever it holds may be overwritten.

    Kernels work on pointers to these arrays (`pointers`), one dimension for all: to hand fifteen arrays to a function
    costs more than most functions here do.
    """

    hands: NDArray[np.uint64]  # [LEVELS * 2] of the position in canonical form
    tables: NDArray[np.int64]  # [LEVELS] its tables' word
    sure: NDArray[np.float64]  # [LEVELS] margin on the way here that is no part of the position
    counts: NDArray[np.int64]  # [LEVELS * 2] plays of each seat
    cell: NDArray[np.int64]  # [LEVELS] how many payoffs are known
    laid: NDArray[np.int64]  # [LEVELS * 2 * PLAYS] the first card and the second (or NOTHING), in four bits each
    left: NDArray[np.uint64]  # [LEVELS * 2 * PLAYS] what is left of the hand
    word: NDArray[np.int64]  # [LEVELS * 2 * PLAYS] the seat's word then
    gain: NDArray[np.float64]  # [LEVELS * 2 * PLAYS] points made sure, and what puddings are worth
    icons: NDArray[np.int64]  # [LEVELS * 2 * PLAYS] maki icons laid
    puddings: NDArray[np.int64]  # [LEVELS * 2 * PLAYS] puddings laid
    payoff: NDArray[np.float64]  # [LEVELS * PLAYS * PLAYS] of seat 0, by its play and seat 1's
    tableau: NDArray[np.float64]
    labels: NDArray[np.int64]
    row_strategy: NDArray[np.float64]  # [PLAYS] of the position solved last
    column_strategy: NDArray[np.float64]  # [PLAYS]


def new_frames() -> Frames:
    """Frames for one walk at a time."""
    seats, plays = LEVELS * 2, LEVELS * 2 * PLAYS
    return Frames(
        np.zeros(seats, np.uint64),
        np.zeros(LEVELS, np.int64),
        np.zeros(LEVELS),
        np.zeros(seats, np.int64),
        np.zeros(LEVELS, np.int64),
        np.zeros(plays, np.int64),
        np.zeros(plays, np.uint64),
        np.zeros(plays, np.int64),
        np.zeros(plays),
        np.zeros(plays, np.int64),
        np.zeros(plays, np.int64),
        np.empty(LEVELS * PLAYS * PLAYS),
        np.empty(room(PLAYS, PLAYS)),
        np.empty(2 * PLAYS, np.int64),
        np.zeros(PLAYS),
        np.zeros(PLAYS),
    )


@jit
def pointers(frames):
    """The same frames as pointers; whoever holds the arrays keeps them alive."""
    return Frames(
        pointer(frames.hands, 0),
        pointer(frames.tables, 0),
        pointer(frames.sure, 0),
        pointer(frames.counts, 0),
        pointer(frames.cell, 0),
        pointer(frames.laid, 0),
        pointer(frames.left, 0),
        pointer(frames.word, 0),
        pointer(frames.gain, 0),
        pointer(frames.icons, 0),
        pointer(frames.puddings, 0),
        pointer(frames.payoff, 0),
        pointer(frames.tableau, 0),
        pointer(frames.labels, 0),
        pointer(frames.row_strategy, 0),
        pointer(frames.column_strategy, 0),
    )


@inlined
def place_of(turns, seat, play):
    """Where a frame has a seat's play."""
    return (turns * 2 + seat) * PLAYS + play


@inlined
def payoff_at(turns):
    """Where a frame's payoffs begin: row by row, without gaps."""
    return turns * PLAYS * PLAYS


@jit
def open_position(frames, effects, turns, hand_0, hand_1, table, sure, pudding_value):
    """Begin a position: its plays are listed, no payoff is known."""
    frames.hands[2 * turns], frames.hands[2 * turns + 1] = hand_0, hand_1
    frames.tables[turns], frames.sure[turns], frames.cell[turns] = table, sure, 0
    list_plays(frames, effects, turns, SEAT_0, hand_0, table & (WORDS - 1), pudding_value)
    list_plays(frames, effects, turns, SEAT_1, hand_1, table >> SEAT_BITS & (WORDS - 1), pudding_value)


@jit
def list_plays(frames, effects, turns, seat, hand, word, pudding_value):
    """List what a seat may lay: single cards, and with chopsticks on its table pairs.

    As the table of plays has them: a pair in deck order, and the other way round too where the order matters.
    """
    frames.counts[2 * turns + seat] = 0
    for card in range(TYPES):
        if count_of(hand, card):
            _add_play(frames, effects, turns, seat, hand, word, card, NOTHING, pudding_value)
    if turns == 1 or word >> CHOPSTICKS_AT & 7 == 0:
        return
    bare = word >> BARE_AT & 7
    for first in range(TYPES):
        for second in range(first, TYPES):
            if count_of(hand, first) > 0 and count_of(hand, second) > (first == second):
                _add_play(frames, effects, turns, seat, hand, word, first, second, pudding_value)
                if _order_matters(first, second, bare):
                    _add_play(frames, effects, turns, seat, hand, word, second, first, pudding_value)


@inlined
def _order_matters(first, second, bare):
    """Whether the pair laid the other way round is another play."""
    if first < SALMON or first > EGG:
        return False
    return bare == 0 if second == WASABI else first < second and second <= EGG and bare == 1


@jit
def _add_play(frames, effects, turns, seat, hand, word, first, second, pudding_value):
    """Append a play to a seat's list."""
    place = place_of(turns, seat, frames.counts[2 * turns + seat])
    frames.counts[2 * turns + seat] += 1
    points = effects.points[first * WORDS + word]
    word = effects.after[first * WORDS + word]
    left = hand - UNIT[first]
    icons, puddings = ICONS[first], np.int64(first == PUDDING)
    if second != NOTHING:
        points += effects.points[second * WORDS + word]
        word = effects.after[second * WORDS + word] - ONE_PAIR_LESS
        left = left - UNIT[second] + UNIT[CHOPSTICKS]
        icons += ICONS[second]
        puddings += second == PUDDING
    frames.laid[place] = first | second << 4
    frames.left[place] = left
    frames.word[place] = word
    frames.gain[place] = points + pudding_value * puddings
    frames.icons[place] = icons
    frames.puddings[place] = puddings


@jit
def solve_position(frames, turns):
    """The value of a position whose payoffs are all known; the strategies go to their places in `frames`."""
    return equilibrium(
        frames.payoff,
        payoff_at(turns),
        frames.counts[2 * turns + 1],
        frames.counts[2 * turns],
        frames.counts[2 * turns + 1],
        frames.tableau,
        frames.labels,
        frames.row_strategy,
        frames.column_strategy,
    )
