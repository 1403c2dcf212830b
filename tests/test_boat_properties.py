"""What must hold in every game of Sushi Boat, however it is played: nothing is lost, nothing is there twice."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from numpy.typing import NDArray

from sushigo_env import seeding
from sushigo_env.sushi_boat import plays
from sushigo_env.sushi_boat.game import SushiBoat
from sushigo_env.sushi_boat.state import DISCARD_DISH, NONE, PHASES, State
from tests import strategies
from tests.boat_agents import mixed_actions
from tests.boat_agreement import STYLES, choose
from tests.boat_facts import (
    CARD_COPIES,
    COPIES,
    DECK_SIZE,
    HAND_LIMIT,
    MENUS,
    STAFF,
    STAFF_TILES,
    TUNNEL,
    USUAL,
    WASABI_CARDS,
)
from tests.boat_tools import TABLES, dishes_of, new_game, plates_of

TILES = [STAFF.index(name) for name in STAFF_TILES]


def menus_of(table: State) -> NDArray[np.int64]:
    """int[B, 20]: all menus of each game, held, offered or in their deck."""
    places = (table.menus.reshape(len(table.rows), -1), table.offered, table.menu_deck)
    return (np.concatenate(places, axis=1)[..., None] == np.arange(MENUS)).sum(1)


def check(game: SushiBoat, turned: NDArray[np.int64]) -> None:
    """What holds at every decision; `turned` int[B] are the cards revealed so far."""
    table = game.table
    assert (plates_of(table) == COPIES).all()
    assert (table.bag.sum(1) == table.bag_size).all()
    assert (table.trash.sum(1) == table.trash_size).all()
    assert (table.belt[:, TUNNEL] != NONE).all()
    check_cards(game, turned)
    assert (np.sort(table.tiles) == TILES).all()
    assert (menus_of(table) == (game.variant == "menus")).all()
    assert (table.yen.view(np.int8) >= 0).all()
    assert (table.cubes.view(np.int8) >= 0).all()
    places = np.where(table.pawns == NONE, 100 + np.arange(5), table.pawns)
    assert (np.diff(np.sort(places)) > 0).all(), "two pawns at one place"
    assert game.legal_acting().any(1).tolist() == (~game.done).tolist()


def check_cards(game: SushiBoat, turned: NDArray[np.int64]) -> None:
    """Side dishes and Wasabi cards, in the deck and out of it."""
    table, deck = game.table, DECK_SIZE[game.num_players]
    left, wasabi = table.deck_left.astype(int), table.wasabi_left.astype(int)
    assert (dishes_of(table) == USUAL.dishes).all()
    assert (table.pool <= CARD_COPIES).all()
    assert (left + turned == deck).all()
    assert (wasabi <= left).all(), "more Wasabi cards than cards"
    assert (wasabi[turned <= game.num_players] == WASABI_CARDS).all(), "a Wasabi card among the first"
    assert (table.pool.sum(1) + turned - (WASABI_CARDS - wasabi) == sum(USUAL.dishes)).all()
    assert (left[game.done] == 0).all()
    too_many = (table.hands.sum(2) > HAND_LIMIT).sum(1)
    assert (too_many == (table.phase == DISCARD_DISH)).all()


def play_and_check(game: SushiBoat, actions_of: Callable[[int], NDArray[np.int32]]) -> None:
    """Play B games to their ends, with all checked at every decision; `actions_of` gives int[B] for its number."""
    turned, step = np.zeros(game.num_games, int), 0
    check(game, turned)
    while not game.done.all():
        actions, yen, cubes = actions_of(step), game.table.yen.astype(int), game.table.cubes.astype(int)
        turned += ~game.done & (actions == plays.REVEAL)
        game.step_acting(actions)
        check(game, turned)
        assert (yen - game.table.yen <= 1).all(), "nothing costs more than a yen"
        assert (cubes <= game.table.cubes).all(), "nothing costs a cube"
        step += 1


@given(strategies.boat_tables(), strategies.seeds(), strategies.boat_players())
def test_all_is_somewhere_and_nothing_twice_however_it_is_played(table, seed, players):
    game = SushiBoat(1, table[0], variant=table[1])
    game.reset(seeds=np.array([seed], np.uint64))

    def actions_of(step):
        legal = game.legal_actions()
        if isinstance(players, str):
            phase = PHASES[game.table.phase[0]]
            return np.array([choose(legal, phase, STYLES[players], seeding.key_of(seed, step, 1))])
        return np.array([legal[players[step % len(players)] % len(legal)]])

    play_and_check(game, actions_of)


@pytest.mark.parametrize(("players", "variant"), TABLES)
def test_all_is_somewhere_and_nothing_twice_in_many_games(players, variant):
    game = new_game(players, variant, seed=11, count=150)
    play_and_check(game, lambda step: mixed_actions(game, step))
    assert game.table.num_chances.max() < game.table.chances.shape[1]
    assert game.table.num_actions.max() < game.table.actions.shape[1]
