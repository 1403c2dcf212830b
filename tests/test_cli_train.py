"""`sushigo train`, and how its players come into the zoo."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import need

need("torch", "stable_baselines3", "sb3_contrib", "tensorboard")

import sushigo_app.train as command  # noqa: E402
from rich.console import Console  # noqa: E402
from sushigo_agents import zoo  # noqa: E402
from sushigo_app.training_panel import Panel, sparkline  # noqa: E402
from sushigo_experiments.files import one_run_at_a_time  # noqa: E402
from sushigo_train import recipes  # noqa: E402
from sushigo_train.shipping import ship  # noqa: E402

from sushigo_env.errors import SettingError  # noqa: E402
from tests.cli_helpers import MAIN, environment, refusal, sushigo  # noqa: E402

TINY = {
    "decisions": 8_000,
    "num_games": 16,
    "widths": [8],
    "evaluate_deals": 2,
    "threads": 1,
    "checkpoint_every": 1,
    "league.anchors": ["random"],
    "evaluate_against": ["random"],
}


def setting(name: str, **changes: object) -> list[str]:
    return [part for key, value in (TINY | changes).items() for part in ("--set", f"{key}={json.dumps(value)}")]


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> Path:
    """A run that the command made."""
    folder = tmp_path_factory.mktemp("runs") / "tiny"
    result = sushigo("train", "self_play_3p", *setting("tiny"), "--out", folder, "--json")
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert told["finished"]
    assert Path(told["policy"]).is_file()
    assert 0 <= told["strength"]["random"]["win_share"] <= 1
    return folder


def test_the_player_plays_wherever_an_agent_is_named(run: Path):
    result = sushigo("arena", run / "policy.safetensors", "random", "--players", 3, "--deals", 20, "--json")
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["matches"][0]["agent"] == str(run / "policy.safetensors")


def test_a_run_that_is_over_can_be_given_more(run: Path):
    before = json.loads((run / "log.jsonl").read_text().splitlines()[-1])["decisions"]
    result = sushigo("train", "--resume", run, "--set", f"decisions={before + 3000}")
    assert result.exit_code == 0, result.output
    assert "against random" in result.stderr
    assert json.loads((run / "log.jsonl").read_text().splitlines()[-1])["decisions"] >= before + 3000


def test_the_sb3_recipe_runs_too(tmp_path: Path):
    changes = ["decisions=2000", "num_games=16", "widths=[8]", "evaluate_deals=2", "opponents=random", "batch_size=64"]
    on_top = [part for each in changes for part in ("--set", each)]
    result = sushigo("train", "ppo_2p", *on_top, "--out", tmp_path / "ppo")
    assert result.exit_code == 0, result.output
    assert "against greedy" in result.stderr
    card = ship(tmp_path / "ppo", "tiny", tmp_path)
    assert card.recipe["learner"] == "sb3"
    assert card.wall_time_s > 0


def test_ctrl_c_saves_and_stops_and_resume_goes_on(tmp_path: Path):
    folder = tmp_path / "stopped"
    line = [sys.executable, "-P", "-c", MAIN, "train", "self_play_2p", *setting("x", decisions=10**9)]
    with subprocess.Popen([*line, "--out", str(folder)], stderr=subprocess.PIPE, text=True, env=environment()) as old:
        assert old.stderr is not None
        assert "decisions" in old.stderr.readline()
        old.send_signal(signal.SIGINT)
        rest = old.stderr.read()
    assert old.returncode == 130
    assert f"sushigo train --resume {folder}" in rest
    done = json.loads((folder / "log.jsonl").read_text().splitlines()[-1])["decisions"]
    result = sushigo("train", "--resume", folder, "--set", f"decisions={done + 1000}", "--json")
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["finished"]


def test_nobody_reading_is_no_reason_to_lose_a_training(tmp_path: Path):
    folder = tmp_path / "unread"
    line = [sys.executable, "-P", "-c", MAIN, "train", "self_play_2p", *setting("x"), "--out", str(folder)]
    with subprocess.Popen(line, stderr=subprocess.PIPE, text=True, env=environment()) as old:
        assert old.stderr is not None
        old.stderr.readline()
        old.stderr.close()
    assert (folder / "policy.safetensors").is_file()
    assert json.loads((folder / "log.jsonl").read_text().splitlines()[-1])["decisions"] >= TINY["decisions"]


def test_folders_with_any_name_and_never_two_runs_in_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    odd = tmp_path / "x[/y]z [red]:smile:"
    result = sushigo("train", "self_play_2p", *setting("x", decisions=500), "--out", odd)
    assert result.exit_code == 0, result.output
    assert str(odd / "policy.safetensors") in result.stderr
    with one_run_at_a_time(odd):
        assert "another run is writing" in refusal(sushigo("train", "--resume", odd, "--set", "decisions=9000"))
    monkeypatch.chdir(tmp_path)
    for _ in range(2):  # within one second, perhaps
        result = sushigo("train", "self_play_2p", *setting("x", decisions=500), "--json")
        assert result.exit_code == 0, result.output
    assert len(list((tmp_path / "runs").iterdir())) == 2


def test_recipes_are_listed_and_shown(tmp_path: Path):
    mine = tmp_path / "mine.toml"
    mine.write_text(sushigo("train", "self_play_2p", "--set", "epochs=3", "--show").stdout, encoding="utf-8")
    assert recipes.read(str(mine)).settings == recipes.read("self_play_2p", ["epochs=3"]).settings
    result = sushigo("train", "--list")
    assert "self_play_4p" in result.stdout
    assert json.loads(sushigo("train", "--list", "--json").stdout)["ppo_2p"].startswith("Two players")


def test_what_cannot_be_done_is_said_in_a_sentence(run: Path, tmp_path: Path):
    assert "give a recipe" in refusal(sushigo("train"), 2)
    assert "not both" in refusal(sushigo("train", "self_play_2p", "--resume", run), 2)
    assert "unknown recipe 'self'" in refusal(sushigo("train", "self"))
    assert "holds a run already" in refusal(sushigo("train", "self_play_3p", *setting("x"), "--out", run))
    assert "is no run's folder" in refusal(sushigo("train", "--resume", tmp_path))
    assert "there is no setting 'lr'" in refusal(sushigo("train", "self_play_2p", "--set", "lr=1"))
    assert "num_players=3, which cannot become 4" in refusal(
        sushigo("train", "--resume", run, "--set", "num_players=4")
    )


def test_without_torch_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(command, "find_spec", lambda package: None if package == "torch" else True)
    assert "training needs torch; install" in refusal(sushigo("train", "self_play_2p"))


def test_a_run_comes_into_the_zoo_with_its_card(run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(zoo, "FOLDER", tmp_path)
    card = ship(run, "tiny", tmp_path, notes="A stand-in.")
    assert zoo.card("tiny", 3) == card
    assert card.recipe["league.anchors"] == ["random"]
    assert card.recipe["learner"] == "self_play"
    assert card.decisions >= 8_000
    assert zoo.ZooAgent("sushi_go", 3, "standard", "tiny").num_players == 3
    for name in ("my-agent", "true", "infinity", "größe", ""):
        with pytest.raises(SettingError, match="letters, digits"):
            ship(run, name, tmp_path)
    before = (tmp_path / "tiny-3p.safetensors").read_bytes()
    ship(run, "tiny", tmp_path)
    assert (tmp_path / "tiny-3p.safetensors").read_bytes() == before  # the same network is the same file
    with pytest.raises(SettingError, match="is no run's folder"):
        ship(tmp_path / "nothing", "tiny", tmp_path)


def test_the_panel_tells_how_it_goes(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    screen = Console(width=80, force_terminal=True, file=sys.stderr)
    monkeypatch.setattr("sushigo_app.training_panel.notes", lambda: screen)
    with Panel(recipes.read("self_play_2p", ["decisions=1000"]), Path("runs/x")) as panel:
        panel.tell({"iteration": 1, "decisions": 250, "decisions_per_s": 1234.5, "entropy": 0.5})
        panel.tell({"iteration": 1, "decisions": 500, "greedy/win_share": 0.625})
        panel.tell({"refused": ["checkpoint-000003.safetensors is not whole: it is cut short."]})
    shown = capsys.readouterr().err
    for words in ("1,234/s", "62.5%", "50%", "entropy 0.5", "checkpoint-000003", "runs/x"):
        assert words in shown, words
    assert sparkline([0.0, 0.5, 1.0]) == "▁▅█"


def test_a_run_by_time_tells_how_much_of_it_is_over_after_a_resume_too(tmp_path: Path):
    made = [*setting("tiny", decisions=1_000_000, minutes=0.05, evaluate_every=0), "--out", tmp_path / "run"]
    assert sushigo("train", "self_play_2p", *made).exit_code == 0
    lines = [json.loads(line) for line in (tmp_path / "run" / "log.jsonl").read_text().splitlines()]
    past = [line["past"] for line in lines]
    assert past == sorted(past)
    assert 0 <= past[0] < past[-1] == 1
    again = sushigo("train", "--resume", tmp_path / "run")
    assert "100%" in again.stderr.splitlines()[-2]
    assert "done" in again.stderr.splitlines()[-2]


@pytest.mark.parametrize("wrong", ['evaluate_against=["zoo:nope"]', 'league.anchors=["nope"]'])
def test_what_cannot_begin_leaves_no_folder(tmp_path: Path, wrong: str):
    refusal(sushigo("train", "self_play_2p", "--set", wrong, "--out", tmp_path / "run"))
    assert list(tmp_path.iterdir()) == []
