"""Complete positions of Sushi Boat that agree with what a seat sees under the setting `memory`.

Plates and side dishes are open to who remembers, and what will be drawn is decided only when it is drawn: a position
is the table as seen, with a stream of its own. Dealt at random is what is hidden: others' guesses and menus, the order
of the menu deck, and, in a decision within a turn, the phase that goes on after it, which no field tells.
The viewer is seat 0 of such a position, the left neighbour seat 1, and so on, as in the observation.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sushigo_agents.boat._hidden import write_guesses, write_menus
from sushigo_agents.boat._possible import (
    FINE,
    GAME_OVER,
    MASKED,
    NOTHING,
    REASONS,
    STAFF_OFF,
    WAITS,
    limits_of,
    why_impossible,
)
from sushigo_env._jit import inlined, jit
from sushigo_env._memory import clear, copy, load64, pointer, store64
from sushigo_env.errors import SettingError
from sushigo_env.sushi_boat.bits import lowest, nonzero, store16
from sushigo_env.sushi_boat.cards import (
    CALIFORNIA,
    COLOURS,
    DEFAULT,
    DISH_CARDS,
    KINDS,
    MAX_STACK,
    NUM_DISHES,
    NUM_PLACES,
    SPACES,
    STAFF,
    TILES,
    WHITE_PLATE,
    Config,
)
from sushigo_env.sushi_boat.legal import write_legal
from sushigo_env.sushi_boat.observation import (
    AFTER,
    BAG_SEEN,
    BAG_SIZE_SEEN,
    BELT_SEEN,
    CUBES_SEEN,
    DECK_LEFT_SEEN,
    DECLARED_SEEN,
    DISCARD_PILE,
    DRAWN,
    EATEN_SEEN,
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
    YEN_SEEN,
    layout,
    offsets,
)
from sushigo_env.sushi_boat.points import count_stack
from sushigo_env.sushi_boat.rules import MENUS_ON, PLAYERS, rules_of
from sushigo_env.sushi_boat.state import (
    BACK,
    BAG,
    BAG_SIZE,
    BELT,
    CHANCES,
    CHOOSE_MENU,
    CHOOSE_SPACE,
    CUBES,
    DECK_LEFT,
    DECLARED,
    DONE,
    EATEN,
    EFFECT,
    EFFECTS,
    FILLED,
    HANDS,
    KEY,
    KIND,
    LEGAL,
    NONE,
    NUM_SATSUKI,
    PAWNS,
    PHASE,
    PHASES,
    PILE,
    PILE_SIZE,
    POOL,
    ROW,
    SATSUKI_AT,
    STACK_SIZES,
    STACKS,
    STARTED,
    TILES_AT,
    TO_ACT,
    TRASH_AT,
    TRASH_SIZE,
    TURN,
    TURN_PHASES,
    WASABI_LEFT,
    YEN,
    State,
    kind_of_table,
)

# mypy: disable-error-code="no-untyped-def"
# (Compiled functions: Numba infers their types; the docstrings give them.)

_BLANK = State(1).rows[0].copy()
"""uint8[ROW]: a row without a game."""
_BLANK[DONE] = 0
_COLOUR_BYTES = np.uint64(0xFFFFFFFFFF)


@inlined
def _hot(seen, at, count):
    """Which of `count` bytes from `at` on is not 0; `NONE` if none is."""
    for i in range(count):
        if seen[at + i]:
            return i
    return NONE


@inlined
def _plate(seen, at):
    """The kind of a plate that is shown one-hot, or `NONE`."""
    colour = load64(seen, at) & _COLOUR_BYTES
    if colour == 0:
        return NONE
    kind = (lowest(colour) >> 3) * CALIFORNIA + _hot(seen, at + len(COLOURS), PLATE_BYTES - len(COLOURS))
    return min(kind, WHITE_PLATE)


@jit
def write_position(seen, at, rules, key, row):
    """Write to `row` a position that agrees with the observation `seen` of a game that goes on.

    `at` points to the fields' offsets; the stream `key` (uint64) deals what is hidden, and all that is drawn later.
    Nothing is checked: see `write_checked`.
    """
    players = rules[PLAYERS]
    copy(row, 0, pointer(_BLANK, 0), 0, CHANCES)
    row[KIND], row[STARTED] = 2 * players + rules[MENUS_ON], 1
    store64(row, KEY, key)
    phase = _hot(seen, at[PHASE_SEEN], len(PHASES))
    row[PHASE], row[TURN] = phase, _hot(seen, at[TURN_SEEN], players)
    row[TO_ACT] = _hot(seen, at[TO_ACT_SEEN], players)
    row[EFFECT] = _hot(seen, at[PURPOSE], len(EFFECTS)) if phase == CHOOSE_SPACE else 0
    after = _hot(seen, at[AFTER], len(TURN_PHASES))
    row[BACK] = CHOOSE_MENU if after == NONE else after  # none goes on in the deal of menus
    row[DECK_LEFT], row[WASABI_LEFT] = seen[at[DECK_LEFT_SEEN]], seen[at[WASABI_LEFT_SEEN]]
    _write_seats(seen, at, rules, row)
    _write_table(seen, at, row)
    write_guesses(seen, at, rules, key, row)
    if rules[MENUS_ON]:
        write_menus(seen, at, rules, key, row)
    write_legal(row, rules)


@jit
def _write_seats(seen, at, rules, row):
    """What lies before each player."""
    players = rules[PLAYERS]
    copy(row, HANDS, seen, at[HANDS_SEEN], players * NUM_DISHES)
    copy(row, EATEN, seen, at[EATEN_SEEN], players * NUM_DISHES)
    copy(row, DECLARED, seen, at[DECLARED_SEEN], players * 2)
    for seat in range(players):
        row[PAWNS + seat] = _hot(seen, at[PLACES_SEEN] + seat * NUM_PLACES, NUM_PLACES)
        row[YEN + seat], row[CUBES + seat] = seen[at[YEN_SEEN] + seat], seen[at[CUBES_SEEN] + seat]
        size = np.int64(seen[at[STACK_SIZES_SEEN] + seat])
        row[STACK_SIZES + seat] = size
        for i in range(seat * MAX_STACK, seat * MAX_STACK + size):
            row[STACKS + i] = seen[at[STACKS_SEEN] + i] - 1
        count_stack(row, rules, seat)


@jit
def _write_table(seen, at, row):
    """The belt, the tiles, the piles, the bag and the Trash."""
    filled = trash = 0
    for space in range(SPACES):
        plate = _plate(seen, at[BELT_SEEN] + space * PLATE_BYTES)
        row[BELT + space] = plate
        filled |= (plate != NONE) << space
    store16(row, FILLED, filled)
    for position in range(len(TILES)):
        row[TILES_AT + position] = _hot(seen, at[TILES_SEEN] + position * len(STAFF), len(STAFF))
    pile, size = at[DISCARD_PILE], 0
    while size < PILE_SHOWN and seen[pile + size]:
        size += 1
    row[PILE_SIZE] = size
    for i in range(size):
        row[PILE + i] = seen[pile + size - 1 - i] - 1
    copy(row, BAG, seen, at[BAG_SEEN], KINDS)
    copy(row, TRASH_AT, seen, at[TRASH_SEEN], KINDS)
    copy(row, POOL, seen, at[POOL_SEEN], DISH_CARDS)
    for kind in range(KINDS):
        trash += row[TRASH_AT + kind]
    row[BAG_SIZE], row[TRASH_SIZE] = seen[at[BAG_SIZE_SEEN]], trash
    for i in range(2):
        plate = _plate(seen, at[DRAWN] + i * PLATE_BYTES)
        row[SATSUKI_AT + i] = plate
        row[NUM_SATSUKI] += plate != NONE


@jit
def write_checked(seen, at, rules, limits, size, key, row):
    """`write_position` if a game shows `seen`; gives what is wrong with it, as `REASONS` numbers it, or `FINE`.

    `limits` points to what `limits_of` gives, `size` is D.
    """
    wrong = why_impossible(seen, at, rules, limits, size)
    if wrong == FINE:
        write_position(seen, at, rules, key, row)
        if load64(row, LEGAL) | load64(row, LEGAL + 8) == 0:
            return STAFF_OFF
    return wrong


@inlined
def read_mask(mask, count):
    """Bit by action, in two words: what a mask of `count` bytes, which are 0 or 1, allows."""
    low = high = np.uint64(0)
    for word in range(8):
        low |= nonzero(load64(mask, 8 * word)) << np.uint64(8 * word)
    for word in range(8, count // 8):
        high |= nonzero(load64(mask, 8 * word)) << np.uint64(8 * word - 64)
    return low, high | nonzero(load64(mask, count - 8)) << np.uint64(count - 72)


@jit
def write_asked(seen, low, high, at, rules, limits, size, key, row):
    """As `write_checked`, of a decision of the viewer whose mask is `low` and `high`, as `read_mask` gives it."""
    wrong = write_checked(seen, at, rules, limits, size, key, row)
    if wrong == FINE:
        if row[TO_ACT] != 0:
            return WAITS
        if low | high == 0:
            return NOTHING
        if low & ~load64(row, LEGAL) | high & ~load64(row, LEGAL + 8):
            return MASKED
    return wrong


@jit
def find_impossible(observation, mask, at, rules, limits):
    """The first row that cannot be, and what is wrong with it; or -1 and `FINE`. `mask` uint8[N, A], N 0 for none."""
    position, size, count = np.zeros(ROW, np.uint8), observation.shape[1], mask.shape[1]
    row, key = pointer(position, 0), np.uint64(0)
    fields, numbers, most = pointer(at, 0), pointer(rules, 0), pointer(limits, 0)
    for i in range(len(observation)):
        seen = pointer(observation[i], 0)
        if len(mask):
            low, high = read_mask(pointer(mask[i], 0), count)
            wrong = write_asked(seen, low, high, fields, numbers, most, size, key, row)
        else:
            wrong = write_checked(seen, fields, numbers, most, size, key, row)
        if wrong != FINE:
            return i, wrong
    return -1, FINE


def sample_positions(
    observation: NDArray[np.uint8],
    keys: NDArray[np.uint64],
    num_players: int,
    variant: str = "standard",
    config: Config = DEFAULT,
) -> NDArray[np.uint8]:
    """uint8[N, bytes a game]: for each row a complete position that agrees with it, which `SushiBoat.restore` takes.

    `observation` uint8[N, D] as the setting `memory` gives it, of decisions in a game that goes on, with the
    values of `config`; `keys` uint64[N] deal what is hidden and decide what will be drawn. Others' menus and the menu
    deck are dealt from the menus that the viewer does not hold, each way equally likely; others' guesses are any
    colours. The viewer sits at seat 0. `SettingError` for shapes and dtypes that do not fit, for observations of games
    that are over, and for such as no game shows under that setting.
    """
    wanted = (len(keys), layout(num_players, variant).size)
    if observation.shape != wanted or observation.dtype != np.uint8:
        raise SettingError(f"observations must be uint8{[*wanted]}, not {observation.dtype}{[*observation.shape]}.")
    at, rules = offsets(num_players, variant), rules_of(config, num_players, variant)
    observation, limits = np.ascontiguousarray(observation), limits_of(num_players, variant, config)
    index, wrong = find_impossible(observation, np.zeros((0, 8), np.uint8), at, rules, limits)
    if wrong == GAME_OVER:
        raise SettingError(f"row {index} must be of a game that goes on: a game that is over has no position.")
    if wrong != FINE:
        raise SettingError(f"row {index} cannot be what a seat sees: {REASONS[wrong]}.")
    state = State(len(keys), kind_of_table(num_players, variant))
    _write_positions(observation, at, rules, np.ascontiguousarray(keys, np.uint64), state.rows)
    return state.rows


@jit
def _write_positions(observation, at, rules, keys, rows):
    fields, numbers = pointer(at, 0), pointer(rules, 0)
    for i in range(len(keys)):
        row = pointer(rows[i], 0)
        clear(row, CHANCES, ROW - CHANCES)
        write_position(pointer(observation[i], 0), fields, numbers, keys[i], row)
