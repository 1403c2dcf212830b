"""`sushigo score`: sheets, results, and records that are wrong."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sushigo_env.sushi_go.record import to_line
from tests.cli_helpers import CASES, refusal, sushigo


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


def test_sheets_fit_a_narrow_screen() -> None:
    result = sushigo("score", CASES, width=40)
    sheets = [line for line in result.stdout.splitlines() if not line.startswith("Line ")]
    assert max(map(len, sheets)) <= 40
    heads = [line.split() for line in sheets if "player" in line]
    assert ["player", "0", "1", "2", "3", "4"] in heads
    assert ["player", "0", "1", "dummy"] in heads
    totals = [line.split()[1:] for line in sheets if "total" in line]
    assert totals == [list(map(str, json.loads(line)["result"]["totals"])) for line in CASES.read_text().splitlines()]


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


@pytest.mark.parametrize("content", ["", "\n\n"])
def test_a_file_without_records_is_an_error(tmp_path: Path, content: str) -> None:
    (tmp_path / "none.jsonl").write_text(content)
    assert f"no records in {tmp_path / 'none.jsonl'}" in refusal(sushigo("score", tmp_path / "none.jsonl"))


def test_score_needs_a_readable_file(tmp_path: Path) -> None:
    assert "no such file" in refusal(sushigo("score", tmp_path / "none.jsonl"))
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\xff\xfe")
    assert "not text" in refusal(sushigo("score", tmp_path / "picture.png"))
