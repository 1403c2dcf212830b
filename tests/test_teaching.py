"""The fast learner with help: a teacher whose play it imitates at first, an adviser whose advice it is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.conftest import need

need("torch", "tensorboard")

from sushigo_agents.network import Metadata  # noqa: E402
from sushigo_agents.policy import Policy  # noqa: E402
from sushigo_agents.registry import load  # noqa: E402
from sushigo_train.inputs import GAMES, inputs_of, with_advice  # noqa: E402
from sushigo_train.league import LeagueSettings  # noqa: E402
from sushigo_train.self_play import SelfPlay, train  # noqa: E402
from sushigo_train.settings import Settings  # noqa: E402

from sushigo_env.errors import SettingError  # noqa: E402
from tests.learning import same_weights, small  # noqa: E402

HELPED = small(num_players=3, decisions=20_000, adviser="greedy", teacher="greedy", teacher_decisions=12_000)


def log(run: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (run / "log.jsonl").read_text(encoding="utf-8").splitlines()]


def test_a_taught_learner_comes_to_play_as_its_teacher(tmp_path: Path) -> None:
    alone = LeagueSettings(anchors=(), self_play=1.0)
    told = {"decisions": 60_000, "learning_rate": 3e-3, "widths": (64,), "league": alone, "evaluate_deals": 200}
    strength = {}
    for name, teaching in {"taught": {"teacher": "greedy", "teacher_decisions": 10**9}, "alone": {}}.items():
        settings = small(**told, **teaching, evaluate_against=("greedy",), checkpoint_every=10**6)
        strength[name] = train(settings, tmp_path / name)["greedy"].win_share
    losses = [entry["teacher_loss"] for entry in log(tmp_path / "taught") if "teacher_loss" in entry]
    assert losses[-1] < 0.6 * losses[0]
    assert strength["taught"] > strength["alone"] + 0.05
    assert not any(entry.get("teacher_loss") for entry in log(tmp_path / "alone"))


def test_the_teachers_weight_falls_to_nothing(tmp_path: Path) -> None:
    train(HELPED, tmp_path / "run")
    entries = [entry for entry in log(tmp_path / "run") if "teacher_weight" in entry]
    weights = [entry["teacher_weight"] for entry in entries]
    assert weights[0] == 1
    assert weights == sorted(weights, reverse=True)
    assert weights[-1] == 0
    for entry in entries:
        assert (entry["teacher_loss"] > 0) == (entry["teacher_weight"] > 0)


def test_a_helped_run_that_was_stopped_comes_to_the_same_weights(tmp_path: Path) -> None:
    train(HELPED, tmp_path / "whole")
    stops: list[int] = []
    train(HELPED, tmp_path / "stopped", should_stop=lambda: bool(stops.append(1)) or len(stops) == 3)
    train(HELPED, tmp_path / "stopped", resume=True)
    assert len(stops) == 3
    same_weights(tmp_path / "whole", tmp_path / "stopped")
    with pytest.raises(SettingError, match="has adviser=greedy, which cannot become rival"):
        train(small(num_players=3, adviser="rival"), tmp_path / "whole", resume=True)


def test_an_advised_policy_plays_without_pytorch_as_it_was_trained(tmp_path: Path) -> None:
    train(HELPED, tmp_path / "run")
    agent = load(str(tmp_path / "run" / "policy.safetensors"), "sushi_go", 3)
    assert isinstance(agent, Policy)
    assert agent.advised_by == "greedy"
    run = SelfPlay(HELPED)
    learner = run.learners["main"]
    run.game.reset(seeds=np.arange(HELPED.num_games, dtype=np.uint64))
    seen, mask = run.game.observe()[:, 0].copy(), run.game.legal()[:, 0].copy()
    keys = np.arange(len(seen), dtype=np.uint64)
    inputs = learner.see(seen, mask, keys)
    _, _, values = learner.choose(inputs, mask, keys)
    metadata = Metadata.of_table(3, adviser="greedy")
    wanted = Policy(run.network(), metadata, name="main").value(seen, mask)
    np.testing.assert_allclose(values, wanted, rtol=1e-3, atol=1e-3)


def test_advice_is_scaled_as_a_byte_that_hardly_ever_changes() -> None:
    game = small(num_players=2).table(GAMES)
    plain = inputs_of(game)
    more = with_advice(plain, game.num_actions)
    np.testing.assert_array_equal(more.mean[: len(plain.mean)], plain.mean)
    assert not more.mean[len(plain.mean) :].any()
    np.testing.assert_allclose(more.scale[len(plain.scale) :], 1 / 0.3)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"adviser": "random"}, "adviser must be one of greedy, rival, boat_greedy, or empty, not 'random'"),
        ({"teacher_decisions": 0}, "teacher_decisions must be at least 1, not 0"),
    ],
)
def test_settings_that_help_nobody(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(SettingError, match=words):
        Settings(**changes)


def test_helpers_must_see_what_the_learner_sees() -> None:
    for part in ("teacher", "adviser"):
        with pytest.raises(SettingError, match=f"the {part} greedy sees 'memory', the learner 'full'"):
            SelfPlay(small(observation="full", **{part: "greedy"}))
