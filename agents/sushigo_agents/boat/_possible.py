"""Compiled: whether an observation can be a game's: kernels check nothing, so all they rely on is checked before.

Not all that is let through is possible, but kernels that play on from it do not go astray.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sushigo_agents.boat._possible_secrets import guesses_fit, menus_fit
from sushigo_env._jit import inlined, jit
from sushigo_env._memory import load32, load64
from sushigo_env.sushi_boat.bits import count_bits, lowest, nonzero
from sushigo_env.sushi_boat.cards import (
    DEFAULT,
    HAND_LIMIT,
    KINDS,
    MAX_DISH_CARDS,
    MAX_PLATES,
    MAX_STACK,
    NUM_DISHES,
    NUM_PLACES,
    SPACES,
    STAFF,
    TILES,
    TUNNEL,
    Config,
)
from sushigo_env.sushi_boat.observation import (
    AFTER,
    BAG_SEEN,
    BAG_SIZE_SEEN,
    BELT_SEEN,
    DECK_LEFT_SEEN,
    DISCARD_PILE,
    DRAWN,
    HANDS_SEEN,
    PHASE_SEEN,
    PILE_SHOWN,
    PLACES_SEEN,
    PLATE_BYTES,
    POOL_SEEN,
    PURPOSE,
    STACK_SIZES_SEEN,
    STACKS_SEEN,
    TILES_SEEN,
    TO_ACT_SEEN,
    TRASH_SEEN,
    TURN_SEEN,
    WASABI_LEFT_SEEN,
    layout,
)
from sushigo_env.sushi_boat.rules import MENUS_ON, OPEN, PLAYERS, STAFF_AT
from sushigo_env.sushi_boat.state import (
    ACT,
    BY_EDAMAME,
    BY_HIROSHI,
    CHOOSE_DEPTH,
    CHOOSE_MENU,
    CHOOSE_SPACE,
    CHOOSE_TILE,
    DECLARE,
    DISCARD_DISH,
    EAT,
    GUESS_COLOUR,
    MOVE,
    NAME_COLOURS,
    OVER,
    SATSUKI_DRAW,
    START,
)

# mypy: disable-error-code="no-untyped-def,assignment"
# (Compiled functions: Numba infers their types; the docstrings give them.)

REASONS = (
    "nothing",
    "a number is larger than any that a game shows under the setting memory",
    "its game is over",
    "phase, turn and what goes on after do not fit each other",
    "its plates do not add up, or are not where they must be",
    "there are too many side dishes, or too few to come",
    "staff, pawns and what is chosen do not fit each other",
    "its guesses do not fit the stage of the challenge",
    "its menus are too many, or not those of a choice",
    "another seat decides",
    "its mask allows nothing",
    "its mask allows what the rules forbid",
)
"""What can be wrong with a row, in words; kernels give the place in this list."""
(FINE, NUMBERS, GAME_OVER, PHASES_OFF, PLATES_OFF, DISHES_OFF, STAFF_OFF, GUESSES_OFF, MENUS_OFF) = range(9)
(WAITS, NOTHING, MASKED) = range(MENUS_OFF + 1, len(REASONS))
_MOST = 127
"""The largest number that a game shows while it goes on: points then have no menus in them."""
_ROOM = np.array([2, 2, 2, 1, 0], np.int64)
"""int64[5]: plates that a turn may still bring, by its phase."""
_STAFF_COUNTS = np.uint64(sum(1 << 8 * staff for staff in TILES))
_ONES, _SEVENS = np.uint64(0x0101010101010101), np.uint64(0x7F7F7F7F7F7F7F7F)
_HIGHS, _FIVE = np.uint64(0x8080808080808080), np.uint64(0xFFFFFFFFFF)
_LAST = np.uint64(1 << 63)
_SEVEN, _S8, _S16, _S56 = np.uint64(0xFFFFFFFFFFFFFF), np.uint64(8), np.uint64(16), np.uint64(56)


def limits_of(num_players: int, variant: str, config: Config = DEFAULT) -> NDArray[np.uint64]:
    """uint64[D // 8 + 1]: the largest value of each byte under `memory` with the high bit set, then the last 8."""
    here = layout(num_players, variant, config)
    high = np.minimum(here.high, _MOST).astype(np.uint8)
    high[here.slices["stacks"]] = KINDS  # a plate whose type is not shown has a higher code
    high |= 128
    words = here.size // 8 * 8
    return np.concatenate([high[:words], high[-8:]]).view(np.uint64)


@jit
def why_impossible(seen, at, rules, limits, size):
    """Why no game that goes on shows the observation `seen` under `memory`, as `REASONS` numbers it; or `FINE`.

    `at` points to the fields' offsets, `limits` to what `limits_of` gives, `size` is D. Everything is 0 or more, and
    one-hots are 0 or 1, once the first check is passed.
    """
    if not _in_range(seen, limits, size):
        return NUMBERS
    players = rules[PLAYERS]
    seats = (np.uint64(1) << np.uint64(8 * players)) - np.uint64(1)
    turns, asked = load64(seen, at[TURN_SEEN]) & seats, load64(seen, at[TO_ACT_SEEN]) & seats
    phases = nonzero(load64(seen, at[PHASE_SEEN])) | nonzero(load64(seen, at[PHASE_SEEN] + 8)) << _S8
    if phases >> np.uint64(OVER):
        return GAME_OVER
    if count_bits(phases) != 1 or count_bits(turns) != 1 or count_bits(asked) != 1:
        return PHASES_OFF
    phase, turn = lowest(phases), lowest(turns) >> 3
    going_on = _turn_phase(seen, at, rules, phase, turns == asked)
    if going_on < 0:
        return PHASES_OFF
    if not _dishes_fit(seen, at, rules, phase, turn):
        return DISHES_OFF
    effect = lowest(load64(seen, at[PURPOSE])) >> 3 if phase == CHOOSE_SPACE else 0
    by_staff = CHOOSE_TILE <= phase <= SATSUKI_DRAW or effect >= BY_HIROSHI
    if not _plates_fit(seen, at, players, phase) or not _stacks_fit(seen, at, rules, turn, going_on, by_staff):
        return PLATES_OFF
    size = np.int64(seen[at[STACK_SIZES_SEEN] + turn])
    needed = phase == NAME_COLOURS or (phase == CHOOSE_SPACE and effect == BY_EDAMAME)
    if size < (2 if phase == CHOOSE_DEPTH else needed):
        return PLATES_OFF
    if not _seats_fit(seen, at, rules, phase, turn, going_on, by_staff):
        return STAFF_OFF
    if phase == GUESS_COLOUR and not guesses_fit(seen, at, players, turn, lowest(asked) >> 3):
        return GUESSES_OFF
    if rules[MENUS_ON] and not menus_fit(seen, at, rules, phase, turn, lowest(asked) >> 3):
        return MENUS_OFF
    return FINE


@inlined
def _in_range(seen, limits, size):
    """Whether no byte is larger than its limit."""
    fine, last = _HIGHS, size // 8
    for i in range(last):
        word = load64(seen, 8 * i)
        fine &= (limits[i] - (word & _SEVENS)) & ~word
    word = load64(seen, size - 8)
    return fine & (limits[last] - (word & _SEVENS)) & ~word & _HIGHS == _HIGHS


@inlined
def _sum(word):
    """The sum of a word's bytes, which is below 256."""
    return np.int64((word * _ONES) >> _S56)


@inlined
def _kinds(seen, at):
    """The sum of 25 counts by plate kind."""
    return _sum(load64(seen, at) + load64(seen, at + 8) + load64(seen, at + 16)) + np.int64(seen[at + KINDS - 1])


@inlined
def _turn_phase(seen, at, rules, phase, own_turn):
    """The phase of the turn that goes on, after a decision within it if one is asked for; -1 if things do not fit."""
    after = load64(seen, at[AFTER]) & _FIVE
    told, purposes = count_bits(after), count_bits(load64(seen, at[PURPOSE]) & _FIVE)
    going_on = phase
    if DISCARD_DISH <= phase <= CHOOSE_MENU:
        dealt = phase == CHOOSE_MENU and told == 0
        going_on = START if dealt else lowest(after | _LAST) >> 3
        own_turn = own_turn or dealt
        told -= not dealt
        if phase == CHOOSE_MENU and not rules[MENUS_ON]:
            return -1
    elif phase >= DECLARE:
        going_on, own_turn = MOVE, True
    left = np.int64(seen[at[DECK_LEFT_SEEN]])
    begun = left > 0 or going_on != START
    return going_on if told == 0 and purposes == (phase == CHOOSE_SPACE) and own_turn and begun else -1


@inlined
def _dishes_fit(seen, at, rules, phase, turn):
    """Whether there are as many dish cards as will be revealed, nobody holds too many, and the pile has room."""
    pool = load64(seen, at[POOL_SEEN]) + load64(seen, at[POOL_SEEN] + 8)
    left, wasabi = np.int64(seen[at[DECK_LEFT_SEEN]]), np.int64(seen[at[WASABI_LEFT_SEEN]])
    fine, at_most = (wasabi <= left) & (_sum(pool) >= left - wasabi), left - wasabi
    for seat in range(rules[PLAYERS]):
        held = _sum(load64(seen, at[HANDS_SEEN] + seat * NUM_DISHES))
        at_most += held
        fine &= held == HAND_LIMIT + 1 if phase == DISCARD_DISH and seat == turn else held <= HAND_LIMIT
    pile = nonzero(load64(seen, at[DISCARD_PILE])) | nonzero(load64(seen, at[DISCARD_PILE] + 8)) << _S8
    pile |= nonzero(load64(seen, at[DISCARD_PILE] + PILE_SHOWN - 8)) << np.uint64(PILE_SHOWN - 8)
    pile |= nonzero(load64(seen, at[DISCARD_PILE] + 16)) << _S16
    return fine & (pile & (pile + np.uint64(1)) == 0) & (at_most + count_bits(pile) <= MAX_DISH_CARDS)


@inlined
def _plates_fit(seen, at, players, phase):
    """Whether the bag is as full as it says, plates are not too many, and lie where guesses or Satsuki ask."""
    bag = _kinds(seen, at[BAG_SEEN])
    plates, belt = bag + _kinds(seen, at[TRASH_SEEN]), at[BELT_SEEN]
    for space in range(SPACES):
        plates += load64(seen, belt + space * PLATE_BYTES) & _FIVE != 0
    hidden = load64(seen, belt + TUNNEL[0] * PLATE_BYTES) & _FIVE != 0
    hidden &= load64(seen, belt + TUNNEL[1] * PLATE_BYTES) & _FIVE != 0
    first = load64(seen, at[DRAWN]) & _FIVE != 0
    second = load64(seen, at[DRAWN] + PLATE_BYTES) & _FIVE != 0
    for seat in range(players):
        plates += np.int64(seen[at[STACK_SIZES_SEEN] + seat])
    fine = (bag == np.int64(seen[at[BAG_SIZE_SEEN]])) & (plates + first + second <= MAX_PLATES)
    fine &= hidden or (phase < DECLARE and seen[at[WASABI_LEFT_SEEN]] == 0)
    return fine & (first == (phase == SATSUKI_DRAW)) & (first or not second)


@inlined
def _stacks_fit(seen, at, rules, turn, going_on, by_staff):
    """Whether stacks are as high as they say, and low enough for what turns to come may bring."""
    players, fine = rules[PLAYERS], True
    left = np.int64(seen[at[DECK_LEFT_SEEN]]) - (going_on == START)
    turns = left // players
    more = left - turns * players  # seats behind the one whose turn it is that have one turn more
    for seat in range(players):
        stack, high = at[STACKS_SEEN] + seat * MAX_STACK, np.int64(seen[at[STACK_SIZES_SEEN] + seat])
        plates = nonzero(load64(seen, stack)) | nonzero(load64(seen, stack + 8)) << _S8
        plates |= nonzero(np.uint64(load32(seen, stack + 16))) << _S16
        away = seat - turn if seat >= turn else seat - turn + players
        room = 2 * (turns + (0 < away <= more)) + (0 if away else _ROOM[going_on] + by_staff)
        fine &= (plates == (np.uint64(1) << np.uint64(high)) - np.uint64(1)) & (high + room <= MAX_STACK)
    return fine


@inlined
def _place(seen, at, seat):
    """Bit by place: where a pawn stands."""
    places = at[PLACES_SEEN] + seat * NUM_PLACES
    return np.int64(nonzero(load64(seen, places))) | np.int64(seen[places + NUM_PLACES - 1]) << (NUM_PLACES - 1)


@inlined
def _seats_fit(seen, at, rules, phase, turn, going_on, by_staff):
    """Whether the tiles are all there, pawns at open places of their own, and the player where the phase has them."""
    counts, fine, taken = np.uint64(0), True, 0
    for position in range(len(TILES)):
        tile = load64(seen, at[TILES_SEEN] + position * len(STAFF)) & _SEVEN
        counts += tile
        fine &= tile != 0
    fine &= counts == _STAFF_COUNTS
    for seat in range(rules[PLAYERS]):
        place = _place(seen, at, seat)
        fine &= (place & (place - 1) == 0) & (place & (taken | ~rules[OPEN]) == 0)
        taken |= place
    own = _place(seen, at, turn)
    fine &= own != 0 or (going_on != ACT and going_on != EAT)
    if not by_staff or not fine:
        return fine
    position = rules[STAFF_AT + lowest(np.uint64(own))] if own else -1
    return going_on == EAT and position >= 0
