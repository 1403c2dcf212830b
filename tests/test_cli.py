"""The command `sushigo`: what it prints, what it writes, and how it says no."""

from __future__ import annotations

import copy
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.conftest import need

need("scipy", "jinja2", "matplotlib")

from sushigo_app import quickstart  # noqa: E402
from sushigo_app.main import app  # noqa: E402
from typer.testing import CliRunner  # noqa: E402

from sushigo_env.sushi_go.record import to_line  # noqa: E402

CASES = Path(__file__).parent / "cases" / "games.jsonl"
COMMANDS = ("quickstart", "arena", "score", "agents", "bench")
CHEAT, SLOW = "tests.test_cli:Cheat", "tests.test_cli:Slow"


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


def sushigo(*args: object) -> Any:
    return CliRunner().invoke(app, [str(arg) for arg in args], prog_name="sushigo", env={"COLUMNS": "160"})


def refusal(result: Any) -> str:
    """The one sentence on standard error of a run that failed in the way it should."""
    assert result.exit_code == 1, result.output
    assert result.stderr.startswith("error: ")
    assert result.stderr.count("\n") == 1
    assert "Traceback" not in result.stderr
    return result.stderr


# help


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_examples(name: str) -> None:
    result = sushigo(name, "--help")
    assert result.exit_code == 0
    assert "Examples" in result.stdout
    assert f"sushigo {name}" in result.stdout.split("Examples")[1]


def test_the_app_lists_its_commands_and_its_version() -> None:
    assert all(name in sushigo("--help").stdout for name in COMMANDS)
    assert sushigo("--version").stdout.startswith("sushigo-env ")


def test_usage_errors_exit_with_2() -> None:
    assert sushigo("arena", "greedy", "random", "--deals", "many").exit_code == 2
    assert sushigo("arean").exit_code == 2


def test_help_compiles_and_loads_nothing_heavy() -> None:
    heavy = "('numba', 'scipy', 'matplotlib', 'torch')"
    code = f"import sys, sushigo_app.main; print([name for name in {heavy} if name in sys.modules])"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment(), check=True)
    assert out.stdout.strip() == "[]"


# score


def test_score_prints_a_result_a_line() -> None:
    records = [json.loads(line) for line in CASES.read_text().splitlines()]
    result = sushigo("score", CASES, "--json")
    assert result.exit_code == 0
    assert [json.loads(line) for line in result.stdout.splitlines()] == [record["result"] for record in records]


def test_score_prints_sheets(tmp_path: Path) -> None:
    dummy = next(line for line in CASES.read_text().splitlines() if "two_player_dummy" in line)
    file = tmp_path / "games.jsonl"
    file.write_text(f"\n{dummy}\n")
    result = sushigo("score", file)
    assert result.exit_code == 0
    outcome = json.loads(dummy)["result"]
    assert "Line 2: 2 players, two_player_dummy; won by" in result.stdout
    assert "dummy" in result.stdout
    total = next(line for line in result.stdout.splitlines() if "total" in line)
    assert [int(word) for word in total.split() if word.isdigit()] == outcome["totals"]
    winners = " and ".join(f"player_{seat}" for seat in outcome["winners"])
    assert f"won by {winners}" in result.stdout


def broken(change: Callable[[dict[str, Any]], Any]) -> str:
    record = copy.deepcopy(json.loads(CASES.read_text().splitlines()[0]))
    change(record)
    return to_line(record)


def fifteen_tempura(record: dict[str, Any]) -> None:
    for hands in record["deals"]:
        for hand in hands:
            hand[:] = ["tempura"] * len(hand)


BROKEN = {
    "JSON": (lambda: '{"game": "sushi_go", ', "not valid JSON"),
    "list": (lambda: "[]", "a record is a JSON object"),
    "card": (lambda: broken(lambda r: r["plays"][1][2].__setitem__(1, ["ramen"])), "round 2, turn 3, seat 1.*'ramen'"),
    "deck": (lambda: broken(fifteen_tempura), "tempura"),
    "players": (lambda: broken(lambda r: r.update(players=3)), "line 2"),
    "nobody": (lambda: broken(lambda r: r.update(players=9)), "2, 3, 4 or 5"),
    "play": (
        lambda: broken(lambda r: r["plays"][0][3].__setitem__(0, ["chopsticks"])),
        "round 1, turn 4, seat 0.*Chopsticks cannot be laid",
    ),
    "result": (lambda: broken(lambda r: r["result"]["totals"].__setitem__(0, 99)), "totals"),
}


@pytest.mark.parametrize("what", BROKEN)
def test_score_names_what_is_wrong_with_a_record(tmp_path: Path, what: str) -> None:
    line, words = BROKEN[what]
    file = tmp_path / "games.jsonl"
    file.write_text(CASES.read_text().splitlines()[0] + "\n" + line() + "\n")
    result = sushigo("score", file, "--json")
    said = refusal(result)
    assert "line 2" in said
    assert len(result.stdout.splitlines()) == 1  # the good line before it
    assert re.search(words, said), said


def test_score_needs_a_readable_file(tmp_path: Path) -> None:
    assert "no such file" in refusal(sushigo("score", tmp_path / "none.jsonl"))
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\xff\xfe")
    assert "not text" in refusal(sushigo("score", tmp_path / "picture.png"))


# arena


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


@pytest.mark.parametrize("command", [("arena", SLOW, "random"), ("quickstart",)])
def test_a_folder_that_cannot_be_written_is_refused_before_any_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    (tmp_path / "file").write_text("in the way")

    def no_games(*_: object, **__: object) -> None:
        raise AssertionError("a game was played")

    monkeypatch.setattr("sushigo_experiments.tournament.play", no_games)
    said = refusal(sushigo(*command, "--out", tmp_path / "file" / "out"))
    assert f"cannot write into the folder {tmp_path / 'file' / 'out'}" in said


def test_a_broken_file_of_results_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "results.sqlite").write_bytes(b"no database " * 200)
    said = refusal(sushigo("arena", "greedy", "random", "--deals", 5, "--out", tmp_path))
    assert "no usable file of results" in said
    assert [file.name for file in tmp_path.iterdir()] == ["results.sqlite"]
    assert (tmp_path / "results.sqlite").read_bytes() == b"no database " * 200


def test_a_missing_extra_is_told_before_any_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    said = refusal(sushigo("arena", "greedy", "random", "--deals", 5, "--out", tmp_path / "out"))
    assert "pip install 'sushigo-env[experiments]'" in said
    assert list(tmp_path.iterdir()) == []


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


def environment(**more: str) -> dict[str, str]:
    return os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))} | more


# the others


def test_quickstart_writes_one_page_for_2_and_4_players(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quickstart, "DEALS", {2: 8, 4: 4})
    out = tmp_path / "quick"
    result = sushigo("quickstart", "--out", out)
    assert result.exit_code == 0, result.output
    assert f"Page: {out / 'report.html'}" in result.stdout
    names = ["report.html", "results_2_players.json", "results_4_players.json"]
    assert sorted(file.name for file in out.iterdir()) == names
    page = (out / "report.html").read_text()
    assert "<h2>2 players</h2>" in page
    assert "<h2>4 players</h2>" in page
    assert page.count("<svg") == 4
    assert json.loads((out / names[2]).read_text())["players"] == 4


def test_agents_are_listed() -> None:
    names = sushigo("agents").stdout.split()
    assert {"random", "greedy", "rival", "prefer"} <= set(names)
    assert json.loads(sushigo("agents", "--json").stdout) == names


def test_bench_prints_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sushigo_experiments.timing.SECONDS", 0.0)
    args = ("bench", "--what", "transition", "--players", 2, "--games", 64, "--threads", 1)
    (row,) = json.loads(sushigo(*args, "--json").stdout)
    assert (row["what"], row["players"], row["games"], row["threads"]) == ("transition", 2, 64, 1)
    assert row["decisions_per_s"] > 0
    assert row["mean_score"] == pytest.approx(45.1, abs=3)
    table = sushigo(*args)
    assert "transition" in table.stdout
    assert f"{row['mean_score']:.1f}" in table.stdout
    assert "what must be one of" in refusal(sushigo("bench", "--what", "speed"))
