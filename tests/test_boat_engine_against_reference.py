"""Random games of Sushi Boat, engine and plain reference side by side, every field at every decision.

`make proof` plays 5,000 a table.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import fields
from typing import Any

import pytest

from sushigo_env.sushi_boat.cards import Config
from sushigo_env.sushi_boat.game import SushiBoat
from tests.boat_agreement import STYLES, check_games
from tests.boat_facts import USUAL, Values

OTHER: dict[str, Any] = {
    "plates": (3, 1, *(2,) * 22, 8),
    "reach": ((0,), (12,), (1, 3), (2, 10), (13,), (11,), (4,), (5, 8), (9,)),
    "large_places": ("C3", "L2", "C2", "R2"),
    "staff_places": ("R3", "C3", "R1", "C2", "L1"),
    "dishes": (3, 4, 3, 2, 3, 4, 4, 4),
    "red_dishes": (3, 1, 0, 1, 2, 2, 4, 1),
    "set_points": (1, 2, 4, 6, 9, 12, 16),
    "most_dishes": 7,
    "second_dishes": 3,
    "menu_points": (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20),
    "menu_plates": 2,
}
"""No value is as usual. As many places are '4+' ones as may be, two with staff; R1's spaces share a neighbour."""
at_tables = pytest.mark.parametrize(
    ("num_players", "menus"), [(players, menus) for players in (2, 3, 4, 5) for menus in (False, True)]
)
TURNS = {2: 20, 3: 24, 4: 24, 5: 25}


@at_tables
def test_engine_and_reference_agree(num_players: int, menus: bool) -> None:
    seen: Counter[str] = Counter()
    for style in STYLES:
        game = SushiBoat(6, num_players, variant="menus" if menus else "standard")
        seen += check_games(game, SushiBoat.snapshot, menus, first_seed=0, style=style)
    assert seen["END end turn"] == 6 * len(STYLES) * TURNS[num_players]


@at_tables
def test_they_agree_where_no_value_is_as_usual(num_players: int, menus: bool) -> None:
    seen: Counter[str] = Counter()
    for style in STYLES:
        game = SushiBoat(3, num_players, variant="menus" if menus else "standard", config=Config(**OTHER))
        seen += check_games(game, SushiBoat.snapshot, menus, 50, style, values=Values(**OTHER))
    assert seen["END end turn"] == 3 * len(STYLES) * TURNS[num_players]
    assert seen["ACT visit"] > 0


def test_the_two_sides_know_the_same_values() -> None:
    names = [field.name for field in fields(Config)]
    assert [field.name for field in fields(Values)] == list(OTHER) == names
    for name in names:
        assert getattr(USUAL, name) == getattr(Config(), name)
        assert getattr(USUAL, name) != OTHER[name]
