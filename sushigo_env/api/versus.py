"""Learners among opponents, at B tables: what the environments of Gymnasium and Stable-Baselines3 are made of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from sushigo_env.api.actions import as_actions, illegal_action
from sushigo_env.api.contract import BatchedGame, StepsSome
from sushigo_env.api.opponents import Opponents
from sushigo_env.api.others import Others
from sushigo_env.api.rewards import Rewards
from sushigo_env.api.settings import Settings
from sushigo_env.api.spaces import encoder
from sushigo_env.errors import SettingError

ROTATE = "rotate"
"""The first learner's seat moves on by one every episode."""


class Versus:
    """B games with L learners side by side at each table and opponents at the other seats.

    `opponents` as `Others` takes them; `seat`, the first learner's, 0 to P - 1, or "rotate": (s + k) mod P in the k-th
    episode after a reset with seed s (with its index for s in a game never seeded). What is handed out has a row a
    learner, N = B * L of them: game 0's learners, then game 1's. `one` is what errors call a row.

    `SettingError` for several learners in a game where seats take turns, since they are not asked together.
    """

    def __init__(
        self,
        game: BatchedGame,
        settings: Settings,
        opponents: Opponents,
        seat: int | str,
        learners: int = 1,
        one: str = "game",
    ) -> None:
        players, games = game.num_players, game.num_games
        self.game, self.settings = game, settings
        self.seat = _checked_seat(seat, players)
        self.learners = _checked_learners(learners, game)
        self._first = np.full(games, 0 if self.seat == ROTATE else self.seat, np.int64)
        self._seeds = np.arange(games, dtype=np.uint64)
        self._seeded = np.zeros(games, np.bool_)
        self._episode = np.full(games, -1)
        self._others = Others(game, opponents, learners)
        self._encode = encoder(game.layout, settings.dtype)
        self._rewards = Rewards(settings.reward, game)
        self._one = one
        self._games = np.repeat(np.arange(games), learners)
        self._place = np.tile(np.arange(learners), games)
        self._find_rows()
        self._choices = np.zeros((games, players), np.int32)
        self._legal = np.zeros((games, players, game.num_actions), np.bool_)

    @property
    def done(self) -> NDArray[np.bool_]:
        """bool[B]: the games that are over."""
        return self.game.done

    def reset(
        self,
        games: NDArray[np.bool_],
        seeds: NDArray[np.uint64] | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        """Begin new games where `games` (bool[B]), by `seeds` (uint64[B]) or each the next one of its seed."""
        self.game.reset(games, seeds, options)
        if seeds is not None:
            self._seeds[games] = seeds[games]
            self._seeded[games] = True
            self._episode[games] = -1
        self._episode[games] += 1
        if self.seat == ROTATE:
            players = self.game.num_players
            first_seat = (self._seeds % np.uint64(players)).astype(np.int64)
            self._first[games] = ((first_seat + self._episode) % players)[games]
            self._find_rows()
        self._others.sit(games, self._first)
        self._rewards.reset(games)
        self._go_on()

    def step(self, actions: Any) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """The learners' `actions` (int[N]; ignored where the game is over), then the opponents' until a learner is due.

        float64[N] rewards and bool[B], the games that this step ended. Raises `ActionError` for the wrong type, shape
        or range, `IllegalAction` for a masked action with illegal="raise", `AgentError` for an opponent that breaks its
        contract.
        """
        game, seats = self.game, self.seats
        live = ~game.done
        asked = live[self._games]
        chosen = as_actions(actions, asked.shape, game.num_actions, asked, self._one)
        illegal = asked & ~self._legal[self._games, seats, chosen]
        stopped = self._judge(illegal, chosen)
        self._choices[self._games, seats] = chosen
        self._advance(live & ~stopped)
        self._go_on()
        ended = live & game.done
        if not ended.any() and not self._rewards.every_step:
            return np.zeros(len(asked)), ended
        offenders = np.zeros(self._choices.shape, np.bool_)
        offenders[self._games, seats] = illegal
        return self._rewards.step(ended & ~stopped, offenders)[self._games, seats], ended

    def observe(self) -> NDArray[Any]:
        """[N, D]: a copy of what each learner sees."""
        seen = self.game.observe()
        return self._encode(seen.reshape(-1, seen.shape[-1])[self._rows])

    def masks(self) -> NDArray[np.int8]:
        """int8[N, A]: a copy of each learner's action mask; zeros where the game is over."""
        masks: NDArray[np.bool_] = self._legal.reshape(-1, self.game.num_actions)[self._rows]
        return masks.view(np.int8)

    def _find_rows(self) -> None:
        """Tell where each learner sits."""
        players = self.game.num_players
        self.seats: NDArray[np.int64] = (self._first[self._games] + self._place) % players
        """int64[N]: each learner's seat."""
        self._rows = self._games * players + self.seats

    def _judge(self, illegal: NDArray[np.bool_], chosen: NDArray[np.int32]) -> NDArray[np.bool_]:
        """Where a learner's action is illegal (bool[N]): raise `IllegalAction`, or end that game; bool[B], those."""
        stopped = np.zeros(self.game.num_games, np.bool_)
        if not illegal.any():
            return stopped
        if self.settings.illegal == "raise":
            row = int(illegal.argmax())
            game, seat = int(self._games[row]), int(self.seats[row])
            learner = "the learner" if self.learners == 1 else "a learner"
            who = f"player_{seat} ({learner}, game {game})"
            raise illegal_action(self.game, who, int(chosen[row]), self._legal[game, seat])
        stopped[self._games[illegal]] = True
        self.game.end(stopped)
        return stopped

    def _go_on(self) -> None:
        """Let the opponents move until the learners have something to decide, or their game is over."""
        while True:
            self._legal = self.game.legal()
            asked = self._legal[self._games, self.seats].any(axis=1).reshape(-1, self.learners).any(axis=1)
            waiting = ~self.game.done & ~asked
            if not waiting.any():
                return
            self._advance(waiting)

    def _advance(self, games: NDArray[np.bool_]) -> None:
        """One step of `games` (bool[B]): the opponents choose, and those games move on."""
        game = self.game
        if not games.any():
            return
        self._others.choose(game.to_move & games[:, None], self._legal, self._choices, self._deal)
        if (games | game.done).all():
            game.step(self._choices)
        else:
            _step_some(game, self._choices, games)

    def _deal(self, game: int) -> str:
        """Name a game's deal."""
        if not self._seeded[game]:
            return f"game {game}, which was reset without a seed"
        episode = self._episode[game]
        return f"the deal with seed {self._seeds[game]}" + (f", episode {episode}" if episode else "")


def _step_some(game: BatchedGame, actions: NDArray[np.int32], games: NDArray[np.bool_]) -> None:
    """One step of `games` (bool[B]) alone."""
    if hasattr(game, "step_some"):
        cast(StepsSome, game).step_some(actions, games)
        return
    before = game.save()  # such a game can be told to stop, not to wait, so those that must wait are then put back
    game.end(~games)
    game.step(actions)
    after = game.save()
    after[~games] = before[~games]
    game.restore(after)


def _checked_seat(seat: int | str, players: int) -> int | str:
    if isinstance(seat, str) and seat == ROTATE:
        return ROTATE
    if isinstance(seat, bool) or not isinstance(seat, int | np.integer) or not 0 <= seat < players:
        raise SettingError(f"seat must be from 0 to {players - 1}, or 'rotate', not {seat!r}.")
    return int(seat)


def _checked_learners(learners: int, game: BatchedGame) -> int:
    players = game.num_players
    if isinstance(learners, bool) or not isinstance(learners, int | np.integer) or not 1 <= learners <= players:
        raise SettingError(f"learners must be from 1 to {players}, not {learners!r}.")
    if learners > 1 and not game.simultaneous:
        raise SettingError(f"{game.name} asks one seat at a time, so learners must be 1, not {learners}.")
    return int(learners)
