"""From a run's folder to the zoo: the weights as they are shipped, and a card that tells how they came to be."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

from sushigo_agents import zoo
from sushigo_agents.network import env_version, read, read_metadata, save
from sushigo_agents.zoo import Card

from sushigo_env.errors import SettingError
from sushigo_train.checkpoint import Checkpoints
from sushigo_train.run_folder import POLICY, read_settings

_NAME = re.compile(r"[a-z][a-z0-9_]*")
_VALUES = ("true", "false", "inf", "infinity", "nan")
"""Names that specs would take for values."""


def ship(run: Path, name: str, folder: Path = zoo.FOLDER, notes: str = "") -> Card:
    """Put the policy of `run` into the zoo as `zoo:NAME` for its table, in place of what was there.

    Weights are kept in float16, the card without strengths: `sushigo zoo measure NAME` finds them. `SettingError` for
    a folder that is no run's, a name that no file can have or that plays another game, and a zoo that cannot be
    written to.
    """
    if not _NAME.fullmatch(name) or name in _VALUES:
        raise SettingError(f"a name in the zoo is made of small letters, digits and _, a letter first, not {name!r}.")
    last = Checkpoints(run).latest() if run.is_dir() else None
    if last is None:
        raise SettingError(f"{run} is no run's folder: it holds no checkpoint.")
    network, metadata = read(run / POLICY)
    if not os.access(folder, os.W_OK):
        raise SettingError(f"the zoo's folder {folder} cannot be written to: ship from a checkout.")
    told = read_settings(run)
    counted = last.facts.get("counters", last.facts)
    card = Card(
        name=name,
        game=metadata.game,
        num_players=metadata.num_players,
        variant=metadata.variant,
        recipe={"learner": told["learner"], **_flat(told["settings"])},
        decisions=int(counted["decisions"]),
        wall_time_s=round(float(counted["seconds"]), 1),
        machine=machine(),
        env_version=env_version(),
        layout=metadata.layout,
        parameters=network.parameters,
        trained=f"{date.today():%Y-%m-%d}",
        notes=notes,
    )
    for other in folder.glob(f"{name}-*.safetensors"):
        if (plays := read_metadata(other).game) != card.game:
            raise SettingError(f"zoo:{name} plays {plays}; choose another name for a player of {card.game}.")
    path = folder / f"{name}-{zoo.table(card.num_players, card.variant)}"
    save(path.with_suffix(".safetensors"), network, metadata, half=True)
    card.write(path.with_suffix(".json"))
    return card


def machine() -> str:
    """The machine at work, in a few words."""
    cores = os.cpu_count() or 1
    return f"{_processor()}, {cores} {'core' if cores == 1 else 'cores'}"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return named[0] if named else platform.processor() or platform.machine()


def _flat(settings: Mapping[str, Any], group: str = "") -> dict[str, Any]:
    """Settings as the command line names them, `group.setting`."""
    found: dict[str, Any] = {}
    for name, value in settings.items():
        found |= _flat(value, f"{group}{name}.") if isinstance(value, Mapping) else {f"{group}{name}": value}
    return found
