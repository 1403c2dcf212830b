"""`vector_env` with every seat of a turn in one call, and the rewards that its games leave behind."""

from __future__ import annotations

import numpy as np
import pytest

from tests.api_helpers import SIMULTANEOUS, every_game, same
from tests.test_api_vector_aec import GAMES_AT_ONCE, act, vector


@every_game
@pytest.mark.parametrize("reward", ["win", "score"])
def test_rewards_of_the_last_step_stay_until_reset(name: str, reward: str) -> None:
    vec, rng = vector(name, reward=reward), np.random.default_rng(8)
    vec.reset(seed=3)
    earned = dict.fromkeys(vec.possible_agents, 0.0)
    while vec.agents:
        act(vec, rng)
        earned = {agent: earned[agent] + vec.rewards[agent] for agent in earned}
    for seat, agent in enumerate(vec.possible_agents):
        if reward == "score":
            assert np.array_equal(earned[agent], vec.game.scores[:, seat])
        elif name in SIMULTANEOUS:  # its games end one after another
            assert np.array_equal(earned[agent], vec.rewards[agent])
    assert any(paid.any() for paid in vec.rewards.values())
    vec.reset()
    assert not any(paid.any() for paid in vec.rewards.values())


@every_game
def test_observe_all_is_what_everyone_sees(name: str) -> None:
    vec, flat, rng = vector(name), vector(name, obs="flat"), np.random.default_rng(6)
    vec.reset(seed=4)
    flat.reset(seed=4)
    halves = 0
    while vec.agents:
        seen = vec.observe_all()
        masks, moving = seen["action_mask"], vec.game.to_move
        assert masks.dtype == np.int8
        assert masks.shape == (GAMES_AT_ONCE, len(vec.possible_agents), vec.game.num_actions)
        assert np.array_equal(masks.any(axis=2), moving)
        assert np.array_equal(masks[moving], vec.game.legal()[moving])
        assert same(seen["observation"], flat.observe_all())
        for seat, agent in enumerate(vec.possible_agents):
            assert same(
                np.ascontiguousarray(seen["observation"][:, seat]),
                np.ascontiguousarray(vec.observe(agent)["observation"]),
            )
        halves += not moving.all()
        actions = (rng.random(masks.shape) * masks).argmax(axis=2)
        vec.step_all(actions)
        flat.step_all(actions)
    assert (halves > 0) == (name != "sushi_go")
    assert not vec.observe_all()["action_mask"].any()


@every_game
def test_step_all_is_everyones_step(name: str) -> None:
    in_turn, at_once = vector(name, reward="score"), vector(name, reward="score")
    rng = np.random.default_rng(2)
    in_turn.reset(seed=1)
    at_once.reset(seed=1)
    while at_once.agents:
        moving = at_once.game.to_move
        actions = np.zeros(moving.shape, np.int64)
        for _ in range(1 if name not in SIMULTANEOUS else len(in_turn._movers)):
            seats = (
                in_turn.to_move
                if name not in SIMULTANEOUS
                else [in_turn.possible_agents.index(in_turn.agent_selection)]
            )
            taken = act(in_turn, rng)
            actions[np.arange(GAMES_AT_ONCE), np.maximum(seats, 0)] = taken
        at_once.step_all(actions)
        assert same(at_once.state(), in_turn.state())
        assert same(at_once.rewards, in_turn.rewards)
        assert same(at_once.terminations, in_turn.terminations)
        assert at_once.agents == in_turn.agents
        assert all(same(at_once.observe(agent), in_turn.observe(agent)) for agent in at_once.agents)
    assert np.array_equal(at_once.game.scores, in_turn.game.scores)
