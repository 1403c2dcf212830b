"""`monte_carlo`: each legal play is tried in the same sampled positions, and the best on average is played."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from sushigo_agents.base import SushiGoAgent
from sushigo_agents.search._iterate import FIRST_COUNTER
from sushigo_agents.search.clock import think_on
from sushigo_agents.search.fitted import table
from sushigo_agents.search.positions import check_possible, write_position
from sushigo_agents.search.rollout import ROLLOUTS, choose, mind_of, play_on, write_shares
from sushigo_agents.search.settings import settings_of
from sushigo_agents.search.thought import Thought, pure
from sushigo_env._jit import jit
from sushigo_env._memory import copy, pointer
from sushigo_env.seeding import draw
from sushigo_env.sushi_go.kernels import take_turn
from sushigo_env.sushi_go.observation import offsets
from sushigo_env.sushi_go.state import ROUND, ROW, SEATS

POSITIONS_BETWEEN_LOOKS = 4
"""At the clock."""


class MonteCarlo(SushiGoAgent):
    """Plays what did best on average when games were played on from sampled positions by a rule of thumb.

    Hidden cards are dealt anew for each of `iterations` positions; every legal play is tried in all of them, against
    the same plays of the others and the same luck afterwards, so that differences stand out (common random numbers).
    It thinks one play ahead: it does not ask how the others answer, as `search` does.

    The same key gives the same play in any batch. `AgentError` for settings there are not.
    """

    name = "monte_carlo"

    def __init__(
        self,
        game: str,
        num_players: int,
        variant: str,
        *,
        iterations: int = 200,
        time_ms: float = 0.0,
        rollout: str = "quick",
        horizon: str = "round",
    ) -> None:
        super().__init__(game, num_players, variant)
        told = {"iterations": iterations, "time_ms": time_ms, "rollout": rollout, "horizon": horizon}
        self.settings = settings_of(self.name, told)
        words = self.settings.words({"iterations": 200})
        self.name = f"monte_carlo:{words}" if words else "monte_carlo"
        self.table, self._at = table(num_players, variant), offsets(num_players, variant)

    @classmethod
    def specs(cls, game: str, num_players: int, variant: str) -> list[str]:
        """None: thinking takes its time, so it plays in a tournament of all only if it is asked to."""
        return []

    def act(
        self, observation: NDArray[np.uint8], action_mask: NDArray[np.bool_], keys: NDArray[np.uint64]
    ) -> NDArray[np.int32]:
        """int32[N]: the play chosen in each row."""
        thoughts = self.think(observation, action_mask, keys)
        return np.array([each.actions[each.strategy.argmax()] for each in thoughts], np.int32)

    def think(
        self, observation: NDArray[np.uint8], action_mask: NDArray[np.bool_], keys: NDArray[np.uint64]
    ) -> list[Thought]:
        """What it finds in each row; a row with one legal play is not thought about.

        Errors as `act`; `SettingError` for rows and masks that no game shows.
        """
        self._check(observation, action_mask, keys)
        check_possible(observation, action_mask, self.num_players, self.variant)
        rows = zip(np.ascontiguousarray(observation), action_mask, keys, strict=True)
        return [self._think(seen, np.flatnonzero(mask), key) for seen, mask, key in rows]

    def _think(self, seen: NDArray[np.uint8], legal: NDArray[np.int64], key: np.uint64) -> Thought:
        if len(legal) == 1:
            return Thought.forced(legal)
        given, totals = self.settings, np.zeros(len(legal))
        how = ROLLOUTS.index(given.rollout), mind_of(given.rollout, self.table, self.variant), given.rounds
        done = think_on(
            given, POSITIONS_BETWEEN_LOOKS, partial(_try_all, seen, self._at, self.table, *how, key, legal, totals)
        )
        values = totals / done
        return Thought(legal, np.full(len(legal), done), values, pure(int(values.argmax()), len(legal)), done)


@jit
def _try_all(seen, at, table, rollout, mind, rounds, key, legal, totals, first, last):  # type: ignore[no-untyped-def]  # compiled
    """Add to `totals` (float64[M]) what each of `legal` (int64[M]) came to in positions `first` to `last`."""
    dealt, played, shares = np.zeros(ROW, np.uint8), np.zeros(ROW, np.uint8), np.zeros(SEATS)
    plays, taken = np.zeros(SEATS, np.int32), np.zeros(SEATS, np.int32)
    row, start, look, fields = pointer(played, 0), pointer(dealt, 0), pointer(seen, 0), pointer(at, 0)
    for sample in range(first, last):
        stream = draw(key, np.uint64(sample))
        write_position(look, fields, table.players, table.size, table.dummy, stream, rounds > 1, start)
        for seat in range(1, table.players):
            plays[seat] = choose(start, seat, table, rollout, mind, draw(stream, FIRST_COUNTER + np.uint64(seat)))
        for i in range(len(legal)):
            copy(row, 0, start, 0, ROW)
            plays[0] = legal[i]
            take_turn(row, table.players, table.size, table.alternate, table.dummy, pointer(plays, 0))
            stop = dealt[ROUND] + rounds
            play_on(row, table, rollout, mind, stop, stream, FIRST_COUNTER + np.uint64(SEATS), pointer(taken, 0))
            write_shares(row, table, shares)
            totals[i] += shares[0]
