"""A game of Sushi Boat does not know what it is played beside: batches, threads, copies, saved states, replays."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from sushigo_env import seeding
from sushigo_env.errors import SettingError
from sushigo_env.sushi_boat.game import SushiBoat
from sushigo_env.sushi_boat.state import FIELDS, OFFSETS
from tests.boat_tools import TABLES, new_game, play, random_actions, walk


@pytest.mark.parametrize(("players", "variant"), TABLES)
def test_a_game_does_not_know_its_batch_nor_its_threads(players, variant):
    batch = new_game(players, variant, seed=3, count=200, num_threads=3)
    one_thread = new_game(players, variant, seed=3, count=200)
    single = new_game(players, variant, seed=20)
    for step in walk(batch):
        np.testing.assert_array_equal(batch.legal(), one_thread.legal())
        one_thread.step_acting(random_actions(one_thread, step))
        if not single.done[0]:
            np.testing.assert_array_equal(batch.legal()[17], single.legal()[0])
            single.step_acting(random_actions(single, step))
    np.testing.assert_array_equal(batch.save(), one_thread.save())
    np.testing.assert_array_equal(batch.save()[17], single.save()[0])
    np.testing.assert_array_equal(batch.scores, one_thread.scores)


def by_save(game):
    other = SushiBoat(game.num_games, game.num_players, variant=game.variant)
    other.restore(game.save())
    return other


@pytest.mark.parametrize("duplicate", [SushiBoat.copy, lambda game: pickle.loads(pickle.dumps(game)), by_save])
@pytest.mark.parametrize(("players", "variant"), TABLES)
def test_a_copy_plays_on_as_the_original_and_apart_from_it(duplicate, players, variant):
    for steps in (0, 1, 37, 70, 1000):
        game = new_game(players, variant, seed=9, count=20)
        play(game, steps)
        kept = game.save()
        other = duplicate(game)
        play(other, first=steps)
        np.testing.assert_array_equal(game.save(), kept)
        play(game, first=steps)
        np.testing.assert_array_equal(game.save(), other.save())
        game.restore(kept)
        np.testing.assert_array_equal(game.save(), kept)


def test_a_state_that_cannot_be_is_refused():
    game = new_game(3, count=4)
    play(game, 30)
    with pytest.raises(SettingError, match="a saved state is uint8"):
        game.restore(np.zeros((4, 8), np.uint8))
    with pytest.raises(SettingError, match="another kind of table"):
        game.restore(new_game(3, "menus", count=4).save())
    kept = game.save()
    refused = 0
    for at in range(0, OFFSETS["padding"], 3):
        broken = kept.copy()
        broken[2, at] ^= 0x5A
        try:
            game.restore(broken)
        except SettingError:
            refused += 1
        game.restore(kept)
    assert refused > 150
    play(game, first=30)
    assert game.done.all()


@pytest.mark.parametrize(("players", "variant"), TABLES)
def test_step_and_step_acting_are_the_same(players, variant):
    game, other = new_game(players, variant, count=10), new_game(players, variant, count=10)
    for step in walk(game):
        actions = random_actions(game, step)
        everyone = np.full((10, players), -7)
        everyone[np.arange(10), np.maximum(game.to_act, 0)] = actions
        assert not other.illegal(everyone).any()
        mask = np.zeros((10, players, game.num_actions), bool)
        mask[np.arange(10), np.maximum(game.to_act, 0)] = game.legal_acting()
        np.testing.assert_array_equal(game.legal(), mask)
        np.testing.assert_array_equal(game.to_move, mask.any(2))
        other.step(everyone)
    np.testing.assert_array_equal(game.save(), other.save())
    assert game.done.all()


def test_games_of_a_seed_are_alike_and_its_episodes_are_not():
    game = new_game(4, count=3)
    first = game.save()
    game.reset()
    assert (game.table.belt != new_game(4, count=3).table.belt).any(1).all()
    game.reset(mask=np.array([True, False, True]), seeds=seeding.game_seeds(1, 3))
    np.testing.assert_array_equal(game.save()[[0, 2]], first[[0, 2]])
    assert game.table.episode.tolist() == [0, 1, 0]


@pytest.mark.parametrize(("players", "variant"), TABLES)
def test_a_game_can_be_played_again_from_its_draws_and_actions(players, variant):
    game = new_game(players, variant, seed=77, count=6)
    play(game)
    for index in range(6):
        chances = game.table.chances[index, : game.table.num_chances[index]].tolist()
        again = SushiBoat(1, players, variant=variant)
        again.reset(seeds=np.array([123456], np.uint64), options={"chances": chances})
        for action in game.table.actions[index, : game.table.num_actions[index]]:
            again.step_acting(np.array([int(action)]))
        assert again.snapshot() == game.snapshot(index)
        assert again.done[0]
        assert again.table.chances[0].tolist() == game.table.chances[index].tolist()


@pytest.mark.parametrize("chances", ["123", [300], [-1], [1.5], [0] * 600, [[1], [2], [3]], 7])
def test_draws_that_cannot_be_are_refused(chances):
    game = new_game(3, count=2)
    kept = game.save()
    with pytest.raises(SettingError, match="chances must be"):
        game.reset(options={"chances": chances})
    np.testing.assert_array_equal(game.save(), kept)


def test_fields_lie_at_multiples_of_their_size():
    table = new_game(2, count=3).table
    for field in FIELDS:
        assert getattr(table, field.name).flags.aligned, field.name
