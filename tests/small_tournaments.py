"""Small tournaments and their players, for tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sushigo_experiments import tournament
from sushigo_experiments.settings import Settings
from sushigo_experiments.store import Store
from sushigo_experiments.summary import Summary, summarise

from sushigo_env.seeding import uniform_actions


class Uniform:
    """A random player."""

    observation = "memory"

    def act(self, observation: Any, action_mask: NDArray[np.bool_], keys: NDArray[np.uint64]) -> NDArray[np.int32]:
        return uniform_actions(action_mask, keys)


class First(Uniform):
    """Lays the first card it may."""

    def act(self, observation: Any, action_mask: NDArray[np.bool_], keys: NDArray[np.uint64]) -> NDArray[np.int32]:
        return action_mask.argmax(axis=1).astype(np.int32)


class Cheat(Uniform):
    """Lays a card it does not hold."""

    def act(self, observation: Any, action_mask: NDArray[np.bool_], keys: NDArray[np.uint64]) -> NDArray[np.int32]:
        return (~action_mask).argmax(axis=1).astype(np.int32)


SETTINGS = Settings(("uniform", "first"), players=3, deals=40, seed=5)


def played(settings: Settings, path: Path | None = None, agents: list[Any] | None = None, threads: int = 1) -> Summary:
    with Store(path, settings) as results:
        tournament.play(settings, [agents or [Uniform(), First()]] * threads, results)
        return summarise(settings, results)
