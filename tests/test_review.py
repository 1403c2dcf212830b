"""The review of games: losses, luck, parts that add up, the page."""

from __future__ import annotations

import copy
import json
import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.conftest import need

need("jinja2", "matplotlib")

from sushigo_agents.search.thought import Thought  # noqa: E402
from sushigo_experiments import review_page, review_words  # noqa: E402
from sushigo_experiments.review import GameReview, Move, ReviewSettings, review_game  # noqa: E402
from sushigo_experiments.review_games import Line, decisions_of, laid_cards, read_games  # noqa: E402
from sushigo_experiments.review_samples import most_lost  # noqa: E402

from sushigo_env.errors import AgentError, RecordError, SettingError  # noqa: E402
from sushigo_env.sushi_go import scoring  # noqa: E402
from sushigo_env.sushi_go.record import replay, result_of, to_line  # noqa: E402
from tests.cli_helpers import CASES  # noqa: E402

FEW = ReviewSettings(iterations=40)
ORDER = [
    "tempura",
    "tempura",
    "sashimi",
    "sashimi",
    "dumpling",
    "dumpling",
    "maki_2",
    "maki_2",
    "salmon_nigiri",
    "pudding",
]


@cache
def cases() -> dict[tuple[int, str], Line]:
    """A recorded game of each table, the last of its kind."""
    return {(line.record["players"], line.record["variant"]): line for line in read_games(CASES)}


@cache
def reviewed(players: int, variant: str) -> GameReview:
    return review_game(cases()[players, variant], FEW)


TABLES = [(2, "standard"), (3, "standard"), (4, "standard"), (5, "standard"), (2, "two_player_dummy")]
every_table = pytest.mark.parametrize(("players", "variant"), TABLES)


def blunder() -> dict[str, Any]:
    """Both seats play alike for two rounds; in the last, seat 0 has an open wasabi and lets the squid go in turn 9."""
    first = ["wasabi", "tempura", "dumpling", "tempura", "dumpling", "tempura", "dumpling", "pudding", "maki_1"]
    second = [
        "sashimi",
        "sashimi",
        "sashimi",
        "maki_2",
        "maki_2",
        "maki_2",
        "dumpling",
        "dumpling",
        "tempura",
        "tempura",
    ]
    first.append("squid_nigiri")
    # a hand is with one seat in odd turns, and with the other in even ones
    last = [[[first[t]], [second[t]]] if t % 2 == 0 else [[second[t]], [first[t]]] for t in range(10)]
    alike = [[[card], [card]] for card in ORDER]
    record = {
        "game": "sushi_go", "format": 1, "players": 2, "variant": "standard", "passing": "left",
        "deals": [[ORDER, ORDER], [ORDER, ORDER], [first, second]], "plays": [alike, alike, last],
    }  # fmt: skip
    return {**record, "result": result_of(replay(record))}


def test_a_squid_let_go_beside_an_open_wasabi_is_the_costliest_move() -> None:
    record = blunder()
    assert record["result"]["winners"] == [1]
    review = review_game(Line(1, record), FEW)
    worst = review.seats[0].costliest[0]
    assert (worst.round, worst.turn, worst.played, worst.best) == (3, 9, ("maki_1",), ("squid_nigiri",))
    assert worst.chance_lost == 1  # with the squid the game was won, without it lost, and nothing is hidden
    assert worst.chance_error == 0
    squid = int(scoring.NIGIRI_POINTS.max())
    assert worst.points_lost == squid * scoring.WASABI_FACTOR + squid  # one's own, and what the other gets
    assert review_words.mark(worst) == "blunder"


@every_table
def test_the_parts_add_up_to_the_result(players: int, variant: str) -> None:
    review = reviewed(players, variant)
    for seat in review.seats:
        assert seat.start + sum(seat.luck) + seat.own + seat.others == pytest.approx(seat.result, abs=1e-12)
        assert seat.own == -sum(move.chance_lost for move in review.moves_of(seat.seat))
        assert seat.points_lost == sum(move.points_lost for move in review.moves_of(seat.seat))
    assert sum(seat.result for seat in review.seats) == pytest.approx(1)
    luck = np.array([seat.luck for seat in review.seats])
    assert luck.sum(axis=0) == pytest.approx(np.zeros(3), abs=1e-12), "what a deal gives to one it takes from others"
    assert (luck != 0).all()


@every_table
def test_luck_is_the_step_of_the_curve_at_a_deal(players: int, variant: str) -> None:
    review = reviewed(players, variant)
    for round_ in range(3):
        before, after = (
            next(p.chances for p in review.curve if (p.round, p.turn) == (round_ + 1, turn)) for turn in (0, 1)
        )
        stepped = [seat.luck[round_] for seat in review.seats]
        assert stepped == pytest.approx([b - a for a, b in zip(before, after, strict=True)])


@every_table
def test_the_curve_has_every_turn_and_adds_up(players: int, variant: str) -> None:
    review = reviewed(players, variant)
    turns = len(cases()[players, variant].record["plays"][0])
    at = [(point.round, point.turn) for point in review.curve]
    assert at == [(r, t) for r in (1, 2, 3) for t in range(turns + 1)] + [(3, turns + 1)]
    chances = np.array([point.chances for point in review.curve])
    assert (chances >= 0).all()
    assert chances.sum(axis=1) == pytest.approx(np.ones(len(chances)))
    assert (chances[0] == 1 / players).all()
    assert review.curve[-1].chances == tuple(seat.result for seat in review.seats)


@every_table
def test_moves_are_the_decisions_with_a_choice(players: int, variant: str) -> None:
    review, record = reviewed(players, variant), cases()[players, variant].record
    decisions = decisions_of(record)
    assert len(review.moves) == (decisions.choices > 1).sum()
    for move in review.moves:
        seat = players if move.for_dummy else move.seat
        laid = record["plays"][move.round - 1][move.turn - 1][seat]
        assert sorted(move.played) == sorted(laid)
        assert move.choices > 1
        assert move.chance_lost >= 0
        assert move.chance_error >= 0
        assert move.chance_lost <= 1
        if move.played == move.best:
            assert (move.chance_lost, move.points_lost, move.chance_error) == (0, 0, 0)
    assert any(move.for_dummy for move in review.moves) == (variant != "standard")
    for told in review.seats:
        losses = sorted((move.chance_lost for move in review.moves_of(told.seat)), reverse=True)
        assert [move.chance_lost for move in told.costliest] == [loss for loss in losses[:3] if loss > 0]


def test_a_review_hangs_on_its_seed_alone() -> None:
    line = cases()[3, "standard"]
    again = review_game(Line(7, copy.deepcopy(line.record)), FEW, threads=3)
    assert replace(again, line=line.number) == reviewed(3, "standard")
    other = review_game(line, replace(FEW, seed=1))
    assert other.curve != reviewed(3, "standard").curve


def test_progress_counts_every_decision() -> None:
    line, done = Line(1, blunder()), list[int]()
    review_game(line, ReviewSettings(iterations=2), progress=done.append)
    assert sum(done) == len(decisions_of(line.record)) == 60


def test_the_clock_ends_thinking() -> None:
    review = review_game(Line(1, blunder()), ReviewSettings(iterations=50, time_ms=0.001))
    assert len(review.seats) == 2


def test_settings_that_are_wrong_are_named() -> None:
    line = cases()[2, "standard"]
    with pytest.raises(AgentError, match="iterations must be"):
        review_game(line, ReviewSettings(iterations=0))
    with pytest.raises(AgentError, match="must be an agent with a network"):
        review_game(line, ReviewSettings(policy="greedy"))
    with pytest.raises(SettingError, match="seed must be"):
        ReviewSettings(seed=-1)
    with pytest.raises(SettingError, match="threads must be a whole number"):
        review_game(line, FEW, threads=0)


def test_games_are_checked_before_they_are_reviewed(tmp_path: Path) -> None:
    record = blunder()
    del record["plays"][2][-1]
    file = tmp_path / "games.jsonl"
    file.write_text(f"{to_line(blunder())}\n\n{to_line(record)}\n")
    with pytest.raises(RecordError, match="line 3, round 3: plays must have 10 turns"):
        read_games(file)


def test_cards_lie_where_they_were_laid_and_chopsticks_go_back() -> None:
    played = [[["chopsticks"]], [["wasabi"]], [["tempura", "squid_nigiri"]], [["egg_nigiri"]]]
    record = {"plays": [played], "result": {"totals": [0]}}
    assert laid_cards(record) == [[["wasabi", "tempura", "squid_nigiri", "egg_nigiri"]]]


def test_a_nigiri_is_drawn_on_the_wasabi_that_it_went_on() -> None:
    names = ["squid_nigiri", "wasabi", "tempura", "wasabi", "egg_nigiri", "squid_nigiri", "squid_nigiri"]
    drawn = review_page.drawn(names)
    order = ["squid_nigiri", "wasabi", "egg_nigiri", "tempura", "wasabi", "squid_nigiri", "squid_nigiri"]
    assert [card.name for card in drawn] == order
    assert [place for place, card in enumerate(drawn) if card.on_wasabi] == [2, 5]


@every_table
def test_the_cards_drawn_come_to_the_points_of_the_record(players: int, variant: str) -> None:
    line = cases()[players, variant]
    for round_, tables in enumerate(laid_cards(line.record)):
        for seat, names in enumerate(tables):
            told = line.record["result"]["rounds"][round_][seat]
            assert scoring.dumpling_points(names.count("dumpling")) == told["dumpling"]
            assert scoring.tempura_points(names.count("tempura")) == told["tempura"]


@every_table
def test_the_page_stands_alone_and_tells_all(players: int, variant: str) -> None:
    review = reviewed(players, variant)
    page = review_page.render_page(review)
    assert page == review_page.render_page(review)
    assert page.count("<svg") == 1
    assert not re.search(r"(src|href)=\"(?!#)|<script|@import|url\((?!#)", page.replace("xlink:href", "href"))
    assert review_words.headline(review) in page
    assert "{{" not in page
    assert "nan" not in page.lower().split("<body>")[1].replace("finance", "")
    for seat in review.seats:
        for move in seat.costliest:
            assert review_words.costly(move) in page
    assert page.count('<tr class="blunder') == sum(review_words.mark(move) == "blunder" for move in review.moves)
    assert page.count('class="c ') == sum(len(table) for tables in review.laid for table in tables)


def test_the_page_escapes_what_others_wrote() -> None:
    review = reviewed(2, "standard")
    review = replace(review, settings=replace(review.settings, policy="runs/<b>&.safetensors"))
    page = review_page.render_page(review)
    assert "runs/&lt;b&gt;&amp;.safetensors" in page
    assert "<b>" not in page


def test_changes_have_signs_and_zeros_none() -> None:
    assert [review_words.signed(share) for share in (0.123, -0.05, 0.0, -0.0001)] == ["+12.3%", "-5.0%", "0.0%", "0.0%"]
    assert [review_words.points(value) for value in (1.26, -0.04, -2.0)] == ["1.3", "0.0", "-2.0"]


def test_a_review_is_json() -> None:
    told = json.loads(json.dumps(reviewed(2, "two_player_dummy").as_json(), allow_nan=False))
    assert told["totals"] == cases()[2, "two_player_dummy"].record["result"]["totals"]


@pytest.mark.parametrize(
    ("lost", "error", "name"),
    [(0.1, 0.05, "blunder"), (0.1, 0.051, ""), (0.099, 0.01, "mistake"), (0.02, 0.01, "slip"), (0.019, 0.0, "")],
)
def test_a_move_is_called_names_only_where_its_loss_is_sure(lost: float, error: float, name: str) -> None:
    move = Move(1, 1, 0, False, 2, ("egg_nigiri",), ("squid_nigiri",), lost, error, 0.0, 0.0)
    assert review_words.mark(move) == name


@pytest.mark.parametrize(
    ("visits", "most"),
    [(0, 0.5), (1, 0.5), (100, 0.3), (10_000, 0.21)],  # the best is worth 0.5, the one played 0.3
)
def test_no_loss_is_larger_than_the_search_leaves_open(visits: int, most: float) -> None:
    """The gap of the means, and two deviations (half a win share by the root of the visits) of the play's own."""
    values = np.array([0.5, 0.3 if visits else np.nan])
    thought = Thought(np.array([3, 7]), np.array([500, visits]), values, np.array([1.0, 0.0]), 500 + visits)
    assert most_lost(thought, 0, 7) == pytest.approx(most)
