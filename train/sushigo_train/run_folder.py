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
import subprocess
from collections.abc import Mapping
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sushigo_agents import network
from sushigo_agents.files import in_words, write_whole
from torch.utils.tensorboard.writer import SummaryWriter

from sushigo_env import games
from sushigo_env.errors import SettingError
from sushigo_train.checkpoint import Checkpoint, Checkpoints

POLICY, SETTINGS, LOG = "policy.safetensors", "settings.json", "log.jsonl"
FIXED = ("game", "num_players", "variant", "observation", "adviser", "widths", "seed", "num_games")
"""Settings that a run cannot change when it goes on."""


class RunFolder:
    """The folder of a new run of a `learner`, or of one that goes on (`resume`).

    `last` is the checkpoint to go on from. Until `begin` nothing is written: a run that cannot be built, or must not be
    changed so, leaves the folder as it was. `by` is what lines of the log are numbered by. `SettingError` for a folder
    that holds a run already, or files of others, or none to resume, or one whose learner or fixed settings are others.
    """

    def __init__(self, path: Path, learner: str, settings: Any, resume: bool, by: str = "iteration") -> None:
        self.path, self.learner, self.settings, self._by = path, learner, settings, by
        self._log = path / LOG
        self._board: SummaryWriter | None = None
        self._checkpoints = Checkpoints(path)
        self.last: Checkpoint | None = self._checkpoints.latest()
        if self.last is None and resume:
            raise SettingError(f"{path} holds no checkpoint to resume from.")
        if self.last is None:
            self._check_own()
            return
        if not resume:
            raise SettingError(f"{path} holds a run already; resume it, or choose another folder.")
        self._check_fixed(self.last.facts)

    def begin(self, board: bool = True) -> None:
        """Write the settings down and make the log ready; `board` is whether `log` writes for TensorBoard too."""
        step = 0 if self.last is None else self.last.step
        self._cut_log(step)
        told = {"learner": self.learner, "settings": asdict(self.settings), **versions()}
        write_whole(self.path / SETTINGS, (json.dumps(told, indent=1) + "\n").encode())
        if board:
            self._board = SummaryWriter(str(self.path / "tensorboard"), purge_step=step or None)

    def log(self, entry: Mapping[str, Any]) -> None:
        """Add a line, which has the number that lines go by; `SettingError` if it cannot be written."""
        try:
            with self._log.open("a", encoding="utf-8") as file:
                file.write(json.dumps(entry) + "\n")
            if self._board is not None:
                for name, value in entry.items():
                    if isinstance(value, int | float) and name != self._by:
                        self._board.add_scalar(name, value, entry[self._by])
        except OSError as error:
            raise SettingError(f"cannot write {self._log}: {in_words(error)}.") from error

    def save(
        self, step: int, arrays: Mapping[str, NDArray[Any]], facts: Mapping[str, Any], shipped: network.Network
    ) -> None:
        """Write the policy as it plays, and a checkpoint."""
        self.export(shipped)
        told = {"learner": self.learner, "settings": asdict(self.settings)}
        self._checkpoints.save(step, arrays, told | dict(facts))
        if self._board is not None:
            self._board.flush()

    def export(self, shipped: network.Network) -> None:
        """Write the policy as it plays."""
        settings = self.settings
        table = settings.num_players, settings.variant, settings.observation, settings.game
        metadata = network.Metadata.of_table(*table, getattr(settings, "adviser", ""))
        network.save(self.path / POLICY, shipped, metadata)

    def close(self) -> None:
        """Let go of TensorBoard's files."""
        if self._board is not None:
            self._board.close()

    def _check_own(self) -> None:
        """`SettingError` if what a run would write over is not a run's own."""
        there = [name for name in (SETTINGS, LOG, POLICY) if (self.path / name).exists()]
        if there and not is_run(self.path):
            raise SettingError(f"{self.path} holds a {there[0]} that is no run's; choose another folder.")

    def _check_fixed(self, facts: Mapping[str, Any]) -> None:
        if facts.get("learner", self.learner) != self.learner:
            raise SettingError(f"the run in {self.path} is of the learner {facts['learner']}, not {self.learner}.")
        usual = {"game": games.DEFAULT, "adviser": ""}  # older runs, and the other learner, know no others
        before = usual | facts["settings"]
        now = usual | {"game": self.settings.game} | json.loads(json.dumps(asdict(self.settings)))
        for name in FIXED:
            if before[name] != now[name]:
                raise SettingError(
                    f"the run in {self.path} has {name}={before[name]}, which cannot become {now[name]}."
                )

    def _cut_log(self, step: int) -> None:
        """Drop what was logged after the checkpoint, and half a line that a kill may have left."""
        lines = self._log.read_text(encoding="utf-8").splitlines() if self._log.exists() else []
        kept = [line for line in lines if _number(line, self._by) <= step]
        write_whole(self._log, "".join(f"{line}\n" for line in kept).encode())


def read_settings(path: Path) -> dict[str, Any]:
    """What `settings.json` of the run in the folder `path` holds; `SettingError` if it is no run's."""
    try:
        told = json.loads((path / SETTINGS).read_text(encoding="utf-8"))
        found = {"learner": str(told["learner"]), "settings": dict(told["settings"])}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise SettingError(f"{path} is no run's folder: it has no {SETTINGS} that can be read.") from error
    return found


def is_run(path: Path) -> bool:
    """Whether a run has begun in the folder `path`."""
    try:
        read_settings(path)
    except SettingError:
        return False
    return True


def versions() -> dict[str, str | None]:
    """What the weights of a run hang on besides its settings; `code` is the commit of a checkout, None elsewhere."""
    return {
        "env_version": network.env_version(),
        "code": _commit(),
        "python": platform.python_version(),
        **{package: version(package) for package in ("numpy", "numba", "torch")},
    }


def _commit() -> str | None:
    """The commit that the sources are of, with a + if they have been changed since."""
    checkout = Path(__file__).resolve().parents[2]
    if not (checkout / ".git").exists():  # an installed package may lie in somebody else's
        return None
    try:
        done = subprocess.run(
            ["git", "describe", "--always", "--abbrev=40", "--exclude=*", "--dirty=+"],
            cwd=checkout,
            capture_output=True,
            text=True,
            timeout=10,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()


def _number(line: str, by: str) -> float:
    """The number of a line of the log; more than any where it is not whole."""
    try:
        return float(json.loads(line)[by])
    except (ValueError, KeyError, TypeError):
        return float(np.inf)
