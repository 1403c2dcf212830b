"""The file of results: stopped runs, other settings, damage."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import numpy as np
import pytest

from tests.conftest import need

need("scipy")

from sushigo_experiments import store, tournament  # noqa: E402
from sushigo_experiments.settings import Settings  # noqa: E402
from sushigo_experiments.store import Store  # noqa: E402
from sushigo_experiments.summary import summarise  # noqa: E402

from sushigo_env.errors import SettingError  # noqa: E402
from tests.small_tournaments import SETTINGS, First, Uniform, played  # noqa: E402


def test_a_stopped_tournament_goes_on_where_it_was(tmp_path: Path) -> None:
    path, told = tmp_path / "results.sqlite", []

    def stop(games: int) -> None:
        told.append(games)
        if len(told) == 2:
            raise KeyboardInterrupt

    with Store(path, SETTINGS) as results, pytest.raises(KeyboardInterrupt):
        tournament.play(SETTINGS, [[Uniform(), First()]], results, progress=stop)
    with Store(path, SETTINGS) as results:
        assert tournament.games_left(SETTINGS, results) == tournament.total_games(SETTINGS) - sum(told)
        tournament.play(SETTINGS, [[Uniform(), First()]], results, progress=told.append)
        assert tournament.games_left(SETTINGS, results) == 0
        assert summarise(SETTINGS, results).as_json() == played(SETTINGS).as_json()
    assert sum(told) == tournament.total_games(SETTINGS)
    assert [entry.name for entry in tmp_path.iterdir()] == ["results.sqlite"]


def test_more_deals_add_to_a_tournament_and_fewer_read_its_first(tmp_path: Path) -> None:
    more = Settings(SETTINGS.agents, SETTINGS.players, 50, SETTINGS.seed)
    played(SETTINGS, tmp_path / "results.sqlite")
    assert played(more, tmp_path / "results.sqlite").as_json() == played(more).as_json()
    assert played(SETTINGS, tmp_path / "results.sqlite").as_json() == played(SETTINGS).as_json()


def test_a_file_of_other_settings_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "results.sqlite"
    played(SETTINGS, path)
    before = path.read_bytes()
    with pytest.raises(SettingError, match="seed 5, not 6"):
        Store(path, Settings(SETTINGS.agents, 3, 40, seed=6))
    with pytest.raises(SettingError, match="agents uniform first, not first uniform"):
        Store(path, Settings(("first", "uniform"), 3, 40, seed=5))
    monkeypatch.setattr(store, "version", lambda: "99.0")
    with pytest.raises(SettingError, match=r"version .*, not 99\.0"):
        Store(path, SETTINGS)
    assert path.read_bytes() == before


@pytest.mark.parametrize("content", [b"not a database, but long enough to look at " * 40, b"", b"SQLite format 3\x00"])
def test_a_broken_file_of_results_is_one_sentence(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "results.sqlite"
    path.write_bytes(content)
    with pytest.raises(SettingError, match=r"results\.sqlite is no usable file of results"):
        Store(path, SETTINGS)
    assert path.read_bytes() == content


def test_results_can_be_read_by_any_program(tmp_path: Path) -> None:
    path = tmp_path / "results.sqlite"
    played(SETTINGS, path)
    assert store.json_rows(np.array([[[1, 2], [3, 4]]])) == ["[1,2]", "[3,4]"]
    with sqlite3.connect(path) as connection:
        row = connection.execute("SELECT agents, totals, shares FROM games WHERE match = 2 AND deal = 7").fetchone()
        (agents,) = connection.execute("SELECT value FROM settings WHERE name = 'agents'").fetchone()
    connection.close()
    seats, totals, shares = (json.loads(column) for column in row)
    assert {json.loads(agents)[seat] for seat in seats} == {"uniform", "first"}
    assert len(totals) == 3
    assert sum(shares) == pytest.approx(1)
    assert {seat for seat in range(3) if shares[seat]} <= {seat for seat in range(3) if totals[seat] == max(totals)}


@pytest.mark.parametrize("where", ["", "WHERE match = 0 AND deal = 3 AND rotation = 1"])
@pytest.mark.parametrize(
    ("column", "value"),
    [
        *(("totals", value) for value in ("[1,", "null", "{}", "7", b"[1,2,3]", "[1,2]", "[1,2,3],[4,5,6]")),
        *(("totals", value) for value in ("[1e400,2,3]", "[99999999999,2,3]", "[1.5,2,3]", '["1",2,3]')),
        *(("agents", value) for value in ("[0,1,2]", "[-1,1,1]", "[0.5,1,1]")),
        *(("shares", value) for value in ("[NaN,1,0]", "[2,-1,0]", "[0.5,0,0]", "[null,1,0]")),
    ],
)
def test_damaged_rows_are_one_sentence(tmp_path: Path, column: str, value: str | bytes, where: str) -> None:
    path = tmp_path / "results.sqlite"
    played(SETTINGS, path)
    with sqlite3.connect(path) as connection:
        connection.execute(f"UPDATE games SET {column} = ? {where}", (value,))
    connection.close()
    with Store(path, SETTINGS) as results, pytest.raises(SettingError, match="no usable file of results"):
        summarise(SETTINGS, results)
