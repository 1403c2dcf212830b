"""Tournaments: settings, seats, play, figures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.conftest import need

need("scipy")

from sushigo_agents.match import victory_shares  # noqa: E402
from sushigo_experiments import tournament  # noqa: E402
from sushigo_experiments.settings import Settings  # noqa: E402
from sushigo_experiments.store import Games, Store  # noqa: E402
from sushigo_experiments.summary import margins, summarise  # noqa: E402

from sushigo_env.errors import AgentError, SettingError  # noqa: E402
from tests.small_tournaments import SETTINGS, Cheat, First, Uniform, played  # noqa: E402

# settings


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"deals": 0}, "at least 1"),
        ({"deals": 10**9}, "at most 1,000,000"),
        ({"players": 6}, "2, 3, 4 or 5"),
        ({"passing": "up"}, "left, alternate"),
        ({"variant": "mirror"}, "standard, two_player_dummy"),
        ({"variant": "two_player_dummy"}, "for 2 players"),
        ({"game": "chess"}, "sushi_go"),
        ({"seed": -1}, "seed must be"),
        ({"agents": ("greedy",)}, "at least 2 different agents"),
        ({"agents": ("greedy", "greedy")}, "named 2 times"),
    ],
)
def test_settings_say_what_is_allowed(change: dict[str, Any], words: str) -> None:
    given: dict[str, Any] = {"agents": ("greedy", "random"), "players": 4, "deals": 10} | change
    with pytest.raises(SettingError, match=words):
        Settings(**given)


# seats


def test_one_against_a_field_takes_every_seat_once_a_deal() -> None:
    settings = Settings(("a", "b", "c"), players=4, deals=2)
    plan = tournament.matches(settings)
    assert [(match.agent, match.field) for match in plan] == [
        (0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1), (None, None),
    ]  # fmt: skip
    seats = tournament.seating(settings, plan[3])
    assert seats.shape == (2, 4, 4)
    assert (seats[0] == np.where(np.eye(4, dtype=bool), 1, 2)).all()


def test_two_players_play_each_pair_once() -> None:
    plan = tournament.matches(Settings(("a", "b", "c"), players=2, deals=2))
    assert [(match.agent, match.field) for match in plan] == [(0, 1), (0, 2), (1, 2), (None, None)]


@pytest.mark.parametrize(("agents", "players"), [(2, 5), (3, 3), (4, 3), (7, 4)])
def test_mixed_tables_seat_all_agents_equally_often(agents: int, players: int) -> None:
    settings = Settings(tuple("abcdefg"[:agents]), players, deals=25, seed=3)
    seats = tournament.seating(settings, tournament.matches(settings)[-1])
    for deal in seats:
        at_table = np.bincount(deal[0], minlength=agents)
        assert at_table.max() - at_table[at_table > 0].min() <= (agents < players)
        assert (at_table > 0).sum() == min(agents, players)
        assert all(sorted(column) == sorted(deal[0]) for column in deal.T)  # each seat is had by each once
    often = np.bincount(seats[:, 0].ravel(), minlength=agents)
    assert often.max() - often.min() <= 1


def test_more_deals_keep_the_tables_of_the_first_ones() -> None:
    few, many = (Settings(("a", "b", "c"), 2, deals) for deals in (10, 30))
    mixed = tournament.matches(few)[-1]
    assert (tournament.seating(few, mixed) == tournament.seating(many, mixed)[:10]).all()


# play


def test_a_deal_is_the_game_of_its_seed_whatever_chunks_and_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = played(SETTINGS).as_json()
    monkeypatch.setattr(tournament, "FIRST_CHUNK", 7)
    monkeypatch.setattr(tournament, "LARGEST_CHUNK", 7)
    assert played(SETTINGS).as_json() == expected
    assert played(SETTINGS, threads=3).as_json() == expected


def test_a_cheat_is_named_and_finished_games_stay(tmp_path: Path) -> None:
    settings = Settings(("uniform", "first", "cheat"), players=2, deals=3, seed=9)
    agents = [Uniform(), First(), Cheat()]
    with Store(tmp_path / "results.sqlite", settings) as results:
        with pytest.raises(AgentError, match=r"the tournament stopped: agent cheat in seat \d of the deal with seed 9"):
            tournament.play(settings, [agents], results)
        assert results.deals_played(0).tolist() == [0, 1, 2]
        assert results.deals_played(1).size == 0


# figures


def test_shares_of_a_victory_add_up() -> None:
    shares = victory_shares(np.array([[3, 3, 1], [2, 5, 4]], np.int32))
    assert shares.tolist() == [[0.5, 0.5, 0], [0, 1, 0]]


def test_margins_are_over_the_best_other_seat() -> None:
    assert margins(np.array([[30, 40, 35], [40, 40, 10]])).tolist() == [[-10, 5, -5], [0, 0, -30]]


def test_figures_of_two_deals_by_hand() -> None:
    settings = Settings(("a", "b"), players=2, deals=2)
    match, mixed = tournament.matches(settings)
    seats = tournament.seating(settings, match)
    totals = np.array([[[40, 30], [20, 44]], [[35, 35], [50, 41]]], np.int32)  # deal, rotation, seat
    shares = np.array([[[1, 0], [0, 1]], [[0.5, 0.5], [1, 0]]])
    assert seats[0].tolist() == [[0, 1], [1, 0]]
    with Store(None, settings) as results:
        for key in (match.key, mixed.key):
            results.add(key, np.arange(2), Games(seats, totals, shares))
        summary = summarise(settings, results)
    row = summary.row("a", "b")
    assert row is not None
    assert row.games == 4
    assert row.win_share.mean == pytest.approx((1 + 0.25) / 2)  # deal 0: 1 and 1; deal 1: a half and 0
    assert row.score.mean == pytest.approx((42 + 38) / 2)
    assert row.field_score.mean == pytest.approx((25 + 42.5) / 2)
    assert row.margin.mean == pytest.approx((17 - 4.5) / 2)
    assert row.margin.low == pytest.approx(6.25 - 12.7062047 * 10.75, abs=1e-4)  # t of 1 degree
    other = summary.row("b", "a")
    assert other is not None
    assert other.win_share.mean == pytest.approx(1 - row.win_share.mean)
    assert summary.row("a", None) is not None
    assert summary.row("c", None) is None


def test_json_has_the_documented_form() -> None:
    summary = played(SETTINGS)
    told = json.loads(json.dumps(summary.as_json()))
    assert told["players"] == 3
    assert told["deals"] == 40
    assert [(match["agent"], match["field"]) for match in told["matches"]] == [
        ("uniform", "first"),
        ("first", "uniform"),
        ("uniform", ["uniform", "first"]),
        ("first", ["uniform", "first"]),
    ]
    for match in told["matches"]:
        assert match["games"] == 120
        assert 0 <= match["win_share_ci"][0] <= match["win_share"] <= match["win_share_ci"][1] <= 1
        assert match["mean_score_ci"][0] <= match["mean_score"] <= match["mean_score_ci"][1]
    first, mixed = told["matches"][0], told["matches"][2:]
    assert 20 < first["mean_score"] < 45
    assert first["margin"] < first["mean_score"] - first["field_mean_score"]  # the best of two is above their mean
    assert mixed[0]["win_share"] + mixed[1]["win_share"] == pytest.approx(2 / 3, abs=0.2)


def test_the_documented_json_has_the_real_keys() -> None:
    page = (Path(__file__).parent.parent / "docs" / "tournaments.md").read_text()
    documented = json.loads(page.split("```json")[1].split("```")[0])
    real = played(SETTINGS).as_json()
    assert list(documented) == list(real)
    assert list(documented["matches"][0]) == list(real["matches"][0])


def test_the_dummy_is_nobodys_opponent() -> None:
    settings = Settings(("uniform", "first"), players=2, deals=10, variant="two_player_dummy")
    row = played(settings).row("uniform", "first")
    assert row is not None
    assert row.margin.mean == pytest.approx(row.score.mean - row.field_score.mean)
