"""Sushi Go! as fast batched games with PettingZoo and Gymnasium environments.

    from sushigo_env import sushi_go_v0

    env = sushi_go_v0.env(num_players=4)

Importing registers the ids `sushigo_env/SushiGo-v0` (Gymnasium) and `sushigo_env/sushi_go-v0` (PettingZoo). Nothing
is compiled or loaded before the first environment is made.
"""

from __future__ import annotations

from sushigo_env import sushi_go_v0
from sushigo_env.api.registration import register

__all__ = ["sushi_go_v0"]

register("SushiGo-v0", "sushi_go-v0", "sushigo_env.sushi_go_v0")
