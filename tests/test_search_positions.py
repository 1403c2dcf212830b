"""Positions sampled from what a seat sees: they agree with it in everything, and the rest is dealt fairly."""

from __future__ import annotations

import numpy as np
import pytest
from sushigo_agents.search.positions import sample_positions

from sushigo_env import seeding
from sushigo_env.errors import SettingError
from sushigo_env.sushi_go.cards import COPIES, PUDDING
from sushigo_env.sushi_go.game import SushiGo
from sushigo_env.sushi_go.state import PUDDINGS

TABLES = [(2, "standard"), (3, "standard"), (4, "standard"), (5, "standard"), (2, "two_player_dummy")]


def _moments(num_players: int, variant: str, games: int = 24):
    """Every step of some games played at random: the game, and its observations of all seats."""
    game = SushiGo(games, num_players, variant=variant, passing="alternate")
    game.reset(seeds=seeding.game_seeds(3, games))
    step = 0
    while not game.done.all():
        yield game, game.observe().copy()
        mask = game.legal().reshape(-1, game.num_actions)
        keys = seeding.decision_keys(np.repeat(game.seeds, num_players), np.tile(np.arange(num_players), games), step)
        game.step(seeding.uniform_actions(mask, keys).reshape(games, num_players))
        step += 1


@pytest.mark.parametrize(("num_players", "variant"), TABLES)
def test_the_viewer_of_a_sampled_position_sees_what_it_was_sampled_from(num_players: int, variant: str):
    checked = 0
    for game, seen in _moments(num_players, variant):
        keys = np.arange(len(seen), dtype=np.uint64)
        for seat in range(num_players):
            rows = sample_positions(seen[:, seat], keys, num_players, variant, passing="alternate")
            sampled = SushiGo(len(seen), num_players, variant=variant, passing="alternate")
            sampled.restore(rows)
            np.testing.assert_array_equal(sampled.observe()[:, 0], seen[:, seat])
            np.testing.assert_array_equal(sampled.legal()[:, 0], game.legal()[:, seat])
            checked += len(seen)
    assert checked > 1000


@pytest.mark.parametrize(("num_players", "variant"), TABLES)
def test_no_card_is_lost_or_added(num_players: int, variant: str):
    for game, seen in _moments(num_players, variant):
        rows = sample_positions(seen[:, 0], np.arange(len(seen), dtype=np.uint64), num_players, variant, "alternate")
        sampled = SushiGo(len(seen), num_players, variant=variant, passing="alternate")
        sampled.restore(rows)
        state = sampled.table
        held = state.hands.sum(1, dtype=np.int64) + state.tableaus.sum(1) + state.undealt
        held[:, PUDDING] += state.status[:, :, PUDDINGS].sum(1)
        played = COPIES - held
        assert (held <= COPIES).all()
        np.testing.assert_array_equal(state.hands.sum(2), game.table.hands.sum(2)[:, _order(game, 0)])
        if game.table.round[0] == 0:
            np.testing.assert_array_equal(played, np.zeros_like(played))


def _order(game: SushiGo, seat: int) -> list[int]:
    return [*((seat + i) % game.num_players for i in range(game.num_players)), *range(game.num_players, 5)]


def test_sampled_games_can_be_played_to_their_ends():
    for num_players, variant in TABLES:
        _, seen = next(iter(_moments(num_players, variant)))
        sampled = SushiGo(len(seen), num_players, variant=variant)
        sampled.restore(sample_positions(seen[:, 0], np.arange(len(seen), dtype=np.uint64), num_players, variant))
        while not sampled.done.all():
            sampled.step(sampled.legal().argmax(axis=2))
        assert (sampled.table.round == 3).all()


def test_hidden_cards_are_dealt_as_often_as_they_lie_unseen():
    game = SushiGo(1, 3)
    game.reset(seeds=np.array([11], np.uint64))
    seen = game.observe()[0, 0]
    samples = 20_000
    rows = sample_positions(np.repeat(seen[None], samples, axis=0), np.arange(samples, dtype=np.uint64), 3)
    sampled = SushiGo(samples, 3)
    sampled.restore(rows)
    unseen = game.layout.read(seen, "unseen").astype(float)
    expected = unseen / unseen.sum() * game.hand_size
    error = np.sqrt(expected / samples) + 1e-9
    for seat in (1, 2):
        found = sampled.table.hands[:, seat].mean(0)
        assert (np.abs(found - expected) < 5 * error).all()
    both = sampled.table.hands[:, 1:3].astype(float)
    assert np.corrcoef(both[:, 0, 0], both[:, 1, 0])[0, 1] < 0  # a card in one hand is in no other


def test_the_same_key_deals_the_same_and_another_key_deals_another():
    game = SushiGo(1, 4)
    game.reset(seeds=np.array([2], np.uint64))
    seen = np.repeat(game.observe()[:, 0], 3, axis=0)
    rows = sample_positions(seen, np.array([5, 5, 6], np.uint64), 4)
    np.testing.assert_array_equal(rows[0], rows[1])
    assert (rows[0] != rows[2]).any()


def test_what_is_no_decision_is_refused():
    game = SushiGo(1, 2)
    game.reset(seeds=np.array([2], np.uint64))
    seen, keys = game.observe()[:, 0].copy(), np.zeros(1, np.uint64)
    with pytest.raises(SettingError, match=r"observations must be uint8\[1, 104\], not uint8\[1, 74\]"):
        sample_positions(seen, keys, 3)
    with pytest.raises(SettingError, match=r"observations must be uint8\[1, 74\], not int64"):
        sample_positions(seen.astype(np.int64), keys, 2)
    while not game.done.all():
        game.step(game.legal().argmax(axis=2))
    with pytest.raises(SettingError, match="a game that is over has no position"):
        sample_positions(game.observe()[:, 0].copy(), keys, 2)
