"""Compiled: whether guesses and menus that an observation shows can be a game's."""

from __future__ import annotations

import numpy as np

from sushigo_env._jit import jit
from sushigo_env._memory import load64
from sushigo_env.sushi_boat.cards import COLOURS, CUBES_GUESSED, CUBES_TAKOYAKI, NUM_MENUS
from sushigo_env.sushi_boat.observation import (
    AFTER,
    DECK_LEFT_SEEN,
    DECLARED_SEEN,
    GUESSES_SEEN,
    MENU_DECK_LEFT,
    MENUS_HELD,
    MENUS_SEEN,
    OFFERED_SEEN,
)
from sushigo_env.sushi_boat.rules import DECK, PLAYERS
from sushigo_env.sushi_boat.state import CHOOSE_MENU

# mypy: disable-error-code="no-untyped-def,assignment"
# (Compiled functions: Numba infers their types; the docstrings give them.)

_FIVE = np.uint64(0xFFFFFFFFFF)
"""The bytes of the phases of a turn."""


@jit
def guesses_fit(seen, at, players, turn, asked):
    """Whether guesses in view are as many as they must be in a challenge where `asked` puts down the next."""
    declared, before, fine = at[DECLARED_SEEN], True, seen[at[DECLARED_SEEN] + 2 * asked + 1] == 0
    with_takoyaki = seen[declared + 2 * asked] == 1
    for away in range(players):
        seat = turn + away if turn + away < players else turn + away - players
        before = before and seat != asked
        takoyaki = seen[declared + 2 * seat] == 1
        if seen[declared + 2 * seat + 1] or (takoyaki and not with_takoyaki):
            continue
        made, all_ = 0, CUBES_TAKOYAKI if takoyaki else CUBES_GUESSED
        for colour in range(len(COLOURS)):
            made += np.int64(seen[at[GUESSES_SEEN] + seat * len(COLOURS) + colour])
        if with_takoyaki and not takoyaki:
            fine &= made == all_
        elif seat == 0:
            fine &= made < all_ if seat == asked else made == (all_ if before else 0)
    return fine


@jit
def menus_fit(seen, at, rules, phase, turn, asked):
    """Whether menus are not too many, each is shown once, and the deal and an offer are as they must be."""
    players, own, twice, held = rules[PLAYERS], 0, 0, 0
    first, second = at[OFFERED_SEEN], at[OFFERED_SEEN] + NUM_MENUS
    leads = follows = 0
    for menu in range(NUM_MENUS):
        mine, one = np.int64(seen[at[MENUS_SEEN] + menu]), np.int64(seen[first + menu])
        two = np.int64(seen[second + menu])
        own += mine
        leads += one
        follows += two
        twice |= mine + one + two > 1
    deals, before, fine = phase == CHOOSE_MENU and load64(seen, at[AFTER]) & _FIVE == 0, True, True
    for away in range(players):
        seat = turn + away if turn + away < players else turn + away - players
        before = before and seat != asked
        count = np.int64(seen[at[MENUS_HELD] + seat])
        held += count
        fine &= not deals or count == before
    offered = NUM_MENUS - held - np.int64(seen[at[MENU_DECK_LEFT]])
    if deals:
        fine &= offered == 2 and np.int64(seen[at[DECK_LEFT_SEEN]]) == rules[DECK]
    if phase == CHOOSE_MENU and asked == 0:
        fine &= leads == 1
    elif phase == CHOOSE_MENU:
        fine &= 1 <= offered <= 2
    fine &= leads <= 1 and follows <= 1 and leads + follows <= offered
    return fine and own == np.int64(seen[at[MENUS_HELD]]) and not twice
