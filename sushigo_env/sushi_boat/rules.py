"""What kernels need to know of a table, its config included, as one vector of numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sushigo_env.sushi_boat.cards import (
    DISH_CARDS,
    KINDS,
    MENU_VARIANT,
    NUM_MENUS,
    NUM_PLACES,
    SPACES,
    TUNNEL,
    TYPES,
    Config,
    deck_size,
)

PLAYERS, MENUS_ON, DECK, OPEN = range(4)
"""Places in the vector: players; 1 with menus; cards in the deck; bit by place: open to so many players."""
STAFF_AT = 4
"""+ place: its tile position, or -1 without a staff space."""
REACH = STAFF_AT + NUM_PLACES
"""+ place: bit by space, those it touches."""
ACROSS = REACH + NUM_PLACES
"""+ place: those across from these (Hiroshi)."""
BESIDE = ACROSS + NUM_PLACES
"""+ place: those beside these, the tunnel's not among them (Yuki & Takeshi)."""
PLATES_AT = BESIDE + NUM_PLACES
"""+ plate kind: how many there are."""
DISHES_AT = PLATES_AT + KINDS
"""+ dish card: how many there are."""
SET_POINTS = DISHES_AT + DISH_CARDS
"""+ size of a set, 0 to 7: its points."""
MENU_WORTH = SET_POINTS + len(TYPES) + 1
"""+ menu: its points."""
MOST, SECOND, MENU_PLATES = (MENU_WORTH + NUM_MENUS + i for i in range(3))
"""Points for most and second most side dishes; plates of a type that a menu asks for."""
VISIBLE = sum(1 << space for space in range(SPACES) if space not in TUNNEL)
"""Bit by space: those outside the tunnel."""


def _bits(spaces: list[int]) -> int:
    return sum(1 << space for space in set(spaces)) & VISIBLE  # two spaces of a place can have a neighbour in common


def rules_of(config: Config, num_players: int, variant: str) -> NDArray[np.int64]:
    """int64[110]: the vector of a table; `SettingError` for a number of players that the rules lack."""
    reach = config.reach
    cards = [(each - red, red) for each, red in zip(config.dishes, config.red_dishes, strict=True)]
    return np.array(
        [
            num_players,
            variant == MENU_VARIANT,
            deck_size(num_players),
            sum(1 << place for place in config.open_places(num_players)),
            *(config.tile_position(place) for place in range(NUM_PLACES)),
            *(_bits(list(spaces)) for spaces in reach),
            *(_bits([SPACES - 1 - space for space in spaces]) for spaces in reach),
            *(_bits([space + step for space in spaces for step in (-1, 1) if space + step >= 0]) for spaces in reach),
            *config.plates,
            *(count for both in cards for count in both),
            0,
            *config.set_points,
            *config.menu_points,
            config.most_dishes,
            config.second_dishes,
            config.menu_plates,
        ],
        np.int64,
    )
