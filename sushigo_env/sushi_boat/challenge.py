"""Compiled: the challenge that a Wasabi card starts: declare, guess, feed the hidden plates out, keep cubes."""

from __future__ import annotations

import numpy as np

from sushigo_env._jit import inlined, jit
from sushigo_env._memory import clear
from sushigo_env.sushi_boat.belt import feed_out_the_tunnel
from sushigo_env.sushi_boat.cards import (
    COLOUR_OF,
    CUBES_GUESSED,
    CUBES_TAKOYAKI,
    NUM_DISHES,
    ONIGIRI,
    SEATS,
    TAKOYAKI,
    TUNNEL,
)
from sushigo_env.sushi_boat.chance import empty_trash
from sushigo_env.sushi_boat.dishes import eat_dish
from sushigo_env.sushi_boat.rules import PLAYERS
from sushigo_env.sushi_boat.scoring import kept_of_three, kept_of_two
from sushigo_env.sushi_boat.state import (
    BELT,
    CUBES,
    DECLARE,
    DECLARED,
    GUESS_COLOUR,
    GUESSES,
    HANDS,
    MOVE,
    NONE,
    NUM_GUESSES,
    PHASE,
    STAGE,
    TO_ACT,
    TURN,
)

# mypy: disable-error-code="no-untyped-def"
# (Compiled functions: Numba infers their types; the docstrings give them.)

DECLARING, USUAL_GUESSES, TAKOYAKI_GUESSES = 1, 2, 3
"""The stages of a challenge."""
WITH_TAKOYAKI, WITH_ONIGIRI = 0, 1
"""The bytes of a seat's `declared`."""


@inlined
def may_declare(row, seat, dish, which):
    """Whether a seat holds Takoyaki or Onigiri and has not declared it in this challenge."""
    return row[HANDS + seat * NUM_DISHES + dish] > 0 and row[DECLARED + seat * 2 + which] == 0


@jit
def is_asked(row, seat, stage):
    """Whether a seat has anything to say in a stage."""
    if stage == DECLARING:
        return may_declare(row, seat, TAKOYAKI, WITH_TAKOYAKI) or may_declare(row, seat, ONIGIRI, WITH_ONIGIRI)
    takoyaki, onigiri = row[DECLARED + seat * 2 + WITH_TAKOYAKI], row[DECLARED + seat * 2 + WITH_ONIGIRI]
    return not onigiri and (takoyaki == 1) == (stage == TAKOYAKI_GUESSES)


@jit
def begin_challenge(row, rules):
    """The Trash goes back into the bag, and the first player to be asked is asked."""
    empty_trash(row)
    _clear_challenge(row)
    _ask_from(row, rules, DECLARING, 0)


@jit
def _ask_from(row, rules, stage, away):
    """Ask the first who has something to say, from the seat `away` places from the turn's on; else end it."""
    players, turn = rules[PLAYERS], np.int64(row[TURN])
    while stage <= TAKOYAKI_GUESSES:
        for place in range(away, players):
            seat = turn + place if turn + place < players else turn + place - players
            if is_asked(row, seat, stage):
                row[TO_ACT] = seat
                row[STAGE] = stage
                row[PHASE] = DECLARE if stage == DECLARING else GUESS_COLOUR
                return
        stage += 1
        away = 0
    _end_challenge(row, rules)


@inlined
def _ask_next(row, rules, seat):
    """As `_ask_from`, from the seat behind `seat` on."""
    away = seat - np.int64(row[TURN])
    _ask_from(row, rules, np.int64(row[STAGE]), (away if away >= 0 else away + rules[PLAYERS]) + 1)


@jit
def declare(row, rules, seat, dish):
    """Takoyaki or Onigiri is eaten for this challenge; the seat is asked again while it holds the other."""
    eat_dish(row, seat, dish)
    row[DECLARED + seat * 2 + (WITH_TAKOYAKI if dish == TAKOYAKI else WITH_ONIGIRI)] = 1
    if not is_asked(row, seat, DECLARING):
        _ask_next(row, rules, seat)


@jit
def decline(row, rules, seat):
    """Nothing more is declared by a seat."""
    _ask_next(row, rules, seat)


@jit
def guess(row, rules, seat, colour):
    """A cube on a colour; the seat is asked again until all its cubes lie."""
    made = np.int64(row[NUM_GUESSES + seat])
    row[GUESSES + seat * CUBES_TAKOYAKI + made] = colour
    row[NUM_GUESSES + seat] = made + 1
    if made + 1 == (CUBES_TAKOYAKI if row[STAGE] == TAKOYAKI_GUESSES else CUBES_GUESSED):
        _ask_next(row, rules, seat)


@jit
def cubes_kept(row, seat, first, second):
    """Cubes that a seat keeps where the hidden plates have the colours `first` and `second`."""
    takoyaki = row[DECLARED + seat * 2 + WITH_TAKOYAKI]
    if row[DECLARED + seat * 2 + WITH_ONIGIRI]:
        return CUBES_TAKOYAKI if takoyaki else CUBES_GUESSED
    at = GUESSES + seat * CUBES_TAKOYAKI
    a, b, c = np.int64(row[at]), np.int64(row[at + 1]), np.int64(row[at + 2])
    return kept_of_three(a, b, c, first, second) if takoyaki else kept_of_two(a, b, first, second)


@jit
def _end_challenge(row, rules):
    first = np.int64(COLOUR_OF[row[BELT + TUNNEL[0]]])
    second = np.int64(COLOUR_OF[row[BELT + TUNNEL[1]]])
    feed_out_the_tunnel(row)
    for seat in range(rules[PLAYERS]):
        row[CUBES + seat] += cubes_kept(row, seat, first, second)
    _clear_challenge(row)
    row[TO_ACT] = row[TURN]
    row[PHASE] = MOVE


@jit
def _clear_challenge(row):
    row[STAGE] = 0
    clear(row, DECLARED, 2 * SEATS)
    clear(row, NUM_GUESSES, SEATS)
    for at in range(SEATS * CUBES_TAKOYAKI):
        row[GUESSES + at] = NONE
