"""Compiled: from the cards of a position to its value and both seats' strategies over the table of plays."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sushigo_agents.exact._frames import place_of, pointers, solve_position
from sushigo_agents.exact._rest import (
    DEAD,
    ICONS,
    NOTHING,
    SEAT_0,
    SEAT_1,
    TYPES,
    UNIT,
    canonical,
    count_of,
    pointers_to,
    seat_word,
)
from sushigo_agents.exact._walk import walk
from sushigo_env._jit import jit
from sushigo_env._memory import on_stack
from sushigo_env.sushi_go.cards import CHOPSTICKS, DUMPLING, PUDDING, SASHIMI, TEMPURA, K
from sushigo_env.sushi_go.plays import CARD_PLAYS
from sushigo_env.sushi_go.scoring import dumpling_points, sashimi_points, tempura_points

# mypy: disable-error-code="no-untyped-def"
# (Compiled functions: Numba infers their types; the docstrings give them.)

NEGLIGIBLE = 1e-12
"""Chances below this are rounding, and become 0."""


def _actions() -> NDArray[np.int64]:
    """int64[13, 14]: the play that lays a card and then another, or `NOTHING`; of equal orders the one there is."""
    table = np.full((TYPES, TYPES + 1), -1, np.int64)
    for action, play in enumerate(CARD_PLAYS):
        table[play[0], play[1] if len(play) == 2 else NOTHING] = action
    missing = table[:, :TYPES] < 0
    table[:, :TYPES][missing] = table[:, :TYPES].T[missing]
    return table


ACTIONS = _actions()


@jit
def solve_rest(frames, effects, kept, generation, budget, cards, final, pudding_value, strategies):
    """The rest of a round: (seat 0's margin in it, positions opened, the table of those kept).

    `cards` are hands int64[2, 12], tableaus int64[2, 12], and int64[2] each: open wasabi, nigiri points, puddings of
    the rounds before. The strategies go to `strategies` float64[2, 96]. What it is if more than `budget` positions
    were opened means nothing. The rest as `walk`.
    """
    hands, tableaus, wasabi, nigiri, puddings = cards
    turns, margin = np.int64(0), 0.0
    for card in range(K):
        turns += hands[0, card]
    for seat in range(2):
        points = _sure_points(tableaus[seat]) + nigiri[seat]
        if not final:
            points += pudding_value * tableaus[seat, PUDDING]
        margin += points if seat == 0 else -points
    words = _word(tableaus[0], wasabi[0]), _word(tableaus[1], wasabi[1])
    icons_0, icons_1 = _icons(tableaus[0]), _icons(tableaus[1])
    lead = puddings[0] + tableaus[0, PUDDING] - puddings[1] - tableaus[1, PUDDING]
    majorities = icons_0 - icons_1, np.int64(icons_0 > 0), np.int64(icons_1 > 0), lead
    packed = _packed(hands[0]), _packed(hands[1])
    hand_0, hand_1, table, sure = canonical(turns, packed, words, majorities, final, pointers_to(effects))
    each = 0.0 if final else pudding_value
    opened, kept = walk(frames, effects, kept, generation, budget, turns, hand_0, hand_1, table, final, each)
    if opened <= budget:
        at = pointers(frames)
        margin += sure + solve_position(at, turns)
        _write_strategy(at, turns, SEAT_0, at.row_strategy, hand_0, hands[0], strategies[0])
        _write_strategy(at, turns, SEAT_1, at.column_strategy, hand_1, hands[1], strategies[1])
    return margin, opened, kept


@jit
def _sure_points(tableau):
    """Points of the sets and dumplings on a table."""
    return tempura_points(tableau[TEMPURA]) + sashimi_points(tableau[SASHIMI]) + dumpling_points(tableau[DUMPLING])


@jit
def _word(tableau, wasabi):
    return seat_word(tableau[TEMPURA], tableau[SASHIMI], tableau[DUMPLING], wasabi, tableau[CHOPSTICKS])


@jit
def _icons(tableau):
    icons = np.int64(0)
    for card in range(K):
        icons += tableau[card] * ICONS[card]
    return icons


@jit
def _packed(counts):
    """A hand as a word."""
    hand = np.uint64(0)
    for card in range(K):
        hand += np.uint64(counts[card]) * UNIT[card]
    return hand


@jit
def _write_strategy(frames, turns, seat, chances, canonical_hand, held, strategy):
    """Spread a strategy over the 96 plays.

    Cards that matter to nobody were one type to the walk; here the first of them in deck order stand for it.
    """
    dead, count = on_stack(2), 0
    for card in range(K):
        if count_of(canonical_hand, card) == 0:
            for _ in range(min(held[card], 2 - count)):
                dead[count] = card
                count += 1
    whole = 0.0
    strategy[:] = 0.0
    for play in range(frames.counts[2 * turns + seat]):
        if chances[play] > NEGLIGIBLE:
            laid = frames.laid[place_of(turns, seat, play)]
            first, second = laid & 15, laid >> 4
            if second == DEAD:
                second = dead[np.int64(first == DEAD)]
            if first == DEAD:
                first = dead[0]
            strategy[ACTIONS[first, second]] += chances[play]
            whole += chances[play]
    strategy /= whole
