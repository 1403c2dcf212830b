"""What a seat sees: the one table of fields, from which the encoder's offsets, the named slices and the docs come.

The viewer is seat 0, the left neighbour seat 1, and so on. Settings:

- `memory`: all that was once public (plates in the tunnel, every stack, the discard pile, what is left in the bag and
  of the dish cards), and the viewer's own secrets: its guesses, its menus, the menus it is offered;
- `strict`: as `memory`, with zeros for what the rules make people remember: plates in the tunnel, types below the top
  of any stack (the own one too, but from a Miso Soup to the end of that turn, when its owner looks through it), points
  until they are counted at the end, the discard pile below its top, the bag's contents, the dish cards left;
- `full`: everyone's guesses, menus and offers too.

Guesses of a challenge are in view of all once the players with a Takoyaki guess, menus once the game is over.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from sushigo_env.layout import Field, Layout
from sushigo_env.sushi_boat.cards import (
    COLOUR_OF,
    COLOURS,
    CUBES_TAKOYAKI,
    DECK_SIZE,
    DEFAULT,
    DISH_CARDS,
    EDAMAME,
    FUGU,
    GYOZA,
    KINDS,
    MAX_STACK,
    MENU_VARIANT,
    NUM_DISHES,
    NUM_MENUS,
    NUM_PLACES,
    ONIGIRI,
    SPACES,
    STAFF,
    START_YEN,
    TEMPURA,
    TILES,
    TYPE_OF,
    TYPES,
    WASABI_CARDS,
    Config,
)
from sushigo_env.sushi_boat.dishes import EDAMAME_YEN, FUGU_YEN, ONIGIRI_YEN, TEMPURA_YEN
from sushigo_env.sushi_boat.state import EFFECTS, PHASES, TURN_PHASES

OBSERVATIONS = ("memory", "strict", "full")
PLATE_BYTES = len(COLOURS) + len(TYPES)
"""Bytes of a plate that is shown one-hot: its colour, then its type."""
PILE_SHOWN = 26
"""More side dishes than are ever revealed: the largest deck less its Wasabi cards."""
COLOUR_CODE = KINDS + 1
"""Code of a plate in a stack whose colour alone is shown: this, plus the colour; 1 + kind where its type is too."""
MOST = 255
"""The largest number that a byte tells; what may be more (points under an odd config) stops there."""


def fields(num_players: int, variant: str, config: Config = DEFAULT) -> list[Field]:
    """The table of fields, in the order they lie in an observation: by seat first, then what all see alike."""
    return [*seat_fields(num_players, variant, config), *table_fields(num_players, variant, config)]


def seat_fields(num_players: int, variant: str, config: Config) -> list[Field]:
    """The fields that turn with the viewer."""
    players, dishes = num_players, np.array(config.dishes)
    seats = (players,)
    table = [
        Field("turn", seats, 1, "whose turn it is; nobody's once the game is over"),
        Field("to_act", seats, 1, "who decides now"),
        Field("places", (players, NUM_PLACES), 1, "where each pawn stands, by seat and place"),
        Field("yen", seats, max_yen(players, config), "yen, by seat"),
        Field("cubes", seats, max_cubes(players), "wasabi cubes kept, by seat"),
        Field("hands", (players, NUM_DISHES), dishes, "side dishes in hand, by seat and dish"),
        Field("eaten", (players, NUM_DISHES), dishes, "side dishes eaten, by seat and dish"),
        Field("stack_sizes", seats, MAX_STACK, "plates in each stack"),
        Field("stack_colours", (players, len(COLOURS)), MAX_STACK, "plates in each stack, by colour"),
        Field("stack_types", (players, len(TYPES)), MAX_STACK, "plates in each stack whose type is shown, by type"),
        Field("tops", (players, PLATE_BYTES), 1, "each stack's top plate: its colour, then its type"),
        Field("points", seats, min(MOST, max_score(players, variant, config)), "points as they stand, by seat"),
        Field(
            "stacks",
            (players, MAX_STACK),
            KINDS + len(COLOURS),
            f"each stack from its bottom: 0 none, 1 + plate kind, {COLOUR_CODE} + colour where the type is not shown",
        ),
        Field("declared", (players, 2), 1, "Takoyaki, Onigiri declared in this challenge, by seat"),
        Field("guesses", (players, len(COLOURS)), CUBES_TAKOYAKI, "guesses in view in this challenge, by seat, colour"),
    ]
    if variant == MENU_VARIANT:
        table += [
            Field("menus", (players, NUM_MENUS), 1, "menus held and in view, by seat and menu"),
            Field("menus_held", seats, NUM_MENUS, "menus held, by seat"),
            Field("offered", (2, NUM_MENUS), 1, "the first and the second menu to choose from, to whom they are shown"),
        ]
    return table


def table_fields(num_players: int, variant: str, config: Config) -> list[Field]:
    """The fields that all seats see alike."""
    plates, dishes, deck = np.array(config.plates), np.array(config.dishes), DECK_SIZE[num_players]
    red = np.array(config.red_dishes)
    table = [
        Field("phase", (len(PHASES),), 1, "what is decided: " + ", ".join(PHASES)),
        Field("purpose", (len(EFFECTS),), 1, "in phase SPACE, what a space is chosen for: " + ", ".join(EFFECTS)),
        Field(
            "after", (len(TURN_PHASES),), 1, "what goes on after a decision within a turn: " + ", ".join(TURN_PHASES)
        ),
        Field("belt", (SPACES, PLATE_BYTES), 1, "the plate on each space: its colour, then its type"),
        Field("tiles", (len(TILES), len(STAFF)), 1, "who is at each tile position, by position and staff kind"),
        Field("discard_top", (NUM_DISHES,), 1, "the top of the discard pile"),
        Field("discard_pile", (PILE_SHOWN,), NUM_DISHES, "the discard pile from its top: 0 none, 1 + dish"),
        Field("bag_size", (), int(plates.sum()), "plates in the bag"),
        Field("bag", (KINDS,), plates, "plates in the bag, by kind"),
        Field("trash", (KINDS,), plates, "plates in the Trash, by kind"),
        Field("deck_left", (), deck, "cards in the deck"),
        Field("wasabi_left", (), WASABI_CARDS, "Wasabi cards not yet revealed"),
        Field("pool", (DISH_CARDS,), np.stack([dishes - red, red], 1).ravel(), "dish cards not yet revealed, by card"),
        Field("drawn", (2, PLATE_BYTES), 1, "the plates that Satsuki has drawn: colour, then type"),
        Field("last_turn", (), 1, "1 in the last turn of the game"),
    ]
    if variant == MENU_VARIANT:
        table.append(Field("menu_deck_left", (), NUM_MENUS, "menus in the menu deck"))
    return table


def max_yen(num_players: int, config: Config) -> int:
    """More yen than anyone can have: all that there is at the start, and all that all players can come to."""
    worth = {EDAMAME: EDAMAME_YEN, TEMPURA: TEMPURA_YEN, ONIGIRI: ONIGIRI_YEN, FUGU: FUGU_YEN}
    by_dishes = sum(config.dishes[dish] * yen for dish, yen in worth.items())
    return num_players * START_YEN + DECK_SIZE[num_players] + by_dishes


def max_cubes(num_players: int) -> int:
    """More cubes than anyone can have: one of Sakura a turn, and all of every challenge."""
    return DECK_SIZE[num_players] // num_players + WASABI_CARDS * CUBES_TAKOYAKI


def max_score(num_players: int, variant: str, config: Config) -> int:
    """More points than anyone can have: a bound by the config, not a score that can be had."""
    sets = max(MAX_STACK * points // size for size, points in enumerate(config.set_points, 1))
    menus = sum(config.menu_points) if variant == MENU_VARIANT else 0
    return MAX_STACK - 1 + sets + config.most_dishes + config.dishes[GYOZA] + max_cubes(num_players) + menus


@cache
def layout(num_players: int, variant: str = "standard", config: Config = DEFAULT) -> Layout:
    """The layout of observations at a table; the same for every observation setting."""
    return Layout(fields(num_players, variant, config))


@cache
def offsets(num_players: int, variant: str = "standard") -> NDArray[np.int64]:
    """int64[34]: where each field starts, in the order of `FIELD_NAMES`; -1 where the table has none."""
    slices = layout(num_players, variant).slices
    return np.array([slices[name].start if name in slices else -1 for name in FIELD_NAMES], np.int64)


FIELD_NAMES = tuple(field.name for field in fields(2, MENU_VARIANT))
"""Every field's name."""
(
    TURN_SEEN,
    TO_ACT_SEEN,
    PLACES_SEEN,
    YEN_SEEN,
    CUBES_SEEN,
    HANDS_SEEN,
    EATEN_SEEN,
    STACK_SIZES_SEEN,
    STACK_COLOURS,
    STACK_TYPES,
    TOPS,
    POINTS_SEEN,
    STACKS_SEEN,
    DECLARED_SEEN,
    GUESSES_SEEN,
    MENUS_SEEN,
    MENUS_HELD,
    OFFERED_SEEN,
    PHASE_SEEN,
    PURPOSE,
    AFTER,
    BELT_SEEN,
    TILES_SEEN,
    DISCARD_TOP,
    DISCARD_PILE,
    BAG_SIZE_SEEN,
    BAG_SEEN,
    TRASH_SEEN,
    DECK_LEFT_SEEN,
    WASABI_LEFT_SEEN,
    POOL_SEEN,
    DRAWN,
    LAST_TURN,
    MENU_DECK_LEFT,
) = range(len(FIELD_NAMES))
"""A field's place among them, by which compiled code finds its offset."""


def plate_bytes(kind: int) -> NDArray[np.uint8]:
    """uint8[12]: a plate one-hot."""
    shown = np.zeros(PLATE_BYTES, np.uint8)
    shown[COLOUR_OF[kind]] = 1
    shown[len(COLOURS) + TYPE_OF[kind]] = 1
    return shown
