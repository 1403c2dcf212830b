"""`sushigo quickstart`: an agent trained on the spot, the tournaments it plays in, and the page that tells both."""

from __future__ import annotations

import json
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import need

need("scipy", "jinja2", "matplotlib")

from sushigo_agents import registry  # noqa: E402
from sushigo_app import quickstart  # noqa: E402

from tests.cli_helpers import environment, refusal, sushigo  # noqa: E402

RESULTS = ["results_2_players.json", "results_4_players.json", "results_sushi_boat_3_players.json"]
RECIPE = """
num_players = 2
decisions = 1_000_000_000
num_games = 16
widths = [16]
minibatch = 256
evaluate_every = 0
evaluate_deals = 2
threads = 1
[league]
anchors = ["greedy"]
"""
NO_TORCH = """
import sys
from importlib.abc import MetaPathFinder
class Missing(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name == "torch":
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Missing())
from sushigo_app import main, quickstart
quickstart.DEALS = {("sushi_go", 2): 8, ("sushi_go", 4): 4, ("sushi_boat", 3): 2}
main.app(["quickstart", "--minutes", "0", "--json", "--out", sys.argv[1]])
"""
"""The same quickstart where there is no PyTorch."""


@pytest.fixture
def out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for quickstarts of few deals and of a small recipe."""
    monkeypatch.setattr(quickstart, "DEALS", {("sushi_go", 2): 8, ("sushi_go", 4): 4, ("sushi_boat", 3): 2})
    (tmp_path / "small.toml").write_text(RECIPE)
    monkeypatch.setattr(quickstart, "RECIPE", str(tmp_path / "small.toml"))
    return tmp_path / "quick"


def test_without_training_one_page_for_every_table(out: Path) -> None:
    result = sushigo("quickstart", "--minutes", 0, "--out", out)
    assert result.exit_code == 0, result.output
    assert f"Page: {out / 'report.html'}" in result.stderr
    assert sorted(file.name for file in out.iterdir()) == ["report.html", *RESULTS]
    page = (out / "report.html").read_text()
    assert "<h2>2 players</h2>" in page
    assert "<h2>4 players</h2>" in page
    assert "<h2>Training</h2>" not in page
    assert "<h2>Sushi Boat, 3 players</h2>" in page
    assert page.count("<svg") == 6
    kept = [json.loads((out / name).read_text()) for name in RESULTS]
    assert [(told["game"], told["players"]) for told in kept] == [("sushi_go", 2), ("sushi_go", 4), ("sushi_boat", 3)]
    assert all(told["agents"] == registry.specs(told["game"], told["players"]) for told in kept)
    assert "At tables for 3 of Sushi Boat, boat_greedy comes first" in result.stdout
    again = subprocess.run([sys.executable, "-c", NO_TORCH, out], capture_output=True, env=environment())
    assert again.returncode == 0, again.stderr
    assert json.loads(again.stdout) == {"training": None, "tournaments": kept}


def test_training_without_pytorch_is_refused_in_one_sentence(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    said = refusal(sushigo("quickstart", "--out", out))
    assert "pip install 'sushigo-env[train]', or leave the training out: --minutes 0." in said
    assert not out.exists()


def test_minutes_below_0_are_refused(out: Path) -> None:
    assert "--minutes" in refusal(sushigo("quickstart", "--out", out, "--minutes", -1), code=2)
    assert not out.exists()


def test_the_agent_trained_on_the_spot_plays_and_is_told_of(out: Path) -> None:
    need("torch", "stable_baselines3", "sb3_contrib", "tensorboard")
    (out / "training").mkdir(parents=True)
    (out / "training" / "checkpoint-000001.safetensors").write_bytes(b"broken")
    result = sushigo("quickstart", "--minutes", 0.02, "--out", out)
    assert result.exit_code == 0, result.output
    assert "trained here" in result.stdout
    assert (out / "training" / "checkpoint-000001.safetensors").read_bytes() == b"broken"
    assert (out / "training_2" / "policy.safetensors").exists()
    told = json.loads(sushigo("quickstart", "--minutes", 0.02, "--out", out, "--json").stdout)
    policy = out / "training_3" / "policy.safetensors"
    two, four, boat = told["tournaments"]
    assert boat["agents"] == registry.specs("sushi_boat", 3)
    assert two["agents"] == [str(policy), *registry.specs("sushi_go", 2)]
    assert four["agents"] == registry.specs("sushi_go", 4)
    check_told(told["training"], policy, policy.with_name("log.jsonl"))
    check_page((out / "report.html").read_text(), policy)


def check_told(training: dict[str, Any], policy: Path, log: Path) -> None:
    entries = [json.loads(line) for line in log.read_text().splitlines()]
    evaluations = [entry for entry in entries if entry.get("evaluation")]
    assert (training["policy"], training["players"], training["anchors"]) == (str(policy), 2, ["greedy"])
    assert training["decisions"] == entries[-1]["decisions"] > 0
    assert [point["decisions"] for point in training["evaluations"]] == [entry["decisions"] for entry in evaluations]
    assert training["evaluations"][-1]["shares"]["random"] == evaluations[-1]["random/win_share"]


def check_page(page: str, policy: Path) -> None:
    assert page.index("<h2>Training</h2>") < page.index("<h2>2 players</h2>")
    curve = page[page.index("Learning curve") : page.index("<h2>2 players</h2>")]
    assert curve.count("<svg") == 1
    for word in ("random", "greedy", "rival", "fair share", "million decisions"):
        assert word in curve
    assert "<strong>trained here</strong>" in page
    assert f"sushigo arena {shlex.quote(str(policy))} greedy" in page  # the tournament can be played again


def test_ctrl_c_saves_the_training_and_ends_the_command(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    need("torch", "stable_baselines3", "sb3_contrib", "tensorboard")
    told: list[object] = []

    def stop(panel: object, entry: object) -> None:
        told.append(entry)
        if len(told) == 2:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr("sushigo_app.training_panel.Panel.tell", stop)
    monkeypatch.setattr("sushigo_experiments.tournament.play", lambda *_: pytest.fail("no tournament is to be played"))
    result = sushigo("quickstart", "--minutes", 5, "--out", out)
    assert result.exit_code == 130
    assert f"sushigo train --resume {out / 'training'}" in result.stderr
    assert list((out / "training").glob("checkpoint-*.safetensors"))
    assert not (out / "report.html").exists()
