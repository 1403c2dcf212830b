"""What the tests of the environments share: games to adapt, ways to play them, and the warnings that are no fault."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from sushigo_env.sushi_boat.cards import MENU_VARIANT
from sushigo_env.sushi_boat.game import SushiBoat
from sushigo_env.sushi_go.cards import DUMMY
from sushigo_env.sushi_go.game import SushiGo
from tests.toy_games import Auction, Sticks

GAMES: dict[str, Callable[[int], Any]] = {
    "sticks": lambda games: Sticks(games),
    "auction": lambda games: Auction(games),
    "sushi_go": lambda games: SushiGo(games, 3),
    "dummy": lambda games: SushiGo(games, 2, variant=DUMMY),
    "sushi_boat": lambda games: SushiBoat(games, 3),
    "menus": lambda games: SushiBoat(games, 2, variant=MENU_VARIANT),
}
"""A sequential game, one with half-steps, and the real ones: name -> (number of games -> batch)."""
SIMULTANEOUS = [name for name, make in GAMES.items() if make(1).simultaneous]

every_game = pytest.mark.parametrize("name", GAMES)
every_simultaneous_game = pytest.mark.parametrize("name", SIMULTANEOUS)

# PettingZoo's own tests expect boxes of everyone but a few games they name, and masks of agents that are still alive.
expected_warnings = [
    pytest.mark.filterwarnings(f"ignore:{message}")
    for message in (
        "Observation space for each agent probably should be",
        "Observation is not a NumPy array",
        "Action mask numpy array is all zeros",
    )
]


def choose(mask: Any, rng: np.random.Generator) -> int:
    """A legal action; 0 where nothing is legal."""
    legal = np.flatnonzero(mask)
    return int(rng.choice(legal)) if legal.size else 0


def choose_each(masks: Any, rng: np.random.Generator) -> np.ndarray:
    """A legal action a row."""
    return np.array([choose(mask, rng) for mask in masks])


def same(first: Any, second: Any) -> bool:
    """Whether two structures of dicts, lists and arrays hold the same, types and dtypes included."""
    if type(first) is not type(second):
        return False
    if isinstance(first, dict):
        return first.keys() == second.keys() and all(same(first[key], second[key]) for key in first)
    if isinstance(first, list | tuple):
        return len(first) == len(second) and all(map(same, first, second))
    if isinstance(first, np.ndarray):
        if first.dtype != second.dtype or first.shape != second.shape:
            return False
        return all(map(same, first, second)) if first.dtype == object else np.array_equal(first, second)
    return first == second


def mask_of(env: Any, agent: str) -> np.ndarray:
    """The action mask that an AEC environment shows an agent, whatever `obs` is."""
    mask: np.ndarray = env.infos[agent]["action_mask"]
    return mask


def play_turns(env: Any, decisions: int, rng: np.random.Generator) -> None:
    """Take up to `decisions` legal steps in an AEC environment."""
    for _ in range(decisions):
        if not env.agents or env.terminations[env.agent_selection]:
            return
        env.step(choose(mask_of(env, env.agent_selection), rng))


def transcript(env: Any, seed: int | None, rng: np.random.Generator) -> list[Any]:
    """Everything an AEC environment tells in one episode."""
    told: list[Any] = []
    env.reset(seed=seed)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        told.append((agent, observation, reward, terminated, truncated, {k: v.copy() for k, v in info.items()}))
        told.append((dict(env.rewards), env.state()))
        env.step(None if terminated or truncated else choose(info["action_mask"], rng))
    return told
