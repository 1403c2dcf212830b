"""Two toy games in plain NumPy that keep the contract of `api.contract`: the adapters are tried on them first.

`Sticks` is sequential, `Auction` simultaneous with half-steps. All that a game knows is one row of integers, so that
copying, saving and restoring are copies of rows. The rules stand in the subclasses; the rest is plumbing.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from sushigo_env import seeding
from sushigo_env.errors import ActionError, IllegalAction, OrderError, SettingError
from sushigo_env.layout import Field, Layout

DONE, SEED, EPISODE = range(3)


class ToyGame:
    """What both toys share; a subclass gives the rules of one row: `deal`, `moving`, `options`, `play`, `see`."""

    name = "toy"
    variant = "standard"
    simultaneous = False
    observations = ("memory", "full")
    variants: ClassVar = {"standard": (2, 3, 4, 5)}
    num_actions = 0
    max_score = 50

    def __init__(
        self,
        num_games: int = 1,
        num_players: int = 3,
        *,
        variant: str = "standard",
        observation: str = "memory",
        num_threads: int = 1,
    ) -> None:
        if variant not in self.variants or num_players not in self.variants[variant]:
            raise SettingError(f"a toy is standard and for 2, 3, 4 or 5, not {variant!r} and for {num_players}.")
        if observation not in self.observations:
            raise SettingError(f"observation must be one of memory, full, not {observation!r}.")
        self.num_games, self.num_players, self.observation = num_games, num_players, observation
        self.layout = self.state_layout = Layout(self.fields())
        self.rows = np.zeros((num_games, 60), np.int64)
        self.rows[:, DONE] = 1
        self.rows[:, EPISODE] = -1
        self.masks = np.zeros((num_games, num_players, self.num_actions), np.bool_)
        self.seen = {
            name: np.zeros((num_games, num_players, self.layout.size), np.uint8) for name in ("memory", "full")
        }

    # the rules of one game, in subclasses ------------------------------------------------------------------------
    def fields(self) -> list[Field]:
        raise NotImplementedError

    def deal(self, row: NDArray[np.int64], key: int) -> None:
        raise NotImplementedError

    def moving(self, row: NDArray[np.int64]) -> list[int]:
        raise NotImplementedError

    def options(self, row: NDArray[np.int64], seat: int) -> list[int]:
        raise NotImplementedError

    def play(self, row: NDArray[np.int64], actions: list[int]) -> None:
        raise NotImplementedError

    def see(self, row: NDArray[np.int64], seat: int, full: bool) -> list[int]:
        raise NotImplementedError

    def points(self) -> NDArray[np.int64]:
        return self.rows[:, 3 : 3 + self.num_players]

    # plumbing ----------------------------------------------------------------------------------------------------
    @property
    def done(self) -> NDArray[np.bool_]:
        return self.rows[:, DONE] > 0

    @property
    def to_move(self) -> NDArray[np.bool_]:
        out = np.zeros((self.num_games, self.num_players), np.bool_)
        for i, row in enumerate(self.rows):
            if not row[DONE]:
                out[i, self.moving(row)] = True
        return out

    @property
    def lockstep(self) -> bool:
        return len(np.unique(self.rows[~self.done][:, [22, 23]], axis=0)) <= 1  # who moves, and which half it is

    @property
    def scores(self) -> NDArray[np.int32]:
        return self.points().astype(np.int32)

    @property
    def standings(self) -> NDArray[np.int32]:
        return self.scores

    @property
    def seeds(self) -> NDArray[np.uint64]:
        return np.array([self.key(row) for row in self.rows], np.uint64)

    @staticmethod
    def key(row: NDArray[np.int64]) -> int:
        return (int(row[SEED]) * 1_000_003 + int(row[EPISODE]) * 7919 + 12345) % 2**61

    def reset(
        self,
        mask: NDArray[np.bool_] | None = None,
        seeds: NDArray[np.uint64] | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        for i in range(self.num_games):
            if mask is not None and not mask[i]:
                continue
            row = self.rows[i]
            seed, episode = int(row[SEED]), int(row[EPISODE]) + 1
            if seeds is not None:
                seed, episode = int(seeds[i]) % 2**31, 0
            elif episode == 0:
                seed = int(seeding.game_seeds(None, 1)[0]) % 2**31
            row[:] = 0
            row[SEED], row[EPISODE] = seed, episode
            self.deal(row, self.key(row))
            if options and "mover" in options:
                row[22] = np.broadcast_to(options["mover"], self.num_games)[i]

    def observe(self, observation: str | None = None) -> NDArray[np.uint8]:
        setting = observation or self.observation
        for i, row in enumerate(self.rows):
            for seat in range(self.num_players):
                self.seen[setting][i, seat] = self.see(row, seat, setting == "full")
        return self.seen[setting]

    def legal(self) -> NDArray[np.bool_]:
        self.masks[:] = False
        for i, row in enumerate(self.rows):
            for seat in range(self.num_players):
                if not row[DONE]:
                    self.masks[i, seat, self.options(row, seat)] = True
        return self.masks

    def state(self) -> NDArray[np.uint8]:
        return np.array([self.see(row, 0, True) for row in self.rows], np.uint8)

    def illegal(self, actions: NDArray[np.integer[Any]]) -> NDArray[np.bool_]:
        if actions.shape != (self.num_games, self.num_players) or actions.dtype.kind not in "iu":
            raise ActionError(f"actions must be integers of shape {(self.num_games, self.num_players)}.")
        legal = self.legal()
        asked = legal.any(axis=2)
        if (((actions < 0) | (actions >= self.num_actions)) & asked).any():
            raise ActionError(f"actions are 0 to {self.num_actions - 1}.")
        chosen = np.clip(actions, 0, self.num_actions - 1)[..., None].astype(np.int64)
        return asked & ~np.take_along_axis(legal, chosen, axis=2)[..., 0]

    def step(self, actions: NDArray[np.integer[Any]]) -> None:
        wrong = self.illegal(actions) & self.to_move
        if wrong.any():
            game, seat = map(int, np.argwhere(wrong)[0])
            words = [self.describe_action(int(a)) for a in np.flatnonzero(self.masks[game, seat])]
            what = self.describe_action(int(actions[game, seat]))
            raise IllegalAction(f"game {game}, player_{seat}: {what} is not legal; legal are: {'; '.join(words)}.")
        for row, taken in zip(self.rows, actions.tolist(), strict=True):
            if not row[DONE]:
                self.play(row, taken)

    def end(self, games: NDArray[np.bool_]) -> None:
        self.rows[games, DONE] = 1

    def describe_action(self, action: int) -> str:
        return f"toy action {action}"

    def record(self, index: int = 0) -> dict[str, Any]:
        if not self.done[index]:
            raise OrderError(f"game {index} is not finished; a record is of a finished game.")
        return {"game": self.name, "scores": self.scores[index].tolist()}

    def render(self, index: int = 0) -> str:
        return " ".join(map(str, self.see(self.rows[index], 0, True)))

    def copy(self) -> Self:
        return copy.deepcopy(self)

    def save(self) -> NDArray[np.uint8]:
        return self.rows.view(np.uint8).copy()

    def restore(self, saved: NDArray[np.uint8]) -> None:
        self.rows.view(np.uint8)[:] = saved


class Sticks(ToyGame):
    """Sequential: in turn, take sticks of a heap of 11 to 20, a point each, the last worth 4.

    One may take 1, or 2 of an odd heap, or 3 of an even one.
    """

    name = "sticks"
    simultaneous = False
    num_actions = 3

    def fields(self) -> list[Field]:
        names = [Field("heap", (), 20, "sticks left"), Field("turn", (), 1, "1 if it is the viewer's turn")]
        return [*names, Field("scores", (self.num_players,), 50, "points by seat")]

    def deal(self, row: NDArray[np.int64], key: int) -> None:
        row[20], row[22] = 11 + key % 10, key % self.num_players

    def moving(self, row: NDArray[np.int64]) -> list[int]:
        return [int(row[22])]

    def options(self, row: NDArray[np.int64], seat: int) -> list[int]:
        if seat != row[22]:
            return []
        heap = int(row[20])
        return [0, 2 - heap % 2] if heap > 2 else [0]

    def step_some(self, actions: NDArray[np.integer[Any]], games: NDArray[np.bool_]) -> None:
        waiting = ~games & ~self.done
        self.rows[waiting, DONE] = 1
        try:
            self.step(actions)
        finally:
            self.rows[waiting, DONE] = 0

    def play(self, row: NDArray[np.int64], actions: list[int]) -> None:
        seat, taken = int(row[22]), actions[int(row[22])] + 1
        row[20] -= taken
        row[3 + seat] += taken + 3 * (row[20] == 0)
        row[22], row[DONE] = (seat + 1) % self.num_players, row[20] == 0

    def see(self, row: NDArray[np.int64], seat: int, full: bool) -> list[int]:
        scores = np.roll(row[3 : 3 + self.num_players], -seat).tolist()
        return [int(row[20]), int(not row[DONE] and seat == row[22]), *scores]


class Auction(ToyGame):
    """Simultaneous, four turns of two halves: all bid one of the cards 1 to 4 in secret, then the mover alone picks.

    A sole highest bid wins the turn's prize (1 to 5), and the mover gets as many points as it picks cards (0 to 3, of
    a limit that the cards leave it). Nothing is revealed before both halves are over. Action 4 is the others' `wait`.
    """

    name = "auction"
    simultaneous = True
    num_actions = 5
    PRIZES, HANDS, TURN, MOVER, HALF, BIDS = 14, 26, 20, 22, 23, 50

    def fields(self) -> list[Field]:
        players = self.num_players
        return [
            Field("own_hand", (4,), 1, "own cards left"),
            Field("other_hands", (players - 1, 4), 1, "the others' cards left (0 unless the setting is full)"),
            Field("prize", (), 5, "the prize on offer"),
            Field("turn", (), 4, "turn, from 0"),
            Field("mover", (), players - 1, "who picks, counted from the viewer"),
            Field("half", (), 1, "1 while the mover picks"),
            Field("pending", (), 4, "the viewer's own bid, not yet revealed; 0 for none"),
            Field("scores", (players,), 50, "points by seat"),
        ]

    def deal(self, row: NDArray[np.int64], key: int) -> None:
        row[self.PRIZES : self.PRIZES + 4] = [1 + (key >> shift) % 5 for shift in (0, 3, 7, 11)]
        row[self.HANDS : self.HANDS + 4 * self.num_players] = 1

    def hand(self, row: NDArray[np.int64], seat: int) -> NDArray[np.int64]:
        return row[self.HANDS + 4 * seat : self.HANDS + 4 * seat + 4]

    def moving(self, row: NDArray[np.int64]) -> list[int]:
        return [int(row[self.MOVER])] if row[self.HALF] else list(range(self.num_players))

    def options(self, row: NDArray[np.int64], seat: int) -> list[int]:
        if not row[self.HALF]:
            return np.flatnonzero(self.hand(row, seat)).tolist()
        return list(range(4 - int(row[self.TURN]) // 2)) if seat == row[self.MOVER] else [4]

    def play(self, row: NDArray[np.int64], actions: list[int]) -> None:
        if not row[self.HALF]:
            row[self.BIDS : self.BIDS + self.num_players] = np.array(actions) + 1
            row[self.HALF] = 1
            return
        mover, bids = int(row[self.MOVER]), row[self.BIDS : self.BIDS + self.num_players]
        for seat in range(self.num_players):
            self.hand(row, seat)[bids[seat] - 1] = 0
        if (bids == bids.max()).sum() == 1:
            row[3 + bids.argmax()] += row[self.PRIZES + row[self.TURN]]
        row[3 + mover] += actions[mover]
        bids[:] = 0
        row[self.TURN] += 1
        row[self.HALF], row[self.MOVER], row[DONE] = 0, (mover + 1) % self.num_players, row[self.TURN] == 4

    def see(self, row: NDArray[np.int64], seat: int, full: bool) -> list[int]:
        players, turn = self.num_players, int(row[self.TURN])
        others = [self.hand(row, (seat + i) % players).tolist() for i in range(1, players)]
        known = [card if full else 0 for hand in others for card in hand]
        prize = int(row[self.PRIZES + turn]) if turn < 4 else 0
        mover = int(row[self.MOVER] - seat) % players
        scores = np.roll(row[3 : 3 + players], -seat).tolist()
        pending = 0 if full else int(row[self.BIDS + seat])
        return [*self.hand(row, seat).tolist(), *known, prize, turn, mover, int(row[self.HALF]), pending, *scores]
