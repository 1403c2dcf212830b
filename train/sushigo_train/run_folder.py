"""A run's folder: what was asked for, what happened, where it stands, and the policy so far.

- `settings.json`: the settings, and the versions of environment, code and PyTorch
- `log.jsonl`: one JSON object an iteration or evaluation
- `tensorboard/`: the same figures for TensorBoard
- `checkpoint-*.safetensors`: see `checkpoint`
- `policy.safetensors`: plays, as in `sushigo arena RUN/policy.safetensors greedy`
"""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sushigo_agents import network
from sushigo_agents.files import write_whole
from torch.utils.tensorboard.writer import SummaryWriter

from sushigo_env.errors import SettingError
from sushigo_train.checkpoint import Checkpoint, Checkpoints
from sushigo_train.settings import Settings

POLICY = "policy.safetensors"
FIXED = ("num_players", "variant", "observation", "widths", "seed", "num_games")
"""Settings that a run cannot change when it goes on."""


class RunFolder:
    """The folder of a new run, or of one that goes on (`resume`).

    `last` is the checkpoint to go on from. `SettingError` for a folder that holds a run already, or none to resume, or
    one whose fixed settings are others.
    """

    def __init__(self, path: Path, settings: Settings, resume: bool) -> None:
        self.path, self.settings = path, settings
        self._checkpoints = Checkpoints(path)
        self.last: Checkpoint | None = self._checkpoints.latest()
        if self.last is not None and not resume:
            raise SettingError(f"{path} holds a run already; resume it, or choose another folder.")
        if self.last is None and resume:
            raise SettingError(f"{path} holds no checkpoint to resume from.")
        if self.last is not None:
            self._check_fixed(self.last.facts["settings"])
        iteration = 0 if self.last is None else self.last.step
        self._log = path / "log.jsonl"
        self._cut_log(iteration)
        told = {"learner": "self_play", "settings": asdict(settings), **versions()}
        write_whole(path / "settings.json", (json.dumps(told, indent=1) + "\n").encode())
        self._board = SummaryWriter(str(path / "tensorboard"), purge_step=iteration or None)

    def log(self, entry: Mapping[str, Any]) -> None:
        """Add a line; `entry` has `iteration` and `decisions`, and figures that go to TensorBoard too."""
        with self._log.open("a", encoding="utf-8") as file:
            file.write(json.dumps(entry) + "\n")
        for name, value in entry.items():
            if isinstance(value, int | float) and name != "iteration":
                self._board.add_scalar(name, value, entry["iteration"])

    def save(
        self, iteration: int, arrays: Mapping[str, NDArray[Any]], facts: Mapping[str, Any], shipped: network.Network
    ) -> None:
        """Write a checkpoint, and the policy as it plays."""
        self._checkpoints.save(iteration, arrays, {"settings": asdict(self.settings), **facts})
        settings = self.settings
        metadata = network.Metadata.of_table(settings.num_players, settings.variant, settings.observation)
        network.save(self.path / POLICY, shipped, metadata)
        self._board.flush()

    def close(self) -> None:
        """Let go of TensorBoard's files."""
        self._board.close()

    def _check_fixed(self, before: Mapping[str, Any]) -> None:
        now = json.loads(json.dumps(asdict(self.settings)))
        for name in FIXED:
            was, wanted = before[name], now[name]
            if was != wanted:
                raise SettingError(f"the run in {self.path} has {name}={was}, which cannot become {wanted}.")

    def _cut_log(self, iteration: int) -> None:
        """Drop what was logged after the checkpoint, and half a line that a kill may have left."""
        lines = self._log.read_text(encoding="utf-8").splitlines() if self._log.exists() else []
        kept = [line for line in lines if _iteration(line) <= iteration]
        write_whole(self._log, "".join(f"{line}\n" for line in kept).encode())


def versions() -> dict[str, str]:
    """What the weights of a run hang on besides its settings."""
    return {
        "env_version": network.env_version(),
        "python": platform.python_version(),
        **{package: version(package) for package in ("numpy", "numba", "torch")},
    }


def _iteration(line: str) -> float:
    """After which iteration a line of the log was written; more than any where it is not whole."""
    try:
        return float(json.loads(line)["iteration"])
    except (ValueError, KeyError, TypeError):
        return float(np.inf)
