"""The command `sushigo`: help, how it ends, and its shorter parts."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import need

need("scipy", "jinja2", "matplotlib")

from rich.console import Console  # noqa: E402
from sushigo_app import bench  # noqa: E402
from sushigo_app.console import Spec  # noqa: E402
from sushigo_experiments.benchmarks import AT_ONCE, BENCHMARKS, SUSHI_GO_ALONE  # noqa: E402
from sushigo_experiments.timing import Rate  # noqa: E402

from sushigo_env.errors import SettingError  # noqa: E402
from sushigo_env.games import GAMES  # noqa: E402
from tests.cli_helpers import CASES, environment, in_a_shell, refusal, sushigo  # noqa: E402

COMMANDS = ("quickstart", "arena", "score", "agents", "bench")


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


def test_nothing_asked_for_is_answered_with_help() -> None:
    result = sushigo()
    assert result.exit_code == 2
    assert result.stdout == sushigo("--help").stdout


def test_help_tells_of_both_games() -> None:
    assert all(entry.title in sushigo("--help").stdout for entry in GAMES.values())
    arena = " ".join(sushigo("arena", "--help").stdout.replace("│", " ").split())
    assert all(variant in arena for entry in GAMES.values() for variant in entry.variants)
    assert "--game sushi_boat" in arena


def test_the_help_of_bench_names_what_can_be_measured() -> None:
    told, of_games = bench.HELP.split("Examples")[0].split("\n\n")[1:3]
    assert set(re.findall(r"\b\w+(?=[:,] )", told)) >= set(BENCHMARKS)
    alone = "rollouts, rollouts_quick and training_ppo are for sushi_go alone"
    assert alone in of_games
    assert set(re.split(", | and ", alone.split(" are ")[0])) == SUSHI_GO_ALONE
    assert {"parallel"} == AT_ONCE
    assert "there is no parallel" in of_games
    said = refusal(sushigo("bench", "--game", "sushi_boat", "--what", "parallel"))
    assert set(said.split("what can: ")[1].strip(".\n").split(", ")) == {*BENCHMARKS} - SUSHI_GO_ALONE - AT_ONCE


def test_help_compiles_and_loads_nothing_heavy() -> None:
    heavy = "('numba', 'scipy', 'matplotlib', 'torch')"
    code = f"import sys, sushigo_app.main; print([name for name in {heavy} if name in sys.modules])"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment(), check=True)
    assert out.stdout.strip() == "[]"


# how it ends


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("arena", "greedy", "random", "--deals", "many"), "'--deals'.*sushigo arena --help"),
        (("arena", "greedy", "random", "--deels", 3), "no such option: --deels.*--deals"),
        (("arena",), "missing argument 'AGENT'"),
        (("score",), "missing argument 'FILE'"),
        (("arean",), "'arean'.*arena"),
        (("--fast",), "--fast.*sushigo --help"),
        (("quickstart", "--out", ""), "the folder is empty"),
    ],
)
def test_a_wrong_command_line_is_one_sentence(args: tuple[object, ...], words: str) -> None:
    result = sushigo(*args)
    assert re.search(words, refusal(result, code=2)), result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize(
    ("raised", "code", "words"),
    [
        (SettingError("two\nlines"), 1, "two lines"),
        (MemoryError(), 1, "not enough memory"),
        (KeyboardInterrupt(), 130, "interrupted"),
        (SystemExit(0), 1, "sys.exit"),
        (SystemExit(), 1, "sys.exit"),
    ],
)
def test_what_stops_a_command_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, raised: BaseException, code: int, words: str
) -> None:
    def stop(*_: object) -> None:
        raise raised

    monkeypatch.setattr("sushigo_agents.registry.names", stop)
    assert words in refusal(sushigo("agents"), code)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("command", ["sushigo agents", "sushigo --help", f"sushigo score {CASES} --json"])
@pytest.mark.parametrize(("where", "words"), [("/dev/full", "no space left on device"), ("&-", "closed")])
def test_output_that_cannot_be_written_is_one_sentence(command: str, where: str, words: str) -> None:
    done = in_a_shell(f"{command} >{where}")
    assert done.returncode == 1
    assert re.fullmatch(f"error: [^\n]*standard output[^\n]*{words}[^\n]*\n", done.stderr.decode())


def test_a_reader_that_leaves_ends_the_command_without_a_word(tmp_path: Path) -> None:
    (tmp_path / "many.jsonl").write_text(CASES.read_text() * 9)
    done = in_a_shell("(sushigo score many.jsonl; echo exit code $? >&2) | head -n 1", tmp_path)
    assert done.stdout.startswith(b"Line 1: ")
    assert done.stderr == b"exit code 1\n"


# shorter parts


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


@pytest.mark.parametrize("width", [40, 80])
def test_rates_keep_heads_and_numbers_whole(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], width: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    bench.print_rates([Rate("gymnasium_vector", 4, 65536, 16, 987654321.1, 876543210.2, 999999998.7, 28.12)])
    lines = capsys.readouterr().out.splitlines()
    head, row = (next(line for line in lines if word in line) for word in ("what", "gymnasium_vector"))
    assert head.split() == ["what", "seats", "games", "threads", "median", "slowest", "fastest", "total"]
    numbers = ["4", "65,536", "16", "987,654,321", "876,543,210", "999,999,999", "28.1"]
    assert row.split() == ["gymnasium_vector", *numbers]
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize(
    ("spec", "width", "lines"),
    [
        ("runs/mine/policy.safetensors", 28, ["runs/mine/policy.safetensors"]),
        ("runs/mine/policy.safetensors", 20, ["runs/mine/policy.", "safetensors"]),
        ("zoo:self_play", 9, ["zoo:", "self_play"]),
        ("mine:Agent:rate=0.5,depth=3", 14, ["mine:Agent:", "rate=0.5,", "depth=3"]),
        ("greedy", 4, ["gree", "dy"]),
        ("", 4, [""]),
    ],
)
def test_a_spec_is_broken_where_it_can_be_read(spec: str, width: int, lines: list[str]) -> None:
    console = Console(width=width)
    with console.capture() as shown:
        console.print(Spec(spec))
    assert [line.rstrip() for line in shown.get().splitlines()] == lines
