"""Within a turn nobody learns what the seats before have chosen: every byte the others can get is compared."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from sushigo_env.api.aec import AEC
from sushigo_env.api.settings import Settings
from sushigo_env.api.vector_aec import LockstepVectorEnv
from tests.api_helpers import GAMES, choose_each, every_simultaneous_game, mask_of, play_turns, same


def table(name: str, obs: str = "dict") -> AEC:
    return AEC(GAMES[name](1), Settings(obs=obs, render_mode="ansi", reward="score"), "toy_v0")


def seen_by(env: Any, agents: list[str]) -> list[Any]:
    """All that these agents could get at."""
    own = [
        (env.observe(agent), env.infos[agent], env.rewards[agent], env.terminations[agent], env.truncations[agent])
        for agent in agents
    ]
    return [own, env.state(), env.render(), env.agent_selection, list(env.agents)]


def is_half_way(env: Any) -> bool:
    """Whether a turn of two halves stands between them."""
    layout = env.layout
    if "half" not in layout.slices:
        return False
    return bool(layout.read(env.game.observe()[0, 0], "half"))


def variations(env: Any) -> list[Any]:
    """A copy of `env` after each of the legal actions of the agent selected."""
    after = []
    for action in np.flatnonzero(mask_of(env, env.agent_selection)).tolist():
        after.append(copy.deepcopy(env))
        after[-1].step(action)
    return after


def begin_turns(name: str, obs: str, seed: int) -> Iterator[AEC]:
    """An environment at the beginning of each of an episode's turns."""
    env, rng = table(name, obs), np.random.default_rng(seed)
    env.reset(seed=seed)
    while not any(env.terminations.values()):
        yield copy.deepcopy(env)
        play_turns(env, len(env._turn), rng)


@every_simultaneous_game
@pytest.mark.parametrize("obs", ["dict", "flat"])
@pytest.mark.parametrize("seed", [0, 1])
def test_nobody_peeks_in_aec(name: str, obs: str, seed: int) -> None:
    compared = 0
    for env in begin_turns(name, obs, seed):
        for _ in env._turn[:-1]:
            agent, after = env.agent_selection, variations(env)
            compared += compare_until_the_last_chooses(after, agent)
            play_turns(env, 1, np.random.default_rng(seed))
    assert compared > 10


def compare_until_the_last_chooses(after: list[Any], chooser: str) -> int:
    """The seats between choose the same in every variation, and everything looks the same; how much was compared."""
    compared = 0
    others = [agent for agent in after[0].agents if agent != chooser]
    while True:
        first = seen_by(after[0], others)
        assert all(same(seen_by(twin, others), first) for twin in after[1:])
        assert all(same(twin.observe(chooser), after[0].observe(chooser)) for twin in after[1:])
        compared += len(after) - 1
        if len(after[0]._turn) == 1:
            return compared
        choice = int(mask_of(after[0], after[0].agent_selection).argmax())
        for twin in after:
            twin.step(choice)


@pytest.mark.parametrize("name", ["auction", "dummy"])
@pytest.mark.parametrize("seed", [0, 1])
def test_nothing_is_revealed_between_the_halves(name: str, seed: int) -> None:
    compared = 0
    for env in begin_turns(name, "dict", seed):
        if is_half_way(env):
            continue
        for seat, agent in enumerate(env.agents):
            after = []
            for twin, choice in one_seat_varied(env, seat):
                for mover in twin.agents:
                    twin.step(choice if mover == agent else int(mask_of(twin, mover).argmax()))
                after.append(twin)
            others = [other for other in env.agents if other != agent]
            assert all(is_half_way(twin) for twin in after)
            first = seen_by(after[0], others)
            assert all(same(seen_by(twin, others), first) for twin in after[1:])
            compared += len(after) - 1
    assert compared > 10


def one_seat_varied(env: Any, seat: int) -> Iterator[tuple[Any, int]]:
    """A copy of `env` for each action that `seat` may take this turn."""
    for action in np.flatnonzero(env.game.legal()[0, seat]).tolist():
        yield copy.deepcopy(env), action


@every_simultaneous_game
def test_nobody_peeks_in_lockstep(name: str) -> None:
    rng, compared = np.random.default_rng(4), 0
    env = LockstepVectorEnv(GAMES[name](5), Settings(illegal="raise"), "toy_v0")
    env.reset(seed=3)
    while env.agents:
        before = everything(env)
        agent = env.agent_selection
        env.step(choose_each(env.observe(agent)["action_mask"], rng))
        if env.agents and env._chosen:
            after = everything(env)
            waiting = [other for other in env.agents if other not in (agent, env.agent_selection)]
            assert all(same(after[other], before[other]) for other in waiting)
            assert all(same(after[other][0]["observation"], before[other][0]["observation"]) for other in env.agents)
            assert same(after["state"], before["state"])
            compared += 1
    assert compared > 3


def everything(env: Any) -> dict[str, Any]:
    told = {agent: (env.observe(agent), env.infos[agent], env.rewards[agent]) for agent in env.agents}
    return copy.deepcopy({**told, "state": (env.state(),)})
