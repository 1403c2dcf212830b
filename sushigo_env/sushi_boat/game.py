"""Sushi Boat as a batch of B games: reset, observe, legal, step. A single game is a batch of one.

game = SushiBoat(num_games=1024, num_players=3)
game.reset(seeds=seeding.game_seeds(7, 1024))
while not game.done.all():
    observation, mask = game.observe(), game.legal()
    game.step(my_policy(observation, mask))
game.scores
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sushigo_env import _threads, checks
from sushigo_env.errors import ActionError, IllegalAction, SettingError
from sushigo_env.row_games import RowGames
from sushigo_env.sushi_boat import cards, loops, plays, record, render
from sushigo_env.sushi_boat.bits import bits_of
from sushigo_env.sushi_boat.observation import OBSERVATIONS, layout, max_score, offsets
from sushigo_env.sushi_boat.reasons import reason
from sushigo_env.sushi_boat.rules import rules_of
from sushigo_env.sushi_boat.snapshot import snapshot
from sushigo_env.sushi_boat.sound import check_rows, draws
from sushigo_env.sushi_boat.state import NONE, OVER, State, kind_of_table


class SushiBoat(RowGames):
    """B games of Sushi Boat at tables of one kind; see `api.contract.BatchedGame` for every method's contract.

    `num_players` 2 to 5, `variant` "standard" or "menus", `observation` the setting `observe()` uses: "memory",
    "strict" or "full", `config` the reconstructed values (see `cards.Config`).
    `num_threads` share the games of a large batch; they change no result. Raises `SettingError` for anything else.
    """

    name = "sushi_boat"
    simultaneous = False
    observations: tuple[str, ...] = OBSERVATIONS
    variants = cards.VARIANTS
    table: State

    def __init__(
        self,
        num_games: int = 1,
        num_players: int = 4,
        *,
        variant: str = "standard",
        observation: str = "memory",
        num_threads: int = 1,
        config: cards.Config = cards.DEFAULT,
    ) -> None:
        cards.deck_size(num_players)
        if not isinstance(config, cards.Config):
            raise SettingError(f"config must be a Config, not {type(config).__name__}.")
        self.config = config
        checks.one_of("variant", variant, tuple(cards.VARIANTS))
        super().__init__(num_games, int(num_players), variant, observation, num_threads)
        self.num_actions = plays.NUM_MENU_PLAYS if variant == cards.MENU_VARIANT else plays.NUM_PLAYS
        self.layout = self.state_layout = layout(self.num_players, variant, config)
        self.max_score = max_score(self.num_players, variant, config)
        """No |score|, and so no margin's half, is larger."""
        self.table = State(self.num_games, kind_of_table(self.num_players, variant))
        self._make_buffers()

    def _make_buffers(self) -> None:
        super()._make_buffers()
        self._rules = rules_of(self.config, self.num_players, self.variant)
        self._acting_mask = np.zeros((self.num_games, self.num_actions), np.bool_)
        self._at = offsets(self.num_players, self.variant)

    @property
    def to_act(self) -> NDArray[np.int32]:
        """int32[B]: the seat that must decide; -1 where the game is over."""
        return np.where(self.table.to_act == NONE, np.int32(-1), self.table.to_act.astype(np.int32))

    @property
    def to_move(self) -> NDArray[np.bool_]:
        """bool[B, P]: the seat that must decide; none where the game is over."""
        moving: NDArray[np.bool_] = self.table.to_act[:, None] == np.arange(self.num_players, dtype=np.uint8)
        return moving

    @property
    def lockstep(self) -> bool:
        """Whether every game will always have the same seat to move: only a single game has."""
        return self.num_games == 1 or bool((~self.done).sum() <= 1)

    @property
    def scores(self) -> NDArray[np.int32]:
        """int32[B, P]: points so far (runs, sets, Gyoza, cubes); totals, majorities and menus included, once done."""
        out = np.zeros((self.num_games, self.num_players), np.int32)
        _threads.run(loops.score_games, self._slices, self._rows, self._rules, out.reshape(-1))
        return out

    @property
    def standings(self) -> NDArray[np.int32]:
        """int32[B, P]: points, then yen, in one number: higher is better, equal is a tie."""
        return self.scores * 256 + self.table.yen[:, : self.num_players]

    def reset(
        self,
        mask: NDArray[np.bool_] | None = None,
        seeds: NDArray[np.uint64] | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        """Start new games where `mask` (bool[B], default all).

        `seeds` uint64[B]; by default each game goes on to its next episode. `options["chances"]` gives the first
        draws of every new game as codes (see `chance.DRAWS`; a list of 0 to 255, or a list for each of B games); where
        one is not there to be drawn, the first that is there is, and `table.chances` tells what was. Other options are
        ignored. Raises `SettingError` for a mask, seeds or chances that do not fit; no game has changed then.
        """
        chosen = np.ones(self.num_games, np.bool_) if mask is None else checks.flags("mask", mask, self.num_games)
        given = checks.mapping("options", options).get("chances")
        scripts = None if given is None else draws(given, self.num_games)
        self._seed(chosen, seeds)
        self.table.scripted[chosen] = 0
        if scripts is not None:
            for index in np.flatnonzero(chosen):
                script = scripts[index if len(scripts) > 1 else 0]
                self.table.chances[index, : len(script)] = script
                self.table.scripted[index] = len(script)
        args = (self._rows, self._rules, chosen, self.table.seed, self.table.episode)
        _threads.run(loops.reset_games, self._slices, *args)

    def _encode(self, setting: int, out: NDArray[np.uint8]) -> None:
        args = (self._rows, self._rules, setting, self._at, self.layout.size, out)
        _threads.run(loops.observe_games, self._slices, *args)

    def state(self) -> NDArray[np.uint8]:
        """uint8[B, D]: the whole table from player 0's seat, less what is anyone's secret until it is revealed."""
        out = np.empty((self.num_games, self.layout.size), np.uint8)
        args = (self._rows, self._rules, self._at, self.layout.size, out.reshape(-1))
        loops.whole_tables(0, self.num_games, *args)
        return out

    def legal(self) -> NDArray[np.bool_]:
        """bool[B, P, A]: the actions each seat may take now; the buffer is overwritten by the next call."""
        args = (self._rows, self.num_players, self.num_actions, self._mask_bytes)
        _threads.run(loops.mask_games, self._slices, *args)
        return self._mask

    def legal_acting(self) -> NDArray[np.bool_]:
        """bool[B, A]: what the seat to act may do; none where the game is over. Overwritten by the next call."""
        out = self._acting_mask.view(np.uint8).reshape(-1)
        _threads.run(loops.acting_mask_games, self._slices, self._rows, self.num_actions, out)
        return self._acting_mask

    def illegal(self, actions: NDArray[np.integer[Any]]) -> NDArray[np.bool_]:
        """bool[B, P]: in range, but masked, of the seat to act. `ActionError` for dtype, shape or range."""
        taken = self._taken(actions, self._by_seat).reshape(self._by_seat)
        asked = self.to_move
        wrong = asked & ((taken < 0) | (taken >= self.num_actions))
        if wrong.any():
            raise ActionError(self._why_illegal(actions, int(np.argwhere(wrong)[0, 0])))
        chosen = np.where(asked, taken, 0)[..., None].astype(np.int64)
        return asked & ~np.take_along_axis(self.legal(), chosen, axis=2)[..., 0]

    def step(self, actions: NDArray[np.integer[Any]]) -> None:
        """The seats to act take their entries of `actions` (int[B, P]); games that are over stay as they are.

        Raises before anything has changed: `ActionError` (dtype, shape, range), `IllegalAction` (masked; it says why),
        `OrderError` where every game is over or none was ever begun.
        """
        self._step(actions, self._by_seat, self.num_players)

    def step_acting(self, actions: NDArray[np.integer[Any]]) -> None:
        """As `step`, with one action a game (int[B]), that of the seat to act."""
        self._step(actions, (self.num_games,), 0)

    def step_some(self, actions: NDArray[np.integer[Any]], games: NDArray[np.bool_]) -> None:
        """As `step`, but only where `games` (bool[B]); the others stay as they are, whatever their actions say."""
        waiting = ~checks.flags("games", games, self.num_games) & ~self.table.done
        self.table.done[waiting] = True
        try:
            self.step(actions)
        finally:
            self.table.done[waiting] = False

    def _step(self, actions: NDArray[np.integer[Any]], shape: tuple[int, ...], stride: int) -> None:
        taken = self._taken(actions, shape)
        if len(self._slices) == 1:
            stepped = loops.checked_step(0, self.num_games, self._rows, self._rules, taken, stride)
        else:
            wrong = [w for w in _threads.run(loops.find_illegal, self._slices, self._rows, taken, stride) if w >= 0]
            args = (self._rows, self._rules, taken, stride)
            stepped = -1 - wrong[0] if wrong else sum(_threads.run(loops.step_games, self._slices, *args))
        if stepped < 0:
            index = -1 - stepped
            error = IllegalAction if 0 <= self._action_of(actions, index) < self.num_actions else ActionError
            raise error(self._why_illegal(actions, index))
        if stepped == 0:
            raise self._nothing_to_step()

    def _action_of(self, actions: NDArray[np.integer[Any]], index: int) -> int:
        given = np.asarray(actions)
        return int(given[index, self.table.to_act[index]] if given.ndim == 2 else given[index])

    def _why_illegal(self, actions: NDArray[np.integer[Any]], index: int) -> str:
        action, where = self._action_of(actions, index), f"game {index}, player_{self.table.to_act[index]}"
        if not 0 <= action < self.num_actions:
            return f"{where}: actions are 0 to {self.num_actions - 1}, not {action}."
        legal = "; ".join(plays.describe(each) for each in self.legal_actions(index))
        why = reason(self, index, action)
        return f"{where}: {plays.describe(action)} is not legal now, since {why}; legal are: {legal}."

    def legal_actions(self, index: int = 0) -> list[int]:
        """What the seat to act of game `index` may do, in order; none if it is over."""
        return bits_of(self.table.legal[checks.game_index(index, self.num_games)], self.num_actions)

    def end(self, games: NDArray[np.bool_]) -> None:
        """Stop the games where `games` (bool[B]) at once; scores stay as they stand. `SettingError` for a misfit."""
        chosen = checks.flags("games", games, self.num_games) & ~self.table.done
        self.table.done[chosen] = True
        self.table.ended[chosen] = True
        self.table.phase[chosen] = OVER
        self.table.to_act[chosen] = NONE
        self.table.legal[chosen] = 0

    def describe_action(self, action: int) -> str:
        """An action in words; `ActionError` if there is no such action."""
        return plays.describe(action)

    def record(self, index: int = 0) -> dict[str, Any]:
        """The finished game `index` as a JSON-ready dict (docs/sushi_boat.md); `OrderError` if it is not finished."""
        return record.to_record(self, checks.game_index(index, self.num_games))

    def render(self, index: int = 0) -> str:
        """The table of game `index` as text, with nothing that is anyone's secret."""
        return render.to_text(self, checks.game_index(index, self.num_games))

    def snapshot(self, index: int = 0) -> dict[str, Any]:
        """All there is to know of game `index`, in plain numbers and lists, hidden things included."""
        return snapshot(self, checks.game_index(index, self.num_games))

    def _check_saved(self, saved: NDArray[np.uint8]) -> None:
        check_rows(saved, self.table, self._rules, self.config)
