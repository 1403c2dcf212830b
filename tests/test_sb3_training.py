"""The recipe with MaskablePPO: it learns, ships what it learned, and goes on where it broke off."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.conftest import need

need("torch", "stable_baselines3", "sb3_contrib", "tensorboard")

import torch  # noqa: E402
from sb3_contrib import MaskablePPO  # noqa: E402
from stable_baselines3 import PPO  # noqa: E402
from sushigo_agents import network  # noqa: E402
from sushigo_agents.registry import load  # noqa: E402
from sushigo_train.checkpoint import Checkpoints  # noqa: E402
from sushigo_train.evaluation import evaluate  # noqa: E402
from sushigo_train.run_folder import RunFolder  # noqa: E402
from sushigo_train.sb3 import SB3Settings, agent, new_model, train_sb3  # noqa: E402
from sushigo_train.sb3_callbacks import Every, Log  # noqa: E402
from sushigo_train.sb3_policy import from_arrays, policy_tensors, to_arrays  # noqa: E402

from sushigo_env import sushi_go_v0  # noqa: E402
from sushigo_env.errors import SettingError  # noqa: E402

SMALL = SB3Settings(
    num_players=2,
    num_games=4,
    n_epochs=1,
    batch_size=120,
    widths=(16, 8),
    decisions=4 * 2 * 30 * 4,  # four rollouts
    evaluate_every=500,
    evaluate_deals=2,
    checkpoint_every=480,
    seed=3,
    device="cpu",
)


def saved(run_dir: Path) -> dict[str, np.ndarray]:
    last = Checkpoints(run_dir).latest()
    assert last is not None
    return last.arrays


def logged(run_dir: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (run_dir / "log.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("variant", ["standard", "two_player_dummy"])
def test_the_shipped_network_is_the_one_that_learned(variant: str) -> None:
    settings = replace(SMALL, variant=variant)
    model = new_model(settings)
    model.learn(1)
    env = model.env
    assert env is not None
    seen = env.reset()
    for _ in range(20):
        seen, *_ = env.step(env.env_method("action_masks", indices=0)[0].argmax() * np.ones(env.num_envs, np.int64))
    assert isinstance(seen, np.ndarray)
    logits, values = network.Network(policy_tensors(model)).forward(seen)
    with torch.no_grad():
        features = model.policy.extract_features(torch.from_numpy(seen))
        assert logits == pytest.approx(model.policy.action_net(features).numpy(), abs=1e-5)
        assert values == pytest.approx(model.policy.predict_values(torch.from_numpy(seen))[:, 0].numpy(), abs=1e-5)
    masks = np.array(env.env_method("action_masks"))
    chosen, _ = model.predict(seen, deterministic=True, action_masks=masks)
    assert chosen.tolist() == agent(model, settings).act(seen, masks, np.zeros(len(seen), np.uint64)).tolist()


def test_a_run_leaves_all_that_it_should(tmp_path: Path) -> None:
    told: list[dict[str, Any]] = []
    strength = train_sb3(SMALL, tmp_path, report=told.append)
    assert set(strength) == {"random", "greedy", "rival"}
    assert all(0 <= each.win_share <= 1 and each.mean_score > 5 for each in strength.values())
    assert json.loads((tmp_path / "settings.json").read_text())["settings"]["seed"] == 3
    assert any((tmp_path / "tensorboard").iterdir())
    assert told == logged(tmp_path)
    assert sum("greedy/win_share" in entry for entry in told) == 2, "after the third rollout and at the end"
    assert told[-1]["random/mean_score"] == pytest.approx(strength["random"].mean_score)
    assert "train/entropy_loss" in told[2]
    assert {path.name for path in tmp_path.glob("checkpoint-*")} == {
        f"checkpoint-{decisions:06d}.safetensors" for decisions in (480, 960)
    }
    spec = str(tmp_path / "policy.safetensors")
    assert evaluate(load(spec, "sushi_go", 2), 2, "standard", 2) == strength
    with pytest.raises(SettingError, match="holds a run already; resume it"):
        train_sb3(SMALL, tmp_path)


def test_the_same_seed_gives_the_same_weights_broken_off_or_not(tmp_path: Path) -> None:
    train_sb3(SMALL, tmp_path / "whole")
    rollouts = iter([False, False, True])
    assert train_sb3(SMALL, tmp_path / "broken", should_stop=lambda: next(rollouts)) == {}
    before = saved(tmp_path / "broken")
    train_sb3(SMALL, tmp_path / "broken", resume=True)
    whole, resumed = saved(tmp_path / "whole"), saved(tmp_path / "broken")
    assert whole.keys() == resumed.keys()
    assert all(np.array_equal(whole[name], resumed[name]) for name in whole)
    assert not np.array_equal(before["weights.action_net.weight"], resumed["weights.action_net.weight"])
    assert [entry["decisions"] for entry in logged(tmp_path / "broken")] == [
        entry["decisions"] for entry in logged(tmp_path / "whole")
    ]
    train_sb3(replace(SMALL, seed=4), tmp_path / "other")
    assert not np.array_equal(saved(tmp_path / "other")["weights.value_net.bias"], whole["weights.value_net.bias"])


def test_weights_and_optimiser_come_back() -> None:
    model, other = new_model(SMALL), new_model(replace(SMALL, seed=9))
    model.learn(1)
    from_arrays(other.policy, to_arrays(model.policy))
    first, second = to_arrays(model.policy), to_arrays(other.policy)
    assert first.keys() == second.keys()
    assert {name.split(".")[0] for name in first} == {"weights", "step", "exp_avg", "exp_avg_sq"}
    assert all(np.array_equal(first[name], second[name]) for name in first)


def test_what_cannot_be_resumed(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="holds no checkpoint to resume from"):
        train_sb3(SMALL, tmp_path, resume=True)
    train_sb3(replace(SMALL, decisions=1), tmp_path)
    with pytest.raises(SettingError, match=r"has widths=\[16, 8\], which cannot become \[4\]"):
        train_sb3(replace(SMALL, widths=(4,)), tmp_path, resume=True)
    with pytest.raises(SettingError, match="has seed=3, which cannot become 9"):
        train_sb3(replace(SMALL, seed=9), tmp_path, resume=True)
    if not torch.cuda.is_available():
        with pytest.raises(SettingError, match="PyTorch finds no GPU"):
            train_sb3(replace(SMALL, device="cuda"), tmp_path / "gpu")


def test_stopped_between_checkpoints_it_comes_to_the_same_weights(tmp_path: Path) -> None:
    settings = replace(SMALL, checkpoint_every=10**6)
    train_sb3(settings, tmp_path / "whole")
    rollouts = iter([False, True])
    train_sb3(settings, tmp_path / "broken", should_stop=lambda: next(rollouts))
    train_sb3(settings, tmp_path / "broken", resume=True)
    whole, resumed = saved(tmp_path / "whole"), saved(tmp_path / "broken")
    assert all(np.array_equal(whole[name], resumed[name]) for name in whole)


def test_it_learns_to_beat_random(tmp_path: Path) -> None:
    settings = replace(SMALL, num_games=32, batch_size=480, n_epochs=4, widths=(64,), evaluate_deals=50)
    strength = train_sb3(replace(settings, decisions=40_000, evaluate_every=10**6), tmp_path)
    assert strength["random"].win_share > 0.8


@pytest.mark.parametrize("players", [3, 5])
def test_learners_among_opponents_and_every_algorithm(players: int) -> None:
    env = sushi_go_v0.sb3_vec_env(4, players, learners=2, opponents={"greedy": 0.5, "random": 0.5})
    for algorithm in (MaskablePPO, PPO):
        model = algorithm("MlpPolicy", env, n_steps=8, batch_size=32, n_epochs=1, device="cpu", seed=1)
        before = model.policy.action_net.weight.detach().clone()
        model.learn(128)
        assert model.num_timesteps == 128
        assert not torch.equal(before, model.policy.action_net.weight)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"num_games": 0}, "num_games must be at least 1, not 0"),
        ({"widths": ()}, "widths must name one or more layers"),
        ({"n_steps": 0}, "n_steps must be at least 1, not 0"),
    ],
)
def test_bad_settings(wrong: dict[str, Any], words: str) -> None:
    with pytest.raises(SettingError, match=words):
        replace(SMALL, **wrong)


def test_a_rollout_is_a_game_long() -> None:
    assert [SB3Settings(num_players=players).rollout_steps for players in (2, 3, 4, 5)] == [30, 27, 24, 21]
    assert replace(SMALL, variant="two_player_dummy").rollout_steps == 54
    assert replace(SMALL, n_steps=7).rollout_steps == 7


def test_periods() -> None:
    every = Every(100, 250)
    assert [every.due(decisions) for decisions in (250, 299, 300, 320, 560, 570)] == [0, 0, 1, 0, 1, 0]


def test_a_line_of_the_log_has_the_numbers_alone(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path, "sb3", SMALL, resume=False, by="decisions")
    folder.begin(board=False)
    told: list[dict[str, Any]] = []
    Log(folder, told.append).write({"x": 1, "name": "y", "bad": float("nan"), "time/fps": 5}, {}, 25)
    assert logged(tmp_path) == told == [{"decisions": 25, "x": 1.0, "time/fps": 5.0, "decisions_per_s": 5.0}]
