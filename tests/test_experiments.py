"""Statistics on made data; seats, results, pages and benchmarks of small tournaments."""

from __future__ import annotations

import json
import re
import sqlite3
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.conftest import need

need("scipy", "jinja2", "matplotlib")

from scipy import stats  # noqa: E402
from sushigo_agents.match import victory_shares  # noqa: E402
from sushigo_experiments import report, store, timing, tournament  # noqa: E402
from sushigo_experiments.benchmarks import BENCHMARKS  # noqa: E402
from sushigo_experiments.settings import Settings  # noqa: E402
from sushigo_experiments.statistics import Estimate, score_estimate, share_estimate  # noqa: E402
from sushigo_experiments.store import Games, Store  # noqa: E402
from sushigo_experiments.summary import Summary, margins, summarise  # noqa: E402
from sushigo_experiments.words import against_fair, command, percent, points  # noqa: E402

from sushigo_env.errors import AgentError, SettingError  # noqa: E402
from sushigo_env.seeding import uniform_actions  # noqa: E402


class Uniform:
    """A random player."""

    observation = "memory"

    def act(self, observation: Any, action_mask: NDArray[np.bool_], keys: NDArray[np.uint64]) -> NDArray[np.int32]:
        return uniform_actions(action_mask, keys)


class First(Uniform):
    """Lays the first card it may."""

    def act(self, observation: Any, action_mask: NDArray[np.bool_], keys: NDArray[np.uint64]) -> NDArray[np.int32]:
        return action_mask.argmax(axis=1).astype(np.int32)


class Cheat(Uniform):
    """Lays a card it does not hold."""

    def act(self, observation: Any, action_mask: NDArray[np.bool_], keys: NDArray[np.uint64]) -> NDArray[np.int32]:
        return (~action_mask).argmax(axis=1).astype(np.int32)


SETTINGS = Settings(("uniform", "first"), players=3, deals=40, seed=5)


def played(settings: Settings, path: Path | None = None, agents: list[Any] | None = None, threads: int = 1) -> Summary:
    with Store(path, settings) as results:
        tournament.play(settings, [agents or [Uniform(), First()]] * threads, results)
        return summarise(settings, results)


# statistics


def test_scores_take_students_interval() -> None:
    by_deal = np.array([40.0, 44.0, 39.0, 45.0])
    found = score_estimate(by_deal)
    expected = stats.ttest_1samp(by_deal, 0).confidence_interval(0.95)
    assert found.mean == 42.0
    assert found.interval == pytest.approx((expected.low, expected.high))
    assert found.low == pytest.approx(42 - 3.182446 * 2.943920 / 2, abs=1e-5)  # t of 3 degrees, s by hand


def test_one_deal_gives_no_interval_of_scores() -> None:
    assert score_estimate(np.array([40.0])) == Estimate(40.0, None, None)


def test_a_win_share_of_one_is_not_certain() -> None:
    found = share_estimate(np.ones(100))
    assert found.interval == pytest.approx((0.025 ** (1 / 100), 1.0))  # Clopper-Pearson, 100 of 100
    lost = share_estimate(np.zeros(100))
    assert lost.interval == pytest.approx((0.0, 1 - 0.025 ** (1 / 100)))


def test_independent_tosses_take_clopper_pearson_up_to_the_t_quantile() -> None:
    by_deal = np.array([1.0] * 30 + [0.0] * 970)
    found, exact = share_estimate(by_deal), stats.binomtest(30, 1000).proportion_ci(0.95, "exact")
    assert found.interval == pytest.approx((exact.low, exact.high), rel=0.01)


def test_luck_that_cancels_within_deals_narrows_the_interval() -> None:
    steady = np.array([0.5, 0.25] * 50)
    swinging = np.array([1.0, 0.0, 0.5, 0.0] * 25)
    assert steady.mean() == swinging.mean()
    widths = [share_estimate(by_deal).interval for by_deal in (steady, swinging)]
    assert widths[0] is not None
    assert widths[1] is not None
    assert widths[0][1] - widths[0][0] < 0.5 * (widths[1][1] - widths[1][0])


@pytest.mark.parametrize(("share", "deals"), [(0.25, 20), (0.9, 50), (0.99, 100)])
def test_intervals_of_win_shares_cover_the_truth(share: float, deals: int) -> None:
    random = np.random.default_rng(3)
    trials = 300
    covered = 0
    for _ in range(trials):
        chance = random.beta(20 * share, 20 * (1 - share), deals)  # deals differ: some are lucky for the agent
        found = share_estimate(random.binomial(4, chance) / 4)
        assert found.low is not None
        assert found.high is not None
        covered += found.low <= share <= found.high
    assert covered / trials > 0.93


@pytest.mark.parametrize("by_deal", [np.zeros(0), np.zeros((2, 2))])
def test_estimates_need_one_figure_a_deal(by_deal: NDArray[np.float64]) -> None:
    with pytest.raises(SettingError, match="one figure a deal"):
        score_estimate(by_deal)


def test_win_shares_outside_0_to_1_are_refused() -> None:
    with pytest.raises(SettingError, match="0 to 1"):
        share_estimate(np.array([0.5, 1.5]))


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


# figures


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


def test_words() -> None:
    assert percent(Estimate(0.2614, 0.25, 0.27)) == ("26.1%", "25.0 to 27.0")
    assert points(Estimate(-3.14, None, None)) == ("-3.1", "")
    assert [against_fair(Estimate(0.3, *ends), 4) for ends in ((0.26, 0.4), (0.2, 0.4), (0.1, 0.2))] == [
        "above",
        "",
        "below",
    ]
    assert command(SETTINGS) == "sushigo arena uniform first --players 3 --deals 40 --seed 5"


# results


def test_a_deal_is_the_game_of_its_seed_whatever_chunks_and_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = played(SETTINGS).as_json()
    monkeypatch.setattr(tournament, "FIRST_CHUNK", 7)
    monkeypatch.setattr(tournament, "LARGEST_CHUNK", 7)
    assert played(SETTINGS).as_json() == expected
    assert played(SETTINGS, threads=3).as_json() == expected


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


def test_damaged_rows_are_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "results.sqlite"
    played(SETTINGS, path)
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE games SET totals = '[1,' WHERE deal = 3")
    connection.close()
    with Store(path, SETTINGS) as results, pytest.raises(SettingError, match="no usable file of results"):
        summarise(SETTINGS, results)


def test_a_cheat_is_named_and_finished_games_stay(tmp_path: Path) -> None:
    settings = Settings(("uniform", "first", "cheat"), players=2, deals=3, seed=9)
    agents = [Uniform(), First(), Cheat()]
    with Store(tmp_path / "results.sqlite", settings) as results:
        with pytest.raises(AgentError, match=r"the tournament stopped: agent cheat in seat \d of the deal with seed 9"):
            tournament.play(settings, [agents], results)
        assert results.deals_played(0).tolist() == [0, 1, 2]
        assert results.deals_played(1).size == 0


# the page


def test_the_page_stands_alone_and_tells_all(tmp_path: Path) -> None:
    summary = played(Settings(("uniform", "my:<First>"), players=3, deals=40))
    page = report.render_report([summary])
    assert page == report.render_report([summary])
    assert page.count("<svg") == 2
    assert not re.search(r"(src|href)=\"(?!#)|<script|@import|url\((?!#)", page.replace("xlink:href", "href"))
    assert "my:&lt;First&gt;" in page
    assert "my:<First>" not in page
    for row in summary.rows:
        assert percent(row.win_share).mean in page
        assert percent(row.win_share).interval in page
        assert points(row.score).interval in page
    assert f"{100 * summary.rows[0].win_share.mean:.1f}</text>" in page  # the number in the heat map
    assert "--players 3 --deals 40 --seed 0" in page
    assert "{{" not in page


def test_a_page_is_there_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    summary = played(SETTINGS)
    page = tmp_path / "report.html"
    page.write_text("the old one")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    with pytest.raises(SettingError, match=r"cannot write .*report\.html: no space left on device"):
        report.write_report(page, [summary])
    assert [entry.name for entry in tmp_path.iterdir()] == ["report.html"]
    assert page.read_text() == "the old one"


def test_a_page_of_a_single_deal_and_absent_agents() -> None:
    settings = Settings(("uniform", "first", "third"), players=2, deals=1)
    summary = played(settings, agents=[Uniform(), First(), First()])
    assert len(summary.ranking()) == 2  # one deal seats two of the three
    page = report.render_report([summary])
    assert page.count("<svg") == 2
    assert "nan" not in page.lower().split("<body>")[1]


def test_a_missing_extra_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(SettingError, match=r"jinja2.*pip install 'sushigo-env\[experiments\]'"):
        report.check_installed()


# benchmarks


@pytest.mark.parametrize("what", BENCHMARKS)
def test_benchmarks_play_real_games(what: str) -> None:
    run = BENCHMARKS[what](4, 1, 1)
    played_once = run()
    learner_only = what == "gymnasium_vector"
    assert played_once.decisions == played_once.totals * 24
    assert played_once.points / played_once.totals == pytest.approx(28.1, abs=3 if learner_only else 2)
    assert run() == played_once


def test_default_benchmarks_cover_tables_batches_and_threads() -> None:
    todo = timing.cases(cores=2)
    assert {case.what for case in todo} == set(BENCHMARKS)
    batched = {case[1:] for case in todo if case.what == "environment"}
    assert batched == {(p, b, t) for p in (2, 4) for b in (1, 64, 1024, 65536) for t in (1, 2)}
    assert {case[1:] for case in todo if case.what == "aec"} == {(2, 1, 1), (4, 1, 1)}


def test_a_rate_is_the_median_of_real_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timing, "SECONDS", 0.0)
    rate = timing.measure(timing.Case("transition", 2, 64, 1))
    assert 0 < rate.slowest <= rate.decisions_per_s <= rate.fastest
    assert rate.mean_score == pytest.approx(45.1, abs=3)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"what": "speed"}, "what must be one of transition, environment"),
        ({"games": 0}, "games must be 1 or more"),
        ({"threads": -1}, "threads must be 1 or more"),
        ({"players": 9}, "2, 3, 4 or 5"),
        ({"what": "aec", "games": 64}, "aec plays 1 game in 1 thread"),
    ],
)
def test_bad_benchmarks_say_what_is_allowed(given: dict[str, Any], words: str) -> None:
    with pytest.raises(SettingError, match=words):
        timing.cases(**given)


def test_shares_of_a_victory_add_up() -> None:
    shares = victory_shares(np.array([[3, 3, 1], [2, 5, 4]], np.int32))
    assert shares.tolist() == [[0.5, 0.5, 0], [0, 1, 0]]
