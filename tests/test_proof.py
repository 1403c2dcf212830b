"""What `make proof` plays and tells: every game once, all styles observed, a stopped run goes on from its file."""

from __future__ import annotations

import io
import json

import pytest
from rich.console import Console

from tests import boat_proof
from tests.boat_agreement import STYLES
from tests.proof import PROOFS, Chunk, Result, chunks_of, prove, read

BOAT = PROOFS["sushi_boat"]


@pytest.mark.parametrize(("game", "proof"), PROOFS.items(), ids=PROOFS)
def test_every_game_of_every_table_is_played_once(game, proof):
    chunks = chunks_of(game, [*proof.tables], 0, proof.games)
    for table in proof.tables:
        seeds = [seed for c in chunks if c.table == table for seed in range(c.first, c.first + c.count)]
        assert seeds == list(range(proof.games))
        assert sum(c.observed for c in chunks if c.table == table) == proof.games // proof.every


def test_a_run_split_in_two_is_the_whole():
    parts = [chunks_of("sushi_boat", ["2-menus"], first, 100) for first in (0, 100)]
    assert parts[0] + parts[1] == chunks_of("sushi_boat", ["2-menus"], 0, 200)


def test_all_styles_are_played_and_observed():
    chunks = chunks_of("sushi_boat", ["2-menus"], 0, BOAT.games)
    styles = [chunk.first // BOAT.chunk % len(STYLES) for chunk in chunks]
    assert set(styles) == set(range(len(STYLES)))
    assert {style for style, chunk in zip(styles, chunks, strict=True) if chunk.observed} == set(styles)


@pytest.mark.parametrize("table", boat_proof.TABLES, ids=str)
def test_two_games_of_sushi_boat_agree(table):
    assert boat_proof.check(table, 0, 2, observed=0) > 2 * 60


def test_a_byte_that_is_not_as_expected_is_found(monkeypatch):
    def wrong(game, index, seat, setting, table):
        seen = game.observe(setting)[index, seat].copy()
        if seat == 1 and setting == "strict" and table["phase"] == "EAT":
            seen[game.layout.slices["yen"]] += 1
        return seen

    monkeypatch.setattr(boat_proof, "expected", wrong)
    with pytest.raises(AssertionError, match=r"2 players, menus, seed \d+, decision \d+, seat 1, strict: yen"):
        boat_proof.check(boat_proof.BoatTable(2, "menus"), 0, 1, observed=1)


def test_chunks_that_agreed_are_not_played_again(tmp_path):
    chunks = chunks_of("sushi_boat", ["2-menus", "5-standard"], 0, 2 * BOAT.chunk)
    kept = tmp_path / "kept.jsonl"
    results = [[chunk, Result(1000 + i, 1.0, "")] for i, chunk in enumerate(chunks)]
    kept.write_text("".join(json.dumps(result) + "\n" for result in results))
    page = io.StringIO()
    assert prove(chunks, 1, Console(file=page, width=80), kept) == 0
    assert [line.split() for line in page.getvalue().splitlines() if "sushi_boat" in line] == [
        ["sushi_boat", "2-menus", "40", "2,002", "1", "0", "2"],
        ["sushi_boat", "5-standard", "40", "2,004", "1", "0", "2"],
    ]


def test_a_chunk_that_disagreed_is_played_again(tmp_path):
    chunk = Chunk("sushi_boat", "2-menus", 0, 1)
    kept = tmp_path / "kept.jsonl"
    kept.write_text(json.dumps([chunk, Result(0, 1.0, "yen is 2, should be 1")]) + "\n")
    assert read(kept) == {}
    assert read(None) == {}
