"""How agents are asked, at every table: what they get, and how one that breaks its contract is named."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sushigo_env.api.contract import Agent, BatchedGame
from sushigo_env.errors import AgentError, SushiGoError


def ask(
    agent: Agent,
    game: BatchedGame,
    observation: NDArray[np.uint8],
    action_mask: NDArray[np.bool_],
    keys: NDArray[np.uint64],
    who: Callable[[int], str],
) -> NDArray[np.int32]:
    """int32[N]: what `agent` chooses at N seats of `game`, one legal action each.

    `observation` uint8[N, D], `action_mask` bool[N, A] and `keys` uint64[N] are what `Agent.act` takes; the agent gets
    a copy of the mask, since it is judged by it. `who(row)` names the agent, the seat and the deal of a row. Raises
    `AgentError`, which begins with that name, where the agent raises anything (but `KeyboardInterrupt`), or answers
    with anything else than N legal actions.
    """
    count = len(action_mask)
    first = who(0) if count == 1 else f"{who(0)} (the first of {count} asked)"
    try:
        answer = agent.act(observation, action_mask.copy(), keys)
        actions = np.asarray(answer)
    except SushiGoError as error:
        raise AgentError(f"{first} failed: {error}") from error
    except (Exception, SystemExit) as error:
        raise AgentError(f"{first} raised {in_words(error)}.") from error
    if actions.dtype.kind not in "iu":
        kind = f"an array of {actions.dtype}" if actions.ndim else type(answer).__name__
        raise AgentError(f"{first} returned {kind} where an array of integers is wanted.")
    if actions.shape != (count,):
        raise AgentError(f"{first} returned actions of shape {actions.shape} where {(count,)} is wanted.")
    _check_legal(game, actions, action_mask, who)
    return actions.astype(np.int32)


def name_of(agent: Any) -> str:
    """Tell what to call an agent: its own `name` if it has one, else its class."""
    return str(getattr(agent, "name", type(agent).__name__))


def in_words(error: BaseException) -> str:
    """What was raised, in a line that can end a sentence: the class, and the first line of the message."""
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0].rstrip('.')}" if lines else type(error).__name__


def _check_legal(
    game: BatchedGame, actions: NDArray[np.integer[Any]], mask: NDArray[np.bool_], who: Callable[[int], str]
) -> None:
    """`AgentError` for the first of `actions` (int[N]) that `mask` (bool[N, A]) does not allow."""
    count, width = mask.shape
    outside = (actions < 0) | (actions >= width)
    illegal = outside | ~mask[np.arange(count), np.where(outside, 0, actions)]
    if not illegal.any():
        return
    row = int(illegal.argmax())
    action = int(actions[row])
    if outside[row]:
        raise AgentError(f"{who(row)} returned action {action}, which is out of range (0 to {width - 1}).")
    legal = "; ".join(game.describe_action(int(allowed)) for allowed in np.flatnonzero(mask[row]))
    play = f"{game.describe_action(action)} (action {action})"
    raise AgentError(f"{who(row)} chose an illegal play, {play}; legal were: {legal}.")
