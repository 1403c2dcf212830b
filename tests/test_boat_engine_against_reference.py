"""Random games of Sushi Boat, engine and plain reference side by side, every field at every decision.

`make proof` plays 5,000 a table.
"""

from __future__ import annotations

from collections import Counter

import pytest

from sushigo_env.sushi_boat.game import SushiBoat
from tests.boat_agreement import STYLES, check_games


@pytest.mark.parametrize("menus", [False, True], ids=["standard", "menus"])
@pytest.mark.parametrize("num_players", [2, 3, 4, 5])
def test_engine_and_reference_agree(num_players: int, menus: bool) -> None:
    seen: Counter[str] = Counter()
    for style in STYLES:
        game = SushiBoat(6, num_players, variant="menus" if menus else "standard")
        seen += check_games(game, SushiBoat.snapshot, menus, first_seed=0, style=style)
    turns = {2: 20, 3: 24, 4: 24, 5: 25}[num_players]
    assert seen["END end turn"] == 6 * len(STYLES) * turns
