"""What a seat of Sushi Boat sees, worked out field by field from the words of docs/sushi_boat.md, in plain Python.

It knows a game by its snapshot and by what no snapshot tells: whose turn it is, what a space is chosen for, and who may
look through the own stack.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sushigo_env.sushi_boat.game import SushiBoat

PHASES = [
    "START",
    "MOVE",
    "ACT",
    "EAT",
    "END",
    "DISCARD",
    "SPACE",
    "TILE",
    "TRASH",
    "SATSUKI",
    "FUGU",
    "MOCHI",
    "MENU",
    "DECLARE",
    "GUESS",
    "OVER",
]  # in the order of the table
WITHIN_A_TURN = {"DISCARD", "SPACE", "TILE", "TRASH", "SATSUKI", "FUGU", "MOCHI", "MENU"}
WHITE_CALIFORNIA = 24


def colour_of(plate: int) -> int:
    return plate // 6


def type_of(plate: int) -> int:
    return 6 if plate == WHITE_CALIFORNIA else plate % 6


def one_hot(item: int, size: int) -> list[int]:
    return [int(i == item) for i in range(size)]


def plate_shown(plate: int) -> list[int]:
    return [0] * 12 if plate < 0 else one_hot(colour_of(plate), 5) + one_hot(type_of(plate), 7)


def counted(items: list[int], size: int) -> list[int]:
    return [items.count(i) for i in range(size)]


def padded(items: list[int], size: int) -> list[int]:
    return items + [0] * (size - len(items))


class Seen:
    """What one seat sees of game `index` under a setting; `onlooker` leaves the seat's own secrets out."""

    def __init__(self, game: SushiBoat, index: int, seat: int, setting: str, onlooker: bool, of: Any) -> None:
        self.of, self.table = of or game.snapshot(index), game.table
        self.game, self.index, self.setting, self.onlooker = game, index, setting, onlooker
        self.order = [(seat + away) % game.num_players for away in range(game.num_players)]
        self.seat, self.strict = seat, setting == "strict"

    def by_seat(self, values: list[Any]) -> list[Any]:
        return [values[seat] for seat in self.order]

    def looks(self, seat: int) -> bool:
        own_turn = seat == self.seat == int(self.table.turn[self.index])
        return not self.strict or (own_turn and bool(self.table.looked[self.index]))

    def shown_types(self, seat: int) -> list[int]:
        stack = self.of["stacks"][seat]
        return [type_of(plate) for plate in (stack if self.looks(seat) else stack[-1:])]

    def codes(self, seat: int) -> list[int]:
        stack = self.of["stacks"][seat]
        hidden = 0 if self.looks(seat) else len(stack) - 1
        return [26 + colour_of(plate) if i < hidden else 1 + plate for i, plate in enumerate(stack)]

    def is_open(self, seat: int) -> bool:
        """Whether a seat's secrets are shown to this viewer."""
        return self.setting == "full" or (seat == self.seat and not self.onlooker)

    def guesses(self, seat: int) -> list[int]:
        usual_in_view = self.table.stage[self.index] == 3 and self.of["declared"][seat] == [0, 0]
        return counted(self.of["guesses"][seat], 5) if usual_in_view or self.is_open(seat) else [0] * 5

    def menus(self, seat: int) -> list[int]:
        ended = self.of["done"] and not self.table.ended[self.index]
        return counted(self.of["menus"][seat], 20) if ended or self.is_open(seat) else [0] * 20

    def offered(self) -> list[list[int]]:
        shown = self.of["offered"] if self.setting == "full" or self.is_open(self.of["to_act"]) else []
        return [one_hot(menu, 20) for menu in [*shown, -1, -1][:2]]

    def turn(self) -> int:
        return -1 if self.of["done"] else int(self.table.turn[self.index])

    def fields(self) -> dict[str, Any]:
        of, players, over = self.of, self.game.num_players, self.of["done"]
        stacks, strict = of["stacks"], self.strict
        counted_openly = over and not self.table.ended[self.index]
        pile = of["discard"][::-1]
        back = int(self.table.back[self.index])
        after = back if of["phase"] in WITHIN_A_TURN and back < 5 else -1  # no turn goes on after the deal of menus
        purpose = int(self.table.effect[self.index]) if of["phase"] == "SPACE" else -1
        seen = {
            "turn": self.by_seat(one_hot(self.turn(), players)),
            "to_act": self.by_seat(one_hot(of["to_act"], players)),
            "places": self.by_seat([one_hot(place, 9) for place in of["pawns"]]),
            "yen": self.by_seat(of["yen"]),
            "cubes": self.by_seat(of["cubes"]),
            "hands": self.by_seat(of["hands"]),
            "eaten": self.by_seat(of["eaten"]),
            "stack_sizes": self.by_seat([len(stack) for stack in stacks]),
            "stack_colours": self.by_seat([counted([colour_of(p) for p in stack], 5) for stack in stacks]),
            "stack_types": [counted(self.shown_types(seat), 7) for seat in self.order],
            "tops": self.by_seat([plate_shown(stack[-1] if stack else -1) for stack in stacks]),
            "points": self.by_seat(of["scores"] if counted_openly or not strict else [0] * players),
            "stacks": [padded(self.codes(seat), 20) for seat in self.order],
            "declared": self.by_seat(of["declared"]),
            "guesses": [self.guesses(seat) for seat in self.order],
            "phase": one_hot(PHASES.index(of["phase"]), 16),
            "purpose": one_hot(purpose, 5),
            "after": one_hot(after, 5),
            "belt": [plate_shown(-1 if strict and k in (6, 7) else plate) for k, plate in enumerate(of["belt"])],
            "tiles": [one_hot(staff, 7) for staff in of["tiles"]],
            "discard_top": one_hot(pile[0] if pile else -1, 8),
            "discard_pile": padded([1 + dish for dish in (pile[:1] if strict else pile)], 26),
            "bag_size": sum(of["bag"]),
            "bag": [0] * 25 if strict else of["bag"],
            "trash": of["trash"],
            "deck_left": of["deck_left"],
            "wasabi_left": of["wasabi_left"],
            "pool": [0] * 16 if strict else of["pool"],
            "drawn": [plate_shown(plate) for plate in [*of["satsuki"], -1, -1][:2]],
            "last_turn": int(of["deck_left"] == 0 and not over),
        }
        if self.game.variant == "menus":
            seen |= {
                "menus": [self.menus(seat) for seat in self.order],
                "menus_held": self.by_seat([len(menus) for menus in of["menus"]]),
                "offered": self.offered(),
                "menu_deck_left": len(of["menu_deck"]),
            }
        return seen


def expected(
    game: SushiBoat, index: int, seat: int, setting: str, onlooker: bool = False, table: dict[str, Any] | None = None
) -> NDArray[np.uint8]:
    """uint8[D]: every byte that `seat` should see; `table` is the game's snapshot where it was taken already."""
    out = np.zeros(game.layout.size, np.uint8)
    fields = Seen(game, index, seat, setting, onlooker, table).fields()
    assert fields.keys() == game.layout.slices.keys()
    for name, value in fields.items():
        out[game.layout.slices[name]] = np.asarray(value).ravel()
    return out
