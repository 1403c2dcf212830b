"""The league: shares of games and turns, who is frozen and who starts again."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from typing import Any

import pytest
from sushigo_train.league import SCRATCH, League, LeagueSettings, Match, Orders

from sushigo_env.errors import SettingError


def league(players: int = 2, **settings: Any) -> League:
    return League(LeagueSettings(**settings), players)


def games(plan: list[Match]) -> dict[str, int]:
    assert len(plan) == len({match.opponent for match in plan}), "each opponent once"
    return {match.opponent: match.games for match in plan}


def test_learners_are_named_by_number():
    assert LeagueSettings(mains=2, exploiters=2).roles == ("main", "main_2", "exploiter", "exploiter_2")
    assert league().payoff.names == ("main", "greedy")


def test_with_nobody_else_all_is_self_play():
    assert league(anchors=()).plan("main", 100, key=1) == [Match("main", 100)]


def test_the_share_of_self_play():
    plan = league(self_play=0.7, anchors=("random", "greedy")).plan("main", 1000, key=1)
    assert plan[0] == Match("main", 700)
    assert sum(match.games for match in plan) == 1000
    assert games(league(self_play=1.0).plan("main", 9, key=1)) == {"main": 9}
    assert games(league(self_play=0.0).plan("main", 9, key=1)) == {"greedy": 9}
    assert league().plan("main", 0, key=1) == []


def test_the_hardest_are_met_most():
    one = league(self_play=0.0, anchors=("a", "b", "c"), opponents=3)
    for opponent, won in (("a", 96), ("b", 46), ("c", 21)):
        one.report("main", opponent, won, 96)
    chances = {name: (1 - share) ** 2 for name, share in one.payoff.row("main").items()}
    met: Counter[str] = Counter()
    for key in range(2000):
        met.update(games(one.plan("main", 30, key)))
    for name, chance in chances.items():
        assert met[name] / 60_000 == pytest.approx(chance / sum(chances.values()), abs=0.01)


def test_no_more_opponents_than_asked_for_share_the_games_evenly():
    one = league(self_play=0.5, anchors=tuple("abcdefgh"), opponents=3, weighting="uniform")
    for key in range(20):
        counts = list(games(one.plan("main", 100, key)).values())
        assert counts[0] == 50
        assert sorted(counts[1:]) == [16, 17, 17]
    assert one.plan("main", 100, key=3) == one.plan("main", 100, key=3)


def test_anchors_are_met_however_many_others_there_are():
    """Even if they are beaten long since."""
    league = League(LeagueSettings(anchors=("greedy", "rival"), anchor_share=0.5, self_play=0.0, snapshot_every=1), 2)
    for number in range(10):
        league.snapshot("main", f"main-{number}", number)
        league.report("main", f"main-{number}", 40, 100)
    for anchor, won in (("greedy", 95), ("rival", 80)):
        league.report("main", anchor, won, 100)
    met = {"greedy": 0, "rival": 0, "others": 0}
    for key in range(200):
        for opponent, games in league.plan("main", 100, key):
            met[opponent if opponent in met else "others"] += games
    assert met["others"] == 10_000
    assert met["rival"] > 5 * met["greedy"] > 0  # among anchors the harder still comes first


def test_main_learners_meet_each_other_and_exploiters_their_main_alone():
    one = league(mains=2, exploiters=3, self_play=0.0, opponents=3, weighting="uniform")
    assert set(games(one.plan("main", 9, key=0))) == {"greedy", "main_2"}
    for role, target in (("exploiter", "main"), ("exploiter_2", "main_2"), ("exploiter_3", "main")):
        assert one.plan(role, 9, key=0) == [Match(target, 9)]


def test_turns_by_a_fixed_schedule():
    one = league(mains=2, exploiters=2, exploiter_share=0.25)
    turns = [one.role_of(iteration) for iteration in range(160)]
    assert Counter(turns) == {"main": 60, "main_2": 60, "exploiter": 20, "exploiter_2": 20}
    assert turns[:8] == ["main", "main_2", "main", "exploiter", "main_2", "main", "main_2", "exploiter_2"]
    assert {league().role_of(iteration) for iteration in range(20)} == {"main"}


def test_a_main_is_frozen_by_its_decisions_and_goes_on():
    one = league(snapshot_every=100)
    assert [one.after_iteration("main", 40, key=0).freeze for _ in range(3)] == [False, False, True]
    one.report("main", "greedy", 30, 40)
    assert one.snapshot("main", "main-120", 120) == []
    member = one.pool["main-120"]
    assert (member.kind, member.weights, member.born_at, member.parent) == (
        "snapshot",
        "main-120.safetensors",
        120,
        "main",
    )
    assert one.payoff.win_share("main-120", "greedy") == one.payoff.win_share("main", "greedy") == 32 / 44
    assert one.after_iteration("main", 40, key=0) == Orders()


def test_who_leaves_the_pool_leaves_the_matrix():
    one = league(pool_size=2)
    dropped = [one.snapshot("main", f"main-{step}", step) for step in range(4)]
    assert [[member.name for member in gone] for gone in dropped] == [[], [], ["main-1"], ["main-2"]]
    assert one.payoff.names == ("main", "greedy", "main-0", "main-3")


@pytest.mark.parametrize(("players", "enough"), [(2, 0.7), (4, 7 / 16)])
def test_an_exploiter_that_beats_its_main_is_frozen_and_starts_again(players: int, enough: float):
    one = league(players, exploiters=1, exploiter_games=500, decay=1.0)
    one.report("exploiter", "main", 0.9 * 400, 400)
    assert one.after_iteration("exploiter", 1, key=0) == Orders(), "too few games"
    one.restarted("exploiter", SCRATCH)
    one.report("exploiter", "main", (enough - 0.01) * 10_000, 10_000)
    assert one.after_iteration("exploiter", 1, key=0) == Orders(), "too small a margin"
    one.report("exploiter", "main", (enough + 0.02) * 10_000, 10_000)
    orders = one.after_iteration("exploiter", 1, key=0)
    assert orders.freeze
    assert orders.restart in ("main", SCRATCH)


def test_patience_ends():
    one = league(exploiters=1, exploiter_patience=100)
    assert not one.after_iteration("exploiter", 99, key=0).freeze
    assert one.after_iteration("exploiter", 1, key=0).freeze
    one.snapshot("exploiter", "exploiter-100", 100)
    assert one.pool["exploiter-100"].kind == "exploiter"
    assert not one.after_iteration("exploiter", 99, key=0).freeze


def test_where_an_exploiter_starts_again_is_the_keys_choice():
    one = league(exploiters=1, exploiter_patience=1, exploiter_from_main=0.3)
    starts = Counter(one.after_iteration("exploiter", 1, key).restart for key in range(2000))
    assert starts["main"] / 2000 == pytest.approx(0.3, abs=0.04)
    assert starts["main"] + starts[SCRATCH] == 2000


def test_a_new_start_forgets_or_inherits():
    one = league(exploiters=1)
    one.report("exploiter", "main", 300, 400)
    one.report("main", "greedy", 300, 400)
    one.restarted("exploiter", "main")
    assert one.payoff.games("exploiter", "main") == one.payoff.games("main", "exploiter") == 0
    assert one.payoff.win_share("exploiter", "greedy") == one.payoff.win_share("main", "greedy")
    one.restarted("exploiter", SCRATCH)
    assert one.payoff.win_share("exploiter", "greedy") == 0.5


def test_results_fade_as_their_learner_moves():
    one = league(decay=0.5)
    one.report("main", "greedy", 6, 8)
    one.report("main", "main", 4, 8)
    one.after_iteration("main", 1, key=0)
    assert one.payoff.games("main", "greedy") == 4


def test_through_json_and_back():
    one = league(4, exploiters=1, pool_size=2)
    for step in range(9):
        one.report("main", "greedy", step, 10)
        one.after_iteration("main", 10, key=step)
        one.snapshot("main", f"main-{step}", step)
    one.after_iteration("main", 10, key=0)
    back = League.from_dict(one.settings, json.loads(json.dumps(one.to_dict(), allow_nan=False)))
    assert back.to_dict() == one.to_dict()
    assert [back.plan("main", 100, key) for key in range(9)] == [one.plan("main", 100, key) for key in range(9)]
    with pytest.raises(SettingError, match="has learners and anchors main, exploiter, greedy; settings must name the"):
        League.from_dict(LeagueSettings(), one.to_dict())
    changed = League.from_dict(LeagueSettings(exploiters=1, pool_size=8, decay=0.9), one.to_dict())
    assert (changed.pool.size, changed.payoff.decay) == (8, 0.9)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"self_play": 1.1}, r"self_play must be from 0 to 1, not 1\.1"),
        ({"exploiter_share": -1}, "exploiter_share must be from 0 to 1"),
        ({"exploiter_margin": 0.5}, "exploiter_margin must be between 0 and 0.5"),
        ({"opponents": 0}, "opponents must be at least 1, not 0"),
        ({"mains": 0}, "mains must be at least 1"),
        ({"exploiters": -1}, "exploiters must be at least 0"),
        ({"anchors": ("greedy", "greedy")}, "anchors must differ, and from main, not greedy, greedy"),
        ({"anchors": ("main",)}, "anchors must differ"),
        ({"weighting": "easy"}, "weighting must be one of"),
        ({"decay": 0}, "decay must be above 0"),
        ({"pool_size": 1}, "size must be at least 2"),
    ],
)
def test_bad_settings_are_told(wrong: dict[str, Any], told: str):
    with pytest.raises(SettingError, match=told):
        LeagueSettings(**wrong)


def test_what_cannot_be_is_told():
    one = league()
    one.report("main", "greedy", 3, 4)
    before = one.to_dict()
    for call in (
        lambda: one.plan("greedy", 9, 0),
        lambda: one.report("x", "greedy", 1, 1),
        lambda: one.snapshot("x", "y", 1),
        lambda: one.after_iteration("x", 1, 0),
        lambda: one.restarted("x", SCRATCH),
    ):
        with pytest.raises(SettingError, match="the league has no learner"):
            call()
    with pytest.raises(SettingError, match="games must be 0 or more"):
        one.plan("main", -1, 0)
    for name in ("main", "greedy"):
        with pytest.raises(SettingError, match=r"cannot be named|already"):
            one.snapshot("main", name, 1)
    with pytest.raises(SettingError, match="no player 'x'"):
        one.restarted("main", "x")
    assert one.to_dict() == before


def test_nothing_here_needs_torch():
    code = "import sys, sushigo_train.league, sushigo_train.advantages, sushigo_train.checkpoint"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}; print('torch' in sys.modules)"], capture_output=True, text=True
    )
    assert done.stdout.strip() == "False"
