"""Checks of actions that come from outside, and what is said of those that fail."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sushigo_env import checks
from sushigo_env.api.contract import BatchedGame
from sushigo_env.errors import ActionError, IllegalAction


def as_action(action: Any, who: str, num_actions: int) -> int:
    """`action` as an int from 0 to `num_actions` - 1; `ActionError`, naming `who`, for anything else."""
    if isinstance(action, bool | np.bool_):
        raise ActionError(f"the action of {who} must be an integer, not {action!r}.")
    try:
        number = operator.index(action)
    except TypeError:
        what = f"an array of shape {action.shape}" if getattr(action, "shape", ()) else repr(action)
        raise ActionError(f"the action of {who} must be an integer from 0 to {num_actions - 1}, not {what}.") from None
    if not 0 <= number < num_actions:
        raise ActionError(f"the action of {who} must be from 0 to {num_actions - 1}, not {number}.")
    return number


def as_actions(
    actions: Any, shape: tuple[int, ...], num_actions: int, asked: NDArray[np.bool_], one: str = "game"
) -> NDArray[np.int32]:
    """`actions` as int32 of `shape`, games first and then, if there are two axes, seats; errors call a row `one`.

    Entries must lie in range where `asked` (bool of `shape`); elsewhere they become 0. `ActionError` names the first
    that does not.
    """
    given = checks.actions(actions, shape, one)
    wrong = asked & ((given < 0) | (given >= num_actions))
    if wrong.any():
        place = np.argwhere(wrong)[0].tolist()
        where = f"player_{place[1]} in game {place[0]}" if len(place) == 2 else f"{one} {place[0]}"
        raise ActionError(f"the action of {where} must be from 0 to {num_actions - 1}, not {given[tuple(place)]}.")
    return np.where(asked, given, 0).astype(np.int32)


def illegal_action(game: BatchedGame, who: str, action: int, mask: NDArray[Any]) -> IllegalAction:
    """The error for an action that is masked: who, the action in words, and what was legal (`mask` [A])."""
    legal = "; ".join(f"{game.describe_action(int(i))} ({i})" for i in np.flatnonzero(mask))
    return IllegalAction(f"{who} may not play {game.describe_action(action)} ({action}) now; legal are: {legal}.")
