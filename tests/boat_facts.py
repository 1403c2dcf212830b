"""Sushi Boat's names and numbers as the plain reference knows them: nothing here comes from the engine.

A plate is a number, its kind: colour * 6 + type, and 24 for the white California roll. Dishes, staff and phases are
names. An action is a verb with an argument, `("place", 3)`; its number is its position in `ACTIONS`.
"""

from __future__ import annotations

from dataclasses import dataclass

COLOURS = ("red", "yellow", "green", "blue", "white")
TYPES = ("salmon", "shrimp", "octopus", "tuna", "egg", "roe", "california")
PLATES = (*(f"{colour} {kind}" for colour in COLOURS[:4] for kind in TYPES[:6]), "white california")
CALIFORNIA = 24

DISHES = ("Edamame", "Fugu", "Gyoza", "Miso Soup", "Mochi", "Onigiri", "Takoyaki", "Tempura")
ARROWS = ("green", "red")
CARDS = tuple((dish, arrow) for dish in DISHES for arrow in ARROWS)
"""Dish card number -> dish and arrow."""
DECK_SIZE = {2: 20, 3: 24, 4: 24, 5: 25}
WASABI_CARDS = 4
HAND_LIMIT = 2

STAFF = ("Hiroshi", "Satsuki", "Neko", "Yuki & Takeshi", "Momoko", "Akiko", "Sakura")
STAFF_TILES = ("Hiroshi", "Satsuki", "Neko", "Neko", "Yuki & Takeshi", "Momoko", "Akiko", "Sakura")
"""The eight tiles, in order of their kind."""

PLACES = ("L1", "C1", "R1", "L2", "C2", "R2", "L3", "C3", "R3")
OFF = -1
"""Where a pawn is that is not on the board."""
BELT = 14
TUNNEL = (6, 7)
VISIBLE = tuple(space for space in range(BELT) if space not in TUNNEL)


@dataclass(frozen=True)
class Values:
    """The page's reconstructed values, by the names and in the order that it has them; if not told, as it has them."""

    plates: tuple[int, ...] = (*(2,) * 24, 6)
    reach: tuple[tuple[int, ...], ...] = ((1,), (0, 13), (12,), (3,), (2, 11), (10,), (5,), (4, 9), (8,))
    large_places: tuple[str, ...] = ("R1", "L2", "R3")
    staff_places: tuple[str, ...] = ("L1", "C1", "R2", "L3", "C3")
    dishes: tuple[int, ...] = (4, 3, 3, 3, 3, 3, 3, 4)
    red_dishes: tuple[int, ...] = (2, 2, 1, 2, 1, 2, 1, 2)
    set_points: tuple[int, ...] = (0, 0, 1, 2, 4, 7, 11)
    most_dishes: int = 5
    second_dishes: int = 2
    menu_points: tuple[int, ...] = (*(5,) * 7, *(7,) * 6, *(5,) * 7)
    menu_plates: int = 3

    def card_copies(self) -> list[int]:
        """How many dish cards there are of each number in `CARDS`: green, red, green, red ..."""
        copies = []
        for all_, red in zip(self.dishes, self.red_dishes, strict=True):
            copies += [all_ - red, red]
        return copies

    def open_to(self, place: int, num_players: int) -> bool:
        """Whether this many players may sit there: '4+' places are for 4 and 5."""
        return num_players >= 4 or PLACES[place] not in self.large_places

    def tile_position(self, place: int) -> int | None:
        """The tile position beside a place; None where there is no staff space."""
        return self.staff_places.index(PLACES[place]) if PLACES[place] in self.staff_places else None


USUAL = Values()
COPIES = USUAL.plates
"""How many plates of each kind there are by the usual values: 54 in all."""
CARD_COPIES = tuple(USUAL.card_copies())
STAFF_PLACES = USUAL.staff_places
"""The usual places with a staff space: tile positions 0 to 4. Positions 5 to 7 are the tiles set aside."""

FUGU_PAIRS = tuple((a, b) for a in range(5) for b in range(a + 1, 5))
MENU_COLOURS = tuple((a, b) for a in range(4) for b in range(a + 1, 4))
"""The colour pairs of menus 7 to 12."""
MENUS = 20

ACTIONS = (
    ("reveal", 0),
    *(("place", place) for place in range(9)),
    ("visit", 0),
    ("buy", 0),
    ("take a yen", 0),
    ("pass", 0),
    *(("space", space) for space in range(BELT)),
    ("eat nothing", 0),
    ("end turn", 0),
    ("special order", 0),
    *(("play", dish) for dish in range(8)),
    ("decline", 0),
    *(("trash", kind) for kind in range(25)),
    *(("tile", position) for position in range(8)),
    ("first top", 0),
    ("first bottom", 0),
    ("second top", 0),
    ("second bottom", 0),
    *(("pair", pair) for pair in range(10)),
    *(("depth", depth) for depth in range(1, 20)),
    *(("discard", dish) for dish in range(8)),
    *(("guess", colour) for colour in range(5)),
    ("order a menu", 0),
    ("keep first", 0),
    ("keep second", 0),
)
"""Action -> its verb and argument; the last three only with menus."""
NUMBER = {action: number for number, action in enumerate(ACTIONS)}


def in_words(verb: str, argument: int) -> str:
    """An action as people say it: `place L1`, `play Edamame`, `trash red egg`, `pair red-blue`, `space 3`."""
    words = {
        "place": PLACES,
        "play": DISHES,
        "discard": DISHES,
        "trash": PLATES,
        "guess": COLOURS,
        "pair": ["-".join(COLOURS[colour] for colour in pair) for pair in FUGU_PAIRS],
    }
    if verb in words:
        return f"{verb} {words[verb][argument]}"
    return f"{verb} {argument}" if verb in ("space", "tile", "depth") else verb


WORDS = tuple(in_words(verb, argument) for verb, argument in ACTIONS)
"""Action -> words."""


def colour_of(plate: int) -> int:
    """The colour, 0 to 4, of a plate."""
    return 4 if plate == CALIFORNIA else plate // 6


def type_of(plate: int) -> int:
    """The type, 0 to 6, of a plate."""
    return 6 if plate == CALIFORNIA else plate % 6


def opposite(space: int) -> int:
    """The space that faces a space."""
    return BELT - 1 - space


def row_of(place: int) -> int:
    """The row, 0 to 2, of a place."""
    return place // 3
