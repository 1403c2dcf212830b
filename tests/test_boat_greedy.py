"""`boat_greedy` in scenes made by hand, where the best is plain."""

from __future__ import annotations

import numpy as np
import pytest
from sushigo_agents.boat.greedy import BoatGreedy

from sushigo_env.sushi_boat import plays
from sushigo_env.sushi_boat.cards import (
    AKIKO,
    BLUE,
    GREEN,
    HIROSHI,
    MOMOKO,
    NEKO,
    RED,
    SAKURA,
    SATSUKI,
    WHITE_PLATE,
    YELLOW,
    YUKI,
)
from sushigo_env.sushi_boat.game import SushiBoat
from sushigo_env.sushi_boat.state import (
    ACT,
    BY_EDAMAME,
    CHOOSE_DEPTH,
    CHOOSE_MENU,
    CHOOSE_SPACE,
    CHOOSE_TILE,
    CHOOSE_TRASH,
    DECLARE,
    DISCARD_DISH,
    EAT,
    END,
    GUESS_COLOUR,
    MOVE,
    NAME_COLOURS,
    NONE,
    SATSUKI_DRAW,
    START,
)
from tests.boat_agents import action_of, kind_of, scene
from tests.boat_tools import dishes, put

L1, C1, R1, L2, C2, R2, L3, C3, R3 = range(9)
STAFF = [SAKURA, HIROSHI, SATSUKI, NEKO, AKIKO, NEKO, YUKI, MOMOKO]
"""Sakura at L1, Hiroshi at C1, Satsuki at R2, Neko at L3, Akiko at C3."""
RED_SALMON, RED_SHRIMP, RED_TUNA = (kind_of(RED, kind) for kind in (0, 1, 3))
BLUE_SALMON, BLUE_SHRIMP, GREEN_SALMON = kind_of(BLUE, 0), kind_of(BLUE, 1), kind_of(GREEN, 0)
GREENS = [GREEN_SALMON, GREEN_SALMON, kind_of(GREEN, 1)]
HIDDEN = {6: GREEN_SALMON, 7: BLUE_SALMON}
"""Plates in the tunnel."""
SIX_TYPES = [kind_of(colour, kind) for kind, colour in enumerate((RED, BLUE, RED, BLUE, RED, BLUE))]


def greedy(game: SushiBoat) -> BoatGreedy:
    return BoatGreedy("sushi_boat", game.num_players, game.variant)


PLAIN: dict[str, tuple[SushiBoat, str]] = {
    "a card is revealed": (scene(START, deck_left=10, yen=[3]), "reveal"),
    "a run goes on": (
        scene(EAT, pawns=[C2], belt={2: BLUE_SALMON, 11: RED_SALMON}, stack=[RED_SALMON]),
        "space 11",
    ),
    "a white between does not break it": (
        scene(EAT, pawns=[C2], belt={2: BLUE_SALMON, 11: RED_SALMON}, stack=[RED_SALMON, WHITE_PLATE]),
        "space 11",
    ),
    "the seventh type beats a run": (
        scene(EAT, pawns=[C2], belt={2: WHITE_PLATE, 11: BLUE_SHRIMP}, stack=SIX_TYPES),
        "space 2",
    ),
    "nothing lies there": (scene(EAT, pawns=[L1], stack=[RED_SALMON]), "eat nothing"),
    "it goes where the plate is": (
        scene(MOVE, pawns=[R2, L3], belt={3: BLUE_SALMON, 11: RED_SHRIMP, 5: GREEN_SALMON}, stack=[RED_SALMON]),
        "place C2",
    ),
    "it pays nobody for what is free": (
        scene(
            MOVE, pawns=[NONE, C1], yen=[1, 0], belt={1: RED_SALMON, 10: RED_SALMON}, stack=[RED_SALMON], tiles=STAFF
        ),
        "place R2",
    ),
    "a cube is worth a yen in the end": (scene(ACT, pawns=[L1], yen=[1], tiles=STAFF, pile_size=0), "visit"),
    "without a yen it takes one": (scene(ACT, pawns=[L1], tiles=STAFF), "take a yen"),
    "Hiroshi brings a plate that pays": (
        scene(
            ACT, pawns=[C1], yen=[1], tiles=STAFF, belt={0: RED_TUNA, 13: RED_SHRIMP}, stack=[RED_SALMON], pile_size=0
        ),
        "visit",
    ),
    "Neko's best plate": (
        scene(CHOOSE_TRASH, pawns=[L3], tiles=STAFF, trash=[BLUE_SALMON, RED_SALMON, GREEN_SALMON], stack=[RED_SALMON]),
        "take red salmon from the Trash",
    ),
    "two plates of a colour in one turn": (
        scene(CHOOSE_TRASH, pawns=[L3], trash=[BLUE_SALMON, GREEN_SALMON], belt={5: BLUE_SALMON}, stack=[RED_SALMON]),
        "take blue salmon from the Trash",
    ),
    "Momoko brings Sakura where there is no plate": (
        scene(CHOOSE_TILE, pawns=[L1], tiles=[MOMOKO, *STAFF[1:7], SAKURA], trash=[]),
        "swap with tile aside 3",
    ),
    "Satsuki's plate goes to the bottom": (
        scene(
            SATSUKI_DRAW,
            pawns=[R2],
            satsuki=[GREEN_SALMON, BLUE_SALMON],
            num_satsuki=2,
            stack=[BLUE_SALMON, RED_SALMON],
        ),
        "second to the bottom",
    ),
    "and to the top": (
        scene(
            SATSUKI_DRAW, pawns=[R2], satsuki=[RED_SALMON, GREEN_SALMON], num_satsuki=2, stack=[BLUE_SALMON, RED_SALMON]
        ),
        "first to the top",
    ),
    "Mochi joins two runs": (
        scene(CHOOSE_DEPTH, stack=[RED_SALMON, BLUE_SALMON, BLUE_SALMON, RED_SALMON], pawns=[L1]),
        "top plate to depth 2",
    ),
    "Edamame fetches what is lacking": (
        scene(
            CHOOSE_SPACE,
            effect=BY_EDAMAME,
            pawns=[L1],
            belt={3: RED_SALMON, 8: WHITE_PLATE, 12: BLUE_SHRIMP},
            stack=[*SIX_TYPES, RED_SALMON],
        ),
        "space 8",
    ),
    "Fugu names what the bag holds": (
        scene(NAME_COLOURS, pawns=[L1], stack=[RED_TUNA], bag=[*GREENS, BLUE_SALMON, BLUE_SALMON, RED_SALMON]),
        "name green and blue",
    ),
    "dishes are eaten before the end": (scene(END, pawns=[L1], hands=[dishes(Takoyaki=1)]), "play Takoyaki"),
    "then the turn ends": (scene(END, pawns=[L1], yen=[3]), "end turn"),
    "a Takoyaki waits for a challenge": (
        scene(END, pawns=[L1], deck_left=10, wasabi_left=4, hands=[dishes(Takoyaki=1)], belt=HIDDEN),
        "end turn",
    ),
    "what waits for nothing is let go": (
        scene(DISCARD_DISH, pawns=[L1], deck_left=10, hands=[dishes(Takoyaki=1, Onigiri=1, Gyoza=1)]),
        "discard Takoyaki",
    ),
    "a Takoyaki is declared": (
        scene(DECLARE, stage=1, deck_left=10, hands=[dishes(Takoyaki=1, Onigiri=1)], belt=HIDDEN),
        "play Takoyaki",
    ),
    "an Onigiri is not": (scene(DECLARE, stage=1, deck_left=10, hands=[dishes(Onigiri=1)], belt=HIDDEN), "decline"),
    "the first hidden plate": (
        scene(GUESS_COLOUR, stage=2, belt={6: GREEN_SALMON, 7: BLUE_SALMON}),
        "guess green",
    ),
    "then the second": (
        scene(GUESS_COLOUR, stage=2, belt={6: GREEN_SALMON, 7: BLUE_SALMON}, num_guesses=[1], guesses=[[GREEN]]),
        "guess blue",
    ),
    "the same colour twice": (
        scene(GUESS_COLOUR, stage=2, belt={6: BLUE_SALMON, 7: BLUE_SHRIMP}, num_guesses=[1], guesses=[[BLUE]]),
        "guess blue",
    ),
    "the menu that is met is kept": (
        scene(
            CHOOSE_MENU,
            variant="menus",
            offered=[13, 4],
            num_offered=2,
            menus=[[0]],
            num_menus=[1],
            stack=[WHITE_PLATE] * 3,
        ),
        "keep second",
    ),
    "a menu for the last yen": (scene(END, variant="menus", pawns=[L1], yen=[1]), "order a menu"),
}


@pytest.mark.parametrize("case", PLAIN)
def test_boat_greedy_does_what_is_plainly_best(case):
    game, best = PLAIN[case]
    assert best in [plays.describe(action) for action in game.legal_actions()]
    assert action_of(greedy(game), game) == best


def test_three_cubes_of_a_takoyaki_are_all_kept():
    for hidden in ((GREEN, BLUE), (BLUE, BLUE), (YELLOW, RED)):
        belt = {6: kind_of(hidden[0], 0), 7: kind_of(hidden[1], 1)}
        game = scene(GUESS_COLOUR, stage=3, declared=[[1, 0], [0, 1]], belt=belt, trash=[], bag=[*range(12)])
        for _ in range(3):
            game.step_acting(np.array([plays.index(action_of(greedy(game), game))]))
        assert game.table.cubes[0, :2].tolist() == [3, 2]


def test_nobody_is_paid_without_need():
    """A seat that is taken is bought only where more can be had than the yen is worth."""
    tiles = [HIROSHI, YUKI, NEKO, NEKO, AKIKO, SATSUKI, MOMOKO, SAKURA]
    here = {"pawns": [NONE, C2], "yen": [1, 0], "stack": [RED_SALMON], "tiles": tiles, "trash": [], "pile_size": 0}
    dear = scene(MOVE, belt={2: RED_SHRIMP, 1: BLUE_SALMON}, **here)
    assert action_of(greedy(dear), dear) == "place C2"
    cheap = scene(MOVE, belt={2: RED_SHRIMP, 1: RED_TUNA}, **here)
    assert action_of(greedy(cheap), cheap) == "place L1"


def test_a_put_position_is_what_it_says():
    """The scenes above lay plates where they say."""
    game = scene(EAT, pawns=[C2], belt={2: BLUE_SALMON}, stack=[RED_SALMON], yen=[0])
    assert game.snapshot()["belt"] == [-1, -1, BLUE_SALMON, *[-1] * 11]
    put(game, yen=[1])
    assert "special order" in [plays.describe(action) for action in game.legal_actions()]
