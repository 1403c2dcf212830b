"""The compiled rules: deal, legal plays, lay and pass, score. Rules and rulings: docs/rules.md.

Each function works on one game: `row` points to the bytes of its row (see `state.py`). The loops over games are in
`loops.py`. A hand is moved as twelve bytes in two words, so that adding or removing a card is an addition to a word
(counts stay far below 256, so no byte carries into the next).
"""

from __future__ import annotations

import numpy as np

from sushigo_env._jit import inlined, jit
from sushigo_env._memory import clear, copy, load32, load64, on_stack, pointer, store32, store64
from sushigo_env.seeding import below, draw, episode_key
from sushigo_env.sushi_go.cards import (
    CHOPSTICKS,
    COPIES,
    DECK,
    DUMPLING,
    MAKI_1,
    MAKI_3,
    PUDDING,
    ROUNDS,
    SASHIMI,
    TEMPURA,
    WASABI,
    K,
)
from sushigo_env.sushi_go.plays import FIRST, FIRST_PAIR, SECOND
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
    RETURNED,
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

LOW = np.array([1 << 8 * card if card < 8 else 0 for card in range(K)], np.uint64)
"""uint64[12]: one card of a type in the first word of a hand."""
HIGH = np.array([1 << 8 * (card - 8) if card >= 8 else 0 for card in range(K)], np.uint32)
"""uint32[12]: the same in the second word."""
DECK_SIZE = len(DECK)
_NIBBLES = np.uint64(0x0F0F0F0F0F0F0F0F)


@jit
def shuffle(row, seed, episode, cards):
    """Shuffle the deck so that its first `cards` are a fair draw (Fisher and Yates, from the front)."""
    key = episode_key(seed, episode)
    ahead = on_stack(DECK_SIZE)  # all draws first: they do not wait for each other, the swaps do
    for i in range((cards + 1) >> 1):
        bits = draw(key, np.uint64(i))
        ahead[2 * i] = np.int64(below(bits, np.uint64(DECK_SIZE - 2 * i)))
        ahead[2 * i + 1] = np.int64(below(bits >> np.uint64(32), np.uint64(DECK_SIZE - 1 - 2 * i)))
    copy(row, DECK_AT, pointer(DECK, 0), 0, DECK_SIZE)
    for i in range(cards):
        other = DECK_AT + i + ahead[i]
        card = row[other]
        row[other] = row[DECK_AT + i]
        row[DECK_AT + i] = card


@jit
def begin(row, players, size, dummy):
    """Clear the table and deal round 0 from its deck."""
    clear(row, HANDS, UNDEALT - HANDS)
    copy(row, UNDEALT, pointer(COPIES, 0), 0, K)
    clear(row, TURN, FIRST_CONTROLLER - TURN)
    clear(row, RETURNED, DECK_AT - RETURNED)
    clear(row, PLAYS_AT, END - PLAYS_AT)
    for seat in range(SEATS):
        row[STATUS + seat * STATUS_SIZE + SCORE] = SCORE_OFFSET
    row[CONTROLLER] = row[FIRST_CONTROLLER]
    row[DRAWN] = NO_CARD
    row[STARTED] = 1
    row[ENDED] = 0
    deal(row, players, size, 0, dummy)


@jit
def deal(row, players, size, round_, dummy):
    """Deal the hands of a round from the deck's order; in the variant the third hand stays in the deck as the pile."""
    at = DECK_AT + round_ * (players + dummy) * size
    low, high = load64(row, UNDEALT), load32(row, UNDEALT + 8)
    for seat in range(players):
        counts = np.uint64(0)  # twelve counts of four bits: a card is one shift and one addition
        for i in range(size):
            counts += np.uint64(1) << np.uint64(row[at + i] << 2)
        at += size
        hand_low = _spread(counts & np.uint64(0xFFFFFFFF))
        hand_high = np.uint32(_spread(counts >> np.uint64(32)))
        store64(row, HANDS + seat * K, hand_low)
        store32(row, HANDS + seat * K + 8, hand_high)
        low, high = low - hand_low, np.uint32(high - hand_high)
    store64(row, UNDEALT, low)
    store32(row, UNDEALT + 8, high)
    row[TURN] = 0
    clear(row, RETURNED, 8)
    if dummy:
        draw_from_pile(row, players, size, round_, 0)


@jit
def _spread(nibbles):
    """The eight four-bit counts in the low half of a uint64, as its eight bytes."""
    x = (nibbles | (nibbles << np.uint64(16))) & np.uint64(0x0000FFFF0000FFFF)
    x = (x | (x << np.uint64(8))) & np.uint64(0x00FF00FF00FF00FF)
    return (x | (x << np.uint64(4))) & _NIBBLES


@jit
def draw_from_pile(row, players, size, round_, turn):
    """The controller takes the pile's top card into their hand."""
    card = np.int64(row[DECK_AT + (round_ * (players + 1) + players) * size + turn])
    row[HANDS + np.int64(row[CONTROLLER]) * K + card] += 1
    row[UNDEALT + card] -= 1
    row[DRAWN] = card


@inlined
def lay(row, seat, card):
    """Put a card in front of `seat`; a nigiri goes on an uncovered wasabi if there is one."""
    # no branches: which card comes next cannot be predicted
    row[TABLEAUS + seat * K + card] += 1
    status = STATUS + seat * STATUS_SIZE
    points, bare = NIGIRI_POINTS[card], row[status + BARE]
    covers = np.uint8((points > 0) & (bare > 0))
    row[status + BARE] = bare - covers + np.uint8(card == WASABI)
    row[status + NIGIRI_AT] += points + points * covers * np.uint8(WASABI_FACTOR - 1)


@inlined
def lay_play(row, seat, play, low, high):
    """Lay one or two cards from the hand (`low`, `high`); gives what is left of it, the chopsticks put back."""
    if play < FIRST_PAIR:
        lay(row, seat, play)
        if play == CHOPSTICKS and row[RETURNED + seat]:
            row[RETURNED + seat] -= 1
        return low - LOW[play], np.uint32(high - HIGH[play])
    first, second = np.int64(FIRST[play]), np.int64(SECOND[play])
    lay(row, seat, first)
    lay(row, seat, second)
    row[TABLEAUS + seat * K + CHOPSTICKS] -= 1
    left = np.int64(row[RETURNED + seat]) - (first == CHOPSTICKS) - (second == CHOPSTICKS)
    row[RETURNED + seat] = max(left, 0) + 1
    return low - LOW[first] - LOW[second], np.uint32(high + HIGH[CHOPSTICKS] - HIGH[first] - HIGH[second])


@inlined
def lay_and_pass(row, players, turn_index, actions):
    """Everyone lays `actions` and passes the rest of the hand on."""
    step = players - 1 if row[REVERSED] else 1
    copied = PLAYS_AT + turn_index * players
    seat = 0
    passed_low, passed_high = np.uint64(0), np.uint32(0)
    for _ in range(players):
        play = np.int64(actions[seat])
        row[copied + seat] = play
        hand = HANDS + seat * K
        low, high = load64(row, hand), load32(row, hand + 8)
        store64(row, hand, passed_low)
        store32(row, hand + 8, passed_high)
        passed_low, passed_high = lay_play(row, seat, play, low, high)
        seat += step
        if seat >= players:
            seat -= players
    store64(row, HANDS, passed_low)
    store32(row, HANDS + 8, passed_high)
    returned = load64(row, RETURNED)
    if returned:
        around = np.uint64(8 * (players - 1))
        if step == 1:
            returned = (returned << np.uint64(8)) | (returned >> around)
        else:
            returned = (returned >> np.uint64(8)) | (returned << around)
        store64(row, RETURNED, returned & ((np.uint64(256) << around) - np.uint64(1)))


@jit
def reveal_with_dummy(row, turn_index, card):
    """End of a turn of the variant: lay both seats' plays and the dummy's card, then switch hands and control."""
    controller = np.int64(row[CONTROLLER])
    copied = PLAYS_AT + turn_index * 3
    for seat in range(2):
        play = np.int64(row[PENDING + seat])
        row[copied + seat] = play
        hand = HANDS + seat * K
        low, high = lay_play(row, seat, play, load64(row, hand), load32(row, hand + 8))
        store64(row, hand, low)
        store32(row, hand + 8, high)
    row[copied + DUMMY_SEAT] = card
    lay(row, DUMMY_SEAT, card)
    row[HANDS + controller * K + card] -= 1
    low, high = load64(row, HANDS), load32(row, HANDS + 8)
    store64(row, HANDS, load64(row, HANDS + K))
    store32(row, HANDS + 8, load32(row, HANDS + K + 8))
    store64(row, HANDS + K, low)
    store32(row, HANDS + K + 8, high)
    row[CONTROLLER] = 1 - controller
    row[DRAWN] = NO_CARD
    clear(row, RETURNED, 8)  # both seats have held both hands, so this is no news of them


@jit
def score_round(row, tableaus, round_):
    """Score the round by kind, keep the puddings, clear the table."""
    icons, maki = on_stack(SEATS), on_stack(SEATS)
    for seat in range(tableaus):
        table = TABLEAUS + seat * K
        icons[seat] = 0
        for card in range(MAKI_1, MAKI_3 + 1):
            icons[seat] += np.int64(MAKI_ICONS[card]) * np.int64(row[table + card])
    maki_points(icons, tableaus, maki)
    for seat in range(tableaus):
        table, status = TABLEAUS + seat * K, STATUS + seat * STATUS_SIZE
        kept = POINTS_AT + (round_ * SEATS + seat) * KINDS_KEPT
        # in the order of KINDS
        row[kept] = tempura_points(np.int64(row[table + TEMPURA]))
        row[kept + 1] = sashimi_points(np.int64(row[table + SASHIMI]))
        row[kept + 2] = dumpling_points(np.int64(row[table + DUMPLING]))
        row[kept + 3] = row[status + NIGIRI_AT]
        row[kept + 4] = maki[seat]
        for kind in range(KINDS_KEPT):
            row[status + SCORE] += row[kept + kind]
        row[status + PUDDINGS] += row[table + PUDDING]
        row[status + BARE] = 0
        row[status + NIGIRI_AT] = 0
    clear(row, TABLEAUS, STATUS - TABLEAUS)


@jit
def score_puddings(row, tableaus):
    """The end of the game: pudding points."""
    puddings, points = on_stack(SEATS), on_stack(SEATS)
    for seat in range(tableaus):
        puddings[seat] = row[STATUS + seat * STATUS_SIZE + PUDDINGS]
    pudding_points(puddings, tableaus, points)
    for seat in range(tableaus):
        row[STATUS + seat * STATUS_SIZE + SCORE] += points[seat]
        row[PUDDING_POINTS_AT + seat] = points[seat]


@inlined
def next_turn(row, players, size, alternate, dummy):
    """After a turn: the next one, or the round's end and the next deal, or the end of the game."""
    turn, round_ = np.int64(row[TURN]) + 1, np.int64(row[ROUND])
    if turn < size:
        row[TURN] = turn
        if dummy:
            draw_from_pile(row, players, size, round_, turn)
        return
    score_round(row, players + dummy, round_)
    round_ += 1
    row[ROUND] = round_
    row[REVERSED] = alternate and round_ == 1
    if round_ < ROUNDS:
        deal(row, players, size, round_, dummy)
        return
    row[TURN] = 0
    score_puddings(row, players + dummy)
    row[DONE] = 1


@inlined
def take_turn(row, players, size, alternate, dummy, actions):
    """One step with the seats' `actions` (already known to be legal)."""
    turn_index = np.int64(row[ROUND]) * size + np.int64(row[TURN])
    if not dummy:
        lay_and_pass(row, players, turn_index, actions)
        next_turn(row, players, size, alternate, 0)
    elif row[HALF] == 0:
        row[PENDING] = actions[0]
        row[PENDING + 1] = actions[1]
        row[HALF] = 1
    else:
        reveal_with_dummy(row, turn_index, np.int64(actions[np.int64(row[CONTROLLER])]))
        row[HALF] = 0
        next_turn(row, players, size, alternate, 1)
