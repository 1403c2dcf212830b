"""Makes a game known to `gymnasium.make`, `gymnasium.make_vec` and `pettingzoo.make`.

Entry points are strings, so that nothing is imported before an environment is made.
"""

from __future__ import annotations

from collections.abc import Sequence

import gymnasium
import pettingzoo

NAMESPACE = "sushigo_env"
ENTRY_POINTS = {"aec": "env", "parallel": "parallel_env"}
"""PettingZoo's API -> what a door calls it."""


def register(gymnasium_name: str, pettingzoo_name: str, door: str, apis: Sequence[str] = ("aec", "parallel")) -> None:
    """Register the module `door` (its dotted name) under both libraries' ids; a second time changes nothing.

    `apis` are PettingZoo's: a game in which seats take turns has no "parallel".
    """
    identifier = f"{NAMESPACE}/{gymnasium_name}"
    if identifier not in gymnasium.registry:
        gymnasium.register(
            id=identifier,
            entry_point=f"{door}:gymnasium_env",
            vector_entry_point=f"{door}:gymnasium_vector_env",
        )
    identifier = f"{NAMESPACE}/{pettingzoo_name}"
    if identifier not in pettingzoo.aec_registry:
        for api in apis:
            pettingzoo.register(api, identifier, entry_point=f"{door}:{ENTRY_POINTS[api]}")
