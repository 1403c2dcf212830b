"""The zoo: the right weights for the table, cards, and what is said of names and tables there are not."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sushigo_agents import zoo
from sushigo_agents.network import Metadata, read
from sushigo_agents.registry import load, specs
from sushigo_agents.zoo import TABLES, Card, Strength

from sushigo_env.errors import AgentError, SettingError
from sushigo_env.sushi_go.cards import DUMMY
from tests.policies import card, write_zoo

GO_TABLES = {name: table for name, table in TABLES.items() if table[1] != "menus"}
ANIMALS = {"ppo": ("2p", "4p", "2p-dummy"), "self_play": tuple(GO_TABLES)}
SHIPPED = [(name, table) for name in zoo.names() for table in zoo.tables(name)]


@pytest.fixture
def animals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A zoo of small untrained networks in place of the shipped one."""
    write_zoo(tmp_path, ANIMALS)
    monkeypatch.setattr(zoo, "FOLDER", tmp_path)
    return tmp_path


def test_every_table_of_the_rules_has_a_name() -> None:
    assert [zoo.table(*table) for table in TABLES.values()] == list(TABLES)
    with pytest.raises(SettingError, match="num_players must be"):
        zoo.table(6)


def test_the_weights_are_picked_by_the_table(animals: Path) -> None:
    assert zoo.names() == ["ppo", "self_play"]
    assert zoo.tables("ppo") == ["2p", "4p", "2p-dummy"]
    for table, (players, variant) in GO_TABLES.items():
        agent: Any = load("zoo:self_play", "sushi_go", players, variant)
        network, metadata = read(animals / f"self_play-{table}.safetensors")
        assert (metadata.num_players, metadata.variant) == (players, variant)
        for name, tensor in network.tensors.items():
            np.testing.assert_array_equal(agent.network.tensors[name], tensor)
        assert (agent.name, agent.play) == ("zoo:self_play", "argmax")


def test_an_agent_is_called_by_the_spec_that_makes_it(animals: Path) -> None:
    for spec in ("zoo:ppo", "zoo:ppo,play=sample"):
        agent: Any = load(spec, "sushi_go", 4)
        assert agent.name == spec
        assert agent.play == ("sample" if "sample" in spec else "argmax")


def test_who_plays_at_a_table(animals: Path) -> None:
    assert {"zoo:ppo", "zoo:self_play"} < set(specs("sushi_go", 4))
    assert [spec for spec in specs("sushi_go", 3) if spec.startswith("zoo")] == ["zoo:self_play"]


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ("zoo:selfplay", r"the zoo has no 'selfplay'; did you mean 'self_play'\? it has ppo, self_play\."),
        ("zoo:7", r"the zoo has no '7'; it has ppo, self_play\."),
        ("zoo:ppo", r"zoo:ppo has no weights for the table 3p; it has some for 2p, 4p, 2p-dummy\."),
        ("zoo", "zoo needs a bare value"),
        ("zoo:self_play,play=loud", "play must be one of argmax, sample, not 'loud'"),
        ("zoo:self_play,depth=3", "but not the setting 'depth'"),
    ],
)
def test_what_the_zoo_has_not_is_said(animals: Path, spec: str, why: str) -> None:
    with pytest.raises(AgentError, match=why):
        load(spec, "sushi_go", 3)


def test_an_empty_zoo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zoo, "FOLDER", tmp_path)
    assert zoo.names() == zoo.cards() == []
    with pytest.raises(AgentError, match="the zoo has no 'ppo'; it has nobody yet"):
        load("zoo:ppo", "sushi_go", 2)


def test_weights_of_another_table_are_found_out(animals: Path) -> None:
    (animals / "self_play-3p.safetensors").write_bytes((animals / "self_play-2p.safetensors").read_bytes())
    with pytest.raises(AgentError, match=r"the weights of 'zoo:self_play' for 3p are for 2 players \(standard\)"):
        load("zoo:self_play", "sushi_go", 3)
    with pytest.raises(AgentError, match="plays sushi_go, not 'chess'"):
        load("zoo:self_play", "chess", 3)


def test_names_are_of_one_game(animals: Path) -> None:
    write_zoo(animals, {"boat": ("2p", "3p-menus"), "raft": ("3p",)}, "sushi_boat")
    assert zoo.names() == ["boat", "ppo", "raft", "self_play"]
    assert (zoo.names("sushi_boat"), zoo.names("sushi_go")) == (["boat", "raft"], ["ppo", "self_play"])
    assert (zoo.game_of("raft"), zoo.tables("boat")) == ("sushi_boat", ["2p", "3p-menus"])
    agent: Any = load("zoo:boat", "sushi_boat", 3, "menus")
    assert (agent.game, agent.num_players, agent.variant, agent.num_actions) == ("sushi_boat", 3, "menus", 122)
    assert {"zoo:boat"} == {spec for spec in specs("sushi_boat", 2) if spec.startswith("zoo")}
    with pytest.raises(
        AgentError, match=r"'zoo:self_play' plays sushi_go, not 'sushi_boat'; the zoo has boat, raft for sushi_boat\.$"
    ):
        load("zoo:self_play", "sushi_boat", 2)
    with pytest.raises(AgentError, match="'zoo:boat' plays sushi_boat, not 'sushi_go'; the zoo has ppo, self_play for"):
        load("zoo:boat", "sushi_go", 2)


# cards
REGRET = {"positions": 3000, "mean": 0.36, "mean_ci": [0.33, 0.39], "in_support": 0.86}
STRONG = Strength("greedy", 10_000, 0.9, (0.89, 0.91), 40.5, 30.25)


def test_a_card_gives_back_what_was_written(tmp_path: Path) -> None:
    made = replace(card("ppo", "2p-dummy"), strength=(STRONG,), notes="für 🍣")
    made.write(tmp_path / "card.json")
    assert Card.read(tmp_path / "card.json") == made
    assert made.against("greedy") == STRONG
    assert made.against("rival") is None
    told = json.loads((tmp_path / "card.json").read_text(encoding="utf-8"))
    wanted = {"field": "greedy", "games": 10_000, "win_share": 0.9, "win_share_ci": [0.89, 0.91]}
    assert told["strength"] == [wanted | {"mean_score": 40.5, "field_mean_score": 30.25}]
    assert [file.name for file in tmp_path.iterdir()] == ["card.json"]


def test_cards_are_found_by_name_and_table(animals: Path) -> None:
    assert [(each.name, zoo.table(each.num_players, each.variant)) for each in zoo.cards("ppo")] == [
        ("ppo", table) for table in ANIMALS["ppo"]
    ]
    assert len(zoo.cards()) == 8
    assert zoo.card("ppo", 2, DUMMY).variant == DUMMY
    card("ppo", "2p").write(animals / "ppo-4p.json")
    with pytest.raises(AgentError, match=r"card of zoo:ppo for 4p is that of ppo for 2 players \(standard\)"):
        zoo.card("ppo", 4)
    (animals / "ppo-4p.json").unlink()
    with pytest.raises(AgentError, match=r"the card .*ppo-4p\.json cannot be read: no such file"):
        zoo.cards()


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"decisions": "many"}, "its decisions must be of type int, not 'many'"),
        ({"decisions": True}, "its decisions must be of type int"),
        ({"recipe": []}, "its recipe must be of type dict"),
        ({"colour": "red"}, "it has an unknown colour"),
        ({"regret": None}, "its regret must be of type Regret, not None"),
        ({"regret": REGRET | {"mean": float("nan")}}, "a regret of nan must be 0 or more, and lie in its interval"),
        ({"regret": REGRET | {"mean_ci": [5, 9]}}, r"a regret of 0.36 must be 0 or more, and lie in its interval"),
        ({"regret": REGRET | {"mean_ci": [True, False]}}, "mean_ci must be two numbers"),
        ({"regret": REGRET | {"in_support": 7}}, "a regret must tell 1 position or more, and in_support from 0 to 1"),
        ({"regret": REGRET | {"positions": -5}}, "a regret must tell 1 position or more"),
        ({"strength": [3]}, "a strength must be an object, not int"),
        ({"strength": [{"field": "random"}]}, "it has no games"),
        ({"strength": [STRONG.__dict__ | {"win_share_ci": [0.1]}]}, "win_share_ci must be two numbers"),
        (
            {"strength": [STRONG.__dict__ | {"win_share_ci": [0.91, 0.95]}]},
            "a win share of 0.9 must lie in its interval",
        ),
    ],
)
def test_cards_that_are_not_as_they_should_be(tmp_path: Path, change: dict[str, Any], why: str) -> None:
    path = tmp_path / "card.json"
    path.write_text(json.dumps(card("ppo", "2p").as_json() | change, default=list))
    with pytest.raises(
        AgentError, match=rf"^the card {re.escape(str(path))} is not as it should be: .*{re.escape(why)}"
    ):
        Card.read(path)


def test_files_that_are_no_cards(tmp_path: Path) -> None:
    path = tmp_path / "card.json"
    whole = json.dumps(card("ppo", "2p").as_json())
    for text, why in ((whole[:-9], "is no JSON"), ("[]", "a card must be an object"), ('{"name": "a"}', "it has no")):
        path.write_text(text)
        with pytest.raises(AgentError, match=why):
            Card.read(path)
    path.write_bytes(b"\xff")
    with pytest.raises(AgentError, match="is no JSON"):
        Card.read(path)


# what is shipped
def test_weights_and_cards_are_shipped_in_pairs() -> None:
    stems = {suffix: {file.stem for file in zoo.FOLDER.glob(f"*.{suffix}")} for suffix in ("safetensors", "json")}
    assert stems["json"] == stems["safetensors"] == {f"{name}-{table}" for name, table in SHIPPED}


def test_what_is_shipped_fits_its_card_and_this_version() -> None:
    for name, table in SHIPPED:
        told = zoo.card(name, *TABLES[table])
        network, metadata = read(zoo.path(name, *TABLES[table]))
        assert network.parameters == told.parameters
        assert metadata.game == told.game == zoo.game_of(name)
        wanted = Metadata.of_table(*TABLES[table], game=told.game)
        assert metadata.layout == told.layout == wanted.layout
        assert metadata.env_version == told.env_version
        load(f"zoo:{name}", told.game, *TABLES[table])
