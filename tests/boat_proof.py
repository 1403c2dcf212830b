"""What `make proof` compares of Sushi Boat: chunks of random games, engine and plain reference side by side."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sushigo_env.sushi_boat.cards import DECK_SIZE, MENU_VARIANT, VARIANTS
from sushigo_env.sushi_boat.game import SushiBoat
from sushigo_env.sushi_boat.observation import OBSERVATIONS
from tests.boat_agreement import STYLES, check_games
from tests.boat_observation import expected

CHUNK, OBSERVED_OF = 20, 100
"""Games played side by side, all in one style, and of how many one is observed.

Chunk after chunk goes through the 8 styles, and the chunks with an observed game, each fifth, do too.
"""


@dataclass(frozen=True)
class BoatTable:
    """A table to play at; printed as its name."""

    num_players: int
    variant: str

    def __str__(self) -> str:
        return f"{self.num_players}-{self.variant}"


TABLES = [BoatTable(players, variant) for variant in VARIANTS for players in DECK_SIZE]
"""2 to 5 players, without menus and with them."""


def check(table: BoatTable, first_seed: int, count: int, observed: int) -> int:
    """Play the games of `count` seeds to their ends, the first `observed` with all they show; decisions compared.

    `AssertionError` at the first difference.
    """
    game = SushiBoat(count, table.num_players, variant=table.variant)
    style = [*STYLES][first_seed // CHUNK % len(STYLES)]
    menus = table.variant == MENU_VARIANT
    seen = check_games(game, SushiBoat.snapshot, menus, first_seed, style, lambda: check_observations(game, observed))
    return seen["decisions"]


def check_observations(game: SushiBoat, observed: int) -> None:
    """Every byte of every seat's observation under every setting, in the first `observed` games."""
    tables = [game.snapshot(index) for index in range(observed)]
    for setting in OBSERVATIONS if observed else ():
        for index, table in enumerate(tables):
            for seat, seen in enumerate(game.observe(setting)[index]):
                wanted = expected(game, index, seat, setting, table=table)
                if not np.array_equal(seen, wanted):
                    wrong = [name for name, at in game.layout.slices.items() if (seen[at] != wanted[at]).any()]
                    where = f"{game.num_players} players, {game.variant}, seed {game.table.seed[index]}"
                    decision = game.table.num_actions[index]
                    raise AssertionError(f"{where}, decision {decision}, seat {seat}, {setting}: {', '.join(wrong)}")
