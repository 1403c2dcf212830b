"""Networks that are told what an agent by rule would play: their inputs, their files, who may advise."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from sushigo_agents.advice import ADVISERS, advised, check_adviser
from sushigo_agents.match import play_deals
from sushigo_agents.network import Metadata, Network, read_metadata, save
from sushigo_agents.policy import Policy
from sushigo_agents.registry import load

from sushigo_env import games
from sushigo_env.errors import AgentError, SettingError
from sushigo_env.seeding import game_seeds
from tests.policies import network, write_policy

TABLES = [("sushi_go", 3, "greedy"), ("sushi_boat", 2, "boat_greedy")]


def obedient(game: str, players: int) -> Network:
    """A network that does as it is told: the trunk hands the advice on, each action's logit is its byte."""
    table = games.find(game).new(1, players)
    size, actions = table.layout.size, table.num_actions
    hand_on = np.zeros((actions, size + actions), np.float32)
    hand_on[:, size:] = np.eye(actions)
    return Network(
        {
            "trunk.0.weight": hand_on,
            "trunk.0.bias": np.zeros(actions, np.float32),
            "policy.weight": np.eye(actions, dtype=np.float32),
            "policy.bias": np.zeros(actions, np.float32),
            "value.weight": np.full((1, actions), 7, np.float32),
            "value.bias": np.ones(1, np.float32),
        }
    )


def first_rows(game: str, players: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What the seats to move see after the deal of 20 games."""
    table = games.find(game).new(20, players)
    table.reset(seeds=game_seeds(3, 20))
    asked = table.to_move.reshape(-1)
    rows = len(asked)
    seen, mask = table.observe().reshape(rows, -1)[asked], table.legal().reshape(rows, -1)[asked]
    return seen, mask, np.arange(len(seen), dtype=np.uint64)


@pytest.mark.parametrize(("game", "players", "adviser"), TABLES)
def test_advice_follows_the_observation(game: str, players: int, adviser: str) -> None:
    agent = load(adviser, game, players)
    seen, mask, keys = first_rows(game, players)
    inputs = advised(agent, seen, mask, keys)
    np.testing.assert_array_equal(inputs[:, : seen.shape[1]], seen)
    advice = inputs[:, seen.shape[1] :]
    assert (advice.sum(axis=1) == 1).all()
    np.testing.assert_array_equal(advice.argmax(axis=1), agent.act(seen, mask, keys))


@pytest.mark.parametrize(("game", "players", "adviser"), TABLES)
def test_a_network_that_does_as_it_is_told_plays_as_its_adviser(
    game: str, players: int, adviser: str, tmp_path: Path
) -> None:
    path = tmp_path / "obedient.safetensors"
    save(path, obedient(game, players), Metadata.of_table(players, game=game, adviser=adviser))
    agent = load(str(path), game, players)
    others = [load("random", game, players)] * (players - 1)
    scores = [
        play_deals([each, *others], lambda count: games.find(game).new(count, players), game_seeds(5, 20)).scores
        for each in (agent, load(adviser, game, players))
    ]
    np.testing.assert_array_equal(scores[0], scores[1])
    assert isinstance(agent, Policy)
    seen, mask, keys = first_rows(game, players)
    chances = agent.probabilities(seen, mask)
    np.testing.assert_array_equal(chances.argmax(axis=1), load(adviser, game, players).act(seen, mask, keys))
    np.testing.assert_allclose(agent.value(seen, mask), 8)
    with pytest.raises(AgentError, match=f"is advised by {adviser}, who needs an action mask"):
        agent.value(seen)


def test_a_file_names_its_adviser_and_one_without_is_as_before(tmp_path: Path) -> None:
    advised_file = tmp_path / "advised.safetensors"
    save(advised_file, obedient("sushi_go", 3), Metadata.of_table(3, adviser="greedy"))
    assert read_metadata(advised_file).adviser == "greedy"
    plain = write_policy(tmp_path / "plain.safetensors", 3)
    assert read_metadata(plain).adviser == ""
    assert b"adviser" not in plain.read_bytes()
    with pytest.raises(AgentError, match=r"takes 200 bytes .*need 104 and 96"):
        Policy(obedient("sushi_go", 3), Metadata.of_table(3))
    with pytest.raises(AgentError, match=r"takes 104 bytes .*need 200 and 96"):
        Policy(network(3), Metadata.of_table(3, adviser="greedy"))


@pytest.mark.parametrize("name", ["os:system", "my_module:MyAgent", "random", "zoo:self_play", "search"])
def test_nobody_else_may_advise(name: str, tmp_path: Path) -> None:
    """Above all no code of its own: a file of weights must not name what is run."""
    with pytest.raises(SettingError, match=f"adviser must be one of {', '.join(ADVISERS)}, or empty, not '{name}'"):
        check_adviser(name)
    path = tmp_path / "odd.safetensors"
    save(path, obedient("sushi_go", 3), Metadata.of_table(3, adviser=name))
    with pytest.raises(AgentError, match="adviser must be one of greedy, rival, boat_greedy"):
        load(str(path), "sushi_go", 3)


def test_advisers_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    with pytest.raises(AgentError, match="'boat_greedy' plays sushi_boat, not 'sushi_go'"):
        Policy(obedient("sushi_go", 3), Metadata.of_table(3, adviser="boat_greedy"))
    with pytest.raises(AgentError, match="sees 'full', but its adviser greedy takes 'memory'"):
        Policy(obedient("sushi_go", 3), replace(Metadata.of_table(3, adviser="greedy"), observation="full"))
    path = tmp_path / "advised.safetensors"
    save(path, obedient("sushi_go", 3), Metadata.of_table(3, adviser="greedy"))
    with pytest.raises(AgentError, match="is advised by greedy, whom no tree asks"):
        load(f"search:policy={path}", "sushi_go", 3)
