"""Resets: one that is refused changes nothing, games never begun are over, odd arguments get a sentence."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from sushigo_env import sushi_go_v0
from sushigo_env.errors import ActionError, OrderError, SettingError
from sushigo_env.seeding import game_seeds
from sushigo_env.sushi_go.cards import DUMMY
from sushigo_env.sushi_go.game import SushiGo
from tests.api_helpers import every_game, same
from tests.test_api_gym_vector import ours
from tests.test_api_vector_aec import GAMES_AT_ONCE, act, vector

MIXED = np.array([0, 1, 0, 0, 1])
"""A first seat for each of the games; not the same for all."""
ODD_SEATS = {"auction": "mover", "dummy": "first_controller"}


# lockstep ------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ODD_SEATS)
@pytest.mark.parametrize("steps", [0, 1, 4])
def test_a_refused_reset_leaves_the_games_as_they_were(name: str, steps: int) -> None:
    vec, twin = vector(name), vector(name)
    for env in (vec, twin):
        rng = np.random.default_rng(0)
        env.reset(seed=3)
        for _ in range(steps):
            act(env, rng)
    with pytest.raises(SettingError, match="give every game the same first seat"):
        vec.reset(seed=9, options={ODD_SEATS[name]: MIXED})
    with pytest.raises(SettingError, match="resets all its games together"):
        vec.reset(seed=9, options={"reset_mask": np.ones(GAMES_AT_ONCE, bool)})
    with pytest.raises(SettingError, match="seed must be"):
        vec.reset(seed=-1)
    assert same(vec.game.save(), twin.game.save())
    told = []
    for env in (vec, twin):
        rng = np.random.default_rng(1)
        told.append([])
        while env.agents:
            agent = env.agent_selection
            told[-1].append((agent, act(env, rng), env.rewards[agent].copy(), env.state().copy()))
        env.reset()
        told[-1].append(env.state().copy())
    assert same(told[0], told[1])


@pytest.mark.parametrize("name", ODD_SEATS)
def test_a_first_reset_may_be_refused(name: str) -> None:
    vec = vector(name)
    with pytest.raises(SettingError, match="give every game the same first seat"):
        vec.reset(seed=1, options={ODD_SEATS[name]: MIXED})
    assert vec.agents == []
    assert vec.game.done.all()
    with pytest.raises(OrderError, match=r"call reset\(\) first"):
        vec.step(np.zeros(GAMES_AT_ONCE, int))


@pytest.mark.parametrize("options", [{"colour": "red"}, {"first_controller": 1}])
def test_options_cost_no_play_out(options: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    vec = vector("dummy")
    for name in ("step", "copy"):
        monkeypatch.setattr(SushiGo, name, lambda *_: pytest.fail("a reset plays no games"))
    vec.reset(seed=1, options=options)
    assert len(vec.agents) == 2


@pytest.mark.parametrize(
    ("name", "options", "lockstep"),
    [
        ("sushi_go", {}, True),
        ("dummy", {}, True),
        ("dummy", {"first_controller": MIXED}, False),
        ("auction", {}, True),
        ("auction", {"mover": MIXED}, False),
    ],
)
def test_games_know_their_lockstep(name: str, options: dict[str, Any], lockstep: bool) -> None:
    game = vector(name).game
    game.reset(seeds=game_seeds(3, GAMES_AT_ONCE), options=options)
    together = []
    while not game.done.all():
        assert game.lockstep == lockstep
        together.append((game.to_move == game.to_move[0]).all())
        game.step(game.legal().argmax(axis=2).astype(np.int32))
    assert all(together) == lockstep
    assert game.lockstep


def test_games_that_are_over_keep_no_lockstep() -> None:
    game = SushiGo(2, 2, variant=DUMMY)
    game.reset(options={"first_controller": np.array([0, 1])})
    assert not game.lockstep
    game.end(np.array([True, False]))
    assert game.lockstep


# a part of the games -------------------------------------------------------------------------------------------------
def begin(name: str, mode: AutoresetMode) -> Any:
    """Four games, of which the second and the fourth were never begun."""
    vec = ours(name, mode=mode, reward="score")
    return vec, vec.reset(seed=1, options={"reset_mask": np.array([True, False, True, False])})


@every_game
@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_games_never_begun_are_over(name: str, mode: AutoresetMode) -> None:
    vec, (observation, infos) = begin(name, mode)
    assert vec.observation_space.contains(observation)
    assert vec.game.done.tolist() == [False, True, False, True]
    assert observation["action_mask"].any(axis=1).tolist() == [True, False, True, False]
    assert infos["_seat"].tolist() == [True, False, True, False]
    actions = observation["action_mask"].argmax(axis=1)
    if mode is AutoresetMode.DISABLED:
        with pytest.raises(OrderError, match="game 1 is over; reset it"):
            vec.step(actions)
        observation, _ = vec.reset(options={"reset_mask": np.array([False, True, False, True])})
    else:
        observation, rewards, ended, _, infos = vec.step(actions)
        assert rewards[[1, 3]].tolist() == [0, 0]
        assert not ended[[1, 3]].any()
        assert infos["_seat"].all()
    assert not vec.game.done.any()
    assert observation["action_mask"].any(axis=1).all()


def test_games_never_begun_start_even_where_others_end() -> None:
    vec, (observation, _) = begin("sushi_go", AutoresetMode.SAME_STEP)
    actions = observation["action_mask"].argmax(axis=1)
    actions[0] = observation["action_mask"][0].argmin()  # an illegal action ends its game
    observation, rewards, ended, _, infos = vec.step(actions)
    assert ended.tolist() == infos["_final_obs"].tolist() == [True, False, False, False]
    assert rewards.tolist() == [-1, 0, 0, 0]
    assert not vec.game.done.any()


def test_games_never_begun_show_an_empty_table() -> None:
    vec, (observation, _) = begin("sushi_go", AutoresetMode.NEXT_STEP)
    fields = vec.layout.as_dict(observation["observation"][1])
    for name in ("own_hand", "other_hands", "tableaus", "hand_sizes", "puddings"):
        assert not fields[name].any()


# arguments -----------------------------------------------------------------------------------------------------------
DOORS = [
    sushi_go_v0.env,
    sushi_go_v0.parallel_env,
    sushi_go_v0.vector_env,
    sushi_go_v0.gymnasium_env,
    sushi_go_v0.gymnasium_vector_env,
]
every_door = pytest.mark.parametrize("door", DOORS, ids=lambda door: door.__name__)


@every_door
@pytest.mark.parametrize("seed", [np.int64(3), np.uint8(3), np.uint64(3)])
def test_any_integer_is_a_seed(door: Any, seed: Any) -> None:
    told = []
    for given in (3, seed):
        env = door(**({"num_envs": 2} if "vec" in door.__name__ else {}))
        env.reset(seed=given)
        told.append(env.game.state())
    assert same(told[0], told[1])


def test_gymnasium_made_by_id_takes_any_integer_seed() -> None:
    env = gymnasium.make("sushigo_env/SushiGo-v0")
    assert same(env.reset(seed=np.int64(3))[0], env.reset(seed=3)[0])  # type: ignore[arg-type]


@every_door
@pytest.mark.parametrize("options", [[1], 5, "deals", [("deals", None)]])
def test_options_are_a_dict(door: Any, options: Any) -> None:
    env = door()
    env.reset(seed=1)
    saved = env.game.save()
    with pytest.raises(SettingError, match=f"^options must be a dict, not {type(options).__name__}"):
        env.reset(options=options)
    assert same(env.game.save(), saved)


@pytest.mark.parametrize("door", [sushi_go_v0.vector_env, sushi_go_v0.gymnasium_vector_env])
@pytest.mark.parametrize("number", [0, -3, 2.5, True, None, [4]])
def test_numbers_of_games_are_called_what_the_door_calls_them(door: Any, number: Any) -> None:
    with pytest.raises(SettingError, match=r"^num_envs must be a whole number from 1 on, not "):
        door(num_envs=number)


@pytest.mark.parametrize("seat", [np.array([0, 1]), np.array("rotate"), [0], {}])
def test_seats_that_are_none(seat: Any) -> None:
    with pytest.raises(SettingError, match=r"^seat must be from 0 to 3, or 'rotate', not "):
        sushi_go_v0.gymnasium_env(seat=seat)


@pytest.mark.parametrize("door", [sushi_go_v0.env, sushi_go_v0.parallel_env, sushi_go_v0.vector_env])
@pytest.mark.parametrize("agent", [[], 0, None, np.array(["player_0"])])
def test_agents_that_are_none(door: Any, agent: Any) -> None:
    env = door()
    for call in (env.observation_space, env.action_space):
        with pytest.raises(SettingError, match=r"^there is no agent "):
            call(agent)


def test_a_step_of_many_games_takes_no_dict() -> None:
    env = sushi_go_v0.vector_env(2)
    env.reset(seed=1)
    with pytest.raises(ActionError, match=r"^actions must be integers, not object"):
        env.step({"player_0": 1})
