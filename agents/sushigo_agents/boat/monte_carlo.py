"""`monte_carlo` for Sushi Boat: each legal action is tried in the same positions, and the best on average is taken."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from sushigo_agents.boat._checked import find_impossible
from sushigo_agents.boat._position import write_position
from sushigo_agents.boat.base import BoatAgent
from sushigo_agents.boat.greedy import choose_allowed
from sushigo_agents.boat.rollout import ROLLOUTS, outcome, play_on
from sushigo_agents.search.clock import think_on
from sushigo_agents.search.settings import settings_of
from sushigo_agents.search.thought import Thought, pure
from sushigo_env._jit import jit
from sushigo_env._memory import copy, pointer
from sushigo_env.errors import AgentError
from sushigo_env.seeding import draw
from sushigo_env.sushi_boat.cards import DECK_SIZE, DEFAULT, Config
from sushigo_env.sushi_boat.state import CHANCES, ROW
from sushigo_env.sushi_boat.turn import take_action

USUAL_ITERATIONS = 50
POSITIONS_BETWEEN_LOOKS = 4
"""At the clock."""
FOR_A_POINT = 0.01
"""Win share that a point of the lead is taken for: it tells actions apart that win as often."""
SURE = 1.0
"""Standard errors by which an action must be better than what the rule of thumb would do."""
_FROM_ACTIONS = np.uint64(4 << 32)
"""Place in a position's stream that no draw of the game comes to."""


class BoatMonteCarlo(BoatAgent):
    """Does what came to most when games were played on from positions that agree with what its seat sees.

    In each of `iterations` positions, which differ in others' secrets and in all that will be drawn, every legal action
    is tried with the same luck (common random numbers) and the game played on by a rule of thumb, to the end or, with
    `horizon` "round", until so many turns have ended as there are players. It leaves what the rule of thumb itself
    would do only for what is better by more than chance: by a standard error of the difference.

    The same key gives the same action in any batch. `AgentError` for settings there are not.
    """

    name = "monte_carlo"

    def __init__(
        self,
        game: str,
        num_players: int,
        variant: str,
        *,
        iterations: int = USUAL_ITERATIONS,
        time_ms: float = 0.0,
        rollout: str = "quick",
        horizon: str = "game",
        config: Config = DEFAULT,
    ) -> None:
        super().__init__(game, num_players, variant, config=config)
        if rollout not in ROLLOUTS:
            raise AgentError(
                f"agent {self.name!r}: rollout must be one of {', '.join(ROLLOUTS)} in {game}, not {rollout!r}."
            )
        told = {"iterations": iterations, "time_ms": time_ms, "rollout": rollout, "horizon": horizon}
        self.settings = settings_of(self.name, told)
        words = self.settings.words({"iterations": USUAL_ITERATIONS, "horizon": "game"})
        self.name = f"monte_carlo:{words}" if words else "monte_carlo"

    def act(
        self, observation: NDArray[np.uint8], action_mask: NDArray[np.bool_], keys: NDArray[np.uint64]
    ) -> NDArray[np.int32]:
        """int32[N]: the action chosen in each row; 0 where a row's mask allows nothing, since its seat waits.

        `AgentError` as `think` raises it.
        """
        chosen = np.zeros(len(keys), np.int32)
        asked = np.flatnonzero(action_mask.any(axis=1))
        for row, each in zip(asked, self.think(observation[asked], action_mask[asked], keys[asked]), strict=True):
            chosen[row] = each.actions[each.strategy.argmax()]
        return chosen

    def think(
        self, observation: NDArray[np.uint8], action_mask: NDArray[np.bool_], keys: NDArray[np.uint64]
    ) -> list[Thought]:
        """What it finds in each row, of a seat that must decide; one legal action is not thought about.

        A mask may leave legal actions out. `AgentError` for arrays of another table, for rows that no game shows under
        the setting `memory`, or in which another seat decides, and for masks that allow nothing, or what the
        rules forbid.
        """
        self._check(observation, action_mask, keys)
        observation = np.ascontiguousarray(observation)
        told = observation, self._bytes(action_mask)
        if len(keys):
            self._refuse(*find_impossible(*told, self._at, self._rules, self._limits))
        rows = zip(observation, action_mask, keys, strict=True)
        return [self._think(seen, np.flatnonzero(mask), key) for seen, mask, key in rows]

    def _think(self, seen: NDArray[np.uint8], legal: NDArray[np.int64], key: np.uint64) -> Thought:
        if len(legal) == 1:
            return Thought.forced(legal)
        sums = np.zeros((3, len(legal)))
        turns = self.num_players if self.settings.horizon == "round" else max(DECK_SIZE.values())
        how = ROLLOUTS.index(self.settings.rollout), turns
        usual = int(np.searchsorted(legal, _usual(seen, self._at, self._rules, key, legal)))
        work = partial(_try_all, seen, self._at, self._rules, *how, key, legal, usual, sums)
        done = think_on(self.settings, POSITIONS_BETWEEN_LOOKS, work)
        better = sums[1] / done
        error = np.sqrt(np.maximum(sums[2] / done - better**2, 0) / done)
        best = int((better - SURE * error).argmax())  # what the rule of thumb does has 0: ties go to none else
        if better[best] - SURE * error[best] <= 0:
            best = usual
        return Thought(legal, np.full(len(legal), done), sums[0] / done, pure(best, len(legal)), done)


@jit
def _usual(seen, at, rules, key, legal):  # type: ignore[no-untyped-def]  # compiled
    """What the rule of thumb would do, of `legal` (int64[M])."""
    position, low, high = np.zeros(ROW, np.uint8), np.uint64(0), np.uint64(0)
    for action in legal:
        bit = np.uint64(1) << np.uint64(action & 63)
        low |= bit if action < 64 else np.uint64(0)
        high |= bit if action >= 64 else np.uint64(0)
    row, numbers = pointer(position, 0), pointer(rules, 0)
    write_position(pointer(seen, 0), pointer(at, 0), numbers, key, row)
    return choose_allowed(row, numbers, low, high)


@jit
def _try_all(seen, at, rules, rollout, turns, key, legal, usual, sums, first, last):  # type: ignore[no-untyped-def]  # compiled
    """Try each of `legal` (int64[M]) in positions `first` to `last`.

    Added to `sums` (float64[3, M]) is what each came to: win share; how much better it was, win share and lead, than
    the `usual`-th of them; and the square of that.
    """
    dealt, played, worth = np.zeros(ROW, np.uint8), np.zeros(ROW, np.uint8), np.zeros(len(legal))
    start, row, numbers = pointer(dealt, 0), pointer(played, 0), pointer(rules, 0)
    for sample in range(first, last):
        stream = draw(key, np.uint64(sample))
        write_position(pointer(seen, 0), pointer(at, 0), numbers, stream, start)
        for i in range(len(legal)):
            copy(row, 0, start, 0, CHANCES)
            take_action(row, numbers, legal[i])
            play_on(row, numbers, rollout, turns, draw(stream, _FROM_ACTIONS))
            share, lead = outcome(row, numbers, 0)
            sums[0, i] += share
            worth[i] = share + FOR_A_POINT * lead
        for i in range(len(legal)):
            better = worth[i] - worth[usual]
            sums[1, i] += better
            sums[2, i] += better * better
