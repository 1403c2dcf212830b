"""Makes a game known to `gymnasium.make`, `gymnasium.make_vec` and `pettingzoo.make`.

Entry points are strings, so that nothing is imported before an environment is made.
"""

from __future__ import annotations

import gymnasium
import pettingzoo

NAMESPACE = "sushigo_env"


def register(gymnasium_name: str, pettingzoo_name: str, door: str) -> None:
    """Register the module `door` (its dotted name) under both libraries' ids; a second time changes nothing."""
    identifier = f"{NAMESPACE}/{gymnasium_name}"
    if identifier not in gymnasium.registry:
        gymnasium.register(
            id=identifier,
            entry_point=f"{door}:gymnasium_env",
            vector_entry_point=f"{door}:gymnasium_vector_env",
        )
    identifier = f"{NAMESPACE}/{pettingzoo_name}"
    if identifier not in pettingzoo.aec_registry:
        pettingzoo.register("aec", identifier, entry_point=f"{door}:env")
        pettingzoo.register("parallel", identifier, entry_point=f"{door}:parallel_env")
