"""The compiled rules: deal, legal plays, lay and pass, score. Rules and rulings: docs/rules.md.

Each function works on one game: `rows` is the uint8 rows of all games end to end (see `state.py`), `g` the first byte
of the game's row. The loops over games are in `loops.py`. A hand is moved as twelve bytes in two words, so that adding
or removing a card is an addition to a word (counts stay far below 256, so no byte carries into the next).
"""

from __future__ import annotations

import numpy as np

from sushigo_env._jit import jit
from sushigo_env._memory import clear, copy, load32, load64, store32, store64
from sushigo_env.seeding import below, draw, episode_key
from sushigo_env.sushi_go.cards import CHOPSTICKS, COPIES, DECK, PUDDING, ROUNDS, WASABI, K
from sushigo_env.sushi_go.plays import FIRST, NONE, SECOND
from sushigo_env.sushi_go.scoring import (
    MAKI_ICONS,
    NIGIRI_POINTS,
    WASABI_FACTOR,
    dumpling_points,
    maki_points,
    pudding_points,
    sashimi_points,
    tempura_points,
)
from sushigo_env.sushi_go.state import (
    BARE,
    CONTROLLER,
    DECK_AT,
    DONE,
    DRAWN,
    DUMMY_SEAT,
    END,
    ENDED,
    FIRST_CONTROLLER,
    HALF,
    HANDS,
    KINDS_KEPT,
    NIGIRI_AT,
    NO_CARD,
    PENDING,
    PLAYS_AT,
    POINTS_AT,
    PUDDING_POINTS_AT,
    PUDDINGS,
    REVERSED,
    ROUND,
    SCORE,
    SCORE_OFFSET,
    SEATS,
    STARTED,
    STATUS,
    STATUS_SIZE,
    TABLEAUS,
    TURN,
    UNDEALT,
)

# mypy: disable-error-code="no-untyped-def"
# (Compiled functions: Numba infers their types; the docstrings give them.)

LOW = np.array([1 << 8 * card if card < 8 else 0 for card in range(K + 1)], np.uint64)
"""uint64[13]: one card of a type in the first word of a hand; 0 for `NONE`."""
HIGH = np.array([1 << 8 * (card - 8) if 8 <= card < K else 0 for card in range(K + 1)], np.uint32)
"""uint32[13]: the same in the second word."""
_NIBBLES = np.uint64(0x0F0F0F0F0F0F0F0F)


@jit
def shuffle(rows, g, seed, episode, cards):
    """Shuffle the deck of game `g` so that its first `cards` are a fair draw (Fisher and Yates, from the front)."""
    key = episode_key(seed, episode)
    copy(rows, g + DECK_AT, DECK, 0, 108)
    for i in range(0, cards, 2):
        bits = draw(key, np.uint64(i >> 1))
        _swap(rows, g + DECK_AT + i, np.int64(below(bits, np.uint64(108 - i))))
        _swap(rows, g + DECK_AT + i + 1, np.int64(below(bits >> np.uint64(32), np.uint64(107 - i))))


@jit
def _swap(rows, at, ahead):
    card = rows[at + ahead]
    rows[at + ahead] = rows[at]
    rows[at] = card


@jit
def begin(rows, g, players, size, dummy):
    """Clear the table of game `g` and deal round 0 from its deck."""
    clear(rows, g + HANDS, UNDEALT - HANDS)
    copy(rows, g + UNDEALT, COPIES, 0, K)
    clear(rows, g + TURN, FIRST_CONTROLLER - TURN)
    clear(rows, g + PUDDING_POINTS_AT, DECK_AT - PUDDING_POINTS_AT)
    clear(rows, g + PLAYS_AT, END - PLAYS_AT)
    for seat in range(SEATS):
        rows[g + STATUS + seat * STATUS_SIZE + SCORE] = SCORE_OFFSET
    rows[g + CONTROLLER] = rows[g + FIRST_CONTROLLER]
    rows[g + DRAWN] = NO_CARD
    rows[g + STARTED] = 1
    rows[g + ENDED] = 0
    deal(rows, g, players, size, 0, dummy)


@jit
def deal(rows, g, players, size, round_, dummy):
    """Deal the hands of a round from the deck's order; in the variant the third hand stays in the deck as the pile."""
    at = g + DECK_AT + round_ * (players + dummy) * size
    low, high = load64(rows, g + UNDEALT), load32(rows, g + UNDEALT + 8)
    for seat in range(players):
        counts = np.uint64(0)  # twelve counts of four bits: a card is one shift and one addition
        for i in range(size):
            counts += np.uint64(1) << np.uint64(rows[at + i] << 2)
        at += size
        hand_low = _spread(counts & np.uint64(0xFFFFFFFF))
        hand_high = np.uint32(_spread(counts >> np.uint64(32)))
        store64(rows, g + HANDS + seat * K, hand_low)
        store32(rows, g + HANDS + seat * K + 8, hand_high)
        low, high = low - hand_low, np.uint32(high - hand_high)
    store64(rows, g + UNDEALT, low)
    store32(rows, g + UNDEALT + 8, high)
    rows[g + TURN] = 0
    if dummy:
        draw_from_pile(rows, g, players, size, round_, 0)


@jit
def _spread(nibbles):
    """The eight four-bit counts in the low half of a uint64, as its eight bytes."""
    x = (nibbles | (nibbles << np.uint64(16))) & np.uint64(0x0000FFFF0000FFFF)
    x = (x | (x << np.uint64(8))) & np.uint64(0x00FF00FF00FF00FF)
    return (x | (x << np.uint64(4))) & _NIBBLES


@jit
def draw_from_pile(rows, g, players, size, round_, turn):
    """The controller takes the pile's top card into their hand."""
    card = np.int64(rows[g + DECK_AT + (round_ * (players + 1) + players) * size + turn])
    rows[g + HANDS + np.int64(rows[g + CONTROLLER]) * K + card] += 1
    rows[g + UNDEALT + card] -= 1
    rows[g + DRAWN] = card


@jit
def lay(rows, g, seat, card):
    """Put a card in front of `seat`; a nigiri goes on an uncovered wasabi if there is one."""
    rows[g + TABLEAUS + seat * K + card] += 1
    status = g + STATUS + seat * STATUS_SIZE
    points = NIGIRI_POINTS[card]
    if points:
        if rows[status + BARE]:
            rows[status + BARE] -= 1
            points *= WASABI_FACTOR
        rows[status + NIGIRI_AT] += points
    elif card == WASABI:
        rows[status + BARE] += 1


@jit
def lay_play(rows, g, seat, play, low, high):
    """Lay one or two cards from the hand (`low`, `high`); gives what is left of it, the chopsticks put back."""
    first, second = np.int64(FIRST[play]), np.int64(SECOND[play])
    lay(rows, g, seat, first)
    low -= LOW[first]
    high -= HIGH[first]
    if second != NONE:
        rows[g + TABLEAUS + seat * K + CHOPSTICKS] -= 1
        lay(rows, g, seat, second)
        low -= LOW[second]
        high += HIGH[CHOPSTICKS] - HIGH[second]
    return low, np.uint32(high)


@jit
def lay_and_pass(rows, g, players, turn_index, actions, a):
    """Everyone lays `actions[a:]` and passes the rest of the hand on."""
    step = players - 1 if rows[g + REVERSED] else 1
    copied = g + PLAYS_AT + turn_index * players
    seat = 0
    passed_low, passed_high = np.uint64(0), np.uint32(0)
    for _ in range(players):
        play = np.int64(actions[a + seat])
        rows[copied + seat] = play
        hand = g + HANDS + seat * K
        low, high = load64(rows, hand), load32(rows, hand + 8)
        store64(rows, hand, passed_low)
        store32(rows, hand + 8, passed_high)
        passed_low, passed_high = lay_play(rows, g, seat, play, low, high)
        seat += step
        if seat >= players:
            seat -= players
    store64(rows, g + HANDS, passed_low)
    store32(rows, g + HANDS + 8, passed_high)


@jit
def reveal_with_dummy(rows, g, turn_index, card):
    """End of a turn of the variant: lay both seats' plays and the dummy's card, then switch hands and control."""
    controller = np.int64(rows[g + CONTROLLER])
    copied = g + PLAYS_AT + turn_index * 3
    for seat in range(2):
        play = np.int64(rows[g + PENDING + seat])
        rows[copied + seat] = play
        hand = g + HANDS + seat * K
        low, high = lay_play(rows, g, seat, play, load64(rows, hand), load32(rows, hand + 8))
        store64(rows, hand, low)
        store32(rows, hand + 8, high)
    rows[copied + DUMMY_SEAT] = card
    lay(rows, g, DUMMY_SEAT, card)
    rows[g + HANDS + controller * K + card] -= 1
    low, high = load64(rows, g + HANDS), load32(rows, g + HANDS + 8)
    store64(rows, g + HANDS, load64(rows, g + HANDS + K))
    store32(rows, g + HANDS + 8, load32(rows, g + HANDS + K + 8))
    store64(rows, g + HANDS + K, low)
    store32(rows, g + HANDS + K + 8, high)
    rows[g + CONTROLLER] = 1 - controller
    rows[g + DRAWN] = NO_CARD


@jit
def score_round(rows, g, tableaus, round_, scratch):
    """Score the round by kind, keep the puddings, clear the table. `scratch` is int64[10]."""
    icons, maki = scratch[:5], scratch[5:]
    for seat in range(tableaus):
        table = g + TABLEAUS + seat * K
        icons[seat] = 0
        for card in range(K):
            icons[seat] += np.int64(MAKI_ICONS[card]) * np.int64(rows[table + card])
    maki_points(icons, tableaus, maki)
    for seat in range(tableaus):
        table, status = g + TABLEAUS + seat * K, g + STATUS + seat * STATUS_SIZE
        kept = g + POINTS_AT + (round_ * SEATS + seat) * KINDS_KEPT
        rows[kept] = tempura_points(np.int64(rows[table]))
        rows[kept + 1] = sashimi_points(np.int64(rows[table + 1]))
        rows[kept + 2] = dumpling_points(np.int64(rows[table + 2]))
        rows[kept + 3] = rows[status + NIGIRI_AT]
        rows[kept + 4] = maki[seat]
        for kind in range(KINDS_KEPT):
            rows[status + SCORE] += rows[kept + kind]
        rows[status + PUDDINGS] += rows[table + PUDDING]
        rows[status + BARE] = 0
        rows[status + NIGIRI_AT] = 0
    clear(rows, g + TABLEAUS, STATUS - TABLEAUS)


@jit
def score_puddings(rows, g, tableaus, scratch):
    """The end of the game: pudding points. `scratch` is int64[10]."""
    puddings, points = scratch[:5], scratch[5:]
    for seat in range(tableaus):
        puddings[seat] = rows[g + STATUS + seat * STATUS_SIZE + PUDDINGS]
    pudding_points(puddings, tableaus, points)
    for seat in range(tableaus):
        rows[g + STATUS + seat * STATUS_SIZE + SCORE] += points[seat]
        rows[g + PUDDING_POINTS_AT + seat] = points[seat]


@jit
def next_turn(rows, g, players, size, alternate, dummy, scratch):
    """After a turn: the next one, or the round's end and the next deal, or the end of the game."""
    turn, round_ = np.int64(rows[g + TURN]) + 1, np.int64(rows[g + ROUND])
    if turn < size:
        rows[g + TURN] = turn
        if dummy:
            draw_from_pile(rows, g, players, size, round_, turn)
        return
    score_round(rows, g, players + dummy, round_, scratch)
    round_ += 1
    rows[g + ROUND] = round_
    rows[g + REVERSED] = alternate and round_ == 1
    if round_ < ROUNDS:
        deal(rows, g, players, size, round_, dummy)
        return
    rows[g + TURN] = 0
    score_puddings(rows, g, players + dummy, scratch)
    rows[g + DONE] = 1


@jit
def take_turn(rows, g, players, size, alternate, dummy, actions, a, scratch):
    """One step of game `g` with the seats' `actions[a:]` (already known to be legal)."""
    turn_index = np.int64(rows[g + ROUND]) * size + np.int64(rows[g + TURN])
    if not dummy:
        lay_and_pass(rows, g, players, turn_index, actions, a)
        next_turn(rows, g, players, size, alternate, 0, scratch)
    elif rows[g + HALF] == 0:
        rows[g + PENDING] = actions[a]
        rows[g + PENDING + 1] = actions[a + 1]
        rows[g + HALF] = 1
    else:
        reveal_with_dummy(rows, g, turn_index, np.int64(actions[a + np.int64(rows[g + CONTROLLER])]))
        rows[g + HALF] = 0
        next_turn(rows, g, players, size, alternate, 1, scratch)
