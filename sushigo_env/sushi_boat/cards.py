"""Plates, side dishes, staff, places and menus of Sushi Boat, and the values that are ours, in `Config`.

The rule text that this game is built from has lost some pictures and tables. What had to be reconstructed agrees with
every statement and example of the text, but it is not the printed value; it stands in `Config`, so that an owner of
the box can put the printed values in. Fixed, though reconstructed, are the belt's length, its tunnel, what lies across
it, the rows of places, the types of plates and the kinds of side dishes and menus: names of actions and the room in a
state rest on them. Everything else here is the text's.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from sushigo_env.errors import SettingError

COLOURS = ("red", "yellow", "green", "blue", "white")
(RED, YELLOW, GREEN, BLUE, WHITE) = range(5)
TYPES = ("salmon", "shrimp", "octopus", "tuna", "egg", "roe", "california")
CALIFORNIA = 6
PLATES: tuple[str, ...] = (
    *(f"{colour} {kind}" for colour in COLOURS[:WHITE] for kind in TYPES[:CALIFORNIA]),
    "white california",
)
"""Names by plate kind: colour * 6 + type for the coloured ones, then the white California roll."""
KINDS = len(PLATES)
WHITE_PLATE = KINDS - 1
COLOUR_OF = np.array([*np.repeat(np.arange(WHITE), CALIFORNIA), WHITE], np.uint8)
"""uint8[25]: a plate's colour."""
TYPE_OF = np.array([*np.tile(np.arange(CALIFORNIA), WHITE), CALIFORNIA], np.uint8)
"""uint8[25]: a plate's type."""

DISHES = ("Edamame", "Fugu", "Gyoza", "Miso Soup", "Mochi", "Onigiri", "Takoyaki", "Tempura")
(EDAMAME, FUGU, GYOZA, MISO_SOUP, MOCHI, ONIGIRI, TAKOYAKI, TEMPURA) = range(8)
NUM_DISHES = len(DISHES)
DISH_CARDS = 2 * NUM_DISHES
"""Kinds of dish cards: dish * 2 + arrow, arrow 0 green, 1 red."""
HAND_LIMIT = 2
"""Side dishes that a player may hold."""
WASABI_CARDS = 4

STAFF = ("Hiroshi", "Satsuki", "Neko", "Yuki & Takeshi", "Momoko", "Akiko", "Sakura")
(HIROSHI, SATSUKI, NEKO, YUKI, MOMOKO, AKIKO, SAKURA) = range(7)
TILES = (HIROSHI, SATSUKI, NEKO, NEKO, YUKI, MOMOKO, AKIKO, SAKURA)
"""The staff kinds of the 8 tiles, in order of kind."""

SPACES = 14
"""Spaces of the belt: 0 is its start, from 13 a plate falls into the Trash."""
TUNNEL = (6, 7)
"""The spaces that nobody can see or reach."""
PLACES = ("L1", "C1", "R1", "L2", "C2", "R2", "L3", "C3", "R3")
"""The seats at the belt; row of a place: place // 3."""
NUM_PLACES = len(PLACES)
MAX_LARGE_PLACES = 4
"""Most '4+' places that a config may have: with 5 open, 2 and 3 players without a yen always find one to move to."""
STAFF_SPACES = 5
"""Places with a staff space; the other tiles are set aside."""
COLOUR_PAIRS = tuple((first, second) for first in range(WHITE) for second in range(first + 1, WHITE))
"""The pairs of the four colours, which six menus ask for."""
FUGU_PAIRS = tuple((first, second) for first in range(WHITE + 1) for second in range(first + 1, WHITE + 1))
"""The pairs of the five colours, which a Fugu may name."""

MENUS: tuple[str, ...] = (
    "most plates",
    "all 7 types and at least 2 side dishes eaten",
    "no side dishes eaten",
    "most cubes",
    "at least 3 whites",
    "fewest plates",
    "at least 5 side dishes eaten",
    *(f"at least 4 {COLOURS[first]} and 4 {COLOURS[second]}" for first, second in COLOUR_PAIRS),
    *(f"at least 3 {kind}" for kind in TYPES[:CALIFORNIA]),
    "most side dishes eaten",
)
NUM_MENUS = len(MENUS)
(MOST_PLATES, ALL_TYPES, NO_DISHES, MOST_CUBES, MANY_WHITES, FEWEST_PLATES, MANY_DISHES, FIRST_PAIR) = range(8)
FIRST_TYPE, MOST_DISHES_EATEN = FIRST_PAIR + len(COLOUR_PAIRS), NUM_MENUS - 1

DECK_SIZE = {2: 20, 3: 24, 4: 24, 5: 25}
"""Players -> cards in the deck, Wasabi cards included; each card is a turn."""
SEATS = max(DECK_SIZE)
"""Players at the largest table."""
MAX_STACK = 20
"""Plates in the largest stack: 10 turns of 2 players, two plates each."""
START_YEN = 2
FIRST_TRASH = 3
"""Plates drawn into the Trash before the first turn."""
CUBES_GUESSED, CUBES_TAKOYAKI = 2, 3
"""Guesses in a challenge, without and with a Takoyaki."""
MENU_VARIANT = "menus"
VARIANTS: dict[str, tuple[int, ...]] = {"standard": tuple(DECK_SIZE), MENU_VARIANT: tuple(DECK_SIZE)}
"""Variant -> numbers of players, the usual variant first."""
MAX_PLATES = 127
"""Most plates that a config may have: the kernels count in bytes."""
MAX_DISH_CARDS = 32
"""Most dish cards that a config may have."""
MAX_POINTS = 20
"""Most points that a config may give for a set, a majority or a menu."""


@dataclass(frozen=True)
class Config:
    """The reconstructed values: they agree with the rule text, but are ours. `SettingError` for impossible ones."""

    plates: tuple[int, ...] = (*(2,) * WHITE_PLATE, 6)
    """Plates by kind [25]: 2 of each coloured type in each colour, 6 whites."""
    reach: tuple[tuple[int, ...], ...] = ((1,), (0, 13), (12,), (3,), (2, 11), (10,), (5,), (4, 9), (8,))
    """Spaces that each of the 9 places touches; with two, one is eaten from."""
    large_places: tuple[str, ...] = ("R1", "L2", "R3")
    """The '4+' places, open to 4 or 5 players only."""
    staff_places: tuple[str, ...] = ("L1", "C1", "R2", "L3", "C3")
    """Places with a staff space [5], in order: tile positions 0 to 4; 5 to 7 are the tiles set aside."""
    dishes: tuple[int, ...] = (4, 3, 3, 3, 3, 3, 3, 4)
    """Cards by side dish [8]."""
    red_dishes: tuple[int, ...] = (2, 2, 1, 2, 1, 2, 1, 2)
    """How many of these have the red arrow [8]."""
    set_points: tuple[int, ...] = (0, 0, 1, 2, 4, 7, 11)
    """Points of a set of 1 to 7 different types [7]; it must be convex, so that greedy sets are the best."""
    most_dishes: int = 5
    """Points for most side dishes eaten."""
    second_dishes: int = 2
    """Points for second most."""
    menu_points: tuple[int, ...] = (5, 5, 5, 5, 5, 5, 5, 7, 7, 7, 7, 7, 7, 5, 5, 5, 5, 5, 5, 5)
    """Points by menu [20]."""
    menu_plates: int = 3
    """Plates of a type that the menus 13 to 18 ask for."""

    def __post_init__(self) -> None:
        for name, length in (("plates", 25), ("dishes", 8), ("red_dishes", 8), ("set_points", 7), ("menu_points", 20)):
            _check_numbers(name, getattr(self, name), length)
        for name in ("most_dishes", "second_dishes", "menu_plates"):
            _check_numbers(name, (getattr(self, name),), 1)
        if sum(self.plates) > MAX_PLATES or sum(self.plates[:WHITE_PLATE]) < SPACES + FIRST_TRASH:
            few = SPACES + FIRST_TRASH
            raise SettingError(f"plates must add up to {MAX_PLATES} at most, {few} of them coloured at least.")
        needed = max(DECK_SIZE.values()) - WASABI_CARDS
        if not needed <= sum(self.dishes) <= MAX_DISH_CARDS:
            raise SettingError(f"dishes must add up to {needed} to {MAX_DISH_CARDS}, not {sum(self.dishes)}.")
        if any(red > all_ for red, all_ in zip(self.red_dishes, self.dishes, strict=True)):
            raise SettingError("red_dishes must be no more than dishes, dish by dish.")
        points = (*self.set_points, *self.menu_points, self.most_dishes, self.second_dishes)
        if max(points) > MAX_POINTS:
            raise SettingError(f"points must be {MAX_POINTS} at most, not {max(points)}.")
        if self.menu_plates > MAX_STACK:
            raise SettingError(f"menu_plates must be {MAX_STACK} at most, the largest stack, not {self.menu_plates}.")
        steps = np.diff((0, *self.set_points))
        if (np.diff(steps) < 0).any():
            raise SettingError(f"set_points must be convex (each step at least the one before), not {self.set_points}.")
        self._check_reach()
        _check_places("large_places", self.large_places, 0, MAX_LARGE_PLACES)
        _check_places("staff_places", self.staff_places, STAFF_SPACES, STAFF_SPACES)

    def _check_reach(self) -> None:
        given: Any = self.reach
        by_place = given if isinstance(given, tuple) and len(given) == NUM_PLACES else ()
        if not by_place or not all(isinstance(spaces, tuple) and 1 <= len(spaces) <= 2 for spaces in by_place):
            raise SettingError(f"reach must be {NUM_PLACES} tuples, of 1 or 2 spaces for each place, not {given!r}.")
        spaces = [space for spaces in by_place for space in spaces]
        visible = [space for space in range(SPACES) if space not in TUNNEL]
        if any(type(space) is not int for space in spaces) or sorted(spaces) != visible:
            raise SettingError("reach must give each visible space (0 to 5, 8 to 13) to one place.")

    def open_places(self, num_players: int) -> tuple[int, ...]:
        """The places (0..8) open to a number of players: the '4+' ones to 4 or 5 only."""
        return tuple(i for i, name in enumerate(PLACES) if num_players >= 4 or name not in self.large_places)

    def tile_position(self, place: int) -> int:
        """The tile position (0..4) at a place (0..8), or -1 without a staff space."""
        name = PLACES[place]
        return self.staff_places.index(name) if name in self.staff_places else -1

    def to_json(self) -> dict[str, Any]:
        """The values as a JSON-ready dict, by name."""
        return {field.name: _plain(getattr(self, field.name)) for field in fields(self)}


def _check_numbers(name: str, given: Any, length: int) -> None:
    whole = isinstance(given, tuple) and all(type(number) is int and number >= 0 for number in given)
    if not whole or len(given) != length:
        kind = "a whole number" if length == 1 else f"a tuple of {length} whole numbers"
        raise SettingError(f"{name} must be {kind} from 0 on, not {given[0] if length == 1 else given!r}.")


def _check_places(name: str, given: Any, fewest: int, most: int) -> None:
    names = given if isinstance(given, tuple) else ()
    known = isinstance(given, tuple) and all(isinstance(place, str) and place in PLACES for place in names)
    if not known or len(set(names)) != len(names) or not fewest <= len(names) <= most:
        count = str(most) if fewest == most else f"at most {most}"
        raise SettingError(f"{name} must be a tuple of {count} different ones of {', '.join(PLACES)}, not {given!r}.")


def _plain(value: Any) -> Any:
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


def deck_size(num_players: int) -> int:
    """Cards in the deck, which is turns of the game; `SettingError` for a number of players that the rules lack."""
    whole = isinstance(num_players, int | np.integer) and not isinstance(num_players, bool)
    if not whole or num_players not in DECK_SIZE:
        raise SettingError(f"num_players must be 2, 3, 4 or 5, not {num_players!r}.")
    return DECK_SIZE[num_players]


DEFAULT = Config()
"""What is played with where no other values are given."""
TILE_POSITIONS = (*DEFAULT.staff_places, "aside 1", "aside 2", "aside 3")
"""Names of the tile positions in actions: the places they are at by the usual `Config`, whatever a table's config is.

So the words of an action, and with them a record, mean the same at every table.
"""
