"""A game that is easily learned, and runs of the fast learner for tests."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sushigo_train.league import LeagueSettings
from sushigo_train.settings import Settings

from sushigo_env.layout import Field
from tests.toy_games import DONE, ToyGame

SMALL = Settings(
    num_players=2,
    decisions=12_000,
    num_games=32,
    widths=(16,),
    minibatch=256,
    microbatch=128,
    threads=1,
    evaluate_every=0,
    evaluate_deals=2,
    evaluate_against=("random",),
    checkpoint_every=1,
    league=LeagueSettings(anchors=("random",), exploiters=1, exploiter_patience=1_000, snapshot_every=2_000),
)
"""A run of a few seconds that does everything a long one does."""


class Echo(ToyGame):
    """Three turns; each shows either seat a number, and pays it a point for the action that is that number's double.

    One action of the eight, another at each turn, is illegal.
    """

    simultaneous = True
    num_actions = 8
    TURN, NUMBERS = 22, 30

    def fields(self) -> list[Field]:
        return [Field("number", (), 3, "the number"), Field("turn", (), 2, "the turn, from 0")]

    def deal(self, row: NDArray[np.int64], key: int) -> None:
        numbers = np.random.Generator(np.random.Philox(key)).integers(0, 4, 3 * self.num_players)
        row[self.NUMBERS : self.NUMBERS + len(numbers)] = numbers

    def number(self, row: NDArray[np.int64], seat: int) -> int:
        return int(row[self.NUMBERS + row[self.TURN] * self.num_players + seat])

    def moving(self, row: NDArray[np.int64]) -> list[int]:
        return list(range(self.num_players))

    def options(self, row: NDArray[np.int64], seat: int) -> list[int]:
        return [action for action in range(8) if action != 2 * row[self.TURN] + 1]

    def play(self, row: NDArray[np.int64], actions: list[int]) -> None:
        for seat, action in enumerate(actions):
            row[3 + seat] += action == 2 * self.number(row, seat)
        row[self.TURN] += 1
        row[DONE] = row[self.TURN] == 3

    def see(self, row: NDArray[np.int64], seat: int, full: bool) -> list[int]:
        return [self.number(row, seat) if row[self.TURN] < 3 else 0, int(row[self.TURN])]


def small(**changes: Any) -> Settings:
    return replace(SMALL, **changes)


def weights(run: Path) -> dict[str, NDArray[Any]]:
    """What a run's last checkpoint holds."""
    from sushigo_train.checkpoint import Checkpoints

    last = Checkpoints(run).latest()
    assert last is not None
    return last.arrays


def same_weights(one: Path, other: Path) -> None:
    first, second = weights(one), weights(other)
    assert sorted(first) == sorted(second)
    for name, array in first.items():
        np.testing.assert_array_equal(array, second[name], err_msg=name)
