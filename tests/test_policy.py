"""Agents that play with a network: by argmax or sampled, from a file or a network, at the table they were made for."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from sushigo_agents.match import GAMES_AT_ONCE, play_deals
from sushigo_agents.network import Metadata, save
from sushigo_agents.policy import Policy
from sushigo_agents.registry import load
from sushigo_agents.sampling import sample

from sushigo_env.errors import AgentError
from sushigo_env.seeding import decision_keys, game_seeds
from sushigo_env.sushi_go.cards import DUMMY
from sushigo_env.sushi_go.game import SushiGo
from tests.policies import network, write_policy
from tests.test_network import plain

TABLES = [(2, "standard"), (3, "standard"), (4, "standard"), (5, "standard"), (2, DUMMY)]


def first_rows(players: int, variant: str = "standard", games: int = 20) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What `act` takes, for the first turn of some games."""
    game = SushiGo(games, players, variant=variant)
    game.reset(seeds=game_seeds(3, games))
    rows = games * players
    keys = decision_keys(np.repeat(game.seeds, players), np.tile(np.arange(players), games), 0)
    return game.observe().reshape(rows, -1).copy(), game.legal().reshape(rows, -1).copy(), keys


@pytest.mark.parametrize("play", ["argmax", "sample"])
@pytest.mark.parametrize(("players", "variant"), TABLES)
def test_a_file_plays_whole_games_the_same_in_any_batch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, players: int, variant: str, play: str
) -> None:
    path = write_policy(tmp_path / "p.safetensors", players, variant)
    spec = str(path) if play == "argmax" else f"{path}:play={play}"
    agent = load(spec, "sushi_go", players, variant)
    assert agent.name == spec  # type: ignore[attr-defined]  # agents of this package have names
    lineup = [agent] + [load("random", "sushi_go", players, variant)] * (players - 1)
    results = []
    for at_once in (GAMES_AT_ONCE, 7 * players, 1):
        monkeypatch.setattr("sushigo_agents.match.GAMES_AT_ONCE", at_once)
        results.append(play_deals(lineup, lambda games: SushiGo(games, players, variant=variant), game_seeds(5, 15)))
    for other in results[1:]:
        np.testing.assert_array_equal(other.scores, results[0].scores)


def test_argmax_and_sampling_follow_the_network() -> None:
    net = network(4)
    seen, mask, keys = first_rows(4)
    logits, values = plain(net.tensors, seen)
    likeliest = np.where(mask, logits, -np.inf).argmax(axis=1)
    metadata = Metadata.of_table(4)
    policy, drawing = Policy(net, metadata), Policy(net, metadata, play="sample")
    np.testing.assert_array_equal(policy.act(seen, mask, keys), likeliest)
    np.testing.assert_array_equal(policy.act(seen, mask, keys + np.uint64(1)), likeliest)
    np.testing.assert_array_equal(drawing.act(seen, mask, keys), sample(net.forward(seen)[0], mask, keys)[0])
    assert (drawing.act(seen, mask, keys) != drawing.act(seen, mask, keys + np.uint64(1))).any()
    np.testing.assert_allclose(policy.value(seen), values, rtol=1e-4, atol=1e-3)
    weights = np.where(mask, np.exp(logits - logits.max()), 0)
    wanted = weights / weights.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(policy.probabilities(seen, mask), wanted, atol=1e-4)


def test_the_observation_it_learned_from_is_asked_for(tmp_path: Path) -> None:
    save(tmp_path / "p.safetensors", network(2), Metadata.of_table(2, observation="table"))
    assert load(str(tmp_path / "p.safetensors"), "sushi_go", 2).observation == "table"
    with pytest.raises(AgentError, match="wants the unknown observation 'all'"):
        Policy(network(2), Metadata.of_table(2, observation="all"))


def test_another_layout_is_refused_with_the_versions_concerned(tmp_path: Path) -> None:
    path = tmp_path / "old.safetensors"
    old = replace(Metadata.of_table(4), layout="0123456789abcdef", env_version="0.0.7")
    save(path, network(4), old)
    with pytest.raises(
        AgentError, match=r"old\.safetensors' was made by sushigo-env 0\.0\.7 .*0123456789abcdef"
    ) as told:
        load(str(path), "sushi_go", 4)
    assert f"of this version ({Metadata.of_table(4).env_version})" in str(told.value)
    assert f"layout {Metadata.of_table(4).layout}: use 0.0.7, or train anew." in str(told.value)


def test_another_table_is_refused_with_both_named(tmp_path: Path) -> None:
    path = write_policy(tmp_path / "four.safetensors", 4)
    with pytest.raises(
        AgentError, match=r"for sushi_go with 4 players \(standard\); this table is sushi_go with 2 .*dummy"
    ):
        load(str(path), "sushi_go", 2, DUMMY)
    with pytest.raises(AgentError, match=r"this table is chess with 4 players"):
        load(str(path), "chess", 4)


def test_a_network_of_other_sizes_is_refused() -> None:
    with pytest.raises(
        AgentError, match=r"takes 134 bytes .* 96 actions, but 3 players \(standard\) need 104 and 96\."
    ):
        Policy(network(4), Metadata.of_table(3))
    with pytest.raises(AgentError, match=r"from 97 actions, but 2 players \(standard\) need 74 and 96\."):
        Policy(network(2, DUMMY), Metadata.of_table(2))


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        (":play=greedily", "play must be one of argmax, sample, not 'greedily'"),
        (":depth=3", "but not the setting 'depth'"),
        (":sample", "written key=value,key=value, not 'sample'"),
    ],
)
def test_settings_that_a_file_does_not_take(tmp_path: Path, settings: str, why: str) -> None:
    path = write_policy(tmp_path / "p.safetensors", 4)
    with pytest.raises(AgentError, match=why):
        load(f"{path}{settings}", "sushi_go", 4)


def test_files_that_are_none() -> None:
    with pytest.raises(AgentError, match=r"^there is no file nowhere/p\.safetensors\.$"):
        load("nowhere/p.safetensors", "sushi_go", 4)


def test_a_policy_from_a_file_takes_the_table_from_it(tmp_path: Path) -> None:
    policy = Policy.from_file(write_policy(tmp_path / "p.safetensors", 2, DUMMY), name="mine")
    assert (policy.name, policy.num_players, policy.variant, policy.num_actions) == ("mine", 2, DUMMY, 97)
    seen, mask, keys = first_rows(2, DUMMY)
    assert mask[np.arange(len(seen)), policy.act(seen, mask, keys)].all()
    with pytest.raises(AgentError, match=r"agent 'mine' was made for 2 players"):
        policy.act(seen[:, 1:], mask, keys)
