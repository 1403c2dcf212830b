"""One learner among opponents, at B tables: what both Gymnasium environments are made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sushigo_env.api.actions import as_actions, illegal_action
from sushigo_env.api.asking import ask, name_of
from sushigo_env.api.contract import Agent, BatchedGame
from sushigo_env.api.opponents import load_opponents
from sushigo_env.api.rewards import Rewards
from sushigo_env.api.settings import Settings
from sushigo_env.api.spaces import encoder
from sushigo_env.errors import SettingError
from sushigo_env.seeding import decision_keys

ROTATE = "rotate"
"""The learner's seat moves on by one every episode."""


class Versus:
    """B games with a learner at one seat of each and opponents at the others.

    `opponents` as `load_opponents` takes them; `seat` 0 to P - 1, or "rotate": (s + k) mod P in the k-th episode after
    a reset with seed s (with its index for s in a game never seeded).
    """

    def __init__(
        self,
        game: BatchedGame,
        settings: Settings,
        opponents: str | Agent | Sequence[str | Agent],
        seat: int | str,
    ) -> None:
        players, games = game.num_players, game.num_games
        self.game, self.settings = game, settings
        self.seat = _checked_seat(seat, players)
        self.seats = np.full(games, 0 if self.seat == ROTATE else self.seat, np.int64)
        """int64[B]: the learner's seat in each game."""
        self._seeds = np.arange(games, dtype=np.uint64)
        self._seeded = np.zeros(games, np.bool_)
        self._episode = np.full(games, -1)
        self._opponents = load_opponents(opponents, game.name, players, game.variant)
        self._held: list[tuple[Agent, NDArray[np.bool_]]] = []
        self._encode = encoder(game.layout, settings.dtype)
        self._rewards = Rewards(settings.reward, game)
        self._games = np.arange(games)
        self._choices = np.zeros((games, players), np.int32)
        self._decisions = np.zeros((games, players), np.int64)
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
            self.seats[games] = ((first_seat + self._episode) % players)[games]
        if self.seat == ROTATE or not self._held:
            self._seat_opponents()
        self._decisions[games] = 0
        self._rewards.reset(games)
        self._go_on()

    def step(self, actions: Any) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """The learners' `actions` (int[B]; ignored where the game is over), then the opponents' until a learner is due.

        float64[B] rewards and bool[B], the games that this step ended. Raises `ActionError` for the wrong type, shape
        or range, `IllegalAction` for a masked action with illegal="raise", `AgentError` for an opponent that breaks its
        contract.
        """
        game, seats = self.game, self.seats
        live = ~game.done
        chosen = as_actions(actions, live.shape, game.num_actions, live)
        illegal = live & ~self._legal[self._games, seats, chosen]
        self._judge(illegal, chosen)
        self._choices[self._games, seats] = chosen
        self._advance(live & ~illegal)
        self._go_on()
        ended = live & game.done
        if not ended.any() and not self._rewards.every_step:
            return np.zeros(len(ended)), ended
        offenders = np.zeros(self._choices.shape, np.bool_)
        offenders[self._games, seats] = illegal
        return self._rewards.step(ended & ~illegal, offenders)[self._games, seats], ended

    def observe(self) -> NDArray[Any]:
        """[B, D]: a copy of what each learner sees."""
        return self._encode(self.game.observe()[self._games, self.seats])

    def masks(self) -> NDArray[np.int8]:
        """int8[B, A]: a copy of each learner's action mask; zeros where the game is over."""
        return self._legal[self._games, self.seats].view(np.int8)

    def _judge(self, illegal: NDArray[np.bool_], chosen: NDArray[np.int32]) -> None:
        """Where the learner's action is illegal (bool[B]): raise `IllegalAction`, or end that game."""
        if not illegal.any():
            return
        if self.settings.illegal == "raise":
            index = int(illegal.argmax())
            who = f"player_{self.seats[index]} (the learner, game {index})"
            raise illegal_action(self.game, who, int(chosen[index]), self._legal[index, self.seats[index]])
        self.game.end(illegal)

    def _go_on(self) -> None:
        """Let the opponents move until every learner has something to decide, or its game is over."""
        while True:
            self._legal = self.game.legal()
            waiting = ~self.game.done & ~self._legal[self._games, self.seats].any(axis=1)
            if not waiting.any():
                return
            self._advance(waiting)

    def _advance(self, games: NDArray[np.bool_]) -> None:
        """One step of `games` (bool[B]): the opponents choose, and those games move on."""
        game = self.game
        if not games.any():
            return
        moving = game.to_move & games[:, None]
        self._ask_opponents(moving)
        self._decisions += moving
        if (games | game.done).all():
            game.step(self._choices)
            return
        before = game.save()  # a game can be told to stop, not to wait, so those that must wait are then put back
        game.end(~games)
        game.step(self._choices)
        after = game.save()
        after[~games] = before[~games]
        game.restore(after)

    def _seat_opponents(self) -> None:
        """Tell each different opponent which seats it holds (bool[B, P])."""
        players = self.game.num_players
        places = (np.arange(players) - self.seats[:, None] - 1) % players  # counted from the learner's left
        self._held = []
        for agent in {id(agent): agent for agent in self._opponents}.values():
            held = [place for place, other in enumerate(self._opponents) if other is agent]
            self._held.append((agent, np.isin(places, held)))

    def _ask_opponents(self, moving: NDArray[np.bool_]) -> None:
        """Each opponent, once for all its seats to move (bool[B, P]), writes its choices."""
        game = self.game
        for agent, held in self._held:
            games, seats = np.nonzero(moving & held)
            if games.size == 0:
                continue
            seen = game.observe(agent.observation)[games, seats]
            keys = decision_keys(game.seeds[games], seats, self._decisions[games, seats])
            who = partial(self._who, agent, games, seats)
            self._choices[games, seats] = ask(agent, game, seen, self._legal[games, seats], keys, who)

    def _who(self, agent: Agent, games: NDArray[np.int64], seats: NDArray[np.int64], row: int) -> str:
        """Name the opponent that is asked at seat `seats[row]` of game `games[row]`."""
        game = games[row]
        deal = f"game {game}, which was reset without a seed"
        if self._seeded[game]:
            episode = self._episode[game]
            deal = f"the deal with seed {self._seeds[game]}" + (f", episode {episode}" if episode else "")
        return f"agent {name_of(agent)} in seat {seats[row]} of {deal}"


def _checked_seat(seat: int | str, players: int) -> int | str:
    if isinstance(seat, str) and seat == ROTATE:
        return ROTATE
    if isinstance(seat, bool) or not isinstance(seat, int | np.integer) or not 0 <= seat < players:
        raise SettingError(f"seat must be from 0 to {players - 1}, or 'rotate', not {seat!r}.")
    return int(seat)
