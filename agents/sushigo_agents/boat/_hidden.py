"""Compiled: what a seat does not see, dealt at random into a position: guesses and menus."""

from __future__ import annotations

import numpy as np

from sushigo_env._jit import inlined, jit
from sushigo_env._memory import on_stack
from sushigo_env.seeding import below, draw
from sushigo_env.sushi_boat.cards import COLOURS, CUBES_GUESSED, CUBES_TAKOYAKI, NUM_MENUS
from sushigo_env.sushi_boat.challenge import (
    DECLARING,
    TAKOYAKI_GUESSES,
    USUAL_GUESSES,
    WITH_ONIGIRI,
    WITH_TAKOYAKI,
)
from sushigo_env.sushi_boat.observation import GUESSES_SEEN, MENU_DECK_LEFT, MENUS_HELD, MENUS_SEEN, OFFERED_SEEN
from sushigo_env.sushi_boat.rules import PLAYERS
from sushigo_env.sushi_boat.state import (
    CHOOSE_MENU,
    DECLARE,
    DECLARED,
    GUESS_COLOUR,
    GUESSES,
    MENU_DECK,
    MENU_DECK_SIZE,
    MENUS_AT,
    NUM_GUESSES,
    NUM_MENUS_AT,
    NUM_OFFERED,
    OFFERED,
    PHASE,
    STAGE,
    TO_ACT,
    TURN,
)

# mypy: disable-error-code="no-untyped-def,assignment"
# (Compiled functions: Numba infers their types; the docstrings give them.)

_FROM_GUESSES, _FROM_MENUS = np.uint64(1 << 32), np.uint64(2 << 32)
"""Places in a position's stream that no draw of the game comes to."""


@inlined
def _one_of(key, counter, count):
    return np.int64(below(draw(key, counter), np.uint64(count)))


@jit
def write_guesses(seen, at, rules, key, row):
    """The stage of a challenge, and guesses: those in view as they are, others' that have been made of any colour."""
    phase, players, turn = np.int64(row[PHASE]), rules[PLAYERS], np.int64(row[TURN])
    if phase != DECLARE and phase != GUESS_COLOUR:
        return
    asked = np.int64(row[TO_ACT])
    taking = row[DECLARED + 2 * asked + WITH_TAKOYAKI]
    stage = DECLARING if phase == DECLARE else TAKOYAKI_GUESSES if taking else USUAL_GUESSES
    row[STAGE] = stage
    if stage == DECLARING:
        return
    counter = _FROM_GUESSES
    before = True  # whether the seat was asked before the one that is asked now
    for away in range(players):
        seat = turn + away if turn + away < players else turn + away - players
        before = before and seat != asked
        takoyaki = row[DECLARED + 2 * seat + WITH_TAKOYAKI] == 1
        if row[DECLARED + 2 * seat + WITH_ONIGIRI] or (takoyaki and stage == USUAL_GUESSES):
            continue
        made = _write_seen_guesses(seen, at, row, seat)
        in_view = seat == 0 or (not takoyaki and stage == TAKOYAKI_GUESSES)
        if not in_view:
            all_ = CUBES_TAKOYAKI if takoyaki else CUBES_GUESSED
            made = all_ if before else _one_of(key, counter, all_) if seat == asked else 0
            for i in range(made):
                row[GUESSES + seat * CUBES_TAKOYAKI + i] = _one_of(key, counter + np.uint64(1 + i), len(COLOURS))
        row[NUM_GUESSES + seat] = made
        counter += np.uint64(1 + CUBES_TAKOYAKI)


@jit
def _write_seen_guesses(seen, at, row, seat):
    """Guesses in view, in order of colour, which decides nothing; how many there are."""
    made = 0
    for colour in range(len(COLOURS)):
        for _ in range(np.int64(seen[at[GUESSES_SEEN] + seat * len(COLOURS) + colour])):
            row[GUESSES + seat * CUBES_TAKOYAKI + made] = colour
            made += 1
    return made


@jit
def write_menus(seen, at, rules, key, row):
    """Menus: the own as they are; others' and the deck from all the rest, each way equally likely."""
    players, left, own = rules[PLAYERS], on_stack(NUM_MENUS), 0
    count, offered = 0, 0
    held_by_all = 0
    for menu in range(NUM_MENUS):
        first, second = seen[at[OFFERED_SEEN] + menu], seen[at[OFFERED_SEEN] + NUM_MENUS + menu]
        if seen[at[MENUS_SEEN] + menu]:
            row[MENUS_AT + own] = menu
            own += 1
        elif first or second:
            row[OFFERED + (0 if first else 1)] = menu
            offered += 1
        else:
            left[count] = menu
            count += 1
    for i in range(count - 1, 0, -1):
        j = _one_of(key, _FROM_MENUS + np.uint64(i), i + 1)
        left[i], left[j] = left[j], left[i]
    for seat in range(players):
        held = np.int64(seen[at[MENUS_HELD] + seat])
        row[NUM_MENUS_AT + seat] = held
        held_by_all += held
        if seat > 0:
            for i in range(held):
                count -= 1
                row[MENUS_AT + seat * NUM_MENUS + i] = left[count]
    deck = np.int64(seen[at[MENU_DECK_LEFT]])
    if row[TO_ACT] != 0 and row[PHASE] == CHOOSE_MENU:
        offered = NUM_MENUS - held_by_all - deck
        for i in range(offered):
            count -= 1
            row[OFFERED + i] = left[count]
    row[NUM_OFFERED] = offered
    row[MENU_DECK_SIZE] = deck
    for i in range(deck):
        row[MENU_DECK + i] = left[i]
