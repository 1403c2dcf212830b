"""`sushigo review`: what it prints and writes, and what it refuses."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.cli_helpers import CASES, refusal, sushigo
from tests.conftest import need

need("jinja2", "matplotlib")

PAGE = Path(__file__).parent.parent / "docs" / "review.md"


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """A file of two games, of two tables, with an empty line between them."""
    lines = CASES.read_text().splitlines()
    dummy = next(line for line in lines if "two_player_dummy" in line)
    file = tmp_path / "games.jsonl"
    file.write_text(f"{lines[0]}\n\n{dummy}\n")
    return file


def test_a_review_on_screen_fits_a_narrow_one(games: Path) -> None:
    result = sushigo("review", games, "--iterations", 20, width=60)
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert [line for line in lines if line.startswith("Line ")] == [
        line for line in lines if re.match(r"Line [13]: 2 players, (standard|two_player_dummy); won by player_", line)
    ]
    assert max(len(line) for line in lines if not line.startswith("Line ")) <= 60
    assert len([line for line in lines if "luck of the" in line or line.startswith("player_")]) >= 4
    assert "better" in result.stdout
    assert "dummy" in result.stdout


def test_json_is_a_line_a_game_and_the_docs_name_every_part(games: Path) -> None:
    args = ("review", games, "--iterations", 20, "--seed", 3, "--json")
    result = sushigo(*args)
    assert result.exit_code == 0, result.output
    told = [json.loads(line) for line in result.stdout.splitlines()]
    assert [each["line"] for each in told] == [1, 3]
    assert result.stdout == sushigo(*args, "--threads", 2).stdout
    documented = set(re.findall(r"^\| `(\w+)` \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE))
    parts = {*told[0], *told[0]["seats"][0], *told[0]["moves"][0], *told[0]["curve"][0], *told[0]["settings"]}
    assert parts == documented


def test_pages_are_written_and_listed(games: Path, tmp_path: Path) -> None:
    out = tmp_path / "pages"
    result = sushigo("review", games, "--iterations", 10, "--out", out)
    assert result.exit_code == 0, result.output
    assert sorted(path.name for path in out.iterdir()) == ["game_1.html", "game_3.html", "index.html"]
    assert re.findall(r'href="(\w+\.html)"', (out / "index.html").read_text()) == ["game_1.html", "game_3.html"]
    assert "index.html" in result.stderr


def test_an_illegal_play_is_named_before_any_work(games: Path, tmp_path: Path) -> None:
    record = json.loads(CASES.read_text().splitlines()[0])
    record["plays"][0][3][0] = ["chopsticks"]
    with games.open("a") as file:
        file.write(json.dumps(record) + "\n")
    result = sushigo("review", games, "--json", "--out", tmp_path / "pages")
    assert "line 4, round 1, turn 4, seat 0: Chopsticks cannot be laid" in refusal(result)
    assert not result.stdout
    assert not (tmp_path / "pages").exists()


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--iterations", "0"], "iterations must be a whole number"),
        (["--policy", "greedy"], "must be an agent with a network"),
        (["--seed", "-1"], "seed must be an integer"),
        (["--threads", "0"], "threads must be a whole number"),
        (["--time-ms", "-1"], "time_ms must be a number from 0 to 86,400,000"),
    ],
)
def test_wrong_settings_are_one_sentence(games: Path, args: list[str], words: str) -> None:
    assert words in refusal(sushigo("review", games, *args))


def test_files_that_cannot_be(games: Path, tmp_path: Path) -> None:
    assert "no such file" in refusal(sushigo("review", tmp_path / "none.jsonl"))
    (tmp_path / "none.jsonl").write_text("\n")
    assert "no records in" in refusal(sushigo("review", tmp_path / "none.jsonl"))
    assert "cannot write into the folder" in refusal(sushigo("review", games, "--out", games / "pages"))
    assert "empty" in refusal(sushigo("review", games, "--out", ""), 2)
