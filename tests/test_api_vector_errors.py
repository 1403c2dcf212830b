"""Bad input at `vector_env`: the right class of error, one helpful sentence, nothing changed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sushigo_env import sushi_go_v0
from sushigo_env.errors import ActionError, OrderError, SettingError
from tests.api_helpers import every_game, same
from tests.test_api_vector_aec import GAMES_AT_ONCE, act, vector


@pytest.mark.parametrize("call", ["step", "step_all", "observe", "observe_all", "state", "infos"])
def test_nothing_before_reset(call: str) -> None:
    vec = vector("sushi_go")
    arguments: dict[str, tuple[Any, ...]] = {
        "step": (np.zeros(5, int),),
        "step_all": (np.zeros((5, 3), int),),
        "observe": ("player_0",),
    }
    with pytest.raises(OrderError, match=r"call reset\(\) first"):
        _ = vec.infos if call == "infos" else getattr(vec, call)(*arguments.get(call, ()))


@every_game
def test_nothing_after_the_end(name: str) -> None:
    vec, rng = vector(name), np.random.default_rng(0)
    vec.reset(seed=1)
    while vec.agents:
        act(vec, rng)
    with pytest.raises(OrderError, match="the games are over"):
        vec.step(np.zeros(GAMES_AT_ONCE, int))
    with pytest.raises(OrderError, match="the games are over"):
        vec.step_all(np.zeros((GAMES_AT_ONCE, vec.game.num_players), int))


def test_step_all_in_the_middle_of_a_turn() -> None:
    vec = vector("sushi_go")
    vec.reset(seed=1)
    act(vec, np.random.default_rng(0))
    with pytest.raises(OrderError, match="1 of 3 agents have chosen"):
        vec.step_all(np.zeros((GAMES_AT_ONCE, 3), int))


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        (np.zeros(4, int), r"shape \(5,\) \(games\), not \(4,\)"),
        (3, r"shape \(5,\)"),
        (np.zeros((5, 1), int), r"not \(5, 1\)"),
        (np.zeros(5), "integers, not float64"),
        (np.zeros(5, bool), "integers, not bool"),
        ([0, 0, 0, 0, 96], "game 4 must be from 0 to 95, not 96"),
        ([0, -1, 0, 0, 0], "game 1 must be from 0 to 95, not -1"),
        ([0, 0, 2**40, 0, 0], "game 2 must be from 0 to 95"),
    ],
)
def test_actions_that_do_not_fit(actions: Any, message: str) -> None:
    vec = vector("sushi_go")
    vec.reset(seed=1)
    saved = vec.game.save()
    with pytest.raises(ActionError, match=message):
        vec.step(actions)
    assert same(vec.game.save(), saved)
    assert vec.agent_selection == "player_0"


def test_partial_resets_are_refused() -> None:
    vec = vector("sushi_go")
    vec.reset(seed=1)
    with pytest.raises(SettingError, match="resets all its games together"):
        vec.reset(options={"reset_mask": np.ones(5, bool)})


@pytest.mark.parametrize("name", ["auction", "dummy"])
def test_games_out_of_step_are_refused_at_reset(name: str) -> None:
    vec = vector(name)
    option = "mover" if name == "auction" else "first_controller"
    with pytest.raises(SettingError, match="give every game the same first seat"):
        vec.reset(seed=1, options={option: np.array([0, 1, 0, 0, 1])})
    vec.reset(seed=1, options={option: np.ones(5, int)})
    for _ in range(vec.game.num_players):
        act(vec, np.random.default_rng(0))
    assert vec.agent_selection == "player_1"


def test_unknown_agents_and_settings() -> None:
    vec = vector("sushi_go")
    vec.reset()
    with pytest.raises(SettingError, match="no agent 'player_3'; the agents are player_0, player_1, player_2"):
        vec.observe("player_3")
    with pytest.raises(SettingError, match="tensors must be one of numpy, torch, not 'jax'"):
        sushi_go_v0.vector_env(2, tensors="jax")
