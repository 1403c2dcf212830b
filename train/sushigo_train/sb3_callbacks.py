"""What happens beside the learning in a run of Stable-Baselines3: evaluation, checkpoints, logs, falling entropy."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import KVWriter

from sushigo_train.evaluation import Strength
from sushigo_train.run_folder import RunFolder


class Log(KVWriter):
    """Adds what SB3 logs to a run's log, and tells `report` of each line."""

    def __init__(self, folder: RunFolder, report: Callable[[dict[str, Any]], None]) -> None:
        self._folder, self._report = folder, report

    def write(self, key_values: dict[str, Any], key_excluded: dict[str, tuple[str, ...]], step: int = 0) -> None:
        """One line: `decisions`, and every number that is logged; speed is called as in the fast learner's log."""
        real = (int, float, np.integer, np.floating)
        numbers = {key: float(value) for key, value in key_values.items() if isinstance(value, real)}
        entry = {"decisions": step} | {key: value for key, value in numbers.items() if np.isfinite(value)}
        if "time/fps" in entry:
            entry["decisions_per_s"] = entry["time/fps"]
        self._folder.log(entry)
        self._report(entry)

    def close(self) -> None:
        """Nothing is held open; here because the API has it."""


class Every:
    """True once for every `period` decisions."""

    def __init__(self, period: int, decisions: int) -> None:
        self._period, self._passed = period, decisions // period

    def due(self, decisions: int) -> bool:
        """Whether another period is full; to be asked as the decisions grow."""
        passed, self._passed = self._passed, decisions // self._period
        return self._passed > passed


class Upkeep(BaseCallback):
    """Between two updates: evaluates, saves, and stops when asked to.

    `evaluation()` gives figures to log; `save()` writes a checkpoint; `restart()`, if given, begins all games anew
    before each rollout; `ent_coef(progress_remaining)` is the weight of the entropy bonus. The first two come after
    every `eval_every` and `checkpoint_every` decisions and at the end; `should_stop()` is asked before each rollout: if
    it says so, a checkpoint is written and learning ends there.
    """

    def __init__(
        self,
        *,
        decisions: int,
        eval_every: int,
        checkpoint_every: int,
        evaluation: Callable[[], dict[str, Strength]],
        save: Callable[[], None],
        restart: Callable[[], None] | None,
        ent_coef: Callable[[float], float],
        should_stop: Callable[[], bool],
    ) -> None:
        super().__init__()
        self._eval, self._checkpoint = Every(eval_every, decisions), Every(checkpoint_every, decisions)
        self._evaluation, self._save, self._restart = evaluation, save, restart
        self._ent_coef, self._should_stop = ent_coef, should_stop
        self.stopped = False

    def _on_rollout_start(self) -> None:
        if self._eval.due(self.num_timesteps):
            self._evaluate()
        self.stopped = self._should_stop()
        if self._checkpoint.due(self.num_timesteps) or self.stopped:
            self._save()
        if self._restart is not None:
            self._restart()

    def _on_step(self) -> bool:
        return not self.stopped

    def _on_rollout_end(self) -> None:
        remaining = 1 - self.num_timesteps / self.model._total_timesteps
        setattr(self.model, "ent_coef", self._ent_coef(remaining))  # noqa: B010  # a callback may be of any algorithm

    def _on_training_end(self) -> None:
        if not self.stopped:
            self._evaluate()
            self._save()

    def _evaluate(self) -> None:
        start = time.perf_counter()
        for anchor, strength in self._evaluation().items():
            for name, value in strength._asdict().items():
                self.logger.record(f"{anchor}/{name}", value)
        self.logger.record("evaluation_s", time.perf_counter() - start)
        self.logger.dump(self.num_timesteps)
