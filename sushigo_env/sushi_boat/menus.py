"""Compiled: menus, a variant: two are offered, one is kept, the other goes under the menu deck."""

from __future__ import annotations

import numpy as np

from sushigo_env._jit import jit
from sushigo_env._memory import pointer
from sushigo_env.sushi_boat.cards import NUM_MENUS
from sushigo_env.sushi_boat.chance import MENU_CODES, draw_left
from sushigo_env.sushi_boat.dishes import ask
from sushigo_env.sushi_boat.rules import PLAYERS
from sushigo_env.sushi_boat.state import (
    BACK,
    CHOOSE_MENU,
    MENU_DECK,
    MENU_DECK_SIZE,
    MENUS_AT,
    NONE,
    NUM_MENUS_AT,
    NUM_OFFERED,
    OFFERED,
    PHASE,
    START,
    TO_ACT,
    TURN,
    YEN,
)

# mypy: disable-error-code="no-untyped-def"
# (Compiled functions: Numba infers their types; the docstrings give them.)


@jit
def shuffle_menus(row):
    """The menu deck in an order of chance, top first."""
    left = (1 << NUM_MENUS) - 1  # bit by menu
    for i in range(NUM_MENUS):
        menu = draw_left(row, left, NUM_MENUS - i, pointer(MENU_CODES, 0))
        left &= ~(1 << menu)
        row[MENU_DECK + i] = menu
    row[MENU_DECK_SIZE] = NUM_MENUS


@jit
def offer(row):
    """Two menus, or the last one, from the top of the menu deck are offered to the seat to act."""
    size = np.int64(row[MENU_DECK_SIZE])
    drawn = 2 if size > 2 else size
    for i in range(drawn):
        row[OFFERED + i] = row[MENU_DECK + i]
    row[NUM_OFFERED] = drawn
    for i in range(size - drawn):
        row[MENU_DECK + i] = row[MENU_DECK + i + drawn]
    for i in range(size - drawn, size):
        row[MENU_DECK + i] = NONE
    row[MENU_DECK_SIZE] = size - drawn


@jit
def deal_menus(row):
    """Before the first turn: the first player chooses a menu, then the others do."""
    row[PHASE] = CHOOSE_MENU
    row[BACK] = CHOOSE_MENU  # an order never has this phase to go back to
    offer(row)


@jit
def order_menu(row, seat):
    """A special: 1 yen, and two menus are offered."""
    row[YEN + seat] -= 1
    ask(row, CHOOSE_MENU)
    offer(row)


@jit
def keep_menu(row, rules, seat, choice):
    """One menu offered is kept, the other goes under the deck; the deal goes on, or the turn does."""
    kept = np.int64(row[NUM_MENUS_AT + seat])
    row[MENUS_AT + seat * NUM_MENUS + kept] = row[OFFERED + choice]
    row[NUM_MENUS_AT + seat] = kept + 1
    if row[NUM_OFFERED] == 2:
        size = np.int64(row[MENU_DECK_SIZE])
        row[MENU_DECK + size] = row[OFFERED + 1 - choice]
        row[MENU_DECK_SIZE] = size + 1
    row[OFFERED] = NONE
    row[OFFERED + 1] = NONE
    row[NUM_OFFERED] = 0
    row[PHASE] = row[BACK]
    if row[BACK] == CHOOSE_MENU:
        behind = seat + 1 if seat + 1 < rules[PLAYERS] else 0
        row[TO_ACT] = behind
        if behind == np.int64(row[TURN]):
            row[PHASE] = START
        else:
            offer(row)
