"""Agents for Sushi Boat: that they keep the contract, see no secret, play by one config, and beat random play."""

from __future__ import annotations

import tomllib
from importlib.metadata import EntryPoint
from itertools import product
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from sushigo_agents import registry
from sushigo_agents.boat._choose import choose
from sushigo_agents.boat.greedy import BoatGreedy
from sushigo_agents.boat.monte_carlo import BoatMonteCarlo
from sushigo_agents.match import play_deals, play_games

from sushigo_env import sushi_boat_v0
from sushigo_env._memory import pointer
from sushigo_env.api.opponents import Random
from sushigo_env.errors import AgentError, SettingError
from sushigo_env.seeding import decision_keys, game_seeds
from sushigo_env.sushi_boat.cards import Config
from sushigo_env.sushi_boat.game import SushiBoat
from sushigo_env.sushi_boat.state import ROW
from tests.boat_agents import mixed_actions
from tests.boat_tools import TABLES, new_game


@pytest.mark.parametrize(("players", "variant"), TABLES)
def test_boat_greedy_keeps_the_contract_at_every_table(players, variant):
    agent, game = BoatGreedy("sushi_boat", players, variant), new_game(players, variant, seed=4, count=30)
    step = 0
    while not game.done.all():
        live = np.flatnonzero(~game.done)
        seats = game.to_act[live]
        seen, mask = game.observe()[live, seats], game.legal_acting()[live]
        keys = decision_keys(game.seeds[live], seats, step)
        chosen = agent.act(seen, mask, keys)
        assert chosen.dtype == np.int32
        assert mask[np.arange(len(live)), chosen].all()
        np.testing.assert_array_equal(agent.act(seen[::-1], mask[::-1], keys), chosen[::-1])
        actions = np.zeros(30, np.int32)
        actions[live] = chosen
        game.step_acting(actions)
        step += 1
    assert step < 400
    assert (game.table.hands.sum((1, 2)) <= 1).mean() > 0.9  # dishes are eaten before the end


@numba.njit
def _chosen(rows: Any, rules: Any, live: Any, out: Any) -> None:
    for i in range(len(live)):
        out[i] = choose(pointer(rows, live[i] * ROW), pointer(rules, 0))


@pytest.mark.parametrize(("players", "variant"), TABLES)
def test_in_a_game_it_plays_as_from_an_observation(players, variant):
    """Rollouts ask it in the midst of a game: there it must not use what its seat does not see."""
    agent, game = BoatGreedy("sushi_boat", players, variant), new_game(players, variant, seed=8, count=20)
    step = 0
    while not game.done.all():
        live = np.flatnonzero(~game.done)
        seen, mask = game.observe()[live, game.to_act[live]], game.legal_acting()[live]
        within = np.zeros(len(live), np.int64)
        _chosen(game.table.rows.reshape(-1), game._rules, live, within)
        np.testing.assert_array_equal(agent.act(seen, mask, np.zeros(len(live), np.uint64)), within)
        game.step_acting(mixed_actions(game, step))
        step += 1


def test_who_waits_gets_an_answer_too():
    game = new_game(3, count=5)
    seen, mask = game.observe().reshape(15, -1), game.legal().reshape(15, -1)
    chosen = BoatGreedy("sushi_boat", 3, "standard").act(seen, mask, np.zeros(15, np.uint64))
    assert (chosen.reshape(5, 3)[~game.to_move] == 0).all()


def test_boat_agents_refuse_what_they_do_not_know():
    with pytest.raises(AgentError, match="agent 'boat_greedy' plays sushi_boat, not 'sushi_go'"):
        BoatGreedy("sushi_go", 3, "standard")
    with pytest.raises(SettingError, match="num_players must be 2, 3, 4 or 5"):
        BoatGreedy("sushi_boat", 6, "standard")
    with pytest.raises(SettingError, match="variant must be one of standard, menus, not 'dummy'"):
        BoatGreedy("sushi_boat", 3, "dummy")
    game = new_game(3)
    row = game.observe()[0, :1], game.legal()[0, :1], np.zeros(1, np.uint64)
    with pytest.raises(AgentError, match="was made for 4 players"):
        BoatGreedy("sushi_boat", 4, "standard").act(*row)


OTHER = Config(
    reach=((0,), (12,), (1, 13), (2, 10), (3,), (11,), (4,), (5, 8), (9,)),
    large_places=("C3", "L2", "C2", "R2"),
    staff_places=("R3", "C3", "R1", "C2", "L1"),
    most_dishes=7,
)


@pytest.mark.parametrize("made", [BoatGreedy, BoatMonteCarlo])
def test_an_agent_plays_by_the_config_it_was_made_for_and_no_other(made):
    usual, printed = (made("sushi_boat", 3, "standard", config=config) for config in (Config(), OTHER))
    for config, agent in ((OTHER, usual), (Config(), printed)):
        game = new_game(3, count=2, config=config)
        with pytest.raises(AgentError, match="was made for other values of config than this table has"):
            play_games(game, [agent], np.zeros((2, 3), int), game_seeds(1, 2))
        with pytest.raises(AgentError, match="was made for other values of config than this table has"):
            sushi_boat_v0.gymnasium_env(3, opponents=agent, config=config)
    for spec in ("boat_greedy", "zoo:boat_self_play", "zoo:boat_self_play,play=sample"):
        with pytest.raises(AgentError, match=f"agent {spec} was made for other values"):
            sushi_boat_v0.gymnasium_env(3, opponents=spec, config=OTHER)
    with pytest.raises(AgentError, match="agent boat_greedy was made for other values"):
        sushi_boat_v0.gymnasium_env(3, opponents={"random": 1, "boat_greedy": 1}, config=OTHER)
    with pytest.raises(SettingError, match="config must be a Config, not int"):
        made("sushi_boat", 3, "standard", config=3)


def test_with_the_config_of_the_table_it_plays_on():
    agent, game = BoatGreedy("sushi_boat", 3, "standard", config=OTHER), new_game(3, count=8, config=OTHER)
    play_games(game, [agent], np.zeros((8, 3), int), game_seeds(1, 8))  # every action was legal, else it had raised
    assert game.done.all()


def test_the_agents_are_registered():
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())
    told = project["project"]["entry-points"]["sushigo_env.agents"]
    made = {name: EntryPoint(name, told[name], "sushigo_env.agents").load() for name in ("boat_greedy", "monte_carlo")}
    assert made["boat_greedy"] is BoatGreedy
    assert made["boat_greedy"].games == ("sushi_boat",)
    assert made["monte_carlo"].games == ("sushi_go", "sushi_boat")


# strength


@pytest.mark.parametrize(("players", "variant"), list(product((2, 4), ("standard", "menus"))))
def test_boat_greedy_beats_random_play(players, variant):
    agent, random = BoatGreedy("sushi_boat", players, variant), registry.load("random", "sushi_boat", players, variant)
    assert isinstance(random, Random)
    lineup = [agent, *[random] * (players - 1)]
    result = play_deals(lineup, lambda games: SushiBoat(games, players, variant=variant), game_seeds(1, 40))
    assert result.shares[..., 0].mean() > 0.95
    assert result.scores[..., 0].mean() > 2 * result.scores[..., 1:].mean()


def test_it_ends_with_more_from_every_source_than_random_play():
    agent, game = BoatGreedy("sushi_boat", 3, "standard"), new_game(3, seed=1, count=100)
    other = game.copy()
    while not game.done.all():
        live = np.flatnonzero(~game.done)
        seen, mask = game.observe()[live, game.to_act[live]], game.legal_acting()[live]
        actions = np.zeros(100, np.int32)
        actions[live] = agent.act(seen, mask, np.zeros(len(live), np.uint64))
        game.step_acting(actions)
    step = 0
    while not other.done.all():
        other.step_acting(mixed_actions(other, step))
        step += 1
    runs, sets, *_, cubes, _ = (
        game.table.points[:, :3].mean((0, 1)) / other.table.points[:, :3].mean((0, 1)).clip(0.1)
    ).T
    assert min(runs, sets, cubes) > 1.5
