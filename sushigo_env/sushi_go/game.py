"""Sushi Go! as a batch of B games: reset, observe, legal, step. A single game is a batch of one.

game = SushiGo(num_games=1024, num_players=4)
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
from sushigo_env.sushi_go import cards, loops, plays, record, render
from sushigo_env.sushi_go.deals import write_deals
from sushigo_env.sushi_go.observation import MAX_SCORE, OBSERVATIONS, layout, offsets
from sushigo_env.sushi_go.position import Position
from sushigo_env.sushi_go.state import PUDDINGS, SCORE, SCORE_OFFSET, State, kind_of_table


class SushiGo(RowGames):
    """B games of Sushi Go! at tables of one kind; see `api.contract.BatchedGame` for every method's contract.

    `num_players` 2 to 5, `passing` "left" or "alternate", `variant` "standard" or "two_player_dummy" (2 players),
    `observation` the setting `observe()` uses: "memory", "table" or "full". `num_threads` share the games of a large
    batch; they change no result. Raises `SettingError` for anything else.
    """

    name = "sushi_go"
    simultaneous = True
    observations: tuple[str, ...] = OBSERVATIONS
    variants = cards.VARIANTS
    passings = cards.PASSINGS
    max_score = MAX_SCORE
    table: State

    def __init__(
        self,
        num_games: int = 1,
        num_players: int = 4,
        *,
        passing: str = "left",
        variant: str = "standard",
        observation: str = "memory",
        num_threads: int = 1,
    ) -> None:
        self.hand_size: int = cards.hand_size(num_players, variant)
        self.passing = checks.one_of("passing", passing, cards.PASSINGS)
        super().__init__(num_games, num_players, variant, observation, num_threads)
        self.num_tableaus = num_players + (variant == cards.DUMMY)
        self.num_actions = plays.NUM_PLAYS + (variant == cards.DUMMY)
        self.layout = self.state_layout = layout(num_players, variant)
        self.table = State(self.num_games, kind_of_table(num_players, variant, passing))
        self._make_buffers()

    def _make_buffers(self) -> None:
        super()._make_buffers()
        self._score_bytes = self.table.status[:, : self.num_players, SCORE]
        self._dummy = int(self.variant == cards.DUMMY)
        self._alternate = int(self.passing == "alternate" and not self._dummy)
        self._at = offsets(self.num_players, self.variant)

    @property
    def to_move(self) -> NDArray[np.bool_]:
        """bool[B, P]: the seats that must decide: all, but the controller alone where it picks the dummy's card."""
        state = self.table
        moving = np.repeat(~state.done[:, None], self.num_players, axis=1)
        if self._dummy:
            moving &= (state.half[:, None] == 0) | (state.controller[:, None] == np.arange(self.num_players))
        return moving

    @property
    def lockstep(self) -> bool:
        """The same seats move in every game that goes on, now and later: control alternates, turn by turn."""
        state = self.table
        return not self._dummy or len(np.unique((2 * state.half + state.controller)[~state.done])) <= 1

    @property
    def scores(self) -> NDArray[np.int32]:
        """int32[B, P]: points so far; totals once done."""
        return np.subtract(self._score_bytes, SCORE_OFFSET, dtype=np.int32)

    @property
    def standings(self) -> NDArray[np.int32]:
        """int32[B, P]: points, then puddings, in one number: higher is better, equal is a tie."""
        puddings = self.table.status[:, : self.num_players, PUDDINGS].astype(np.int32)
        return self.scores * (int(cards.COPIES[cards.PUDDING]) + 1) + puddings

    def reset(
        self,
        mask: NDArray[np.bool_] | None = None,
        seeds: NDArray[np.uint64] | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        """Start new games where `mask` (bool[B], default all).

        `seeds` uint64[B]; by default each game goes on to its next episode. `options["deals"]` gives the hands, one
        game's for all or a list of B: `deals[round][seat]` is a list of cards (the dummy's pile is `deals[round][2]`,
        top first); `options["first_controller"]` the seat that opens in the variant (an int, or int[B]);
        `options["position"]` a `Position` that every new game begins in. Others are ignored. Raises `SettingError` for
        a mask or seeds that do not fit, an impossible deal or position; no game has changed then.
        """
        chosen = np.ones(self.num_games, np.bool_) if mask is None else checks.flags("mask", mask, self.num_games)
        options = checks.mapping("options", options)
        first = checks.seats("first_controller", options.get("first_controller", 0), self.num_players, self.num_games)
        decks = write_deals(options.get("deals"), self) if options.get("deals") is not None else None
        position = options.get("position")
        if position is not None:
            if not isinstance(position, Position):
                raise SettingError(f"the option position must be a Position, not {type(position).__name__}.")
            position.check(self)
        self._seed(chosen, seeds)
        if self._dummy:
            self.table.first_controller[chosen] = first[chosen]
        if decks is not None:
            self.table.deck[chosen] = decks[chosen] if len(decks) > 1 else decks
        args = (self.table.seed, self.table.episode, decks is not None, self.num_players, self.hand_size, self._dummy)
        _threads.run(loops.reset_games, self._slices, self._rows, chosen, *args)
        if position is not None:
            for index in np.flatnonzero(chosen):
                position.put(self, int(index))

    def _encode(self, setting: int, out: NDArray[np.uint8]) -> None:
        table = (self.num_players, self.hand_size, self._dummy, setting, self._at, self.layout.size)
        _threads.run(loops.observe_games, self._slices, self._rows, *table, out)

    def legal(self) -> NDArray[np.bool_]:
        """bool[B, P, A]: the actions each seat may take now; the buffer is overwritten by the next call."""
        args = (self.num_players, self._dummy, self.num_actions, self._mask_bytes)
        _threads.run(loops.mask_games, self._slices, self._rows, *args)
        return self._mask

    def state(self) -> NDArray[np.uint8]:
        """uint8[B, D]: the whole table as player 0 would see it with every hand open; nothing pending shows."""
        out = np.empty((self.num_games, self.layout.size), np.uint8)
        table = (self.num_players, self.hand_size, self._dummy, self._at, self.layout.size)
        loops.whole_tables(0, self.num_games, self._rows, *table, out.reshape(-1))
        return out

    def illegal(self, actions: NDArray[np.integer[Any]]) -> NDArray[np.bool_]:
        """bool[B, P]: in range, but masked, for seats that have a choice. `ActionError` for dtype, shape or range."""
        taken = self._taken(actions, self._by_seat)
        out = np.zeros(self._by_seat, np.bool_)
        args = (self.num_players, self._dummy, taken, out.reshape(-1))
        _threads.run(loops.mark_illegal, self._slices, self._rows, *args)
        for wrong in np.flatnonzero(out):
            if not 0 <= taken[wrong] < self.num_actions:
                raise ActionError(self._why_illegal(actions, int(wrong)))
        return out

    def step(self, actions: NDArray[np.integer[Any]]) -> None:
        """Everyone's play (int[B, P]); games that are over stay as they are.

        Raises before anything has changed: `ActionError` (dtype, shape, range), `IllegalAction` (masked), `OrderError`
        where every game is over or none was ever begun.
        """
        taken = self._taken(actions, self._by_seat)
        args = (self._rows, self.num_players, self.hand_size, self._alternate, self._dummy, taken)
        if len(self._slices) == 1:
            stepped = loops.checked_step(0, self.num_games, *args)
        else:
            check = (self._rows, self.num_players, self._dummy, taken)
            found = [-1 - place for place in _threads.run(loops.find_illegal, self._slices, *check) if place >= 0]
            stepped = found[0] if found else sum(_threads.run(loops.step_games, self._slices, *args))
        if stepped < 0:
            wrong = -1 - stepped
            error = IllegalAction if 0 <= taken[wrong] < self.num_actions else ActionError
            raise error(self._why_illegal(actions, wrong))
        if stepped == 0:
            raise self._nothing_to_step()

    def _why_illegal(self, actions: NDArray[np.integer[Any]], wrong: int) -> str:
        index, seat = divmod(wrong, self.num_players)
        action, where = int(np.asarray(actions)[index, seat]), f"game {index}, player_{seat}"
        if not 0 <= action < self.num_actions:
            return f"{where}: actions are 0 to {self.num_actions - 1}, not {action}."
        legal = [plays.describe(int(a)) for a in np.flatnonzero(self.legal()[index, seat])]
        return f"{where}: {plays.describe(action)} (action {action}) is not legal; legal are: {'; '.join(legal)}."

    def end(self, games: NDArray[np.bool_]) -> None:
        """Stop the games where `games` (bool[B]) at once: done, whatever the scores; they leave no record."""
        stopped = checks.flags("games", games, self.num_games) & ~self.table.done
        self.table.done[stopped] = True
        self.table.ended[stopped] = True

    def describe_action(self, action: int) -> str:
        """An action in words, such as `Wasabi, then Egg Nigiri`."""
        return plays.describe(action)

    def record(self, index: int = 0) -> dict[str, Any]:
        """The finished game `index` as a JSON-ready dict (docs/records.md); `OrderError` if it is not finished."""
        return record.to_record(self, checks.game_index(index, self.num_games))

    def render(self, index: int = 0) -> str:
        """The table of game `index` as text, every hand open; nothing pending shows."""
        return render.to_text(self, checks.game_index(index, self.num_games))

    def position(self, index: int = 0) -> Position:
        """Where game `index` stands, to look at, change and set again."""
        return Position.of(self, checks.game_index(index, self.num_games))

    def set_position(self, position: Position, index: int = 0) -> None:
        """Put game `index` into a position; `SettingError` if it is impossible. Such a game leaves no record."""
        position.put(self, checks.game_index(index, self.num_games))

    def _check_saved(self, saved: NDArray[np.uint8]) -> None:
        self.table.check(saved, self.hand_size)
