"""From a spec string to an agent: the only place that reads specs.

    random                          built in: uniform over the legal actions
    greedy                          an entry of the group `sushigo_env.agents`, which any package can add to
    prefer:pudding                  an entry and its one value
    search:iterations=2000,depth=3  an entry and its settings by name
    zoo:self_play,play=sample       an entry, its one value, and settings by name
    runs/best.safetensors           a file, for the entry of the group `sushigo_env.agent_files` named by its suffix
    runs/best.safetensors:play=sample  the same, with settings by name
    my_module:MyAgent               anything that can be imported
    my_module:MyAgent:depth=3       the same, with a value or settings behind a second colon

An entry, class or function is called as `factory(game, num_players, variant, **settings)`, where `game` is the game's
name, or as `factory()` if it takes nothing at all; a bare value, or a file's path, is passed as the setting `value`.
"""

from __future__ import annotations

import difflib
import importlib
import inspect
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from importlib.metadata import EntryPoint, entry_points
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sushigo_env.api.asking import in_words, name_of
from sushigo_env.api.contract import Agent, BatchedGame
from sushigo_env.errors import AgentError, SushiGoError
from sushigo_env.seeding import uniform_actions

GROUP = "sushigo_env.agents"
"""The entry-point group that agents are found through."""
FILES = "sushigo_env.agent_files"
"""The entry-point group of what makes an agent from a file, each entry named by the files' suffix."""

Factory = Callable[..., Any]
Opponents = str | Agent | Sequence[str | Agent] | Mapping[str | Agent, float]
"""One for every other seat, a list of one for each, or a mixture with weights; see `api.others`."""


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

    def probabilities(self, observation: NDArray[np.uint8], action_mask: NDArray[np.bool_]) -> NDArray[np.float64]:
        """float64[N, A]: the chance of each action."""
        legal = action_mask.astype(np.float64)
        chances: NDArray[np.float64] = legal / np.maximum(legal.sum(axis=1, keepdims=True), 1)
        return chances


def load_agent(
    spec: str | Agent, game: str, num_players: int, variant: str, observations: Collection[str] | None = None
) -> Agent:
    """The agent that `spec` names, made for a table; an agent object is returned as it is.

    `observations` are the game's observation settings, where they are known. `AgentError` for an unknown name (the
    nearest known one is suggested), settings it does not take, code of its own that fails, anything that is no agent,
    and an agent made for another table (see `check_agent`).
    """
    if not isinstance(spec, str):
        is_agent = callable(getattr(spec, "act", None)) and not isinstance(spec, type)
        return check_agent(spec, name_of(spec) if is_agent else repr(spec), game, num_players, variant, observations)
    name, factory, settings = _resolve(spec)
    table = _table_taken(spec, name, factory, (game, num_players, variant), settings)
    try:
        agent = factory(*table, **settings)
    except SushiGoError:
        raise
    except (Exception, SystemExit) as error:
        raise AgentError(f"agent {spec!r} cannot be made: its factory raised {in_words(error)}.") from error
    return check_agent(agent, repr(spec), game, num_players, variant, observations)


def check_agent(
    agent: Any, name: str, game: str, num_players: int, variant: str, observations: Collection[str] | None = None
) -> Agent:
    """`agent`, if it is one and can play at a table of this kind; `name` is what errors call it.

    `AgentError` for a class, for a thing without `act`, for an observation setting that is none of the game's
    `observations` (None: not known here), and for an agent that tells by an attribute `game`, `num_players` or
    `variant` that it was made for another table, or by `games` that it plays others.
    """
    if isinstance(agent, type):
        raise AgentError(f"{name} is a class, not an agent; give an instance of it, or its name as module:Class.")
    setting = getattr(agent, "observation", None)
    if not callable(getattr(agent, "act", None)) or not isinstance(setting, str):
        raise AgentError(
            f"{name} is no agent: it needs a method act(observation, action_mask, keys) and a string `observation`."
        )
    for attribute, here in (("game", game), ("num_players", num_players), ("variant", variant)):
        made_for = getattr(agent, attribute, here)
        if isinstance(made_for, str | int | np.integer) and made_for != here:
            raise AgentError(
                f"agent {name} was made for {attribute}={made_for!r}; this table has {attribute}={here!r}."
            )
    plays = getattr(agent, "games", None)
    if isinstance(plays, tuple | list | set | frozenset) and game not in plays:
        raise AgentError(f"agent {name} plays {' and '.join(map(str, plays))}, not {game!r}.")
    if observations is not None and setting not in observations:
        known = ", ".join(observations)
        raise AgentError(f"agent {name} wants observation {setting!r}, but {game} has only {known}.")
    checked: Agent = agent
    return checked


def check_config(agent: Agent, game: BatchedGame) -> None:
    """`AgentError` for an agent that tells by an attribute `config` that it was made for other values than `game` has.

    Only games with values that may differ have a `config`; at the others every agent passes.
    """
    here = getattr(game, "config", None)
    made_for = getattr(agent, "config", here)
    if isinstance(made_for, type(here)) and made_for != here:
        raise AgentError(
            f"agent {name_of(agent)} was made for other values of config than this table has; "
            f"give an agent made with the config of the table."
        )


def load_opponents(
    opponents: str | Agent | Sequence[str | Agent],
    game: str,
    num_players: int,
    variant: str,
    learners: int = 1,
    observations: Collection[str] | None = None,
) -> list[Agent]:
    """The agents of the seats that the learners leave, in order from their left; the same spec is loaded once.

    `opponents` is one for all of them, or a list of P - L; `observations` are the game's observation settings, where
    they are known. `AgentError` as for `load_agent`, and for a wrong number.
    """
    others = num_players - learners
    specs: list[Any] = list(opponents) if isinstance(opponents, list | tuple) else [opponents] * others
    if len(specs) != others:
        raise AgentError(f"opponents must be one agent, or one for each of the other {others} seats, not {len(specs)}.")
    loaded: dict[Any, Agent] = {}
    agents = []
    for spec in specs:
        key = spec if isinstance(spec, str) else id(spec)
        if key not in loaded:
            loaded[key] = load_agent(spec, game, num_players, variant, observations)
        agents.append(loaded[key])
    return agents


def agent_names(game: str | None = None) -> list[str]:
    """The names that can begin a spec, sorted: all, or those that play the game of a name.

    A factory tells by an attribute `games`, a list of names, that it makes agents for those games alone; without one
    it is taken to play any. `AgentError` for an agent that cannot be loaded, where a game is named.
    """
    entries = entry_points(group=GROUP)
    return sorted({Random.name, *(each.name for each in entries if game is None or _plays(_loaded(each), game))})


def _plays(factory: Factory, game: str) -> bool:
    games: Collection[str] | None = getattr(factory, "games", None)
    return games is None or game in games


def agent_specs(game: str, num_players: int, variant: str) -> list[str]:
    """Specs of the registered agents that play at a table as they are, with no settings of their own, sorted.

    A factory that makes several agents tells their specs by a method `specs(game, num_players, variant)`; one that
    does not play the game (see `agent_names`) is left out. `AgentError` for an agent that cannot be loaded.
    """
    table = (game, num_players, variant)
    found = {Random.name}
    for entry in entry_points(group=GROUP):
        factory = _loaded(entry)
        if not _plays(factory, game):
            continue
        if several := getattr(factory, "specs", None):
            found.update(several(*table))
        elif _plays_as_it_is(entry.name, factory, table):
            found.add(entry.name)
    return sorted(found)


def _plays_as_it_is(name: str, factory: Factory, table: tuple[str, int, str]) -> bool:
    try:
        _table_taken(name, name, factory, table, {})
    except AgentError:
        return False
    return True


def _resolve(spec: str) -> tuple[str, Factory, dict[str, Any]]:
    """What `spec` names: the name without the settings, the factory, and the settings."""
    name, colon, rest = spec.partition(":")
    if name == Random.name:
        return name, Random, _settings(rest)
    for entry in entry_points(group=GROUP, name=name):
        return name, _loaded(entry), _settings(rest)
    for entry in entry_points(group=FILES):
        if file := re.fullmatch(rf"(.+\.{re.escape(entry.name)})(?::(.*))?", spec, re.DOTALL):
            return file[1], _loaded(entry), _settings(file[2] or "", value=file[1])
    if colon and rest:
        attribute, _, settings_text = rest.partition(":")
        return f"{name}:{attribute}", _imported(spec, name, attribute), _settings(settings_text)
    raise AgentError(f"unknown agent {spec!r}; {_known(name)}, or give module:Class.")


def _table_taken(
    spec: str, name: str, factory: Factory, table: tuple[str, int, str], settings: dict[str, Any]
) -> tuple[Any, ...]:
    """What `factory` is called with before its settings: `table`, or nothing if it takes nothing at all.

    `AgentError` if it takes neither, or not these settings.
    """
    try:
        signature = inspect.signature(factory)
    except (TypeError, ValueError):  # what is built into Python need not tell its signature; the call finds out
        return table
    taken = table if signature.parameters else ()
    try:
        filled = signature.bind_partial(*taken).arguments
    except TypeError:
        raise AgentError(
            f"agent {spec!r} cannot be made: {name} takes {signature}; an agent's class or function must take "
            "(game, num_players, variant) and then its settings, or nothing at all."
        ) from None
    try:
        signature.bind(*taken, **settings)
    except TypeError:
        own = [parameter for parameter in signature.parameters.values() if parameter.name not in filled]
        what = _misfit(own, list(filled), settings)
        raise AgentError(f"agent {spec!r} cannot be made: {name} {what}.") from None
    return taken


def _misfit(own: Sequence[inspect.Parameter], filled: Sequence[str], settings: dict[str, Any]) -> str:
    """What is wrong with `settings` for a factory whose parameters `filled` the table has, and `own` are left."""
    for name in settings:
        if name in filled:
            return f"takes {name!r} from the table, not from its settings"
    several = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    for parameter in own:
        if parameter.kind not in several and parameter.default is parameter.empty and parameter.name not in settings:
            return f"needs {_setting(parameter.name)}"
    by_name = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    known = [parameter.name for parameter in own if parameter.kind in by_name]
    if not known:
        return "takes no settings"
    wrong = next(name for name in settings if name not in known)
    return f"takes {', '.join(map(_setting, known))}, but not {_setting(wrong)}"


def _setting(name: str) -> str:
    return "a bare value" if name == "value" else f"the setting {name!r}"


def _loaded(entry: EntryPoint) -> Factory:
    try:
        factory: Factory = entry.load()
    except (Exception, SystemExit) as error:
        raise _not_loaded(entry.name, in_words(error)) from error
    return factory


def _imported(spec: str, module: str, attribute: str) -> Factory:
    try:
        factory = getattr(importlib.import_module(module), attribute, None)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module}.".startswith(f"{error.name}."):
            raise _not_loaded(spec, in_words(error)) from error
        raise AgentError(
            f"unknown agent {spec!r}: module {module!r} was not found (its folder, such as the working folder, must "
            f"be on Python's path); {_known(module)}."
        ) from None
    except (Exception, SystemExit) as error:
        raise _not_loaded(spec, in_words(error)) from error
    if not callable(factory):
        raise _not_loaded(spec, f"module {module} has no class or function {attribute!r}")
    made: Factory = factory
    return made


def _not_loaded(spec: str, why: str) -> AgentError:
    return AgentError(f"agent {spec!r} cannot be loaded: {why}.")


def _known(name: str) -> str:
    """The names there are, and the one that is nearest to `name`, if any is near."""
    known = agent_names()
    nearest = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    hint = f"did you mean {nearest[0]!r}? " if nearest else ""
    return f"{hint}known are {', '.join(known)}"


def _settings(text: str, value: str | None = None) -> dict[str, Any]:
    """`key=value,key=value`, VALUE, or VALUE and then keys, as keyword arguments; no bare VALUE where one is given."""
    settings: dict[str, Any] = {} if value is None else {"value": value}
    if not text:
        return settings
    if "=" not in text and value is None:
        return {"value": _value(text)}
    first, _, rest = text.partition(",")
    bare = value is None and first.strip() and "=" not in first
    if bare:
        settings["value"] = _value(first.strip())
    for part in (rest if bare else text).split(","):
        key, equals, given = part.partition("=")
        if not equals or not key.strip().isidentifier() or key.strip() in settings:
            raise AgentError(
                f"an agent's settings are written key=value,key=value, not {text!r}; as in zoo:NAME,key=value."
            )
        settings[key.strip()] = _value(given.strip())
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
