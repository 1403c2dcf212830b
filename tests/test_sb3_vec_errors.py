"""The VecEnv of Stable-Baselines3 says what is wrong."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest

from tests.conftest import need

need("stable_baselines3", "sb3_contrib")

from sushigo_env import sushi_go_v0  # noqa: E402
from sushigo_env.errors import ActionError, OrderError, SettingError  # noqa: E402
from tests.test_sb3_vec import begun, ours  # noqa: E402


def test_several_learners_in_turn_are_refused() -> None:
    with pytest.raises(SettingError, match="asks one seat at a time, so learners must be 1, not 3"):
        ours("sticks", learners=3)


@pytest.mark.parametrize(
    ("opponents", "words"),
    [
        ({"random": 0}, "weight of opponent 'random' must be a number above 0, not 0"),
        ({"random": float("inf")}, "above 0, not inf"),
        ({"random": True}, "above 0, not True"),
        ({}, "at least one agent"),
    ],
)
def test_bad_mixtures(opponents: Any, words: str) -> None:
    with pytest.raises(SettingError, match=words):
        ours(learners=1, opponents=opponents)


def test_options_of_the_game() -> None:
    deals = [[["pudding"] * 9] * 3] * 3
    vec = ours()
    vec.set_options({"deals": deals})
    with pytest.raises(SettingError, match="pudding"):
        vec.reset()
    with pytest.raises(SettingError, match="options must be a dict"):
        vec.set_options([{}] * vec.num_envs)


def test_calls_out_of_order_and_actions_that_do_not_fit() -> None:
    vec = ours()
    with pytest.raises(OrderError, match=r"call reset\(\) first"):
        vec.action_masks()
    with pytest.raises(OrderError, match=r"call reset\(\) first"):
        vec.step(np.zeros(12, int))
    begun(vec)
    with pytest.raises(OrderError, match="no actions to take"):
        vec.step_wait()
    with pytest.raises(ActionError, match=r"shape \(12,\) \(environments\), not \(4, 3\)"):
        vec.step(np.zeros((4, 3), int))
    with pytest.raises(ActionError, match="environment 11 must be from 0 to 95, not 96"):
        vec.step(np.array([0] * 11 + [96]))


@pytest.mark.parametrize("learners", [0, 4, 1.0, True, "all"])
def test_bad_learners(learners: Any) -> None:
    with pytest.raises(SettingError, match="learners must be from 1 to 3, not"):
        ours(learners=learners)


def test_without_sb3_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "sushigo_env.api.sb3_vec")
    monkeypatch.setitem(sys.modules, "stable_baselines3.common.vec_env", None)
    with pytest.raises(
        SettingError, match=r"needs stable_baselines3, .*: pip install 'sushigo-env\[train\]', or '\.\["
    ):
        sushi_go_v0.sb3_vec_env()
