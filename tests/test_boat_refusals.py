"""What Sushi Boat refuses, and the words it has for it."""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
import pytest

from sushigo_env.errors import ActionError, IllegalAction, OrderError, SettingError
from sushigo_env.sushi_boat import plays
from sushigo_env.sushi_boat.cards import (
    AKIKO,
    GREEN,
    MAX_LARGE_PLACES,
    MOMOKO,
    NEKO,
    PLACES,
    RED,
    SAKURA,
    TILES,
    Config,
)
from sushigo_env.sushi_boat.game import SushiBoat
from sushigo_env.sushi_boat.reasons import reason
from sushigo_env.sushi_boat.state import ACT, DECLARE, MOVE
from tests.boat_tools import TABLES, dishes, do, give_stack, legal_words, new_game, put, walk


def in_act(players, place, config=None, **fields):
    """Player 0 of a game with a pawn at `place` and an action to take."""
    game = new_game(players, config=config)
    pawns = [PLACES.index(place)]
    put(game, **{"phase": ACT, "turn": 0, "to_act": 0, "pawns": pawns, **fields})
    return game


def refused(game, words):
    """The message with which an action in words is refused; the game is as it was."""
    kept = game.save()
    with pytest.raises(IllegalAction) as caught:
        do(game, words)
    np.testing.assert_array_equal(game.save(), kept)
    message = str(caught.value)
    assert message.startswith(f"game 0, player_0: {words} is not legal now, since ")
    assert message.endswith("legal are: " + "; ".join(legal_words(game)) + ".")
    return message.split(", since ")[1].split("; legal are")[0]


def test_why_a_place_is_refused():
    pawns = [PLACES.index("L1"), PLACES.index("C1")]
    game = in_act(3, "L1", phase=MOVE, pawns=pawns, yen=[0, 0, 0])
    assert refused(game, "place C1") == "C1 is occupied by player_1 and the player has no yen to take the seat"
    assert refused(game, "place L1") == "the player's pawn is at L1 already"
    assert refused(game, "place R1") == "R1 is a '4+' place, closed at a table of 3"
    assert refused(game, "end turn") == "it is time to move"
    two = in_act(2, "L2", phase=MOVE, pawns=[PLACES.index("C2"), PLACES.index("L1")], yen=[0, 2])
    assert refused(two, "place C1") == "C1 is in the other player's row, which costs a yen that the player has not"
    assert legal_words(two) == ["place R2", "place L3", "place C3"]
    acting = in_act(4, "L1")
    assert refused(acting, "place C3") == "it is not time to move, and C3 has nobody whose seat could be taken"


def test_why_a_space_is_refused():
    tiles = [AKIKO, *(tile for tile in TILES if tile != AKIKO)]
    game = in_act(3, "L1", tiles=tiles, yen=[1])
    give_stack(game, 0, [6 * GREEN])
    game.table.belt[0, [2, 3]] = 6 * GREEN + 1, 6 * RED
    put(game)
    do(game, "visit")
    why = refused(game, "space 2")
    assert why == "the plate on space 2 is green as is the top of the stack, and Akiko takes another colour"
    assert refused(game, "space 6") == "space 6 is in the tunnel"
    assert refused(game, "pass") == "a space must be chosen"
    do(game, "space 3")
    assert game.snapshot()["stacks"][0] == [6 * GREEN, 6 * RED]
    assert refused(game, "eat nothing") == "there is a plate to eat"
    assert refused(game, "space 2") == "space 2 is not beside L1"
    assert refused(game, "space 3") == "no plate lies on space 3"


def test_why_other_actions_are_refused():
    game = in_act(3, "L1", yen=[0])
    assert refused(game, "visit") == refused(game, "buy") == refused(game, "special order") == "the player has no yen"
    assert refused(game, "play Edamame") == "the player holds no Edamame"
    put(game, yen=[1], hands=[dishes(Edamame=1, Mochi=1)])
    assert refused(game, "buy") == "the discard pile is empty"
    assert refused(game, "play Edamame") == "Edamame needs a plate in the stack"
    assert refused(game, "play Mochi") == "Mochi needs a plate in the stack"
    assert "special order" in legal_words(game)
    away = in_act(3, "C2")
    assert refused(away, "visit") == "C2 has no staff space"


def test_reasons_go_by_the_config():
    config = Config(large_places=("L1", "C1"), staff_places=("C2", "R1", "L1", "C1", "R3"))
    tiles = [MOMOKO, NEKO, *(tile for tile in TILES if tile not in (MOMOKO, NEKO)), NEKO]
    game = in_act(3, "R3", config, phase=MOVE, yen=[1], tiles=tiles, trash=[0] * 25, trash_size=0)
    assert refused(game, "place L1") == "L1 is a '4+' place, closed at a table of 3"
    assert legal_words(game)[:6] == [f"place {name}" for name in ("R1", "L2", "C2", "R2", "L3", "C3")]
    do(game, "place R1")
    assert refused(game, "visit") == "Neko has nothing to do at R1"
    put(game, pawns=[PLACES.index("L3")])
    assert refused(game, "visit") == "L3 has no staff space"
    put(game, pawns=[PLACES.index("C2")])
    do(game, "visit")
    assert refused(game, "swap with tile L1") == "that is Momoko's own tile"  # position 0, whose name is the usual one
    assert refused(game, "swap with tile C1") == "Neko has nothing to do at C2"
    told = game.render()
    assert "C2 Momoko <player_0>" in told
    assert "L1 (closed) " in told
    assert "L1 (closed)" not in new_game(4, config=config).render()


def test_a_state_that_the_config_has_no_place_for_is_refused():
    game = in_act(3, "C1", tiles=[SAKURA, MOMOKO, *(tile for tile in TILES if tile not in (SAKURA, MOMOKO))], yen=[1])
    do(game, "visit")
    new_game(3).restore(game.save())
    for config in (Config(staff_places=("L1", "R1", "R2", "L3", "C3")), Config(large_places=("C1",))):
        other = new_game(3, config=config)
        other.table.rows[:] = game.save()
        put(other)  # what is legal agrees with this config
        with pytest.raises(SettingError, match="the saved state is damaged"):
            other.restore(other.save())


def test_enough_places_are_open_whichever_are_closed():
    for closed in combinations(PLACES, MAX_LARGE_PLACES):
        config = Config(large_places=closed)
        for own, other in permutations(config.open_places(2), 2):
            free = [place for place in config.open_places(2) if place != own and place // 3 != other // 3]
            assert free, (closed, own, other)
        assert len(config.open_places(3)) > 3


def test_why_a_dish_cannot_be_declared():
    game = in_act(3, "L1", phase=DECLARE, stage=1, hands=[dishes(Takoyaki=1, Edamame=1)], declared=[[0, 1]])
    assert refused(game, "play Edamame") == "only Takoyaki and Onigiri can be declared"
    assert refused(game, "play Onigiri") == "the player holds no Onigiri"
    put(game, hands=[dishes(Takoyaki=1, Onigiri=1)])
    assert refused(game, "play Onigiri") == "Onigiri is declared already"
    assert refused(game, "guess red") == "dishes may be declared for the challenge"


@pytest.mark.parametrize(("players", "variant"), TABLES)
def test_whatever_is_refused_has_a_reason(players, variant):
    game = new_game(players, variant, seed=8)
    found = set()
    for _ in walk(game):
        legal = set(game.legal_actions())
        for action in set(range(game.num_actions)) - legal:
            found.add(reason(game, 0, action))
    assert "" not in found
    assert "the game is over" not in found
    assert len(found) > 40


def test_wrong_actions_and_wrong_order():
    game = SushiBoat(2, 3)
    with pytest.raises(OrderError, match="no game has begun"):
        game.step(np.zeros((2, 3), int))
    game.reset(seeds=np.arange(2, dtype=np.uint64))
    for wrong, message in (
        (np.zeros((2, 3), float), "must be integers"),
        (np.zeros((2, 2), int), r"must have the shape \(2, 3\)"),
        ([[0], [0, 1]], "not rows of different lengths"),
        (np.full((2, 3), 119), "actions are 0 to 118, not 119"),
        (np.full((2, 3), -1), "actions are 0 to 118, not -1"),
    ):
        for method in (game.step, game.illegal):
            with pytest.raises(ActionError, match=message) as caught:
                method(wrong)
            assert not isinstance(caught.value, IllegalAction)
    assert game.illegal(np.full((2, 3), plays.PASS)).sum() == 2
    game.end(np.array([True, True]))
    assert game.done.all()
    assert (game.to_act == -1).all()
    assert not game.to_move.any()
    assert not game.legal().any()
    assert not game.scores.any()
    with pytest.raises(OrderError, match="every game is over"):
        game.step_acting(np.zeros(2, int))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"num_players": 6}, "num_players must be 2, 3, 4 or 5, not 6"),
        ({"variant": "menu"}, "variant must be one of standard, menus"),
        ({"num_games": 0}, "num_games must be a whole number"),
        ({"config": 3}, "config must be a Config"),
    ],
)
def test_bad_settings_say_what_is_allowed(settings, message):
    with pytest.raises(SettingError, match=message):
        SushiBoat(**settings)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"set_points": (0, 0, 1, 2, 4, 7)}, "set_points must be a tuple of 7 whole numbers"),
        ({"set_points": (0, 0, 5, 6, 7, 8, 9)}, "set_points must be convex"),
        ({"dishes": (1,) * 8}, "dishes must add up to 21 to 32"),
        ({"red_dishes": (5, 2, 1, 2, 1, 2, 1, 2)}, "red_dishes must be no more than dishes"),
        ({"plates": (0,) * 25}, "plates must add up to"),
        ({"reach": ((1,),) * 9}, "each visible space"),
        (
            {"large_places": ("L1", "C1", "R1", "L2", "C2")},
            "large_places must be a tuple of at most 4 different ones of L1",
        ),
        ({"large_places": ("L1", "L1")}, "large_places must be a tuple of at most 4 different ones of L1, C1, R1, L2"),
        ({"large_places": ["R1"]}, r"large_places must be .*, not \['R1'\]\.$"),
        ({"large_places": "R1"}, r"large_places must be .*, not 'R1'\.$"),
        ({"large_places": ([],)}, r"large_places must be .*, not \(\[\],\)\.$"),
        ({"large_places": None}, r"large_places must be .*, not None\.$"),
        ({"staff_places": ("L1", "C1", "R2", "L3")}, "staff_places must be a tuple of 5 different ones of L1, C1, R1"),
        ({"staff_places": ("L1", "C1", "R2", "L3", "L3")}, "staff_places must be a tuple of 5 different ones"),
        ({"staff_places": ("L1", "C1", "R2", "L3", "X3")}, "staff_places must be a tuple of 5 different ones"),
        ({"staff_places": (0, 1, 5, 6, 7)}, r"staff_places must be .*, not \(0, 1, 5, 6, 7\)\.$"),
        ({"reach": 1}, "reach must be 9 tuples"),
        ({"reach": None}, "reach must be 9 tuples"),
        ({"reach": (1,) * 9}, "reach must be 9 tuples"),
        ({"reach": ((1,),) * 8}, "reach must be 9 tuples"),
        ({"reach": [*Config().reach]}, "reach must be 9 tuples"),
        ({"reach": ((1.0,), *Config().reach[1:])}, "each visible space"),
        ({"reach": (("a",), *Config().reach[1:])}, "each visible space"),
        ({"plates": 3}, "plates must be a tuple of 25 whole numbers"),
        ({"dishes": None}, "dishes must be a tuple of 8 whole numbers"),
        ({"red_dishes": [1] * 8}, "red_dishes must be a tuple of 8 whole numbers"),
        ({"menu_points": 2.0}, "menu_points must be a tuple of 20 whole numbers"),
        ({"second_dishes": None}, "second_dishes must be a whole number from 0 on, not None"),
        ({"menu_plates": 10**30}, "menu_plates must be 20 at most"),
        ({"most_dishes": -1}, "most_dishes must be a whole number from 0 on, not -1"),
        ({"menu_points": (100,) * 20}, "points must be 20 at most"),
    ],
)
def test_impossible_values_are_refused(values, message):
    with pytest.raises(SettingError, match=message):
        Config(**values)


def test_every_action_has_words_of_its_own():
    assert [plays.index(plays.describe(action)) for action in range(plays.NUM_MENU_PLAYS)] == list(range(122))
    assert (plays.describe(0), plays.describe(31), plays.describe(121)) == ("reveal", "play Edamame", "keep second")
    for wrong in (122, -1, True, "reveal"):
        with pytest.raises(ActionError, match="actions are 0 to 121"):
            plays.describe(wrong)
    with pytest.raises(ActionError, match="unknown action"):
        plays.index("sleep")
