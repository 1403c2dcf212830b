"""The Parallel environment: PettingZoo's own tests, determinism, illegal actions, and agreement with AEC."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test
from pettingzoo.utils import aec_to_parallel, parallel_to_aec
from pettingzoo.utils.wrappers import BaseParallelWrapper

from sushigo_env import sushi_go_v0
from sushigo_env.api.aec import AEC
from sushigo_env.api.parallel import Parallel
from sushigo_env.api.settings import Settings
from sushigo_env.errors import ActionError, IllegalAction, SettingError
from sushigo_env.sushi_go.observation import OBSERVATIONS
from tests.api_helpers import GAMES, choose, every_simultaneous_game, expected_warnings, same
from tests.strategies import TABLES, Table
from tests.toy_games import Auction, Sticks

pytestmark = expected_warnings


def parallel(name: str, **settings: Any) -> Parallel:
    return Parallel(GAMES[name](1), Settings(**settings), "toy_v0")


def choices(infos: dict[str, Any], rng: np.random.Generator) -> dict[str, int]:
    """A legal action for everyone who is asked."""
    return {agent: choose(info["action_mask"], rng) for agent, info in infos.items() if info["action_mask"].any()}


def episode(env: Any, seed: int | None, rng: np.random.Generator) -> list[Any]:
    """Everything a Parallel environment tells in one episode."""
    observations, infos = env.reset(seed=seed)
    told: list[Any] = [(observations, infos, env.state())]
    while env.agents:
        told.append((*env.step(choices(infos, rng)), env.state()))
        infos = told[-1][4]
    return told


@every_simultaneous_game
@pytest.mark.parametrize("obs", ["dict", "flat"])
def test_api(name: str, obs: str) -> None:
    parallel_api_test(parallel(name, obs=obs), num_cycles=40)
    parallel_seed_test(lambda: parallel(name, obs=obs), num_cycles=40)


@pytest.mark.parametrize("table", TABLES, ids=str)
@pytest.mark.parametrize("observation", OBSERVATIONS)
def test_api_of_every_table(table: Table, observation: str) -> None:
    settings: dict[str, Any] = {**table.settings, "observation": observation}
    parallel_api_test(sushi_go_v0.parallel_env(**settings), num_cycles=100)
    parallel_seed_test(lambda: sushi_go_v0.parallel_env(**settings), num_cycles=60)


@every_simultaneous_game
def test_a_wrapper_changes_nothing(name: str) -> None:
    bare, covered = parallel(name), BaseParallelWrapper(parallel(name))
    first = episode(bare, 4, np.random.default_rng(1))
    assert same(episode(covered, 4, np.random.default_rng(1)), first)
    assert covered.unwrapped.record() == bare.record()


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_pettingzoo_can_make_an_aec_environment_of_it(table: Table) -> None:
    settings: dict[str, Any] = dict(table.settings)
    api_test(parallel_to_aec(sushi_go_v0.parallel_env(**settings)), num_cycles=60)
    with pytest.raises(AssertionError, match="is_parallelizable"):
        aec_to_parallel(sushi_go_v0.env(**settings))


@every_simultaneous_game
@pytest.mark.parametrize("dtype", ["uint8", "float32"])
def test_whole_episodes_are_the_same_for_the_same_seed(name: str, dtype: str) -> None:
    told = []
    for _ in range(2):
        env, rng = parallel(name, dtype=dtype, reward="score"), np.random.default_rng(5)
        told.append([episode(env, seed, rng) for seed in (11, None, None)])
    assert same(told[0], told[1])


@every_simultaneous_game
@pytest.mark.parametrize("reward", ["win", "rank", "score", "margin"])
def test_parallel_and_aec_play_the_same_game(name: str, reward: str) -> None:
    together, in_turn = parallel(name, reward=reward), AEC(GAMES[name](1), Settings(reward=reward), "toy_v0")
    rng = np.random.default_rng(7)
    observations, infos = together.reset(seed=21)
    in_turn.reset(seed=21)
    while together.agents:
        chosen = choices(infos, rng)
        for _ in list(in_turn._turn):
            agent = in_turn.agent_selection
            assert same(in_turn.observe(agent), observations[agent])
            in_turn.step(chosen[agent])
        observations, rewards, terminations, _, infos = together.step(chosen)
        assert rewards == in_turn.rewards
        assert terminations == in_turn.terminations
        assert same(together.state(), in_turn.state())
        for agent in terminations:
            assert np.array_equal(observations[agent]["observation"], in_turn.observe(agent)["observation"])


@every_simultaneous_game
def test_what_was_handed_out_stays_as_it_was(name: str) -> None:
    env, rng = parallel(name), np.random.default_rng(2)
    told = [env.reset(seed=1)]
    copies = [copy.deepcopy(told[0])]
    while env.agents:
        told.append(env.step(choices(told[-1][-1], rng)))
        copies.append(copy.deepcopy(told[-1]))
    env.reset()
    assert same(told, copies)


@every_simultaneous_game
def test_a_deep_copy_goes_its_own_way(name: str) -> None:
    env = parallel(name)
    _, infos = env.reset(seed=9)
    _, _, _, _, infos = env.step(choices(infos, np.random.default_rng(0)))
    twin, state = copy.deepcopy(env), env.state()
    ends = []
    for each in (twin, env):
        assert same(each.state(), state)
        now, rng = infos, np.random.default_rng(1)
        while each.agents:
            now = each.step(choices(now, rng))[4]
        ends.append((each.state(), each.record()))
    assert same(ends[0], ends[1])


@every_simultaneous_game
def test_spaces_are_the_same_objects_and_observations_lie_in_them(name: str) -> None:
    env, rng = parallel(name, dtype="float32"), np.random.default_rng(3)
    spaces = {agent: env.observation_space(agent) for agent in env.possible_agents}
    observations, infos = env.reset(seed=3)
    while env.agents:
        for agent, observation in observations.items():
            assert env.observation_space(agent) is spaces[agent]
            assert spaces[agent].contains(observation)
            assert observation["observation"].dtype == np.float32
            assert same(observation["action_mask"], infos[agent]["action_mask"])
        observations, _, _, _, infos = env.step(choices(infos, rng))


@every_simultaneous_game
def test_every_offender_loses_one_and_the_game_is_over(name: str) -> None:
    env = parallel(name, reward="score")
    _, infos = env.reset(seed=1)
    rng = np.random.default_rng(0)
    while not any(0 < info["action_mask"].sum() < len(info["action_mask"]) for info in infos.values()):
        infos = env.step(choices(infos, rng))[4]
    actions = choices(infos, rng)
    offenders = [agent for agent in actions if not infos[agent]["action_mask"].all()][:2]
    for agent in offenders:
        actions[agent] = int(infos[agent]["action_mask"].argmin())
    observations, rewards, terminations, truncations, infos = env.step(actions)
    assert rewards == {agent: -1.0 if agent in offenders else 0.0 for agent in env.possible_agents}
    assert terminations == dict.fromkeys(env.possible_agents, True)
    assert truncations == dict.fromkeys(env.possible_agents, False)
    assert env.agents == []
    assert all(env.observation_space(agent).contains(seen) for agent, seen in observations.items())
    assert not any(info["action_mask"].any() for info in infos.values())
    assert env.reset()[0].keys() == set(env.agents)


@every_simultaneous_game
def test_an_illegal_action_is_an_error_and_changes_nothing(name: str) -> None:
    env = parallel(name, illegal="raise")
    _, infos = env.reset(seed=1)
    rng = np.random.default_rng(0)
    while not any(0 < info["action_mask"].sum() < len(info["action_mask"]) for info in infos.values()):
        infos = env.step(choices(infos, rng))[4]
    actions = choices(infos, rng)
    agent = next(agent for agent in actions if not infos[agent]["action_mask"].all())
    before, masked = env.game.save(), int(infos[agent]["action_mask"].argmin())
    with pytest.raises(IllegalAction, match=agent) as caught:
        env.step({**actions, agent: masked})
    assert env.game.describe_action(masked) in str(caught.value)
    assert same(env.game.save(), before)
    env.step(actions)
    assert not same(env.game.save(), before)


def test_the_waiting_seat_is_asked() -> None:
    env = parallel("dummy")
    _, infos = env.reset(seed=1)
    _, _, _, _, infos = env.step(choices(infos, np.random.default_rng(0)))
    assert np.flatnonzero(infos["player_1"]["action_mask"]).tolist() == [96]
    assert env.game.describe_action(96) == "wait"
    with pytest.raises(ActionError, match="player_1 has none"):
        env.step({"player_0": int(infos["player_0"]["action_mask"].argmax())})
    _, rewards, terminations, _, _ = env.step(
        {"player_0": int(infos["player_0"]["action_mask"].argmax()), "player_1": 0}
    )
    assert rewards == {"player_0": 0.0, "player_1": -1.0}
    assert all(terminations.values())


class Skipping(Auction):
    """Who waits is not asked at all."""

    def options(self, row: Any, seat: int) -> list[int]:
        return [action for action in super().options(row, seat) if action != 4]


def test_an_agent_with_nothing_to_do_may_be_left_out() -> None:
    env = Parallel(Skipping(1), Settings(), "toy_v0")
    _, infos = env.reset(seed=1)
    _, _, _, _, infos = env.step(choices(infos, np.random.default_rng(0)))
    (mover,) = (agent for agent, info in infos.items() if info["action_mask"].any())
    state = env.state()
    env.step({mover: 0})
    assert not same(env.state(), state)


def test_where_seats_take_turns_there_is_no_parallel_environment() -> None:
    with pytest.raises(SettingError, match=r"^sticks asks one seat at a time, so it has no Parallel environment; use "):
        Parallel(Sticks(1), Settings(), "toy_v0")
