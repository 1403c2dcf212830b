"""Sushi Boat's names and numbers as the plain reference knows them: nothing here comes from the engine.

A plate is a number, its kind: colour * 6 + type, and 24 for the white California roll. Dishes, staff and phases are
names. An action is a verb with an argument, `("place", 3)`; its number is its position in `ACTIONS`.
"""

from __future__ import annotations

COLOURS = ("red", "yellow", "green", "blue", "white")
TYPES = ("salmon", "shrimp", "octopus", "tuna", "egg", "roe", "california")
PLATES = (*(f"{colour} {kind}" for colour in COLOURS[:4] for kind in TYPES[:6]), "white california")
COPIES = (2,) * 24 + (6,)
"""How many plates of each kind there are: 54 in all."""
CALIFORNIA = 24

DISHES = ("Edamame", "Fugu", "Gyoza", "Miso Soup", "Mochi", "Onigiri", "Takoyaki", "Tempura")
GREEN_CARDS = {
    "Edamame": 2,
    "Fugu": 1,
    "Gyoza": 2,
    "Miso Soup": 1,
    "Mochi": 2,
    "Onigiri": 1,
    "Takoyaki": 2,
    "Tempura": 2,
}
RED_CARDS = {
    "Edamame": 2,
    "Fugu": 2,
    "Gyoza": 1,
    "Miso Soup": 2,
    "Mochi": 1,
    "Onigiri": 2,
    "Takoyaki": 1,
    "Tempura": 2,
}
ARROWS = ("green", "red")
CARDS = tuple((dish, arrow) for dish in DISHES for arrow in ARROWS)
"""Dish card number -> dish and arrow."""
CARD_COPIES = tuple({"green": GREEN_CARDS, "red": RED_CARDS}[arrow][dish] for dish, arrow in CARDS)
DECK_SIZE = {2: 20, 3: 24, 4: 24, 5: 25}
WASABI_CARDS = 4
HAND_LIMIT = 2

STAFF = ("Hiroshi", "Satsuki", "Neko", "Yuki & Takeshi", "Momoko", "Akiko", "Sakura")
STAFF_TILES = ("Hiroshi", "Satsuki", "Neko", "Neko", "Yuki & Takeshi", "Momoko", "Akiko", "Sakura")
"""The eight tiles, in order of their kind."""

PLACES = ("L1", "C1", "R1", "L2", "C2", "R2", "L3", "C3", "R3")
OFF = -1
"""Where a pawn is that is not on the board."""
SPACES_OF = {
    "L1": (1,),
    "C1": (0, 13),
    "R1": (12,),
    "L2": (3,),
    "C2": (2, 11),
    "R2": (10,),
    "L3": (5,),
    "C3": (4, 9),
    "R3": (8,),
}
FOUR_PLUS = ("R1", "L2", "R3")
STAFF_PLACES = ("L1", "C1", "R2", "L3", "C3")
"""The places with a staff space: tile positions 0 to 4. Positions 5 to 7 are the tiles set aside."""
BELT = 14
TUNNEL = (6, 7)
VISIBLE = tuple(space for space in range(BELT) if space not in TUNNEL)

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


def spaces_at(place: int) -> tuple[int, ...]:
    """The belt spaces in reach of a place."""
    return SPACES_OF[PLACES[place]]


def row_of(place: int) -> int:
    """The row, 0 to 2, of a place."""
    return place // 3


def open_to(place: int, num_players: int) -> bool:
    """Whether this many players may sit there: '4+' places are for 4 and 5."""
    return num_players >= 4 or PLACES[place] not in FOUR_PLUS


def tile_position(place: int) -> int | None:
    """The tile position beside a place; None where there is no staff space."""
    return STAFF_PLACES.index(PLACES[place]) if PLACES[place] in STAFF_PLACES else None
