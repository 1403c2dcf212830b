"""The AEC environments: PettingZoo's own tests, its wrappers, determinism, copies, illegal actions."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test
from pettingzoo.test.state_test import state_test
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper

from sushigo_env import sushi_go_v0
from sushigo_env.api.aec import AEC
from sushigo_env.api.settings import Settings
from sushigo_env.errors import IllegalAction
from sushigo_env.sushi_go.observation import OBSERVATIONS
from tests.api_helpers import (
    GAMES,
    choose,
    every_game,
    expected_warnings,
    mask_of,
    play_turns,
    same,
    transcript,
)
from tests.strategies import TABLES, Table

pytestmark = expected_warnings


def aec(name: str, **settings: Any) -> AEC:
    return AEC(GAMES[name](1), Settings(**settings), "toy_v0")


def wrapped(env: Any) -> Any:
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(TerminateIllegalWrapper(env, illegal_reward=-1)))


@every_game
@pytest.mark.parametrize("obs", ["dict", "flat"])
@pytest.mark.parametrize("reward", ["win", "score"])
def test_api(name: str, obs: str, reward: str) -> None:
    api_test(aec(name, obs=obs, reward=reward), num_cycles=60)
    seed_test(lambda: aec(name, obs=obs, reward=reward), num_cycles=60)


@pytest.mark.parametrize("table", TABLES, ids=str)
@pytest.mark.parametrize("observation", OBSERVATIONS)
def test_api_of_every_table(table: Table, observation: str) -> None:
    settings: dict[str, Any] = {**table.settings, "observation": observation}
    api_test(sushi_go_v0.env(**settings), num_cycles=100)
    api_test(wrapped(sushi_go_v0.raw_env(**settings)), num_cycles=100)
    seed_test(lambda: sushi_go_v0.env(**settings), num_cycles=30)
    seed_test(lambda: wrapped(sushi_go_v0.raw_env(**settings)), num_cycles=30)
    state_test(sushi_go_v0.env(**settings), sushi_go_v0.parallel_env(**settings), num_cycles=4)


@every_game
def test_states_and_renders(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    state_test(aec(name), aec(name), num_cycles=3)  # the last argument is asked for a reset and its state alone
    render_test(lambda render_mode: aec(name, render_mode=render_mode))
    printed = capsys.readouterr().out
    env = aec(name, render_mode="ansi")
    env.reset(seed=1)
    assert env.render() == env.unwrapped.game.render(0)
    assert printed


@every_game
def test_human_prints_what_ansi_returns(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    human, ansi = aec(name, render_mode="human"), aec(name, render_mode="ansi")
    capsys.readouterr()
    human.reset(seed=4)
    ansi.reset(seed=4)
    assert capsys.readouterr().out == f"{ansi.render()}\n"
    assert human.render() is None
    assert capsys.readouterr().out == f"{ansi.render()}\n"


def test_rendering_without_a_mode_warns() -> None:
    env = aec("sticks")
    env.reset()
    with pytest.warns(UserWarning, match="render_mode='human' or 'ansi'"):
        assert env.render() is None


@every_game
@pytest.mark.parametrize("dtype", ["uint8", "float32"])
def test_whole_episodes_are_the_same_for_the_same_seed(name: str, dtype: str) -> None:
    told = []
    for _ in range(2):
        env, rng = aec(name, dtype=dtype, reward="score"), np.random.default_rng(5)
        told.append([transcript(env, seed, rng) for seed in (11, None, None, 11)])
    assert same(told[0], told[1])
    first, second, third, _ = told[0]
    assert not same(first[:1], second[:1]) or not same(second[:1], third[:1])
    env, rng = aec(name, dtype=dtype, reward="score"), np.random.default_rng(5)
    env.reset(seed=3)
    assert same(transcript(env, 11, rng), first)  # what was played before a seed does not matter


@every_game
def test_games_without_a_seed_differ(name: str) -> None:
    deals = set()
    for _ in range(8):
        env = aec(name)
        env.reset()
        deals.add(env.state().tobytes())
    assert len(deals) > 1


@every_game
def test_a_deep_copy_goes_its_own_way(name: str) -> None:
    env, rng = aec(name, reward="score"), np.random.default_rng(0)
    env.reset(seed=9)
    play_turns(env, 4, rng)
    twin = copy.deepcopy(env)
    before = [env.observe(agent) for agent in env.possible_agents], env.state(), env.agent_selection
    played = finish(twin, np.random.default_rng(1))
    assert same(([env.observe(agent) for agent in env.possible_agents], env.state(), env.agent_selection), before)
    assert same(finish(env, np.random.default_rng(1)), played)


def go_to_a_masked_action(env: Any) -> int:
    """Play until something is masked for the agent selected, and tell it."""
    rng = np.random.default_rng(1)
    while mask_of(env, env.agent_selection).all():
        play_turns(env, 1, rng)
    return int(mask_of(env, env.agent_selection).argmin())


def finish(env: Any, rng: np.random.Generator) -> list[Any]:
    told = []
    for agent in env.agent_iter():
        observation, reward, terminated, _, info = env.last()
        told.append((agent, observation, reward, terminated))
        env.step(None if terminated else choose(info["action_mask"], rng))
    return told


@every_game
def test_what_was_handed_out_stays_as_it_was(name: str) -> None:
    env, rng = aec(name), np.random.default_rng(2)
    env.reset(seed=1)
    kept: list[Any] = []
    while not any(env.terminations.values()):
        handed = [env.observe(agent) for agent in env.possible_agents], env.state()
        kept.append((handed, copy.deepcopy(handed)))
        env.step(choose(mask_of(env, env.agent_selection), rng))
    env.reset(seed=2)
    assert kept
    assert all(same(handed, copied) for handed, copied in kept)


@every_game
def test_changing_an_observation_changes_nothing_else(name: str) -> None:
    env = aec(name)
    env.reset(seed=1)
    agent = env.agent_selection
    right = env.observe(agent)
    spoilt = env.observe(agent)
    for array in (*spoilt.values(), env.state()):
        array[:] = 0
    assert same(env.observe(agent), right)


@every_game
def test_spaces_and_infos_are_the_same_objects(name: str) -> None:
    env, rng = aec(name), np.random.default_rng(0)
    env.reset(seed=1)
    agents = env.possible_agents
    spaces = [(env.observation_space(agent), env.action_space(agent)) for agent in agents]
    infos, info = env.infos, [env.infos[agent] for agent in agents]
    for seed in (1, 2):
        env.reset(seed=seed)
        for _ in range(5):
            for seat, agent in enumerate(agents):
                assert env.observation_space(agent) is spaces[seat][0]
                assert env.action_space(agent) is spaces[seat][1]
                assert env.infos is infos
                assert env.infos[agent] is info[seat]
            play_turns(env, 1, rng)


@every_game
def test_only_the_agent_selected_has_a_mask(name: str) -> None:
    env, rng = aec(name), np.random.default_rng(0)
    env.reset(seed=1)
    while not any(env.terminations.values()):
        for agent in env.agents:
            mask = env.observe(agent)["action_mask"]
            assert mask.dtype == np.int8
            assert mask.any() == (agent == env.agent_selection)
            assert np.array_equal(mask, env.infos[agent]["action_mask"])
        env.step(choose(mask_of(env, env.agent_selection), rng))
    assert not any(mask_of(env, agent).any() for agent in env.agents)


@every_game
@pytest.mark.parametrize("reward", ["win", "rank", "score", "margin"])
def test_rewards_add_up(name: str, reward: str) -> None:
    env, rng = aec(name, reward=reward), np.random.default_rng(6)
    env.reset(seed=3)
    paid, collected = dict.fromkeys(env.agents, 0.0), dict.fromkeys(env.agents, 0.0)
    for agent in env.agent_iter():
        _, earned, terminated, _, info = env.last()
        collected[agent] += earned
        env.step(None if terminated else choose(info["action_mask"], rng))
        for payee, amount in env.rewards.items():
            paid[payee] += amount
    assert paid == pytest.approx(collected)
    game = env.unwrapped.game
    if reward == "score":
        assert list(paid.values()) == game.scores[0].tolist()
    elif reward == "margin":
        scores = game.scores[0].tolist()
        others = [max(scores[:seat] + scores[seat + 1 :]) for seat in range(len(scores))]
        assert list(paid.values()) == [mine - other for mine, other in zip(scores, others, strict=True)]
    else:
        assert sum(paid.values()) == pytest.approx(0)
        assert max(paid, key=paid.__getitem__) == f"player_{game.standings[0].argmax()}"


@every_game
@pytest.mark.parametrize("step", range(4))
def test_an_illegal_action_loses_the_game(name: str, step: int) -> None:
    env = aec(name, reward="score")
    env.reset(seed=2)
    play_turns(env, step, np.random.default_rng(0))
    masked = go_to_a_masked_action(env)
    offender = env.agent_selection
    env.step(masked)
    assert env.rewards == {agent: -1.0 if agent == offender else 0.0 for agent in env.possible_agents}
    assert all(env.terminations.values())
    assert not any(env.truncations.values())
    left = []
    for agent in env.agent_iter():
        observation, _, terminated, truncated, _ = env.last()
        assert env.observation_space(agent).contains(observation)
        assert terminated
        assert not truncated
        env.step(None)
        left.append(agent)
    assert left == env.possible_agents
    env.reset()
    assert not any(env.terminations.values())


@every_game
def test_an_illegal_action_is_an_error_and_changes_nothing(name: str) -> None:
    env = aec(name, illegal="raise")
    env.reset(seed=2)
    masked = go_to_a_masked_action(env)
    agent, game = env.agent_selection, env.unwrapped.game
    before = copy.deepcopy([env.observe(each) for each in env.agents]), env.state(), dict(env.rewards)
    with pytest.raises(IllegalAction) as caught:
        env.step(masked)
    legal = np.flatnonzero(mask_of(env, agent))
    assert agent in str(caught.value)
    assert game.describe_action(masked) in str(caught.value)
    assert all(game.describe_action(int(action)) in str(caught.value) for action in legal)
    assert env.agent_selection == agent
    assert same(([env.observe(each) for each in env.agents], env.state(), dict(env.rewards)), before)
    env.step(int(legal[0]))
    assert env.agent_selection != agent or not same(env.state(), before[1])


def test_pettingzoos_wrappers_end_a_raw_game() -> None:
    env = wrapped(sushi_go_v0.raw_env(num_players=3))
    env.reset(seed=1)
    env.step(choose(env.last()[0]["action_mask"], np.random.default_rng(0)))
    masked = int(np.flatnonzero(env.last()[0]["action_mask"] == 0)[0])
    env.step(masked)
    assert env.rewards == {"player_0": 0, "player_1": -1.0, "player_2": 0}
    for _ in env.agent_iter():
        env.step(None)
    assert env.agents == []
    env.reset(seed=1)
    play_turns(env, 200, np.random.default_rng(0))
    assert all(env.terminations.values())
    assert env.unwrapped.record()["result"]


def test_wrappers_assert_order_and_bounds() -> None:
    env = wrapped(sushi_go_v0.raw_env())
    with pytest.raises(AssertionError, match="reset"):
        env.step(0)
    with pytest.raises(AttributeError, match="reset"):
        _ = env.agent_selection
    env.reset()
    with pytest.raises(AssertionError, match="action space"):
        env.step(96)


def test_records_deals_and_layout() -> None:
    env = sushi_go_v0.env(num_players=2)
    env.reset(seed=8)
    play_turns(env, 100, np.random.default_rng(0))
    record = env.unwrapped.record()
    other = sushi_go_v0.env(num_players=2)
    other.reset(options={"deals": record["deals"]})
    hand = other.observe("player_0")["observation"][other.unwrapped.layout.slices["own_hand"]]
    env.reset(seed=8)
    assert np.array_equal(hand, env.observe("player_0")["observation"][env.layout.slices["own_hand"]])
    play_turns(other, 100, np.random.default_rng(0))
    assert other.unwrapped.record()["result"] == record["result"]
