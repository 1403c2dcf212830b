"""From a spec string to an agent: the only place that reads specs.

    random                          built in: uniform over the legal actions
    greedy                          an entry of the group `sushigo_env.agents`, which any package can add to
    prefer:pudding                  an entry and its one value
    search:iterations=2000,depth=3  an entry and its settings by name
    my_module:MyAgent               anything that can be imported

An entry, class or function is called as `factory(game, num_players, variant, **settings)`, where `game` is the game's
name; a bare value is passed as the setting `value`.
"""

from __future__ import annotations

import difflib
import importlib
import inspect
from collections.abc import Callable, Sequence
from importlib.metadata import entry_points
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sushigo_env.api.contract import Agent
from sushigo_env.errors import AgentError
from sushigo_env.seeding import uniform_actions

GROUP = "sushigo_env.agents"
"""The entry-point group that agents are found through."""

Factory = Callable[..., Any]


class Random:
    """Plays uniformly over the legal actions."""

    name = "random"
    observation = "memory"

    def __init__(self, game: str, num_players: int, variant: str) -> None:
        """Any game's; here for the form that factories have."""

    def act(
        self, observation: NDArray[np.uint8], action_mask: NDArray[np.bool_], keys: NDArray[np.uint64]
    ) -> NDArray[np.int32]:
        """int32[N]: a uniform choice of each row's legal actions, by its key alone."""
        return uniform_actions(action_mask, keys)


def load_agent(spec: str | Agent, game: str, num_players: int, variant: str) -> Agent:
    """The agent that `spec` names, made for a table; an agent object is returned as it is.

    `AgentError` for an unknown name (the nearest known one is suggested), settings it does not take, and anything
    that is no agent.
    """
    if not isinstance(spec, str):
        return _as_agent(spec, repr(spec))
    factory, settings = _resolve(spec)
    try:
        inspect.signature(factory).bind(game, num_players, variant, **settings)
    except TypeError as error:
        raise AgentError(f"agent {spec!r} cannot be made with these settings: {error}.") from None
    return _as_agent(factory(game, num_players, variant, **settings), repr(spec))


def load_opponents(
    opponents: str | Agent | Sequence[str | Agent], game: str, num_players: int, variant: str
) -> list[Agent]:
    """The agents of the other P - 1 seats, in order from the learner's left; the same spec is loaded once.

    `opponents` is one for all of them, or a list of P - 1. `AgentError` as for `load_agent`, and for a wrong number.
    """
    others = num_players - 1
    specs: list[Any] = list(opponents) if isinstance(opponents, list | tuple) else [opponents] * others
    if len(specs) != others:
        raise AgentError(f"opponents must be one agent, or one for each of the other {others} seats, not {len(specs)}.")
    loaded: dict[Any, Agent] = {}
    agents = []
    for spec in specs:
        key = spec if isinstance(spec, str) else id(spec)
        if key not in loaded:
            loaded[key] = load_agent(spec, game, num_players, variant)
        agents.append(loaded[key])
    return agents


def agent_names() -> list[str]:
    """The names that can begin a spec, sorted."""
    return sorted({Random.name, *(entry.name for entry in entry_points(group=GROUP))})


def _resolve(spec: str) -> tuple[Factory, dict[str, Any]]:
    name, colon, rest = spec.partition(":")
    if name == Random.name:
        return Random, _settings(rest)
    for entry in entry_points(group=GROUP, name=name):
        try:
            return entry.load(), _settings(rest)
        except ImportError as error:
            raise AgentError(f"agent {name!r} cannot be loaded: {error}.") from error
    if colon and rest:
        return _imported(spec, name, rest), {}
    raise AgentError(_unknown(spec, name))


def _imported(spec: str, module: str, attribute: str) -> Factory:
    try:
        found = importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module}.".startswith(f"{error.name}."):
            raise AgentError(f"agent {spec!r} cannot be loaded: {error}.") from error
        raise AgentError(_unknown(spec, module)) from None
    except (ImportError, ValueError, TypeError) as error:
        raise AgentError(f"agent {spec!r} cannot be loaded: {error}.") from error
    factory = getattr(found, attribute, None)
    if not callable(factory):
        raise AgentError(f"agent {spec!r} cannot be loaded: module {module} has no class or function {attribute!r}.")
    made: Factory = factory
    return made


def _unknown(spec: str, name: str) -> str:
    known = agent_names()
    nearest = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    hint = f"did you mean {nearest[0]!r}? " if nearest else ""
    return f"unknown agent {spec!r}; {hint}known are {', '.join(known)}, or give module:Class."


def _settings(text: str) -> dict[str, Any]:
    """`key=value,key=value` or a bare VALUE, as keyword arguments."""
    if not text:
        return {}
    if "=" not in text:
        return {"value": _value(text)}
    settings = {}
    for part in text.split(","):
        key, equals, value = part.partition("=")
        if not equals or not key.strip().isidentifier():
            raise AgentError(f"an agent's settings are written key=value,key=value, not {text!r}.")
        settings[key.strip()] = _value(value.strip())
    return settings


def _value(text: str) -> bool | int | float | str:
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _as_agent(agent: Any, what: str) -> Agent:
    if isinstance(agent, type):
        raise AgentError(f"{what} is a class, not an agent; give an instance of it, or its name as module:Class.")
    if not callable(getattr(agent, "act", None)) or not isinstance(getattr(agent, "observation", None), str):
        raise AgentError(
            f"{what} is no agent: it needs a method act(observation, action_mask, keys) and a string `observation`."
        )
    checked: Agent = agent
    return checked
