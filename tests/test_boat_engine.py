"""The engine of Sushi Boat: what is always true of random games, scores, challenges."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from sushigo_env.sushi_boat import plays
from sushigo_env.sushi_boat.cards import (
    BLUE,
    DECK_SIZE,
    GREEN,
    RED,
    TUNNEL,
    WASABI_CARDS,
    WHITE_PLATE,
    YELLOW,
    Config,
)
from sushigo_env.sushi_boat.chance import WASABI_CODE
from sushigo_env.sushi_boat.state import END, MOVE, NONE, START
from tests.boat_tools import (
    TABLES,
    dishes,
    dishes_of,
    do,
    give_stack,
    legal_words,
    new_game,
    plates_of,
    play,
    put,
    random_actions,
    walk,
)


@pytest.mark.parametrize(("players", "variant"), TABLES)
def test_setup(players, variant):
    table = new_game(players, variant, count=200).table
    assert (table.belt < WHITE_PLATE).all()
    assert (table.trash[:, WHITE_PLATE] == 0).all()
    assert (table.trash_size == 3).all()
    assert (table.bag[:, WHITE_PLATE] == 6).all()
    assert (table.yen[:, :players] == 2).all()
    assert (table.pawns == NONE).all()
    assert set(table.first.tolist()) == set(range(players))
    assert (table.num_offered == (2 if variant == "menus" else 0)).all()


@pytest.mark.parametrize(("players", "variant"), TABLES)
def test_the_deck_has_its_length_and_everyone_as_many_turns(players, variant):
    game = new_game(players, variant, seed=5, count=80)
    turns, wasabi = np.zeros((80, players), int), []
    for step in walk(game):
        before, cards = game.table.wasabi_left.copy(), game.table.deck_left.copy()
        actions = random_actions(game, step)
        for index in np.flatnonzero((actions == plays.REVEAL) & ~game.done):
            turns[index, game.to_act[index]] += 1
        late = game.copy()
        late.step_acting(actions)
        revealed = before > late.table.wasabi_left
        wasabi += (DECK_SIZE[players] - cards[revealed]).tolist()
    assert DECK_SIZE[players] == {2: 20, 3: 24, 4: 24, 5: 25}[players]
    assert (turns == {2: 10, 3: 8, 4: 6, 5: 5}[players]).all()
    assert min(wasabi) >= players  # none of the first cards, one a player, is a Wasabi card
    assert len(wasabi) == 80 * WASABI_CARDS
    assert (game.table.wasabi_left == 0).all()


def test_the_scoring_example_of_the_rule_text():
    blue, red, green, yellow = (colour * 6 for colour in (BLUE, RED, GREEN, YELLOW))
    run = [blue, blue + 1, WHITE_PLATE, blue + 2, blue + 3]
    game = new_game(2)
    give_stack(game, 0, [*run, red, red + 1, green + 2, yellow + 4])  # 6 types, 3 of them twice
    put(game, phase=END, deck_left=0, turn=0, to_act=0, cubes=[4, 0])
    put(game, eaten=[dishes(Gyoza=1), dishes(Edamame=1, Fugu=1)])
    assert game.scores[0].tolist() == [3 + 1 + 7 + 1 + 1 + 4, 0]  # no majorities before the end
    do(game, "end turn")
    assert game.done[0]
    assert game.scores[0].tolist() == [19, 5]
    assert game.table.points[0, 0].tolist() == [3 + 1, 7 + 1, 2, 1, 4, 0]


def test_a_config_changes_what_is_dealt_and_scored():
    config = Config(plates=(3,) * 24 + (9,), dishes=(4,) * 8, set_points=(1, 2, 3, 4, 5, 6, 7), most_dishes=9)
    game = new_game(3, count=20, config=config)
    for _ in walk(game):
        assert (plates_of(game.table) == config.plates).all()
        assert (dishes_of(game.table) == config.dishes).all()
    counts = game.table.stack_sizes[:, :3]
    np.testing.assert_array_equal(game.table.points[:, :3, 1], counts)  # each plate is a point in whatever set
    assert set(game.table.points[:, :3, 2].reshape(-1).tolist()) <= {0, 2, 9}
    assert (game.scores <= game.max_score).all()


def test_standings_are_points_then_yen():
    game = new_game(5, seed=30, count=200)
    play(game)
    scores, yen, standings = game.scores, game.table.yen, game.standings
    for a, b in pairwise(range(5)):
        ahead = (scores[:, a] > scores[:, b]) | ((scores[:, a] == scores[:, b]) & (yen[:, a] > yen[:, b]))
        np.testing.assert_array_equal(standings[:, a] > standings[:, b], ahead)
    assert scores.max() <= game.max_score
    assert (scores >= 0).all()


def at_a_challenge(players, hidden, hands=()):
    """A game in which player 0 has just met a Wasabi card, with plates of these colours in the tunnel."""
    game = new_game(players, seed=4)
    for _ in walk(game):
        if game.table.phase[0] == START and game.table.deck_left[0] == 10:
            break
    for seat, hand in enumerate(hands):
        game.table.hands[0, seat] = hand
    game.table.hands[0, len(hands) :] = 0
    put(game, turn=0, to_act=0, deck_left=10, wasabi_left=4, cubes=[0] * players)
    game.table.belt[0, TUNNEL] = [6 * colour for colour in hidden]
    drawn = int(game.table.num_chances[0])
    game.table.chances[0, drawn] = WASABI_CODE
    game.table.scripted[0] = drawn + 1
    do(game, "reveal")
    return game


@pytest.mark.parametrize(
    ("hidden", "guesses", "kept"),
    [
        ((GREEN, GREEN), ("green", "red"), 1),
        ((GREEN, GREEN), ("green", "green"), 2),
        ((GREEN, RED), ("green", "green"), 1),
        ((RED, GREEN), ("green", "red"), 2),
        ((RED, GREEN), ("blue", "white"), 0),
    ],
)
def test_cubes_kept_of_two_guesses(hidden, guesses, kept):
    game = at_a_challenge(2, hidden)
    assert game.snapshot()["phase"] == "GUESS"
    do(game, *(f"guess {colour}" for colour in guesses))
    assert game.to_act[0] == 1
    do(game, "guess white", "guess white")
    assert game.table.cubes[0, :2].tolist() == [kept, 0]
    assert (game.to_act[0], game.table.phase[0]) == (0, MOVE)
    assert game.snapshot()["guesses"] == [[], []]


@pytest.mark.parametrize(
    ("hidden", "guesses", "kept"),
    [
        ((GREEN, GREEN), ("green", "green", "green"), 3),
        ((GREEN, RED), ("green", "red", "red"), 3),
        ((GREEN, RED), ("green", "green", "green"), 2),
        ((GREEN, RED), ("green", "red", "blue"), 2),
        ((GREEN, RED), ("blue", "white", "red"), 1),
    ],
)
def test_a_takoyaki_guesses_last_with_three_cubes(hidden, guesses, kept):
    game = at_a_challenge(3, hidden, [dishes(Takoyaki=1)])
    assert legal_words(game) == ["play Takoyaki", "decline"]
    do(game, "play Takoyaki")
    for seat in (1, 2):
        assert game.to_act[0] == seat
        do(game, "guess white", "guess white")
    do(game, *(f"guess {colour}" for colour in guesses))
    assert game.table.cubes[0, :3].tolist() == [kept, 0, 0]


def test_onigiri_keeps_two_cubes_and_three_with_takoyaki():
    game = at_a_challenge(3, (RED, RED), [dishes(Onigiri=1), dishes(Onigiri=1, Takoyaki=1)])
    do(game, "play Onigiri", "play Takoyaki")
    assert legal_words(game) == ["play Onigiri", "decline"]
    do(game, "play Onigiri", "guess red", "guess blue")
    assert game.table.cubes[0, :3].tolist() == [2, 3, 1]
    assert game.table.eaten[0, :, [5, 6]].sum() >= 3
    assert (game.table.hands[0] == 0).all()
