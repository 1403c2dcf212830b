"""Benchmarks play real games."""

from __future__ import annotations

from typing import Any

import pytest
from sushigo_experiments import timing
from sushigo_experiments.benchmarks import BENCHMARKS, NEEDS

from sushigo_env.errors import SettingError
from sushigo_env.games import GAMES
from tests.conftest import need


@pytest.mark.parametrize("what", BENCHMARKS)
def test_benchmarks_play_real_games(what: str) -> None:
    need(*[package for name, package in NEEDS.items() if name == what])
    trains = what.startswith("training")
    run = BENCHMARKS[what](GAMES["sushi_go"], 4, 16 if trains else 1, 1)
    played_once = run()
    learner_only = what == "gymnasium_vector"
    assert played_once.decisions == played_once.totals * 24
    usual = 34.0 if what == "rollouts_quick" else 28.1  # the rule of thumb plays better than chance
    assert played_once.points / played_once.totals == pytest.approx(usual, abs=3 if learner_only else 2)
    again = run()
    assert again.decisions == played_once.decisions
    assert trains or again == played_once  # a learner plays other games each time


def test_default_benchmarks_cover_tables_batches_and_threads() -> None:
    need(*NEEDS.values())
    todo = timing.cases(cores=2)
    assert {case.what for case in todo} == set(BENCHMARKS)
    batched = {case[1:4] for case in todo if case.what == "environment"}
    assert batched == {(p, b, t) for p in (2, 4) for b in (1, 64, 1024, 65536) for t in (1, 2)}
    assert {case[1:4] for case in todo if case.what == "aec"} == {(2, 1, 1), (4, 1, 1)}


def test_the_default_run_leaves_out_what_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timing, "find_spec", lambda package: None)
    assert {case.what for case in timing.cases()} == set(BENCHMARKS) - set(NEEDS)


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
