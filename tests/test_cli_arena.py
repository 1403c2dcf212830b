"""`sushigo arena`: what it prints, what it keeps, and how it says no."""

from __future__ import annotations

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.conftest import need

need("scipy", "jinja2", "matplotlib")

from sushigo_experiments.files import one_run_at_a_time  # noqa: E402

from tests.cli_helpers import environment, in_a_shell, refusal, sushigo  # noqa: E402

CHEAT, SLOW = "tests.test_cli_arena:Cheat", "tests.test_cli_arena:Slow"


class Slow:
    """The first card it may lay, after a while."""

    observation = "memory"

    def __init__(self, game: str, num_players: int, variant: str) -> None:
        self.seconds = float(os.environ.get("SLOW_SECONDS", "0"))

    def act(self, observation: Any, action_mask: NDArray[np.bool_], keys: NDArray[np.uint64]) -> NDArray[np.int32]:
        time.sleep(self.seconds)
        return action_mask.argmax(axis=1).astype(np.int32)


class Cheat(Slow):
    """Lays a card it does not hold."""

    def act(self, observation: Any, action_mask: NDArray[np.bool_], keys: NDArray[np.uint64]) -> NDArray[np.int32]:
        return (~action_mask).argmax(axis=1).astype(np.int32)


def no_games(*_: object, **__: object) -> None:
    raise AssertionError("a game was played")


def test_arena_prints_json_alone() -> None:
    result = sushigo("arena", "greedy", "random", "--players", 4, "--deals", 25, "--seed", 3, "--json")
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert (told["players"], told["deals"], told["seed"]) == (4, 25, 3)
    greedy = next(match for match in told["matches"] if match["agent"] == "greedy" and match["field"] == "random")
    assert greedy["games"] == 100
    assert greedy["win_share"] > 0.8
    assert greedy["win_share_ci"][0] < greedy["win_share"]
    assert greedy["mean_score"] > greedy["field_mean_score"]
    assert [match["field"] for match in told["matches"][2:]] == [["greedy", "random"]] * 2


def test_arena_prints_tables_and_keeps_everything_in_a_folder(tmp_path: Path) -> None:
    out = tmp_path / "deep" / "results"
    args = ("arena", "greedy", "prefer:tempura", "--players", 2, "--deals", 10, "--passing", "alternate", "--out", out)
    result = sushigo(*args)
    assert result.exit_code == 0, result.output
    assert "prefer:tempura" in result.stdout
    assert str(out / "report.html") in result.stderr
    assert sorted(file.name for file in out.iterdir()) == ["report.html", "results.json", "results.sqlite"]
    kept = json.loads((out / "results.json").read_text())
    assert kept["passing"] == "alternate"
    again = sushigo(*args, "--json")
    assert "40 of 40 games are in" in again.stderr
    assert json.loads(again.stdout) == kept


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("greddy", "random"), "'greddy'; did you mean 'greedy'"),
        (("greedy", "random", "--deals", 0), "deals must be at least 1"),
        (("greedy", "random", "--players", 6), "2, 3, 4 or 5"),
        (("greedy", "random", "--variant", "solo"), "standard, two_player_dummy"),
        (("greedy", "random", "--game", "go_fish"), "sushi_go"),
        (("greedy", "random", "--threads", 0), "threads must be 1 or more"),
        (("greedy",), "at least 2 different agents"),
        (
            ("random", CHEAT, "--players", 2, "--deals", 3, "--seed", 8),
            f"agent {CHEAT} in seat . of the deal with seed 8",
        ),
    ],
)
def test_arena_says_no_in_one_sentence(args: tuple[object, ...], words: str) -> None:
    result = sushigo("arena", *args)
    assert re.search(words, refusal(result)), result.stderr
    assert result.stdout == ""


def test_nothing_is_written_for_settings_that_are_refused(tmp_path: Path) -> None:
    refusal(sushigo("arena", "greddy", "random", "--out", tmp_path / "out"))
    refusal(sushigo("arena", "greedy", "random", "--deals", 0, "--out", tmp_path / "out"))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", [("arena", SLOW, "random"), ("quickstart", "--minutes", "0")])
def test_a_folder_that_cannot_be_written_is_refused_before_any_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setattr("sushigo_experiments.tournament.play", no_games)
    said = refusal(sushigo(*command, "--out", tmp_path / "file" / "out"))
    assert f"cannot write into the folder {tmp_path / 'file' / 'out'}" in said


def test_a_broken_file_of_results_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "results.sqlite").write_bytes(b"no database " * 200)
    said = refusal(sushigo("arena", "greedy", "random", "--deals", 5, "--out", tmp_path))
    assert "no usable file of results" in said
    assert [file.name for file in tmp_path.iterdir()] == ["results.sqlite"]
    assert (tmp_path / "results.sqlite").read_bytes() == b"no database " * 200


@pytest.mark.parametrize(("missing", "out"), [("scipy", ()), ("scipy", ("--out", "out")), ("jinja2", ("--out", "out"))])
def test_a_missing_extra_is_told_before_any_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, missing: str, out: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, missing, None)
    monkeypatch.setattr("sushigo_experiments.tournament.play", no_games)
    said = refusal(sushigo("arena", "greedy", "random", "--deals", 5, *out))
    assert f"needs {missing}, which is not installed: pip install 'sushigo-env[experiments]'" in said
    assert list(tmp_path.iterdir()) == []


def test_two_runs_do_not_write_into_one_folder(tmp_path: Path) -> None:
    args = ("arena", "greedy", "random", "--players", 2, "--deals", 2, "--out", tmp_path)
    with one_run_at_a_time(tmp_path):
        assert f"another run is writing into the folder {tmp_path}" in refusal(sushigo(*args))
        assert [file.name for file in tmp_path.iterdir()] == [".results.lock"]
    assert sushigo(*args).exit_code == 0
    assert sorted(file.name for file in tmp_path.iterdir()) == ["report.html", "results.json", "results.sqlite"]


def test_a_folder_needs_a_name() -> None:
    assert "the folder is empty" in refusal(sushigo("arena", "greedy", "random", "--out", ""), code=2)


def test_agents_are_found_in_the_working_folder_and_shadow_nothing(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("from sushigo_agents.random import Random\n")
    (tmp_path / "numpy.py").write_text("raise RuntimeError('in the way')\n")
    done = in_a_shell("sushigo arena mine:Random random --players 2 --deals 2 --json", tmp_path)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["agents"] == ["mine:Random", "random"]


def test_tables_fit_a_narrow_screen_with_heads_and_numbers_whole() -> None:
    args = ("arena", "greedy", "prefer:dumpling", "--players", 5, "--deals", 3)
    told = json.loads(sushigo(*args, "--json").stdout)
    lines = [line.rstrip() for line in sushigo(*args, width=40).stdout.splitlines()]
    assert max(map(len, lines)) <= 40
    assert len([line for line in lines if line.split() == ["field", "win", "share", "score", "margin"]]) == 2
    rows = [line.split() for line in lines]
    for match in told["matches"]:
        figures = [f"{100 * match['win_share']:.1f}%", f"{match['mean_score']:.1f}", f"{match['margin']:.1f}"]
        assert any(row[-3:] == figures for row in rows), figures


def test_a_terminal_of_few_letters_gets_them() -> None:
    done = in_a_shell("sushigo arena prefer random --players 2 --deals 2", PYTHONIOENCODING="ascii")
    assert done.returncode == 0, done.stderr
    assert "+/-" in done.stdout.decode("ascii")
    assert "?" not in done.stdout.decode("ascii")


def test_a_killed_arena_goes_on_where_it_was(tmp_path: Path) -> None:
    args = ["arena", SLOW, "random", "--players", "3", "--deals", "40", "--json"]
    command = [sys.executable, "-m", "sushigo_app.main", *args, "--out", str(tmp_path)]
    running = subprocess.Popen(command, env=environment(SLOW_SECONDS="0.02"), stdout=subprocess.DEVNULL)
    while games_in(tmp_path / "results.sqlite") == 0:
        assert running.poll() is None
        time.sleep(0.02)
    running.send_signal(signal.SIGKILL)
    running.wait()
    before = games_in(tmp_path / "results.sqlite")
    assert 0 < before < 3 * 40 * 3
    assert not (tmp_path / "report.html").exists()
    resumed = sushigo(*args, "--out", tmp_path)
    assert f"{before} of 360 games are in" in resumed.stderr
    assert json.loads(resumed.stdout) == json.loads(sushigo(*args).stdout)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["report.html", "results.json", "results.sqlite"]


def games_in(path: Path) -> int:
    if not path.exists():
        return 0
    connection = sqlite3.connect(path)
    try:
        return int(connection.execute("SELECT COUNT(*) FROM games").fetchone()[0])
    finally:
        connection.close()
