"""What must hold in every game: cards are conserved, masks are the rules, seats are alike, means are as published."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sushigo_env import seeding
from sushigo_env.sushi_go.cards import COPIES, PUDDING, K
from sushigo_env.sushi_go.deals import deals_of
from sushigo_env.sushi_go.game import SushiGo
from sushigo_env.sushi_go.observation import OBSERVATIONS
from sushigo_env.sushi_go.state import PUDDINGS
from tests import strategies
from tests.agreement import check_games, new_game, play, random_actions
from tests.strategies import TABLES, Table


def finished_rounds(game):
    """int64[12]: the cards of the rounds that are over, from the deck's order."""
    dealt = int(game.table.round[0]) * game.num_tableaus * game.hand_size
    return np.bincount(game.table.deck[0, :dealt], minlength=K)


@given(strategies.tables(), strategies.seeds(), strategies.favourites())
def test_all_108_cards_are_somewhere_at_every_step(table, seed, favourites):
    game = new_game(table, seeding.game_seeds(seed, 1))
    for step in range(table.num_steps + 1):
        state, gone = game.table, finished_rounds(game)
        in_play = state.hands[0].sum(0, dtype=int) + state.tableaus[0].sum(0, dtype=int) + state.undealt[0]
        assert (in_play + gone).tolist() == COPIES.tolist()
        assert state.status[0, :, PUDDINGS].sum() == gone[PUDDING]
        if step < table.num_steps:
            game.step(random_actions(game, step, favourites))
    assert game.done.all()


@given(strategies.tables(), strategies.seeds(), strategies.favourites())
def test_every_card_of_the_deck_has_one_place_in_an_observation(table, seed, favourites):
    game = new_game(table, seeding.game_seeds(seed, 1))
    for step in range(table.num_steps):
        for setting in OBSERVATIONS:
            seen = game.layout.as_dict(game.observe(setting)[0].astype(int))
            shown = seen["own_hand"] + seen["other_hands"].sum(1) + seen["tableaus"].sum(1) + seen["unseen"]
            if table.has_dummy:
                shown = shown + seen["pending"]
            if setting == "table":
                shown[:, PUDDING] += seen["puddings"].sum(1)
            else:
                shown = shown + finished_rounds(game)
            assert (shown == COPIES).all(), setting
            assert (seen["own_hand"].sum(1) == seen["hand_sizes"][:, 0]).all()
            assert (seen["other_hands"].sum(2) + seen["unknown_cards"] == seen["hand_sizes"][:, 1:]).all()
        game.step(random_actions(game, step, favourites))


@given(strategies.tables(), strategies.seeds())
def test_no_byte_of_an_observation_is_over_its_largest_value(table, seed):
    game = new_game(table, seeding.game_seeds(seed, 50))
    for step in range(table.num_steps + 1):
        for setting in OBSERVATIONS:
            assert (game.observe(setting) <= game.layout.high).all()
        if step < table.num_steps:
            game.step(random_actions(game, step))


@given(strategies.tables(), strategies.seeds(), strategies.favourites())
def test_masks_and_observations_are_the_references_however_lopsided_the_play(table, seed, favourites):
    assert check_games(table, seed, count=2, observed=1, favourites=favourites) > 0


@given(strategies.tables(), strategies.seeds(), st.integers(1, 4))
def test_a_rotation_of_the_seats_rotates_everything(table, seed, places):
    """The same hands, dealt some places further on, and the same plays: each seat sees what the seat before it saw."""
    places %= table.num_players
    game = new_game(table, seeding.game_seeds(seed, 1))
    deals = [
        [hands[(seat - places) % table.num_players] for seat in range(table.num_players)] + hands[table.num_players :]
        for hands in deals_of(game, 0)
    ]
    rotated = SushiGo(1, **table.settings)
    rotated.reset(options={"deals": deals, "first_controller": places if table.has_dummy else 0})
    for step in range(table.num_steps):
        for setting in OBSERVATIONS:
            np.testing.assert_array_equal(rotated.observe(setting), np.roll(game.observe(setting), places, axis=1))
        np.testing.assert_array_equal(rotated.legal(), np.roll(game.legal(), places, axis=1))
        actions = random_actions(game, step)
        game.step(actions)
        rotated.step(np.roll(actions, places, axis=1))
    np.testing.assert_array_equal(rotated.standings, np.roll(game.standings, places, axis=1))


@given(strategies.seeds())
@settings(max_examples=20)
def test_passing_has_no_effect_with_the_dummy(seed):
    saved = []
    for passing in ("left", "alternate"):
        game = new_game(Table(2, passing, "two_player_dummy"), seeding.game_seeds(seed, 3))
        play(game, TABLES[-1].num_steps)
        saved.append(game.save())
    np.testing.assert_array_equal(*saved)


@pytest.mark.parametrize(("players", "mean"), [(2, 45.1), (3, 34.3), (4, 28.1), (5, 23.0)])
def test_mean_totals_of_random_play(players, mean):
    table = Table(players)
    game = new_game(table, seeding.game_seeds(0, 20_000))
    play(game, table.num_steps)
    assert game.done.all()
    assert game.scores.mean() == pytest.approx(mean, abs=0.3)


@given(strategies.tables_and_steps(), strategies.seeds())
def test_what_is_called_illegal_is_what_the_mask_leaves_out(table_and_steps, seed):
    table, steps = table_and_steps
    game = new_game(table, seeding.game_seeds(seed, 3))
    play(game, steps)
    mask = game.legal()
    for action in range(game.num_actions):
        illegal = game.illegal(np.full((3, table.num_players), action))
        np.testing.assert_array_equal(illegal, ~mask[:, :, action] & mask.any(axis=-1))
