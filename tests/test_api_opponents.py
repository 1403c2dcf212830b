"""Spec strings and what they become: the built-in agent, registered ones, anything importable, and what is wrong."""

from __future__ import annotations

from importlib.metadata import EntryPoint
from typing import Any

import numpy as np
import pytest

from sushigo_env.api import opponents
from sushigo_env.api.opponents import Random, agent_names, agent_specs, load_agent, load_opponents
from sushigo_env.errors import AgentError
from sushigo_env.seeding import uniform_actions

TABLE: tuple[str, int, str] = ("sushi_go", 4, "standard")


class Told:
    """An agent that keeps what its factory was called with."""

    observation = "table"

    def __init__(
        self, game: str, num_players: int, variant: str, value: Any = None, depth: int = 1, **more: Any
    ) -> None:
        self.table, self.value, self.depth, self.more = (game, num_players, variant), value, depth, more

    def act(self, observation: np.ndarray, action_mask: np.ndarray, keys: np.ndarray) -> np.ndarray:
        first: np.ndarray = action_mask.argmax(axis=1)
        return first


class Plain(Told):
    def __init__(self, game: str, num_players: int, variant: str) -> None:
        super().__init__(game, num_players, variant)


class Bare:
    """An agent whose constructor takes nothing: what a newcomer writes first."""

    observation = "memory"
    act = Told.act


class Chess(Plain):
    """Plays two games alone."""

    games = ("chess", "go")


def needy(game: str, num_players: int, variant: str, *, depth: int) -> Told:
    return Told(game, num_players, variant, depth=depth)


class Narrow(Bare):
    def __init__(self, depth: int = 1) -> None:
        """Neither the table nor nothing."""


class Several(Told):
    """A factory of several agents."""

    @staticmethod
    def specs(game: str, num_players: int, variant: str) -> list[str]:
        return [f"several:{name}{num_players}" for name in ("b", "a")]


def no_agent(game: str, num_players: int, variant: str) -> object:
    return object()


def register(monkeypatch: pytest.MonkeyPatch, targets: dict[str, str]) -> None:
    entries = [EntryPoint(name, target, "sushigo_env.agents") for name, target in targets.items()]
    entries.append(EntryPoint("toy", f"{__name__}:Told", "sushigo_env.agent_files"))

    def entry_points(group: str, name: str | None = None) -> list[EntryPoint]:
        return [entry for entry in entries if entry.group == group and name in (None, entry.name)]

    monkeypatch.setattr(opponents, "entry_points", entry_points)


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make `told`, `plain`, `broken` and `nothing` the agents of the entry-point group, `toy` files those of `told`."""
    targets = {"told": f"{__name__}:Told", "plain": f"{__name__}:Plain", "broken": "no_such_module:A"}
    targets["nothing"] = f"{__name__}:no_agent"
    register(monkeypatch, targets)


pytestmark = pytest.mark.usefixtures("registered")


def test_random_is_built_in_and_uniform_by_key() -> None:
    agent = load_agent("random", *TABLE)
    assert isinstance(agent, Random)
    mask = np.random.default_rng(0).random((50, 96)) < 0.3
    keys = np.arange(50, dtype=np.uint64)
    chosen = agent.act(np.zeros((50, 134), np.uint8), mask, keys)
    assert np.array_equal(chosen, uniform_actions(mask, keys))
    assert mask[np.arange(50), chosen].all()


@pytest.mark.parametrize(
    ("spec", "value", "depth", "more"),
    [
        ("told", None, 1, {}),
        ("told:pudding", "pudding", 1, {}),
        ("told:7", 7, 1, {}),
        ("told:0.5", 0.5, 1, {}),
        ("told:depth=3", None, 3, {}),
        ("told:depth=3,value=x", "x", 3, {}),
        (
            "told:iterations=2000, rate=1e-3 ,flag=true,off=False",
            None,
            1,
            {"iterations": 2000, "rate": 0.001, "flag": True, "off": False},
        ),
        ("told:path/to/file.json", "path/to/file.json", 1, {}),
        ("told:a,b", "a,b", 1, {}),
        ("told:pudding,depth=3", "pudding", 3, {}),
        ("told: 7 , depth = 3,flag=true", 7, 3, {"flag": True}),
        ("told:a.toy", "a.toy", 1, {}),
        ("a.toy", "a.toy", 1, {}),
        ("path/to/7.toy:depth=3", "path/to/7.toy", 3, {}),
        ("C:\\some folder\\a.toy.toy:depth=3,flag=true", "C:\\some folder\\a.toy.toy", 3, {"flag": True}),
    ],
)
def test_specs_and_their_settings(spec: str, value: Any, depth: int, more: dict[str, Any]) -> None:
    agent = load_agent(spec, *TABLE)
    assert isinstance(agent, Told)
    assert agent.table == TABLE
    assert (agent.value, agent.depth, agent.more) == (value, depth, more)
    assert type(agent.value) is type(value)


def test_anything_that_can_be_imported() -> None:
    agent = load_agent(f"{__name__}:Plain", *TABLE)
    assert type(agent).__name__ == "Plain"


def test_a_class_that_takes_nothing_is_an_agent_too() -> None:
    assert isinstance(load_agent(f"{__name__}:Bare", *TABLE), Bare)


@pytest.mark.parametrize(
    ("settings", "value", "depth"),
    [("", None, 1), (":7", 7, 1), (":depth=3", None, 3), (":value=a:b,depth=2", "a:b", 2)],
)
def test_what_is_imported_takes_settings(settings: str, value: Any, depth: int) -> None:
    agent: Any = load_agent(f"{__name__}:Told{settings}", *TABLE)
    assert (agent.table, agent.value, agent.depth) == (TABLE, value, depth)


def test_an_agent_object_is_itself() -> None:
    agent = Plain(*TABLE)
    assert load_agent(agent, *TABLE) is agent


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("tolld", "unknown agent 'tolld'; did you mean 'told'\\? known are broken, nothing, plain, random, told"),
        ("Random", "did you mean 'random'"),
        ("zzzzzz", "unknown agent 'zzzzzz'; known are broken"),
        ("", "unknown agent ''; known are"),
        ("plian:3", "did you mean 'plain'"),
        ("plain:3", "^agent 'plain:3' cannot be made: plain takes no settings\\.$"),
        ("plain:depth=3", "plain takes no settings"),
        ("random:1", "random takes no settings"),
        ("told:game=chess", "told takes 'game' from the table, not from its settings"),
        (f"{__name__}:Bare:depth=3", "test_api_opponents:Bare takes no settings"),
        (f"{__name__}:needy", "needy needs the setting 'depth'"),
        (f"{__name__}:needy:3", "needy needs the setting 'depth'"),
        (f"{__name__}:needy:depth=3,width=4", "takes the setting 'depth', but not the setting 'width'"),
        (f"{__name__}:needy:depth=3,value=4", "takes the setting 'depth', but not a bare value"),
        (f"{__name__}:needy:depth=3,4", "written key=value,key=value, not 'depth=3,4'"),
        (
            f"{__name__}:Narrow",
            r"takes \(depth: 'int' = 1\).* or function must take \(game, num_players, variant\) and",
        ),
        ("told:depth=3,4", "written key=value,key=value, not 'depth=3,4'"),
        ("told:=3", "written key=value"),
        ("told:3,4,depth=3", "written key=value"),
        ("told:3,value=4", "written key=value"),
        ("told:,depth=3", "written key=value"),
        ("a.toy:7", "written key=value,key=value, not '7'"),
        ("a.toy:value=7", "written key=value"),
        (".toy", "unknown agent '.toy'"),
        ("a.toys", "unknown agent 'a.toys'"),
        ("a.tar", "unknown agent 'a.tar'"),
        ("broken", "agent 'broken' cannot be loaded: ModuleNotFoundError: No module named 'no_such_module'"),
        (f"{__name__}:Missing", "has no class or function 'Missing'"),
        (f"{__name__}:TABLE", "has no class or function 'TABLE'"),
        ("no.such.module:Agent", "unknown agent 'no.such.module:Agent': module 'no.such.module' was not found"),
        (".relative:Agent", "agent '.relative:Agent' cannot be loaded"),
        ("nothing", "'nothing' is no agent: it needs a method act"),
    ],
)
def test_what_is_wrong_is_said(spec: str, message: str) -> None:
    with pytest.raises(AgentError, match=message) as caught:
        load_agent(spec, *TABLE)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("thing", "message"), [(None, "None is no agent"), (3, "3 is no agent"), (Plain, "is a class, not an agent")]
)
def test_what_is_no_agent(thing: Any, message: str) -> None:
    with pytest.raises(AgentError, match=message):
        load_agent(thing, *TABLE)


def test_names() -> None:
    assert agent_names() == ["broken", "nothing", "plain", "random", "told"]


def test_a_factory_tells_which_games_it_is_for(monkeypatch: pytest.MonkeyPatch) -> None:
    register(monkeypatch, {"any": f"{__name__}:Bare", "chess": f"{__name__}:Chess"})
    assert agent_names() == ["any", "chess", "random"]
    assert agent_names("go") == ["any", "chess", "random"]
    assert agent_names("sushi_go") == agent_specs(*TABLE) == ["any", "random"]
    assert agent_specs("chess", 2, "standard") == ["any", "chess", "random"]


def test_specs_that_play_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    targets = {"told": "Told", "bare": "Bare", "needy": "needy", "narrow": "Narrow", "several": "Several"}
    register(monkeypatch, {name: f"{__name__}:{target}" for name, target in targets.items()})
    assert agent_specs(*TABLE) == ["bare", "random", "several:a4", "several:b4", "told"]
    for spec in agent_specs(*TABLE):
        assert load_agent(spec, *TABLE).observation in ("memory", "table")


def test_specs_with_an_agent_that_cannot_be_loaded() -> None:
    with pytest.raises(AgentError, match="agent 'broken' cannot be loaded"):
        agent_specs(*TABLE)


def test_opponents_of_one_spec_are_one_object() -> None:
    same_three = load_opponents("told", *TABLE)
    assert len(same_three) == 3
    assert len({id(agent) for agent in same_three}) == 1
    mixed = load_opponents(["told", "random", "told"], *TABLE)
    assert mixed[0] is mixed[2]
    assert isinstance(mixed[1], Random)
    given = Plain(*TABLE)
    assert load_opponents((given, given, "told"), *TABLE)[1] is given


@pytest.mark.parametrize("number", [0, 2, 4])
def test_a_wrong_number_of_opponents(number: int) -> None:
    with pytest.raises(AgentError, match=f"each of the other 3 seats, not {number}"):
        load_opponents(["random"] * number, *TABLE)
