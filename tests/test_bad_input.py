"""The batched game refuses what it cannot take in one clear sentence, and nothing has changed then."""

import numpy as np
import pytest

from sushigo_env import seeding
from sushigo_env.errors import ActionError, IllegalAction, OrderError, SettingError
from sushigo_env.sushi_go.deals import deals_of
from sushigo_env.sushi_go.game import SushiGo
from sushigo_env.sushi_go.plays import WAIT
from tests.agreement import new_game, play
from tests.strategies import TABLES, Table


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"num_players": 6}, "num_players must be 2, 3, 4 or 5, not 6."),
        ({"num_players": 1}, "num_players must be 2, 3, 4 or 5, not 1."),
        ({"num_players": True}, "num_players must be 2, 3, 4 or 5, not True."),
        ({"num_games": 0}, "num_games must be a whole number from 1 on, not 0."),
        ({"num_games": 1.5}, "num_games must be a whole number from 1 on, not 1.5."),
        ({"num_threads": 0}, "num_threads must be a whole number from 1 on, not 0."),
        ({"passing": "right"}, "passing must be one of left, alternate, not 'right'."),
        ({"variant": "party"}, "variant must be one of standard, two_player_dummy, not 'party'."),
        ({"num_players": 3, "variant": "two_player_dummy"}, "variant two_player_dummy is for 2 players, not 3."),
        ({"observation": "all"}, "observation must be one of memory, table, full, not 'all'."),
    ],
)
def test_settings(settings, sentence):
    with pytest.raises(SettingError) as error:
        SushiGo(**settings)
    assert str(error.value) == sentence


def refused(game, actions, kind, *parts):
    """`step` and, but for a masked action, `illegal` raise `kind` with these parts in the sentence; nothing changed."""
    before = game.save()
    calls = [game.step] if kind is IllegalAction else [game.step, game.illegal]
    for call in calls:
        with pytest.raises(kind) as error:
            call(actions)
        assert all(part in str(error.value) for part in parts), str(error.value)
    np.testing.assert_array_equal(game.save(), before)


@pytest.mark.parametrize("action", [-1, -(2**40), 2**40, 300])
def test_actions_out_of_range(action):
    game = new_game(Table(3), seeding.game_seeds(0, 2))
    actions = np.array([[int(row.argmax()) for row in seats] for seats in game.legal()])
    actions[1, 2] = action
    refused(game, actions, ActionError, "game 1", "player_2", "0 to 95", str(action))


def test_wait_is_no_action_of_the_standard_game():
    game = new_game(Table(2), seeding.game_seeds(0, 1))
    refused(game, np.array([[WAIT, 0]]), ActionError, "player_0", "0 to 95", "96")


@pytest.mark.parametrize(
    ("actions", "parts"),
    [
        (np.zeros((1, 2), np.float64), ["integers", "float64"]),
        (np.zeros((1, 2), np.bool_), ["integers", "bool"]),
        (np.zeros((2, 2), np.int64), ["(1, 2)", "(2, 2)"]),
        (np.zeros(2, np.int64), ["(1, 2)", "(2,)"]),
        (np.array([["tempura", "tempura"]]), ["integers"]),
        ([[0], [0, 1]], ["(1, 2)", "rows of different lengths"]),
    ],
)
def test_actions_of_another_type_or_shape(actions, parts):
    refused(new_game(Table(2), seeding.game_seeds(0, 1)), actions, ActionError, *parts)


@pytest.mark.parametrize(("games", "threads"), [(3, 1), (200, 2)])
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_a_masked_action_is_named_with_what_was_legal(table, games, threads):
    game = new_game(table, seeding.game_seeds(0, games), threads)
    legal, last = game.legal().copy(), games - 1
    actions = legal.argmax(axis=-1)
    actions[last, 1] = int(np.flatnonzero(~legal[last, 1])[0])
    words = game.describe_action(int(actions[last, 1]))
    refused(game, actions, IllegalAction, f"game {last}, player_1", words, "legal are")


def test_actions_may_come_in_any_layout_of_memory():
    games = [new_game(Table(3), seeding.game_seeds(0, 4)) for _ in range(4)]
    actions = games[0].legal().argmax(axis=-1).astype(np.int32)
    read_only = actions.copy()
    read_only.flags.writeable = False
    layouts = [actions, np.asfortranarray(actions), read_only, np.repeat(actions, 2, axis=1).astype(np.uint8)[:, ::2]]
    for game, same_actions in zip(games, layouts, strict=True):
        game.step(same_actions)
        np.testing.assert_array_equal(game.save(), games[0].save())


def test_wait_is_not_for_the_controller_nor_a_play_for_who_waits():
    game = new_game(TABLES[-1], seeding.game_seeds(0, 1))
    play(game, 1)
    refused(game, np.array([[WAIT, WAIT]]), IllegalAction, "player_0", "wait")


def test_entries_of_games_that_are_over_are_ignored():
    game = new_game(Table(5), seeding.game_seeds(0, 2))
    game.end(np.array([True, False]))
    before = game.save()
    actions = np.stack([np.full(5, -7), game.legal()[1].argmax(axis=-1)])
    assert not game.illegal(actions).any()
    game.step(actions)
    np.testing.assert_array_equal(game.save()[0], before[0])
    assert (game.save()[1] != before[1]).any()


def test_a_step_after_the_end_or_before_the_first_reset():
    game = new_game(Table(5), seeding.game_seeds(0, 2))
    play(game, Table(5).num_steps)
    before = game.save()
    with pytest.raises(OrderError, match="step was called when every game is over; call reset first"):
        game.step(np.zeros((2, 5), np.int32))
    np.testing.assert_array_equal(game.save(), before)
    with pytest.raises(OrderError, match="step was called when no game has begun; call reset first"):
        SushiGo(2, 5).step(np.zeros((2, 5), np.int32))


def test_a_game_that_was_never_reset_has_nothing_to_do():
    game = SushiGo(2, 3)
    assert game.done.all()
    assert not game.to_move.any()
    assert not game.legal().any()
    with pytest.raises(OrderError, match="game 1 is not finished, so it has no record yet"):
        game.record(1)


def test_a_game_under_way_or_stopped_has_no_record():
    game = new_game(Table(2), seeding.game_seeds(0, 2))
    play(game, 5)
    with pytest.raises(OrderError, match="game 0 is not finished"):
        game.record()
    game.end(np.array([True, False]))
    assert game.done.tolist() == [True, False]
    with pytest.raises(OrderError, match="game 0 was stopped before its end"):
        game.record()


def changed(deals, change):
    deals = [[list(hand) for hand in hands] for hands in deals]
    change(deals)
    return deals


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda deals: deals.pop(), "deals must have 3 rounds, not 2."),
        (lambda deals: deals[1].pop(), "deals of round 2 must have 2 hands, not 1."),
        (lambda deals: deals[2][1].pop(), "deals of round 3, hand 1 must have 10 cards, not 9."),
        (lambda deals: deals[0][0].__setitem__(0, "sushi"), "deals of round 1, hand 0 has an unknown card 'sushi'"),
        (lambda deals: deals[0].__setitem__(0, ["wasabi"] * 10), "wasabi, but the deck has 6."),
    ],
)
def test_impossible_deals(change, sentence):
    game = new_game(Table(2), seeding.game_seeds(0, 1))
    before = game.save()
    with pytest.raises(SettingError) as error:
        game.reset(options={"deals": changed(deals_of(game, 0), change)})
    assert sentence in str(error.value)
    np.testing.assert_array_equal(game.save(), before)


@pytest.mark.parametrize(
    "arguments",
    [
        {"mask": np.ones(3, np.bool_)},
        {"mask": np.ones(2, np.int64)},
        {"seeds": np.zeros(3, np.uint64)},
        {"seeds": np.zeros((2, 1), np.uint64)},
        {"options": {"first_controller": 2}},
        {"options": {"first_controller": [0, 1, 1]}},
        {"options": {"first_controller": "player_0"}},
    ],
)
def test_resets_that_do_not_fit(arguments):
    game = SushiGo(2, 2, variant="two_player_dummy")
    with pytest.raises(SettingError, match=r"^(mask|seeds|first_controller) must be .*\.$"):
        game.reset(**arguments)


def test_unknown_options_are_ignored():
    game = SushiGo(1, 2)
    game.reset(seeds=seeding.game_seeds(0, 1), options={"weather": "fine"})
    assert game.to_move.all()


def test_fields_and_settings_that_do_not_exist():
    game = new_game(Table(2), seeding.game_seeds(0, 1))
    with pytest.raises(SettingError, match="observations have no field 'hand'; the fields are own_hand, "):
        game.layout.read(game.observe(), "hand")
    with pytest.raises(SettingError, match="observation must be one of memory, table, full, not 'god'"):
        game.observe("god")
