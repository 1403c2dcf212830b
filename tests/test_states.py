"""Saved states and positions: what no game can come to is refused, and nothing has changed then."""

import dataclasses

import numpy as np
import pytest

from sushigo_env import seeding, sushi_go_v0
from sushigo_env.errors import SettingError
from sushigo_env.seeding import draw, episode_key, mix
from sushigo_env.sushi_go.game import SushiGo
from sushigo_env.sushi_go.position import Position
from sushigo_env.sushi_go.state import OFFSETS
from tests.agreement import new_game, play
from tests.strategies import TABLES, Table

THREE, VARIANT = Table(3), Table(2, variant="two_player_dummy")


def begun(table: Table = THREE, turns: int = 3) -> SushiGo:
    game = new_game(table, seeding.game_seeds(5, 2))
    for _ in range(turns):
        game.step(game.legal().argmax(axis=2))
    return game


@pytest.mark.parametrize("other", TABLES, ids=str)
def test_a_state_of_another_table_is_refused(other):
    saved = begun().save()
    game = new_game(other, seeding.game_seeds(1, 2))
    before = game.save()
    if other == THREE:
        game.restore(saved)
        np.testing.assert_array_equal(game.save(), saved)
        return
    with pytest.raises(SettingError, match="another kind of table"):
        game.restore(saved)
    np.testing.assert_array_equal(game.save(), before)


@pytest.mark.parametrize(
    ("field", "value"),
    [("deck", 12), ("turn", 9), ("round", 4), ("half", 2), ("controller", 2), ("pending", 200), ("drawn", 99)],
)
def test_a_damaged_state_is_refused(field, value):
    game = begun()
    saved = game.save()
    before = saved.copy()
    saved[1, OFFSETS[field]] = value
    with pytest.raises(SettingError, match="damaged"):
        game.restore(saved)
    np.testing.assert_array_equal(game.save(), before)


def changed(position: Position, **values: object) -> Position:
    return dataclasses.replace(position, **values)


def with_item(array, place, value):
    array = np.array(array, np.int64)
    array[place] = value
    return array


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda p: {"hands": with_item(p.hands, (0, 0), -1)}, "hands has -1 where 0 to 14 is possible"),
        (lambda p: {"hands": p.hands.astype(float)}, "hands must be integers"),
        (lambda p: {"hands": p.hands[:2]}, "hands must be integers of shape"),
        (lambda p: {"wasabi": with_item(p.wasabi, 0, -1)}, "wasabi has -1"),
        (lambda p: {"wasabi": with_item(p.wasabi, 0, 9)}, "wasabi has 9"),
        (lambda p: {"puddings": with_item(p.puddings, 1, 11)}, "puddings has 11 where 0 to 10"),
        (lambda p: {"nigiri_points": with_item(p.nigiri_points, 0, 999)}, "nigiri_points has 999"),
        (lambda p: {"returned": with_item(p.returned, 0, 9)}, "returned has 9"),
        (lambda p: {"scores": with_item(p.scores, 0, 999)}, "scores has 999"),
        (lambda p: {"upcoming": with_item(p.upcoming, 0, 12)}, "upcoming has 12 where 0 to 11"),
        (lambda p: {"upcoming": p.upcoming[1:]}, "upcoming must be integers of shape"),
        (lambda p: {"turn": 9}, "turn has 9 where 0 to 8"),
        (lambda p: {"turn": 2}, "upcoming|cards in turn 2"),
        (lambda p: {"round": 3}, "round has 3"),
        (lambda p: {"half": 1}, "half has 1 where 0 to 0"),
        (lambda p: {"controller": 1}, "controller has 1 where 0 to 0"),
        (lambda p: {"pending": (96, 0)}, "pending has 96"),
        (lambda p: {"pending": (1, 2, 3)}, "pending must be integers of shape"),
    ],
)
def test_impossible_positions(change, sentence):
    game = begun()
    before, position = game.save(), game.position(1)
    with pytest.raises(SettingError, match=sentence):
        game.set_position(changed(position, **change(position)), 1)
    np.testing.assert_array_equal(game.save(), before)


def test_what_is_pending_must_have_been_legal():
    game = begun(VARIANT, turns=1)
    position, before = game.position(0), game.save()
    assert position.half == 1
    game.set_position(position)
    np.testing.assert_array_equal(game.observe(), begun(VARIANT, turns=1).observe())
    game.restore(before)
    with pytest.raises(SettingError, match="pending must be plays that were legal"):
        game.set_position(changed(position, pending=(95, 95)))
    with pytest.raises(SettingError, match="pending must be plays that were legal"):
        game.reset(options={"position": changed(position, pending=(95, 95))})
    np.testing.assert_array_equal(game.save(), before)


@pytest.mark.parametrize("index", [-1, 2, 1.0, True, None])
def test_a_game_that_is_not_there(index):
    game = begun()
    for call in (game.position, game.record, game.render):
        with pytest.raises(SettingError, match="a game's index is 0 to 1"):
            call(index)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"hands": [], "tableaus": []}, "0 hands do not go with 0 tableaus"),
        ({"hands": [["tempura"], ["egg_nigiri"]], "tableaus": [[]]}, "2 hands do not go with 1 tableaus"),
        ({"hands": [["tofu"], ["tempura"]], "tableaus": [[], []]}, "unknown card 'tofu'"),
        ({"hands": [["tempura"], []], "tableaus": [[], []], "round": 7}, "round has 7"),
        ({"hands": [["tempura"], []], "tableaus": [[], []], "puddings": [-1, 0]}, "puddings has -1"),
        ({"hands": [["tempura"] * 15, []], "tableaus": [[], []]}, "15 tempura, the deck 14"),
        ({"hands": [["tempura"], []], "tableaus": [[], []], "seed": -1}, "seed must be"),
    ],
)
def test_cards_that_make_no_position(arguments, sentence):
    with pytest.raises(SettingError, match=sentence):
        Position.from_cards(**arguments)


def test_a_reset_may_begin_in_a_position():
    game = begun()
    position, seen = game.position(1), game.observe()[1].copy()
    game.reset(np.array([True, False]), options={"position": position})
    np.testing.assert_array_equal(game.observe(), [seen, seen])
    before = game.save()
    with pytest.raises(SettingError, match="turn has 99"):
        game.reset(options={"position": changed(position, turn=99)})
    with pytest.raises(SettingError, match="must be a Position, not dict"):
        game.reset(options={"position": {}})
    with pytest.raises(SettingError, match="deals must have 3 rounds"):
        game.reset(options={"deals": np.array(5)})
    np.testing.assert_array_equal(game.save(), before)


def test_a_game_set_to_a_position_before_any_seed_goes_on_with_a_seed_of_its_own():
    position = begun().position(0)
    games = [SushiGo(1, 3) for _ in range(2)]
    for game in games:
        game.set_position(position)
        game.reset()
    assert games[0].table.seed[0] != games[1].table.seed[0]


@pytest.mark.parametrize("seeds", [[1.5, 2.0], ["1", "2"], [-1, 2], [1], [True, False]])
def test_seeds_that_are_none(seeds):
    game = begun()
    before = game.save()
    with pytest.raises(SettingError, match="seeds must be uint64"):
        game.reset(seeds=np.array(seeds))
    np.testing.assert_array_equal(game.save(), before)


def test_before_the_first_reset_there_is_nothing_to_see():
    game = SushiGo(2, 4)
    assert game.done.all()
    assert not game.scores.any()
    seen = game.layout.as_dict(game.observe())
    for field in ("own_hand", "other_hands", "hand_sizes", "unknown_cards", "tableaus"):
        assert not seen[field].any(), field
    assert "not begun" in game.render()


def test_agents_keys_do_not_give_the_deal_away():
    """Undoing `mix` on what agents get must not lead to the key that shuffled the deck."""
    seed, game = np.uint64(12345678901234567), SushiGo(1, 4)
    game.reset(seeds=np.array([seed]))
    key, public = episode_key(seed, np.uint64(0)), int(game.seeds[0])
    assert int(draw(key, np.uint64(0))) != int(draw(np.uint64(public), np.uint64(0)))
    undone = {public, unmix(public), unmix(unmix(public))}
    assert unmix(int(mix(np.uint64(99)))) == 99
    assert not undone & {int(key), int(seed), unmix(int(key))}


def unmix(x: int) -> int:
    """The way back through `mix`."""
    for shift, factor in ((31, 0x94D049BB133111EB), (27, 0xBF58476D1CE4E5B9)):
        x = _unshift(x, shift) * pow(factor, -1, 2**64) % 2**64
    return _unshift(x, 30)


def _unshift(x: int, shift: int) -> int:
    result = x
    for _ in range(64 // shift):
        result = x ^ (result >> shift)
    return result


def test_a_played_game_can_still_be_put_back():
    game = begun()
    saved = game.save()
    play(game, 5)
    game.restore(saved)
    np.testing.assert_array_equal(game.save(), saved)


def test_points_that_a_position_holds_are_not_paid_again():
    position = dataclasses.replace(begun().position(0), scores=np.array([30, 20, 10]))
    env = sushi_go_v0.parallel_env(num_players=3, reward="score")
    env.reset(options={"position": position})
    paid = dict.fromkeys(env.agents, 0.0)
    while env.agents:
        _, rewards, *_ = env.step(
            {f"player_{s}": int(row.argmax()) for s, row in enumerate(env.unwrapped.game.legal()[0])}
        )
        for agent, reward in rewards.items():
            paid[agent] += reward
    assert list(paid.values()) == (env.unwrapped.game.scores[0] - [30, 20, 10]).tolist()
