"""The fast learner where seats take turns: games of different lengths, who is paid when, and what is learned."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.conftest import need

need("torch", "tensorboard")

from sushigo_agents import zoo  # noqa: E402
from sushigo_agents.match import victory_shares  # noqa: E402
from sushigo_agents.network import read  # noqa: E402
from sushigo_agents.policy import Policy  # noqa: E402
from sushigo_agents.registry import load  # noqa: E402
from sushigo_train.league import LeagueSettings, Match  # noqa: E402
from sushigo_train.rollout import Rollout, Seating, collect, seat  # noqa: E402
from sushigo_train.self_play import train  # noqa: E402
from sushigo_train.settings import Settings  # noqa: E402
from sushigo_train.shipping import ship  # noqa: E402

from sushigo_env.api import rewards  # noqa: E402
from sushigo_env.errors import AgentError, SettingError  # noqa: E402
from sushigo_env.seeding import decision_keys, game_seeds  # noqa: E402
from sushigo_env.sushi_boat.game import SushiBoat  # noqa: E402
from tests.cli_helpers import environment  # noqa: E402
from tests.learning import same_weights, small  # noqa: E402
from tests.policies import write_zoo  # noqa: E402
from tests.test_rollout import Uniform  # noqa: E402


def played(players: int, matches: list[Match], **weights: float) -> tuple[SushiBoat, Seating, Rollout]:
    games = sum(match.games for match in matches)
    game, seating = SushiBoat(games, players), seat(matches, "main", players)
    told = {"win_weight": 1.0, "margin_weight": 0.1} | weights
    opponents = {"random": load("random", "sushi_boat", players)}
    return game, seating, collect(game, game_seeds(5, games), seating, Uniform(), opponents, **told)


@pytest.mark.parametrize("players", [2, 5])
def test_every_choice_of_the_learner_is_kept_in_its_games_order(players: int) -> None:
    """Played again by themselves, game by game, with the keys that the rollout gave its choices."""
    _, seating, rollout = played(players, [Match("main", 4), Match("random", 6)])
    rows = np.cumsum(rollout.decided.ravel()).reshape(rollout.decided.shape) - 1
    decisions, choices, lengths = 0, 0, []
    for index, seed in enumerate(game_seeds(5, 10)):
        game, step = SushiBoat(1, players), 0
        game.reset(seeds=np.array([seed], np.uint64))
        column = {place % players: at for at, place in enumerate(seating.learning) if place // players == index}
        while not game.done[0]:
            to_act = int(game.to_act[0])
            mask = game.legal()[0, to_act]
            key = decision_keys(game.seeds, np.array([to_act]), step)
            action = load("random", "sushi_boat", players).act(game.observe()[0, to_act][None], mask[None], key)
            if to_act in column:
                decisions += 1
                assert rollout.decided[step, column[to_act]] == (mask.sum() > 1)
                if mask.sum() > 1:
                    choices += 1
                    row = rows[step, column[to_act]]
                    np.testing.assert_array_equal(rollout.inputs[row], game.observe()[0, to_act])
                    np.testing.assert_array_equal(rollout.action_mask[row], mask)
                    assert rollout.actions[row] == action[0]
                    assert rollout.values[step, column[to_act]] == mask.sum()
            game.step_acting(np.asarray(action, np.int32))
            step += 1
        lengths.append(step)
    assert len(set(lengths)) > 1  # games of a batch end at different times
    assert max(lengths) == len(rollout.decided)
    assert (decisions, choices) == (rollout.decisions, len(rollout.actions))
    assert not rollout.values[~rollout.decided].any()


@pytest.mark.parametrize("players", [2, 4])
def test_a_seat_is_paid_its_margin_and_at_its_games_own_end_for_victory(players: int) -> None:
    game, seating, rollout = played(players, [Match("main", 6), Match("random", 6)])
    owed = 0.1 * rewards.margin(game.scores) + rewards.win(game.standings)
    np.testing.assert_allclose(rollout.rewards.sum(axis=0), owed.reshape(-1)[seating.learning], rtol=1e-4, atol=1e-5)
    shares = victory_shares(game.standings).reshape(-1)[seating.learning]
    assert sum(rollout.shares) == pytest.approx(shares.sum())
    _, _, victory = played(players, [Match("main", 6), Match("random", 6)], margin_weight=0.0)
    when = victory.rewards != 0
    assert (when.sum(axis=0) <= 1).all()
    ends = when.argmax(axis=0)
    assert len(np.unique(ends)) > 1
    last = np.array([np.flatnonzero(seat_decided)[-1] for seat_decided in victory.decided.T])
    assert (ends[when.any(axis=0)] >= last[when.any(axis=0)]).all()


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A training of some seconds."""
    run = tmp_path_factory.mktemp("learned")
    table: dict[str, object] = {"game": "sushi_boat", "num_games": 64, "margin_weight": 0.1, "evaluate_deals": 50}
    alone = LeagueSettings(anchors=(), self_play=1.0)
    settings = small(**table, decisions=150_000, widths=(64,), learning_rate=3e-3, league=alone, checkpoint_every=10**6)
    train(settings, run)
    return run


def test_sushi_boat_is_learned_beyond_chance(learned: Path) -> None:
    last = json.loads((learned / "log.jsonl").read_text(encoding="utf-8").splitlines()[-1])
    assert last["random/win_share"] > 0.8
    assert last["random/mean_score"] > last["random/field_mean_score"] + 4


def test_the_player_sits_at_its_own_table(learned: Path) -> None:
    agent = load(str(learned / "policy.safetensors"), "sushi_boat", 2)
    assert isinstance(agent, Policy)
    assert agent.layout.fingerprint == SushiBoat(1, 2).layout.fingerprint
    assert read(learned / "policy.safetensors")[1].game == "sushi_boat"
    with pytest.raises(AgentError, match="was trained for sushi_boat with 2 players"):
        load(str(learned / "policy.safetensors"), "sushi_go", 2)


def test_a_player_comes_into_the_zoo_under_a_name_of_its_game(
    learned: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(zoo, "FOLDER", tmp_path)
    write_zoo(tmp_path, {"ppo": ("3p",)})
    card = ship(learned, "boat", tmp_path)
    assert zoo.card("boat", 2) == card
    assert (card.game, card.layout) == ("sushi_boat", SushiBoat(1, 2).layout.fingerprint)
    seated: object = load("zoo:boat", "sushi_boat", 2)
    assert isinstance(seated, zoo.ZooAgent)
    assert (seated.game, seated.num_actions) == ("sushi_boat", 119)
    with pytest.raises(SettingError, match="zoo:ppo plays sushi_go; choose another name for a player of sushi_boat"):
        ship(learned, "ppo", tmp_path)


RUN = """
import sys
from pathlib import Path
from sushigo_train.self_play import train
from tests.test_boat_training import SHORT
train(SHORT, Path(sys.argv[1]), report=lambda entry: print("told", flush=True))
"""
SHORT = small(game="sushi_boat", num_players=3, decisions=16_000)


def test_a_run_that_was_killed_and_one_that_was_stopped_come_to_the_same_weights(tmp_path: Path) -> None:
    train(SHORT, tmp_path / "whole")
    with subprocess.Popen(
        [sys.executable, "-c", RUN, str(tmp_path / "killed")],
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[1],
        env=environment(),
    ) as run:
        assert run.stdout is not None
        for _ in range(2):  # the second line comes before its checkpoint: an iteration may be lost, and is played again
            assert run.stdout.readline() == b"told\n"
        run.kill()
    assert run.returncode == -signal.SIGKILL
    stops: list[int] = []
    train(SHORT, tmp_path / "stopped", should_stop=lambda: bool(stops.append(1)) or len(stops) == 2)
    assert len(stops) == 2
    for name in ("killed", "stopped"):
        train(SHORT, tmp_path / name, resume=True)
        same_weights(tmp_path / "whole", tmp_path / name)
    with pytest.raises(SettingError, match="has game=sushi_boat, which cannot become sushi_go"):
        train(small(num_players=3), tmp_path / "whole", resume=True)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"game": "chess"}, "game must be one of sushi_go, sushi_boat"),
        ({"game": "sushi_boat", "variant": "two_player_dummy"}, "variant must be one of standard, menus"),
        ({"game": "sushi_boat", "observation": "table"}, "observation must be one of memory, strict, full"),
        ({"game": "sushi_boat", "num_players": 6}, "2, 3, 4 or 5"),
    ],
)
def test_settings_for_tables_that_the_game_has_not(changes: dict[str, object], words: str) -> None:
    with pytest.raises(SettingError, match=words):
        Settings(**changes)  # type: ignore[arg-type]  # wrong on purpose
