"""Checkpoints that survive a kill at any moment: each is one safetensors file that is there whole or not at all.

A file is written under a temporary name in the same folder, flushed to the disk, and renamed. Its metadata holds one
JSON object, `checkpoint`: the step, the facts, and a SHA-256 over both and the arrays, so that content damaged later is
found on loading. Nothing that runs code on loading is ever read. One run at a time may write into a folder.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save as to_bytes
from sushigo_agents.files import write_whole

from sushigo_env.errors import SettingError

_NAME = re.compile(r"checkpoint-(\d{6,})\.safetensors")
_TEMPORARY = ".checkpoint-*.tmp"
_UNREADABLE = (OSError, SafetensorError, ValueError, TypeError, AttributeError, KeyError)
"""What reading a damaged file may raise: the last three where an array's type became one that NumPy lacks."""


class Checkpoint(NamedTuple):
    """What was saved at a step, and which newer files had to be refused to get there."""

    step: int
    arrays: dict[str, NDArray[Any]]
    facts: dict[str, Any]
    """As JSON gives them back: tuples have become lists, and all keys strings."""
    refused: tuple[str, ...] = ()
    """A sentence for each newer file that is not whole: its name, and why."""


class Checkpoints:
    """The checkpoints of a run, `checkpoint-000123.safetensors` for step 123; the newest `keep` stay.

    The folder is made if need be. `SettingError` if it cannot be, or if `keep` is below 1.
    """

    def __init__(self, run_dir: Path | str, keep: int = 3) -> None:
        if keep < 1:
            raise SettingError(f"keep must be at least 1, not {keep}.")
        self.run_dir = Path(run_dir)
        self.keep = keep
        self._refused: set[Path] = set()
        try:
            self.run_dir.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise SettingError(f"cannot write into the folder {self.run_dir}: {_reason(error)}.") from error

    def save(self, step: int, arrays: Mapping[str, NDArray[Any]], facts: Mapping[str, Any]) -> Path:
        """Write a checkpoint, then drop those older than the newest `keep` and what killed writes left behind.

        `facts` are JSON-ready (no NaN). Files that `latest` refused are dropped too: the run went on from the one
        before them. `SettingError` for a negative step, for arrays or facts that cannot be stored, where
        the folder holds a later step of another run, and where writing fails; what was saved before is then still
        there.
        """
        path = self.run_dir / f"checkpoint-{step:06d}.safetensors"
        if step < 0:
            raise SettingError(f"a checkpoint's step must be 0 or more, not {step}.")
        for number, other in self._found():
            if number > step and other not in self._refused:
                raise SettingError(f"{other} is later than step {step}: resume that run, or choose another folder.")
        content = _content(path.name, step, arrays, facts)
        try:
            for leftover in self.run_dir.glob(_TEMPORARY):
                leftover.unlink()
            write_whole(path, content)
            for damaged in self._refused - {path}:
                damaged.unlink(missing_ok=True)
            for _, old in self._found()[self.keep :]:
                old.unlink(missing_ok=True)
        except OSError as error:
            raise SettingError(f"cannot write {path}: {_reason(error)}.") from error
        self._refused.clear()
        return path

    def latest(self) -> Checkpoint | None:
        """Read the newest checkpoint that is whole; None if there are none at all.

        `SettingError` if there are some and none of them is whole: it names each, and why.
        """
        refused: list[str] = []
        for step, path in self._found():
            try:
                return load(path, step)._replace(refused=tuple(refused))
            except SettingError as error:
                refused.append(str(error))
                self._refused.add(path)
        if refused:
            raise SettingError(f"no checkpoint in {self.run_dir} is whole: {' '.join(refused)}")
        return None

    def _found(self) -> list[tuple[int, Path]]:
        """Step and file of each checkpoint, whole or not, newest first."""
        named = ((_NAME.fullmatch(path.name), path) for path in self.run_dir.iterdir())
        return sorted(((int(name[1]), path) for name, path in named if name), reverse=True)


def load(path: Path, step: int | None = None) -> Checkpoint:
    """Read one file; `SettingError` says why if it is not whole, or not of `step` where that is given."""
    try:
        with safe_open(path, framework="numpy") as file:
            told = json.loads((file.metadata() or {})["checkpoint"])
            arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118  # has no __iter__
        found = Checkpoint(told["step"], arrays, told["facts"])
        if told["sha256"] != _digest(found):
            raise ValueError("its content does not match its SHA-256")
    except _UNREADABLE as error:
        raise SettingError(f"{path.name} is not whole: {_reason(error)}.") from error
    if step not in (None, found.step):
        raise SettingError(f"{path.name} holds step {found.step}, not {step}.")
    return found


def _content(name: str, step: int, arrays: Mapping[str, NDArray[Any]], facts: Mapping[str, Any]) -> bytes:
    # safetensors takes the memory as it lies, so rows must lie in order; `ascontiguousarray` would make 0-d arrays 1-d
    dense = {key: np.asarray(array, array.dtype.newbyteorder("<"), order="C") for key, array in arrays.items()}
    try:
        given = Checkpoint(step, dense, json.loads(json.dumps(dict(facts), allow_nan=False)))
        told = {"step": step, "sha256": _digest(given), "facts": given.facts}
        return to_bytes(dense, {"checkpoint": json.dumps(told)})  # one key: they come in no fixed order
    except (SafetensorError, TypeError, ValueError) as error:
        raise SettingError(f"{name} cannot be made: {_reason(error)}.") from error


def _digest(given: Checkpoint) -> str:
    digest = hashlib.sha256(json.dumps([given.step, given.facts]).encode())
    for name, array in sorted(given.arrays.items()):
        digest.update(json.dumps([name, array.dtype.str, array.shape]).encode())
        digest.update(array.reshape(-1).view(np.uint8).data)
    return digest.hexdigest()


def _reason(error: BaseException) -> str:
    """An error's own words, to end a sentence with."""
    words = (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__
    return (words[:1].lower() + words[1:]).rstrip(".")
