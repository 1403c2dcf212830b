"""The action table: 119 actions, 122 with menus, as numbers and as words.

An action means the same in every phase, but for two: a place is moved to in one's move and taken in the other phases;
a space is eaten from, or is what a dish or a member of the staff asks for.
"""

from __future__ import annotations

import numpy as np

from sushigo_env.errors import ActionError
from sushigo_env.sushi_boat.cards import (
    COLOURS,
    DISHES,
    FUGU_PAIRS,
    KINDS,
    MAX_STACK,
    NUM_DISHES,
    NUM_PLACES,
    PLACES,
    PLATES,
    SPACES,
    TILE_POSITIONS,
)

REVEAL = 0
"""Turn the deck's top card over."""
PLACE = 1
"""+ place (0..8): go there, or take the seat."""
VISIT = PLACE + NUM_PLACES
BUY, TAKE_YEN, PASS = VISIT + 1, VISIT + 2, VISIT + 3
SPACE = PASS + 1
"""+ space (0..13)."""
EAT_NOTHING = SPACE + SPACES
END_TURN, ORDER = EAT_NOTHING + 1, EAT_NOTHING + 2
DISH = ORDER + 1
"""+ dish (0..7): play it."""
DECLINE = DISH + NUM_DISHES
TRASH = DECLINE + 1
"""+ plate kind (0..24): take it from the Trash."""
TILE = TRASH + KINDS
"""+ tile position (0..7): Momoko swaps with it. Positions are named as in the usual `Config` (`TILE_POSITIONS`)."""
TOP_OR_BOTTOM = TILE + len(TILE_POSITIONS)
"""+ 0..3: first plate to the top, first to the bottom, second to the top, second to the bottom (Satsuki)."""
PAIR = TOP_OR_BOTTOM + 4
"""+ pair (0..9): the two colours a Fugu names."""
DEPTH = PAIR + len(FUGU_PAIRS) - 1
"""+ depth (1..19): plates that a Mochi leaves above the plate moved."""
DISCARD = DEPTH + MAX_STACK
"""+ dish (0..7): put it on the discard pile."""
GUESS = DISCARD + NUM_DISHES
"""+ colour (0..4)."""
NUM_PLAYS = GUESS + len(COLOURS)
"""Actions of the standard game."""
ORDER_MENU = NUM_PLAYS
KEEP = ORDER_MENU + 1
"""+ 0 or 1: the menu offered first, or second."""
NUM_MENU_PLAYS = KEEP + 2
"""Actions of the game with menus."""

WORDS: tuple[str, ...] = (
    "reveal",
    *(f"place {name}" for name in PLACES),
    "visit",
    "buy",
    "take a yen",
    "pass",
    *(f"space {space}" for space in range(SPACES)),
    "eat nothing",
    "end turn",
    "special order",
    *(f"play {dish}" for dish in DISHES),
    "decline",
    *(f"take {plate} from the Trash" for plate in PLATES),
    *(f"swap with tile {position}" for position in TILE_POSITIONS),
    "first to the top",
    "first to the bottom",
    "second to the top",
    "second to the bottom",
    *(f"name {COLOURS[first]} and {COLOURS[second]}" for first, second in FUGU_PAIRS),
    *(f"top plate to depth {depth}" for depth in range(1, MAX_STACK)),
    *(f"discard {dish}" for dish in DISHES),
    *(f"guess {colour}" for colour in COLOURS),
    "order a menu",
    "keep first",
    "keep second",
)
"""Action -> its words, each its own."""
_ACTION = {words: action for action, words in enumerate(WORDS)}


def describe(action: int) -> str:
    """An action in words, such as `play Edamame`; `ActionError` if there is no such action."""
    whole = isinstance(action, int | np.integer) and not isinstance(action, bool)
    if not whole or not 0 <= action < NUM_MENU_PLAYS:
        standard = f"{NUM_PLAYS} and above only with menus"
        raise ActionError(f"actions are 0 to {NUM_MENU_PLAYS - 1} ({standard}), not {action!r}.")
    return WORDS[action]


def index(words: str) -> int:
    """The action of `words` as `describe` gives them; `ActionError` if there is none."""
    if not isinstance(words, str) or words not in _ACTION:
        raise ActionError(f"unknown action {words!r}; actions are named as in {WORDS[0]!r} or {WORDS[DISH]!r}.")
    return _ACTION[words]
