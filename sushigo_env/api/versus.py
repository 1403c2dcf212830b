"""One learner among opponents, at B tables: what both Gymnasium environments are made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sushigo_env.api.actions import as_actions, illegal_action
from sushigo_env.api.contract import Agent, BatchedGame
from sushigo_env.api.opponents import load_opponents
from sushigo_env.api.rewards import Rewards
from sushigo_env.api.settings import Settings
from sushigo_env.api.spaces import encoder
from sushigo_env.errors import AgentError, SettingError
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
        self._first_seat = np.arange(games) % players
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
            self._first_seat[games] = (seeds[games] % np.uint64(self.game.num_players)).astype(np.int64)
            self._episode[games] = -1
        self._episode[games] += 1
        if self.seat == ROTATE:
            self.seats[games] = (self._first_seat + self._episode)[games] % self.game.num_players
        if self.seat == ROTATE or not self._held:
            self._seat_opponents()
        self._decisions[games] = 0
        self._rewards.reset(games)
        self._go_on()

    def step(self, actions: Any) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """The learners' `actions` (int[B]; ignored where the game is over), then the opponents' until a learner is due.

        float64[B] rewards and bool[B], the games that this step ended. Raises `ActionError` for the wrong type, shape
        or range, `IllegalAction` for a masked action with illegal="raise", `AgentError` for an opponent's.
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
            mask = self._legal[games, seats]
            keys = decision_keys(game.seeds[games], seats, self._decisions[games, seats])
            chosen = agent.act(game.observe(agent.observation)[games, seats], mask, keys)
            self._choices[games, seats] = _checked(agent, chosen, mask, game, games, seats)


def _checked(
    agent: Agent,
    chosen: Any,
    mask: NDArray[np.bool_],
    game: BatchedGame,
    games: NDArray[np.int64],
    seats: NDArray[np.int64],
) -> NDArray[Any]:
    """What an opponent chose, if it is one legal action a row; else `AgentError`."""
    name = getattr(agent, "name", type(agent).__name__)
    actions = np.asarray(chosen)
    if actions.dtype.kind not in "iu" or actions.shape != games.shape:
        raise AgentError(
            f"opponent {name} must return integers of shape {games.shape}, not {actions.dtype} of {actions.shape}."
        )
    in_range = (actions >= 0) & (actions < game.num_actions)
    wrong = ~(in_range & mask[np.arange(len(mask)), np.where(in_range, actions, 0)])
    if wrong.any():
        row = int(wrong.argmax())
        where = f"opponent {name} at player_{seats[row]} in game {games[row]}"
        if not in_range[row]:
            raise AgentError(f"{where} chose action {actions[row]}, which is not from 0 to {game.num_actions - 1}.")
        raise AgentError(str(illegal_action(game, where, int(actions[row]), mask[row])))
    return actions


def _checked_seat(seat: int | str, players: int) -> int | str:
    if seat == ROTATE:
        return ROTATE
    if isinstance(seat, bool) or not isinstance(seat, int | np.integer) or not 0 <= seat < players:
        raise SettingError(f"seat must be from 0 to {players - 1}, or 'rotate', not {seat!r}.")
    return int(seat)
