"""What is shared between games takes another one by name: here a toy in which seats take turns."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.conftest import need

need("scipy", "jinja2", "matplotlib")

from sushigo_agents import registry  # noqa: E402
from sushigo_experiments import report, timing  # noqa: E402
from sushigo_experiments.benchmarks import AT_ONCE, BENCHMARKS, SUSHI_GO_ALONE, Played  # noqa: E402
from sushigo_experiments.played_before import played_before, uniform  # noqa: E402
from sushigo_experiments.settings import Settings  # noqa: E402
from sushigo_experiments.words import command  # noqa: E402

from sushigo_env.errors import AgentError, SettingError  # noqa: E402
from sushigo_env.seeding import game_seeds  # noqa: E402
from tests.cli_helpers import refusal, sushigo  # noqa: E402
from tests.small_tournaments import First, Uniform, played  # noqa: E402
from tests.toy_box import STICKS, put_in  # noqa: E402
from tests.toy_games import Sticks  # noqa: E402

NO_CHESS = "game must be one of sushi_go, sushi_boat, sticks, not 'chess'"
FIRST, UNIFORM = "tests.small_tournaments:First", "tests.small_tournaments:Uniform"


@pytest.fixture(autouse=True)
def in_the_box(monkeypatch: pytest.MonkeyPatch) -> None:
    put_in(monkeypatch)


# agents


def test_agents_that_play_it() -> None:
    assert registry.names("sticks") == registry.specs("sticks", 3) == ["random"]
    assert set(registry.names()) - set(registry.names("sushi_go")) == {"boat_greedy"}
    with pytest.raises(SettingError, match="game must be one of sushi_go, sushi_boat, sticks, not 'chess'"):
        registry.names("chess")


def test_an_agent_of_another_game_is_refused() -> None:
    for spec in ("greedy", "search", "exact", "monte_carlo", "prefer", "zoo:self_play"):
        with pytest.raises(AgentError, match=r"plays sushi_go( and sushi_boat)?, not 'sticks'\.$"):
            registry.load(spec, "sticks", 2)


def test_an_observation_setting_of_another_game_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(First, "observation", "table")
    assert registry.load(FIRST, "sushi_go", 3).observation == "table"
    with pytest.raises(AgentError, match=rf"^agent '{FIRST}' wants observation 'table', but sticks has only mem"):
        registry.load(FIRST, "sticks", 3)


# the command


def test_arena_plays_it(tmp_path: Path) -> None:
    args = ("arena", "random", FIRST, "--game", "sticks", "--players", 3, "--deals", 20, "--out", tmp_path, "--json")
    result = sushigo(*args)
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert (told["game"], told["players"], told["variant"]) == ("sticks", 3, "standard")
    assert "passing" not in told
    assert sum(match["win_share"] for match in told["matches"] if isinstance(match["field"], list)) > 0
    page = (tmp_path / "report.html").read_text()
    assert "<title>Sticks tournament</title>" in page
    assert "passing" not in page
    assert f"sushigo arena random {FIRST} --players 3 --deals 20 --seed 0 --game sticks" in page
    assert "180 of 180 games are in" in sushigo(*args).stderr


def test_arena_says_what_it_cannot_play() -> None:
    here = ("arena", "random", FIRST, "--game", "sticks")
    assert "plays sushi_go, not 'sticks'" in refusal(sushigo(*here, "greedy"))
    assert "no hands are passed in sticks, so leave passing out" in refusal(sushigo(*here, "--passing", "left"))
    assert "for 2, 3, 4 or 5, not 'standard' and for 9" in refusal(sushigo(*here, "--players", 9))
    assert "standard and for" in refusal(sushigo(*here, "--variant", "menus"))
    assert NO_CHESS in refusal(sushigo(*here[:3], "--game", "chess"))


def test_agents_are_listed_by_game() -> None:
    assert sushigo("agents", "--game", "sticks").stdout.split() == ["random"]
    assert json.loads(sushigo("agents", "--game", "sushi_go", "--json").stdout) == registry.names("sushi_go")
    assert NO_CHESS in refusal(sushigo("agents", "--game", "chess"))


@pytest.mark.parametrize(
    ("command", "what"),
    [
        (("train", "self_play_2p"), "the recipe self_play_2p"),
        (("zoo", "card", "self_play"), "zoo:self_play"),
        (("zoo", "measure", "self_play"), "zoo:self_play"),
    ],
)
def test_what_is_for_another_game_says_so(command: tuple[str, ...], what: str) -> None:
    said = refusal(sushigo(*command, "--game", "sticks"))
    assert said == f"error: {what} is for sushi_go, not for sticks.\n"
    assert NO_CHESS in refusal(sushigo(*command, "--game", "chess"))


def test_lists_of_one_game() -> None:
    assert json.loads(sushigo("train", "--list", "--game", "sticks", "--json").stdout) == {}
    assert "self_play_2p" in json.loads(sushigo("train", "--list", "--game", "sushi_go", "--json").stdout)
    boat = json.loads(sushigo("train", "--list", "--game", "sushi_boat", "--json").stdout)
    assert list(boat) == [f"boat_self_play_{players}p" for players in (2, 3, 4, 5)]
    assert sushigo("zoo", "list", "--game", "sticks").stdout == "The zoo is empty.\n"


def test_records_of_both_games_in_one_file(tmp_path: Path) -> None:
    line = {"game": "sticks", "players": 2, "variant": "standard", "taken": [[1, 2], [3]]}
    (tmp_path / "games.jsonl").write_text(json.dumps(line) + "\n" + json.dumps(line | {"game": "go"}) + "\n")
    result = sushigo("score", tmp_path / "games.jsonl")
    rows = [row.split() for row in result.stdout.splitlines()]
    assert "Line 1: 2 players, standard; won by player_0" in result.stdout
    for row in ("player 0 1", "sticks taken 3 3", "last stick 3 0", "turns taken 2 1", "total 6 3"):
        assert row.split() in rows
    assert "line 2: game must be one of sushi_go, sushi_boat, sticks, not 'go'" in refusal(result)


# tournaments


def test_settings_of_a_game_without_passing() -> None:
    settings = Settings((UNIFORM, FIRST), players=3, deals=4, game="sticks")
    assert settings.passing == ""
    assert "passing" not in settings.identity()
    assert Settings((UNIFORM, FIRST), players=3, deals=4).identity()["passing"] == "left"
    assert command(settings).endswith("--players 3 --deals 4 --seed 0 --game sticks")
    assert isinstance(settings.new_game(5), Sticks)


def test_a_tournament_in_it_hangs_on_neither_threads_nor_batches() -> None:
    settings = Settings(("uniform", "first"), players=3, deals=40, seed=5, game="sticks")
    one, two = played(settings), played(settings, threads=2)
    assert one.rows == two.rows
    assert {row.games for row in one.rows} == {120}
    page = report.render_report([one, played(Settings(("uniform", "first"), 3, 2))])
    assert "<title>Sticks and Sushi Go! tournament</title>" in page
    seeds = game_seeds(5, 40)
    firsts = np.concatenate([first_against_field(seeds[deal : deal + 1]) for deal in range(40)])
    assert one.row("first", "uniform").win_share.mean == pytest.approx(firsts.mean())  # type: ignore[union-attr]


def first_against_field(seeds: Any) -> Any:
    """The win share of `First` in a deal played by itself."""
    from sushigo_agents.match import play_deals

    return play_deals([First(), Uniform(), Uniform()], lambda games: Sticks(games, 3), seeds).shares[:, :, 0].mean(1)


# benchmarks


MEASURED = [name for name in BENCHMARKS if name not in SUSHI_GO_ALONE | AT_ONCE]


def one_by_one(seeds: Any) -> list[Any]:
    """Decisions and final totals of games played by themselves, as `uniform` draws for them."""
    told = []
    for seed in seeds:
        game = Sticks(1, 3)
        game.reset(seeds=np.array([seed], np.uint64))
        decisions = 0
        while not game.done[0]:
            game.step(uniform(game, decisions))
            decisions += 1
        told.append((decisions, int(game.scores.sum())))
    return told


@pytest.mark.parametrize("what", ["transition", "environment", "random_play"])
@pytest.mark.parametrize("games", [1, 32])
def test_only_decisions_that_were_made_count(what: str, games: int) -> None:
    alone = one_by_one(game_seeds(0, 256))
    wanted = Played(sum(decisions for decisions, _ in alone), sum(points for _, points in alone), 256 * 3)
    run = BENCHMARKS[what](STICKS, 3, games, 1)
    assert run() == run() == wanted


def test_games_of_a_batch_end_at_different_times() -> None:
    (batch,) = played_before(Sticks(256, 3))
    lengths = [decisions for decisions, _ in one_by_one(batch.seeds)]
    assert min(lengths) < max(lengths) == len(batch.turns)
    assert batch.decisions == sum(lengths)


@pytest.mark.parametrize("what", ["aec", "aec_raw", "aec_wrapped"])
def test_the_environments_play_whole_games(what: str) -> None:
    run = BENCHMARKS[what](STICKS, 3, 1, 1)
    done = run()
    assert run() == done
    heaps = [11 + Sticks.key(row) % 10 for row in begun(64).rows]
    assert done.points == sum(heaps) + 64 * 3  # a point a stick, and 3 for the last one
    assert done.totals == 64 * 3
    assert sum(heaps) / 3 <= done.decisions <= sum(heaps)


def begun(games: int) -> Sticks:
    game = Sticks(games, 3)
    game.reset(seeds=game_seeds(0, games))
    return game


def test_training_in_it_is_timed_by_the_learners_decisions() -> None:
    need("torch")
    run = BENCHMARKS["training"](STICKS, 3, 32, 1)
    done = run()
    assert done.totals == 96
    assert 32 * 14 <= done.points <= 32 * 23  # sticks, and 3 for the last one
    assert 32 * 11 / 3 <= done.decisions <= 32 * 20


@pytest.mark.parametrize(("what", "totals"), [("gymnasium_vector", 64), ("sb3_vec", 256)])
def test_environments_that_begin_games_anew_count_first_totals(what: str, totals: int) -> None:
    need("stable_baselines3")
    runs = [BENCHMARKS[what](STICKS, 3, games, 1) for games in (1, 32)]
    alone, together = (run() for run in runs)
    assert [run() for run in runs] == [alone, together]
    mean = sum(points for _, points in one_by_one(game_seeds(0, 256))) / 256 / 3
    for done in (alone, together):
        assert done.totals == totals
        assert done.points / totals == pytest.approx(mean, abs=1)
    assert alone.decisions < together.decisions < 2 * alone.decisions  # whose game is over plays the next meanwhile


def test_what_can_be_measured() -> None:
    need("stable_baselines3")
    assert {case.what for case in timing.cases(game="sticks")} == set(MEASURED)
    assert {case.players for case in timing.cases(game="sticks")} == {2, 4}
    with pytest.raises(SettingError, match="parallel cannot be measured in sticks, for sticks asks one seat at a time"):
        timing.cases("parallel", game="sticks")
    with pytest.raises(SettingError, match="training_ppo cannot be measured in sticks, for it is for sushi_go alone"):
        timing.cases("training_ppo", game="sticks")
    with pytest.raises(SettingError, match="not 'standard' and for 9"):
        timing.cases(players=9, game="sticks")
    with pytest.raises(SettingError, match="game must be one of"):
        timing.cases(game="chess")


def test_bench_names_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timing, "SECONDS", 0.0)
    args = ("bench", "--game", "sticks", "--what", "transition", "--players", 2, "--games", 8, "--threads", 1)
    (row,) = json.loads(sushigo(*args, "--json").stdout)
    assert (row["what"], row["game"], row["games"]) == ("transition", "sticks", 8)
    assert 5 < row["mean_score"] < 12
    assert "sticks" in sushigo(*args).stdout
