"""Sushi Go! and Sushi Boat as fast batched games with PettingZoo and Gymnasium environments.

    from sushigo_env import sushi_go_v0

    env = sushi_go_v0.env(num_players=4)

Importing registers the ids `sushigo_env/SushiGo-v0` and `sushigo_env/SushiBoat-v0` (Gymnasium),
`sushigo_env/sushi_go-v0` and `sushigo_env/sushi_boat-v0` (PettingZoo). Nothing is compiled or loaded before the first
environment is made.
"""

from __future__ import annotations

from sushigo_env import sushi_boat_v0, sushi_go_v0
from sushigo_env.api.registration import register
from sushigo_env.games import GAMES

__all__ = ["sushi_boat_v0", "sushi_go_v0"]

for _entry in GAMES.values():
    register(_entry.gymnasium_id, _entry.pettingzoo_id, _entry.door, _entry.apis)
