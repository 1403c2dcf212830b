"""Runs that survive: the same seed gives the same weights, however often the run was killed."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
import warnings
from dataclasses import replace
from pathlib import Path

import pytest

from tests.conftest import need

need("torch", "tensorboard")

from sushigo_agents.policy import Policy  # noqa: E402
from sushigo_train.league import LeagueSettings  # noqa: E402
from sushigo_train.run_folder import RunFolder  # noqa: E402
from sushigo_train.self_play import train  # noqa: E402

from sushigo_env.errors import AgentError, SettingError  # noqa: E402
from tests.cli_helpers import environment  # noqa: E402
from tests.learning import same_weights, small, weights  # noqa: E402

RUN = """
import sys
from pathlib import Path
from sushigo_train.checkpoint import Checkpoints
from sushigo_train.self_play import train
from tests.learning import small
run = Path(sys.argv[1])
started = run.is_dir() and Checkpoints(run).latest() is not None
train(small(), run, resume=started, report=lambda entry: print("told", flush=True))
"""


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> Path:
    """A run that nothing disturbed."""
    run = tmp_path_factory.mktemp("whole")
    train(small(), run)
    return run


def log(run: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (run / "log.jsonl").read_text(encoding="utf-8").splitlines()]


def test_the_same_seed_gives_the_same_weights(whole: Path, tmp_path):
    train(small(), tmp_path / "again")
    same_weights(whole, tmp_path / "again")
    train(small(seed=2), tmp_path / "other")
    name = "main/weights/policy.weight"
    assert (weights(whole)[name] != weights(tmp_path / "other")[name]).any()


def test_a_run_killed_five_times_loses_nothing(whole: Path, tmp_path):
    """Each time somewhere else: after 1, 2, ... lines of the log and a bit."""
    run, kills = tmp_path / "killed", 0
    while kills < 5:
        command = [sys.executable, "-c", RUN, str(run)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=Path(__file__).parents[1], env=environment()) as old:
            assert old.stdout is not None
            for _ in range(1 + kills % 3):
                assert old.stdout.readline() == b"told\n"
            time.sleep(0.013 * kills)
            old.kill()
        assert old.returncode == -signal.SIGKILL
        kills += 1
    train(small(), run, resume=True)
    same_weights(whole, run)
    steps = [entry["iteration"] for entry in log(run) if "role" in entry]
    assert steps == [entry["iteration"] for entry in log(whole) if "role" in entry]  # each once


def test_a_damaged_checkpoint_is_refused_by_name_and_the_one_before_it_used(whole: Path, tmp_path):
    asked: list[dict[str, object]] = []
    train(small(), tmp_path, should_stop=lambda: len(asked) > 3, report=asked.append)
    newest, before, *_ = sorted(tmp_path.glob("checkpoint-*.safetensors"), reverse=True)
    newest.write_bytes(newest.read_bytes()[:-1000])
    told: list[dict[str, object]] = []
    train(small(), tmp_path, resume=True, report=told.append)
    assert len(told[0]["refused"]) == 1
    assert newest.name in told[0]["refused"][0]
    assert f"checkpoint-{told[1]['iteration'] - 1:06d}" in before.name
    same_weights(whole, tmp_path)


def test_stopping_saves_and_the_schedules_go_on(whole: Path, tmp_path):
    train(small(checkpoint_every=10**9), tmp_path, should_stop=lambda: True)
    assert log(tmp_path)[-1]["iteration"] == 1
    train(small(), tmp_path, resume=True)
    same_weights(whole, tmp_path)


def test_the_folder_tells_what_was_run(whole: Path):
    told = json.loads((whole / "settings.json").read_text(encoding="utf-8"))
    assert told["settings"]["widths"] == [16]
    assert told["learner"] == "self_play"
    assert {"env_version", "torch", "numpy", "numba", "python", "code"} <= set(told)
    entries = log(whole)
    assert entries[-1]["evaluation"]
    assert 0 <= entries[-1]["random/win_share"] <= 1
    assert {entry["role"] for entry in entries if "role" in entry} == {"main", "exploiter"}
    assert any((whole / "tensorboard").iterdir())
    assert Policy.from_file(whole / "policy.safetensors").num_players == 2
    names = {name.split("/")[0] for name in weights(whole)}
    assert any(name.startswith("main-") for name in names)  # snapshots travel with the checkpoint
    assert any(name.startswith("exploiter-") for name in names)


def test_a_folder_is_not_used_twice_nor_resumed_for_another_table(whole: Path, tmp_path):
    with pytest.raises(SettingError, match="holds a run already"):
        train(small(), whole)
    with pytest.raises(SettingError, match="holds no checkpoint"):
        train(small(), tmp_path, resume=True)
    with pytest.raises(SettingError, match=r"widths=\[16\], which cannot become \[8\]"):
        train(small(widths=(8,)), whole, resume=True)


def test_a_change_that_is_refused_changes_nothing(tmp_path: Path):
    train(small(decisions=2_000), tmp_path)
    before = (tmp_path / "settings.json").read_bytes()
    wrong = LeagueSettings(anchors=("greedy",), exploiters=1)
    for changes in ({"league": wrong}, {"evaluate_against": ("nobody",)}, {"num_players": 3}):
        with pytest.raises((SettingError, AgentError)):
            train(small(decisions=4_000, **changes), tmp_path, resume=True)
    assert (tmp_path / "settings.json").read_bytes() == before
    train(small(decisions=4_000), tmp_path, resume=True)


def test_files_that_are_no_runs_are_left_alone(tmp_path: Path):
    (tmp_path / "settings.json").write_text("{}", encoding="utf-8")
    with pytest.raises(SettingError, match=r"holds a settings\.json that is no run's"):
        train(small(), tmp_path)
    assert (tmp_path / "settings.json").read_text(encoding="utf-8") == "{}"


def test_a_run_of_another_learner_is_not_gone_on_with(tmp_path: Path):
    train(small(decisions=2_000), tmp_path)
    with pytest.raises(SettingError, match="is of the learner self_play, not sb3"):
        RunFolder(tmp_path, "sb3", small(), resume=True)


def test_a_policy_that_was_lost_is_written_again(tmp_path: Path):
    train(small(decisions=2_000), tmp_path)
    before = (tmp_path / "policy.safetensors").read_bytes()
    (tmp_path / "policy.safetensors").unlink()
    assert train(small(decisions=2_000), tmp_path, resume=True)["random"].win_share >= 0
    assert (tmp_path / "policy.safetensors").read_bytes() == before


def test_time_that_is_over_at_once_still_leaves_a_player(tmp_path: Path):
    assert train(small(decisions=10**9, minutes=1e-9), tmp_path)
    assert log(tmp_path)[-1]["iteration"] == 1
    assert (tmp_path / "policy.safetensors").is_file()


def test_learning_that_diverges_is_told(tmp_path: Path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        with pytest.raises(SettingError, match="learning has diverged in iteration"):
            train(small(learning_rate=1e30), tmp_path)


def test_a_gpu_that_is_not_there_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    with pytest.raises(SettingError, match="PyTorch finds no GPU"):
        train(small(device="cuda"), tmp_path)


def test_a_full_disk_is_told_with_the_files_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    folder = RunFolder(tmp_path, "self_play", small(), resume=False)
    folder.begin(board=False)
    (tmp_path / "log.jsonl").unlink()
    (tmp_path / "log.jsonl").mkdir()
    with pytest.raises(SettingError, match=r"cannot write .*log\.jsonl"):
        folder.log({"iteration": 1})


def test_time_ends_a_run_too(tmp_path):
    train(small(decisions=10**9, minutes=0.02), tmp_path)
    seconds = log(tmp_path)[-1]["seconds"]
    assert isinstance(seconds, float)
    assert seconds < 30


def test_a_run_that_is_over_stays_as_it_is(whole: Path, tmp_path):
    train(small(decisions=2_000), tmp_path)
    before = weights(tmp_path)
    train(small(decisions=2_000), tmp_path, resume=True)
    assert sorted(before) == sorted(weights(tmp_path))
    train(replace(small(), decisions=4_000), tmp_path, resume=True)  # and may go on with more
    assert log(tmp_path)[-1]["decisions"] >= 4_000
