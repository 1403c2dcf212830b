"""Positions of Sushi Boat put together by hand: words and what differs from an ordinary table in, a snapshot out.

A position is what `Reference.snapshot()` gives, of a START, MOVE, ACT, EAT or END, and `num_players` and `with_menus`.
The ordinary table: space k of the belt holds a plate of kind k (0 to 5 red, 6 to 11 yellow, 12 and 13 green), everyone
has 2 yen and nothing else, pawns are off the board, the deck holds no Wasabi card and more than one turn. All 54
plates are somewhere: those not told of lie in the bag, else (the bag is told) in the Trash, else in the stacks of
seats whose stack is not told.
"""

from __future__ import annotations

from itertools import chain
from typing import Any

from tests.boat_facts import (
    BELT,
    CARD_COPIES,
    CARDS,
    COPIES,
    DISHES,
    MENUS,
    OFF,
    PLACES,
    PLATES,
    STAFF,
    STAFF_PLACES,
    STAFF_TILES,
)

BySeat = dict[int, str]


def listed(text: str) -> list[str]:
    """The words between the commas."""
    return [word.strip() for word in text.split(",") if word.strip()]


def plates(text: str) -> list[int]:
    """`"red egg, white california"` -> kinds."""
    return [PLATES.index(word) for word in listed(text)]


def dishes(text: str) -> list[int]:
    """`"Fugu, Gyoza"` -> kinds, in the order told."""
    return [DISHES.index(word) for word in listed(text)]


def counted(kinds: list[int], width: int) -> list[int]:
    """How many of each kind."""
    return [kinds.count(kind) for kind in range(width)]


def position(
    num_players: int = 3,
    to_act: int = 0,
    phase: str = "ACT",
    *,
    belt: BySeat | None = None,
    stacks: BySeat | None = None,
    bag: str | None = None,
    trash: str | None = None,
    pawns: BySeat | None = None,
    tiles: dict[str, str] | None = None,
    hands: BySeat | None = None,
    eaten: BySeat | None = None,
    discard: str = "",
    pool: str | None = None,
    yen: dict[int, int] | None = None,
    cubes: dict[int, int] | None = None,
    deck_left: int = 8,
    wasabi_left: int = 0,
    menus: dict[int, list[int]] | None = None,
    menu_deck: list[int] | None = None,
) -> dict[str, Any]:
    """A position; what is told by seat, by space or by place is told only where it differs from the ordinary.

    `belt`: "" for a gap. `pool`: the dish cards unseen, "Fugu red"; all that are nowhere else if not told. `tiles`: the
    staff at places; the other tiles fill the other places and the three positions aside in order. Menus are on where
    `menus` or `menu_deck` is told.
    """
    seats = range(num_players)
    on_hand = [dishes((hands or {}).get(seat, "")) for seat in seats]
    used = [dishes((eaten or {}).get(seat, "")) for seat in seats]
    pile = dishes(discard)
    held = [list((menus or {}).get(seat, [])) for seat in seats]
    with_menus = menus is not None or menu_deck is not None
    if menu_deck is None:
        menu_deck = [m for m in range(MENUS) if m not in chain(*held)] if with_menus else []
    return {
        "num_players": num_players,
        "with_menus": with_menus,
        "to_act": to_act,
        "phase": phase,
        "deck_left": deck_left,
        "wasabi_left": wasabi_left,
        "pool": _unseen([*chain(*on_hand, *used), *pile], pool),
        **_plates(num_players, belt or {}, stacks or {}, bag, trash),
        "discard": pile,
        "tiles": _tiles(tiles or {}),
        "pawns": [PLACES.index(pawns[seat]) if pawns and seat in pawns else OFF for seat in seats],
        "yen": [(yen or {}).get(seat, 2) for seat in seats],
        "cubes": [(cubes or {}).get(seat, 0) for seat in seats],
        "hands": [counted(hand, len(DISHES)) for hand in on_hand],
        "eaten": [counted(dish, len(DISHES)) for dish in used],
        "satsuki": [],
        "declared": [[0, 0] for _ in seats],
        "guesses": [[] for _ in seats],
        "menus": held,
        "offered": [],
        "menu_deck": menu_deck,
        "draws": 0,
        "done": False,
    }


def _plates(
    num_players: int, belt: BySeat, stacks: BySeat, bag: str | None, trash: str | None
) -> dict[str, list[int] | list[list[int]]]:
    """Belt, stacks, bag and Trash, with all 54 plates."""
    on_belt = [plates(belt[space])[0] if belt.get(space) else -1 for space in range(BELT)]
    on_belt = [plate if space in belt else space for space, plate in enumerate(on_belt)]
    all_stacks = [plates(stacks.get(seat, "")) for seat in range(num_players)]
    in_bag, in_trash = plates(bag or ""), plates(trash or "")
    told = [plate for plate in [*on_belt, *chain(*all_stacks), *in_bag, *in_trash] if plate >= 0]
    left = [copies - told.count(kind) for kind, copies in enumerate(COPIES)]
    assert min(left) >= 0, f"there are not so many {PLATES[left.index(min(left))]}"
    rest = [kind for kind, count in enumerate(left) for _ in range(count)]
    if bag is None:
        in_bag += rest
    elif trash is None:
        in_trash += rest
    else:
        free = [seat for seat in range(num_players) if seat not in stacks]
        for i, plate in enumerate(rest):
            all_stacks[free[i % len(free)]].append(plate)
    return {
        "belt": on_belt,
        "stacks": all_stacks,
        "bag": counted(in_bag, len(COPIES)),
        "trash": counted(in_trash, len(COPIES)),
    }


def _tiles(at_places: dict[str, str]) -> list[int]:
    """The eight tile positions."""
    left = list(STAFF_TILES)
    for staff in at_places.values():
        left.remove(staff)
    at = [*STAFF_PLACES, *[""] * (len(STAFF_TILES) - len(STAFF_PLACES))]
    return [STAFF.index(at_places[place] if place in at_places else left.pop(0)) for place in at]


def _unseen(seen: list[int], pool: str | None) -> list[int]:
    """The cards of the pool: as told, or all but one for each dish `seen`, green ones seen first."""
    if pool is not None:
        names = [f"{dish} {arrow}" for dish, arrow in CARDS]
        return counted([names.index(word) for word in listed(pool)], len(CARDS))
    left = list(CARD_COPIES)
    for dish in seen:
        green, red = 2 * dish, 2 * dish + 1
        left[green if left[green] > 0 else red] -= 1
    assert min(left) >= 0
    return left
