"""`monte_carlo` for Sushi Boat: results by keys alone, no secret used, and stronger than what it plays on by."""

from __future__ import annotations

import numpy as np
import pytest
from sushigo_agents.boat.greedy import BoatGreedy
from sushigo_agents.boat.monte_carlo import BoatMonteCarlo
from sushigo_agents.boat.positions import sample_positions
from sushigo_agents.match import play_deals
from sushigo_agents.monte_carlo import monte_carlo
from sushigo_agents.search.monte_carlo import MonteCarlo

from sushigo_env.errors import AgentError
from sushigo_env.seeding import decision_keys, game_seeds
from sushigo_env.sushi_boat import plays
from sushigo_env.sushi_boat.cards import BLUE, GREEN, RED
from sushigo_env.sushi_boat.game import SushiBoat
from sushigo_env.sushi_boat.state import EAT, END, GUESS_COLOUR, NONE
from tests.boat_agents import action_of, kind_of, mixed_actions, scene
from tests.boat_tools import TABLES, dishes, new_game, play, random_actions


def agent_for(players: int, variant: str = "standard", **settings) -> BoatMonteCarlo:
    return BoatMonteCarlo("sushi_boat", players, variant, **({"iterations": 4} | settings))


@pytest.mark.parametrize(("players", "variant"), TABLES)
def test_it_keeps_the_contract_and_does_not_know_its_batch(players, variant):
    agent = agent_for(players, variant, horizon="round", iterations=2)
    game, step = new_game(players, variant, seed=6, count=6), 0
    while not game.done.all():
        if step % 10 == 0:
            live = np.flatnonzero(~game.done)
            seats = game.to_act[live]
            seen, mask = game.observe()[live, seats].copy(), game.legal_acting()[live].copy()
            keys = decision_keys(game.seeds[live], seats, step)
            chosen = agent.act(seen, mask, keys)
            assert mask[np.arange(len(live)), chosen].all()
            again = agent_for(players, variant, horizon="round", iterations=2)
            np.testing.assert_array_equal(again.act(seen[::-1], mask[::-1], keys[::-1])[::-1], chosen)
            np.testing.assert_array_equal(again.act(seen[-1:], mask[-1:], keys[-1:]), chosen[-1:])
        game.step_acting(mixed_actions(game, step))
        step += 1


def test_secrets_dealt_anew_change_nothing():
    agent, asked = agent_for(3, "menus"), 0
    game = new_game(3, "menus", seed=6, count=10)
    for step in range(0, 150, 15):
        live = np.flatnonzero(~game.done)
        seats = game.to_act[live]
        seen, mask, keys = game.observe()[live, seats].copy(), game.legal_acting()[live].copy(), game.seeds[live]
        other = SushiBoat(len(live), 3, variant="menus")
        other.restore(sample_positions(seen, keys + np.uint64(step), 3, "menus"))
        assert (other.table.menu_deck != game.table.menu_deck[live]).any()
        again = agent.act(other.observe()[:, 0], other.legal()[:, 0], keys)
        np.testing.assert_array_equal(again, agent.act(seen, mask, keys))
        asked += len(live)
        play(game, step + 15, step)
    assert asked > 50


def test_positions_are_the_same_for_every_action_and_more_of_them_change_the_result():
    game = new_game(2, seed=3)
    while game.legal_acting().sum() < 4:
        game.step_acting(random_actions(game, 0))
    seat = int(game.to_act[0])
    row = game.observe()[0, seat : seat + 1], game.legal_acting(), np.array([5], np.uint64)
    few, same, more = (agent_for(2, iterations=count).think(*row)[0] for count in (6, 6, 60))
    np.testing.assert_array_equal(few.values, same.values)
    assert (few.values != more.values).any()
    assert (few.visits == 6).all()
    assert few.iterations == 6
    assert few.strategy.sum() == 1
    other = agent_for(2, iterations=6).think(row[0], row[1], np.array([6], np.uint64))[0]
    assert (other.values != few.values).any()


@pytest.mark.parametrize("rollout", ["quick", "random"])
@pytest.mark.parametrize("horizon", ["round", "game"])
def test_it_does_what_is_plainly_best(rollout, horizon):
    agent = agent_for(2, rollout=rollout, horizon=horizon, iterations=40)
    red, blue = kind_of(RED, 0), kind_of(BLUE, 0)
    run = scene(EAT, pawns=[4], belt={2: blue, 11: red, 6: red, 7: blue}, stack=[red], yen=[0], trash=[], bag=[])
    assert action_of(agent, run) == "space 11"
    gyoza = scene(END, pawns=[0], hands=[dishes(Gyoza=1)], stack=[red])
    assert action_of(agent, gyoza) == "play Gyoza"
    belt = {6: kind_of(GREEN, 0), 7: kind_of(GREEN, 1)}
    cube = scene(GUESS_COLOUR, stage=2, belt=belt, num_guesses=[1, 2], guesses=[[GREEN, NONE], [RED, RED]])
    assert action_of(agent, cube) == "guess green"


def test_it_beats_what_it_plays_on_by():
    lineup = [agent_for(2, iterations=50), BoatGreedy("sushi_boat", 2, "standard")]
    result = play_deals(lineup, lambda games: SushiBoat(games, 2), game_seeds(1, 15))
    assert result.shares[..., 0].mean() > 0.6


def test_a_clock_ends_the_thinking():
    game = new_game(4, seed=3)
    agent = agent_for(4, iterations=1_000_000, time_ms=5.0)
    seat = int(game.to_act[0])
    mask = game.legal_acting()
    thought = agent.think(game.observe()[0, seat : seat + 1], mask, np.zeros(1, np.uint64))[0]
    assert len(thought.actions) == mask.sum() > 1
    assert 0 < thought.iterations < 1_000_000


def test_one_name_serves_both_games():
    boat, go = monte_carlo("sushi_boat", 3, "menus", iterations=7), monte_carlo("sushi_go", 3, "standard")
    assert isinstance(boat, BoatMonteCarlo)
    assert isinstance(go, MonteCarlo)
    assert (boat.name, go.name) == ("monte_carlo:iterations=7", "monte_carlo")
    assert BoatMonteCarlo("sushi_boat", 2, "standard").name == "monte_carlo"
    assert monte_carlo.specs("sushi_boat", 3, "standard") == []
    with pytest.raises(AgentError, match="agent 'monte_carlo' plays sushi_go and sushi_boat, not 'chess'"):
        monte_carlo("chess", 3, "standard")
    with pytest.raises(AgentError, match="rollout must be one of quick, random in sushi_boat, not 'greedy'"):
        monte_carlo("sushi_boat", 3, "standard", rollout="greedy")
    with pytest.raises(AgentError, match="iterations must be a whole number"):
        monte_carlo("sushi_boat", 3, "standard", iterations=0)


def test_who_waits_is_not_thought_about():
    game = new_game(3, seed=2)
    seen, mask = game.observe()[0], game.legal()[0]
    chosen = agent_for(3).act(seen, mask, np.zeros(3, np.uint64))
    waiting = ~game.to_move[0]
    assert (chosen[waiting] == 0).all()
    assert mask[~waiting, chosen[~waiting]].all()
    assert plays.describe(int(chosen[~waiting][0])) in [plays.describe(action) for action in game.legal_actions()]
