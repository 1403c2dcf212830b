"""Small untrained networks, for tests of what plays with networks."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from sushigo_agents.network import Metadata, Network, save
from sushigo_agents.zoo import TABLES, Card

from sushigo_env import games


def tensors(inputs: int, actions: int, widths: tuple[int, ...] = (16, 8), seed: int = 0) -> dict[str, np.ndarray]:
    """Random weights, float32."""
    rng = np.random.default_rng(seed)
    named = {}
    sizes = [inputs, *widths]
    for name, (rows, columns) in [
        *((f"trunk.{i}", (sizes[i + 1], sizes[i])) for i in range(len(widths))),
        ("policy", (actions, sizes[-1])),
        ("value", (1, sizes[-1])),
    ]:
        named[f"{name}.weight"] = rng.normal(size=(rows, columns), scale=columns**-0.5).astype(np.float32)
        named[f"{name}.bias"] = rng.normal(size=rows, scale=0.1).astype(np.float32)
    return named


def network(
    num_players: int,
    variant: str = "standard",
    widths: tuple[int, ...] = (16, 8),
    seed: int = 0,
    game: str = games.DEFAULT,
) -> Network:
    """A random network for a table."""
    table = games.find(game).new(1, num_players, variant=variant)
    return Network(tensors(table.layout.size, table.num_actions, widths, seed))


def write_policy(
    path: Path, num_players: int, variant: str = "standard", seed: int = 0, game: str = games.DEFAULT
) -> Path:
    """The file of such a network."""
    made = network(num_players, variant, seed=seed, game=game)
    save(path, made, Metadata.of_table(num_players, variant, game=game))
    return path


def write_zoo(folder: Path, animals: dict[str, tuple[str, ...]], game: str = games.DEFAULT) -> None:
    """Weights and cards for each name and its tables."""
    for seed, (name, tables) in enumerate(animals.items()):
        for table in tables:
            num_players, variant = TABLES[table]
            write_policy(folder / f"{name}-{table}.safetensors", num_players, variant, seed, game)
            card(name, table, game).write(folder / f"{name}-{table}.json")


def card(name: str, table: str, game: str = games.DEFAULT) -> Card:
    """A card that tells of nothing in particular."""
    num_players, variant = TABLES[table]
    made = Metadata.of_table(num_players, variant, game=game)
    return Card(
        name=name,
        game=made.game,
        num_players=num_players,
        variant=variant,
        recipe={"learning_rate": 3e-4, "epochs": 2},
        decisions=1_000_000,
        wall_time_s=12.5,
        machine="2 cores",
        env_version=made.env_version,
        layout=made.layout,
        parameters=network(num_players, variant, game=game).parameters,
        trained="2025-12-31",
    )
