"""Sushi Boat with next to no plates left to draw, engine and plain reference side by side from a position to the end.

Bags that run empty are rare in random games. Here all but 0 to 3 plates of bag and Trash leave a game on its way, as in
a box of fewer plates; the belt runs dry soon.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from sushigo_env.sushi_boat.game import SushiBoat
from tests.boat_agreement import STYLES, chance_of, choose, play_on
from tests.boat_engine_table import EngineTable
from tests.boat_facts import COPIES
from tests.boat_positions import counted, position
from tests.boat_reference import Reference
from tests.boat_reference_table import spread

MAIN_PHASES = ("START", "MOVE", "ACT", "EAT", "END")
DECISIONS = (25, 60)
"""How far a game has come when the plates leave it, at least."""


def on_its_way(num_players: int, menus: bool, seed: int, decisions: int) -> dict[str, Any]:
    """A main phase of a random game, as a position."""
    game, pick = Reference(num_players, menus, chance_of(seed)), random.Random(seed)
    while decisions > 0 or game.phase not in MAIN_PHASES:
        game.step(choose(game.legal(), game.phase, STYLES["staff"], pick.getrandbits(64)))
        decisions -= 1
    return {**game.snapshot(), "num_players": num_players, "with_menus": menus, "draws": 0}


def with_few(before: dict[str, Any], in_bag: int, in_trash: int) -> dict[str, Any]:
    """The position with these many plates in bag and Trash, of those that were there."""
    left = random.Random(in_bag).sample(spread(before["bag"]) + spread(before["trash"]), in_bag + in_trash)
    return {**before, "bag": counted(left[:in_bag], len(COPIES)), "trash": counted(left[in_bag:], len(COPIES))}


def play_out(start: dict[str, Any], seed: int, style: str) -> Counter[str]:
    """Play a position to its end on both sides; what came up."""
    engine = EngineTable(start, seed).game
    reference = Reference(start["num_players"], start["with_menus"], chance_of(seed), start)
    return play_on(engine, SushiBoat.snapshot, [reference], [seed], style)


@pytest.mark.parametrize("menus", [False, True], ids=["standard", "menus"])
@pytest.mark.parametrize("num_players", [2, 3, 4, 5])
def test_engine_and_reference_agree_with_few_plates_left(num_players: int, menus: bool) -> None:
    seen: Counter[str] = Counter()
    for in_bag in range(4):
        for in_trash in range(4 - in_bag):
            seed = 10 * in_bag + in_trash
            style = [*STYLES][seed % len(STYLES)]
            before = on_its_way(num_players, menus, seed, DECISIONS[seed % 2])
            seen += play_out(with_few(before, in_bag, in_trash), seed, style)
    for what in ("bag refilled", "EAT eat nothing", "GUESS guess", "START reveal"):
        assert seen[what] > 0, what


@pytest.mark.parametrize("in_bag", range(4))
def test_they_agree_where_plates_are_asked_for_at_once(in_bag: int) -> None:
    """Satsuki beside the place, a Fugu in hand, a challenge to come."""
    seen: Counter[str] = Counter()
    for num_players in (2, 3, 4, 5):
        asking = position(
            num_players,
            pawns={0: "L1"},
            tiles={"L1": "Satsuki"},
            hands={0: "Fugu, Takoyaki"},
            stacks={0: "white california, white california"},
            yen={0: 4},
            wasabi_left=2,
            deck_left=6,
        )
        for seed, style in enumerate(("uniform", "staff", "challenge")):
            seen += play_out(with_few(asking, in_bag, 0), seed, style)
    assert seen["visit Satsuki"] > 0 or in_bag == 0
    assert seen["one plate drawn"] > 0 or in_bag != 1
    assert seen["no plate for Fugu"] > 0 or in_bag > 0
    assert seen["DECLARE play Takoyaki"] > 0
