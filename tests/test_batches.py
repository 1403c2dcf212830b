"""A game does not know what it is played beside: batches, threads, partial resets, copies, saved states."""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sushigo_env import seeding
from sushigo_env.errors import SettingError
from sushigo_env.sushi_go.game import SushiGo
from sushigo_env.sushi_go.observation import OBSERVATIONS
from tests import strategies
from tests.agreement import new_game, play, random_actions
from tests.strategies import TABLES


@given(
    strategies.tables(), strategies.seeds(), strategies.batch_sizes(), strategies.thread_counts(), st.integers(0, 199)
)
@settings(max_examples=40)
def test_a_game_of_a_batch_is_the_single_game_of_its_seed(table, seed, count, threads, index):
    index %= count
    seeds = seeding.game_seeds(seed, count)
    batch, single = new_game(table, seeds, threads), new_game(table, seeds[index : index + 1])
    for step in range(table.num_steps + 1):
        for setting in OBSERVATIONS:
            np.testing.assert_array_equal(batch.observe(setting)[index], single.observe(setting)[0])
        np.testing.assert_array_equal(batch.legal()[index], single.legal()[0])
        if step < table.num_steps:
            batch.step(random_actions(batch, step))
            single.step(random_actions(single, step))
    np.testing.assert_array_equal(batch.save()[index], single.save()[0])
    assert batch.record(index) == single.record()


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_threads_change_nothing(table):
    saved = []
    for threads in (1, 2, 5):
        game = new_game(table, seeding.game_seeds(1, 700), threads)
        play(game, table.num_steps)
        saved.append(game.save())
    np.testing.assert_array_equal(saved[0], saved[1])
    np.testing.assert_array_equal(saved[0], saved[2])


@given(strategies.tables_and_steps(), strategies.seeds(), st.lists(st.booleans(), min_size=5, max_size=5))
def test_a_reset_of_some_games_leaves_the_others_alone(table_and_steps, seed, chosen):
    table, steps = table_and_steps
    game = new_game(table, seeding.game_seeds(seed, 5))
    play(game, steps)
    before, mask = game.save(), np.array(chosen)
    game.reset(mask)
    np.testing.assert_array_equal(game.save()[~mask], before[~mask])
    again = new_game(table, seeding.game_seeds(seed, 5))
    again.reset()
    np.testing.assert_array_equal(game.save()[mask], again.save()[mask])


@given(strategies.tables(), strategies.seeds())
@settings(max_examples=20)
def test_games_of_a_seed_are_dealt_alike_and_its_episodes_are_not(table, seed):
    game = new_game(table, seeding.game_seeds(seed, 2))
    first = game.table.deck.copy()
    game.reset()
    assert (game.table.deck != first).any(axis=1).all()
    game.reset(seeds=seeding.game_seeds(seed, 2))
    np.testing.assert_array_equal(game.table.deck, first)
    assert (first[0] != first[1]).any()


def by_copy(game):
    return game.copy()


def by_deepcopy(game):
    return copy.deepcopy(game)


def by_pickle(game):
    return pickle.loads(pickle.dumps(game))


def by_save(game):
    other = SushiGo(
        game.num_games,
        game.num_players,
        passing=game.passing,
        variant=game.variant,
    )
    other.restore(game.save())
    return other


@pytest.mark.parametrize("duplicate", [by_copy, by_deepcopy, by_pickle, by_save])
@given(strategies.tables_and_steps(), strategies.seeds())
@settings(max_examples=25)
def test_a_copy_plays_on_as_the_original_and_apart_from_it(duplicate, table_and_steps, seed):
    table, steps = table_and_steps
    game = new_game(table, seeding.game_seeds(seed, 3))
    play(game, steps)
    kept, legal = game.save(), game.legal().copy()
    other = duplicate(game)
    for setting in OBSERVATIONS:
        np.testing.assert_array_equal(other.observe(setting), game.observe(setting))
    np.testing.assert_array_equal(other.legal(), legal)
    for step in range(steps, table.num_steps):
        other.step(random_actions(other, step))
    assert other.done.all()
    np.testing.assert_array_equal(game.save(), kept)
    for step in range(steps, table.num_steps):
        game.step(random_actions(game, step))
    np.testing.assert_array_equal(game.save(), other.save())
    game.restore(kept)
    np.testing.assert_array_equal(game.legal(), legal)


@given(strategies.tables_and_steps(), strategies.seeds())
def test_a_game_set_to_its_own_position_is_as_before_and_plays_on(table_and_steps, seed):
    table, steps = table_and_steps
    game = new_game(table, seeding.game_seeds(seed, 1))
    play(game, steps)
    other = new_game(table, seeding.game_seeds(seed, 1))
    other.set_position(game.position())
    for step in range(steps, table.num_steps + 1):
        for setting in OBSERVATIONS:
            np.testing.assert_array_equal(other.observe(setting), game.observe(setting))
        np.testing.assert_array_equal(other.legal(), game.legal())
        np.testing.assert_array_equal(other.standings, game.standings)
        if step < table.num_steps:
            actions = random_actions(game, step)
            game.step(actions)
            other.step(actions)


@pytest.mark.parametrize("saved", [np.zeros((2, 8), np.uint8), np.zeros((1, 4), np.float32), [1, 2], None])
def test_a_state_that_does_not_fit_is_refused(saved):
    with pytest.raises(SettingError, match="a saved state is uint8"):
        SushiGo().restore(saved)
