"""Positions of Sushi Boat rebuilt from what a seat sees: they agree with it in every byte, and can be played on."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray
from sushigo_agents.boat.positions import sample_positions

from sushigo_env import seeding
from sushigo_env.errors import SettingError
from sushigo_env.sushi_boat.cards import NUM_MENUS
from sushigo_env.sushi_boat.game import SushiBoat
from sushigo_env.sushi_boat.state import CHOOSE_MENU, DISCARD_DISH, GUESS_COLOUR, NONE, OVER, PHASES
from tests.boat_agents import mixed_actions
from tests.boat_tools import TABLES, new_game, play

GAMES = 12


def moments(players: int, variant: str, seed: int = 32) -> Iterator[tuple[SushiBoat, NDArray[np.bool_], int]]:
    """Every step of some games: the games, which go on, and the number of the step."""
    game, step = new_game(players, variant, seed=seed, count=GAMES), 0
    while not game.done.all():
        yield game, ~game.done, step
        game.step_acting(mixed_actions(game, step))
        step += 1


def sampled(seen: NDArray[np.uint8], players: int, variant: str, first_key: int) -> SushiBoat:
    """Games at positions that agree with observations of as many rows."""
    keys = np.uint64(first_key) + np.arange(len(seen), dtype=np.uint64)
    game = SushiBoat(len(seen), players, variant=variant)
    game.restore(sample_positions(seen, keys, players, variant))
    return game


@pytest.mark.parametrize(("players", "variant"), TABLES)
def test_the_viewer_of_a_position_sees_what_it_was_made_from(players, variant):
    phases = set()
    for game, live, step in moments(players, variant):
        seen, legal, scores = game.observe()[live].copy(), game.legal()[live], game.scores[live]
        phases |= set(game.table.phase[live].tolist())
        for seat in range(players):
            again = sampled(seen[:, seat], players, variant, 1000 * step)
            np.testing.assert_array_equal(again.observe()[:, 0], seen[:, seat])
            np.testing.assert_array_equal(again.legal(), np.roll(legal, -seat, axis=1))
            np.testing.assert_array_equal(again.scores, np.roll(scores, -seat, axis=1))
    left_out = {OVER} if variant == "menus" else {OVER, CHOOSE_MENU}
    missed = set(range(len(PHASES))) - left_out - phases
    assert not missed or (players, variant) != (3, "standard"), [PHASES[phase] for phase in missed]
    assert DISCARD_DISH in phases
    assert GUESS_COLOUR in phases


def test_positions_of_a_decision_differ_only_in_what_is_hidden():
    hidden = {"menus", "menu_deck", "offered", "guesses", "key", "num_guesses"}
    differed = set()
    for game, live, _ in moments(3, "menus"):
        one, two = (sampled(game.observe()[live, 1], 3, "menus", first).table for first in (1, 9000))
        for name in ("belt", "stacks", "bag", "trash", "pile", "pool", "hands", "eaten", "tiles", "yen", "menus"):
            assert name in hidden or (getattr(one, name) == getattr(two, name)).all(), name
        differed |= {name for name in hidden if (getattr(one, name) != getattr(two, name)).any()}
        np.testing.assert_array_equal(one.menus[:, 0], two.menus[:, 0])
    assert differed >= {"menus", "menu_deck", "offered", "key"}


def test_menus_are_dealt_from_those_that_are_left_each_as_likely():
    game = new_game(3, "menus", seed=2)
    play(game, 8)
    seen = game.observe()[0, 0]
    own, held = set(game.table.menus[0, 0].tolist()) - {NONE}, int(game.table.num_menus[0, 1])
    assert held > 0
    table = sampled(np.tile(seen, (4000, 1)), 3, "menus", 0).table
    whole = np.concatenate([table.menus.reshape(4000, -1), table.menu_deck, table.offered], axis=1)
    counts = (whole[..., None] == np.arange(NUM_MENUS)).sum(1)
    assert (counts == 1).all()
    firsts = np.bincount(table.menus[:, 1, 0], minlength=NUM_MENUS)
    others = np.array([menu not in own for menu in range(NUM_MENUS)])
    assert (firsts[~others] == 0).all()
    expected = 4000 / others.sum()
    assert (abs(firsts[others] - expected) < 5 * np.sqrt(expected)).all()


def test_positions_play_on_to_an_end_and_the_key_decides_how():
    game = new_game(4, seed=3, count=10)
    play(game, 60)
    seen = game.observe()[:, 2].copy()
    ends = []
    for first in (1, 1, 77):
        again = sampled(seen, 4, "standard", first)
        step = 0
        while not again.done.all():
            again.step_acting(seeding.uniform_actions(again.legal_acting(), np.full(10, step, np.uint64)))
            step += 1
        ends.append(again.table.stacks.copy())
    np.testing.assert_array_equal(ends[0], ends[1])
    assert (ends[0] != ends[2]).any()


def test_what_has_no_position_is_refused():
    game = new_game(2)
    with pytest.raises(SettingError, match=r"observations must be uint8\[1, \d+\], not uint8\[2, \d+\]"):
        sample_positions(game.observe()[0], np.zeros(1, np.uint64), 2)
    row, key = game.observe()[:, 0], np.zeros(1, np.uint64)
    for args, message in (
        ((row, key, 6), "num_players must be 2, 3, 4 or 5, not 6"),
        ((row, key, "2"), "num_players must be 2, 3, 4 or 5, not '2'"),
        ((row, key, 2, "dummy"), "variant must be one of standard, menus, not 'dummy'"),
        ((row, key, 2, "standard", 3), "config must be a Config, not int"),
        ((row, key[:, None], 2), r"keys must be uint64\[N\]"),
        ((row, key.astype(float), 2), r"keys must be uint64\[N\]"),
        ((row, [0], 2), r"keys must be uint64\[N\]"),
        ((row.tolist(), key, 2), r"observations must be uint8\[1, \d+\], not list"),
    ):
        with pytest.raises(SettingError, match=message):
            sample_positions(*args)
    play(game)
    with pytest.raises(SettingError, match="a game that is over has no position"):
        sample_positions(game.observe()[:, 0], np.zeros(1, np.uint64), 2)
