"""Agents whose play comes from a trained network: `path/to/file.safetensors`, and what the zoo's are made of."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sushigo_agents import sampling
from sushigo_agents.advice import advised, check_adviser
from sushigo_agents.base import TableAgent
from sushigo_agents.network import Floats, Metadata, Network, env_version, read
from sushigo_agents.registry import load
from sushigo_env import games
from sushigo_env.api.contract import Agent
from sushigo_env.errors import AgentError, SettingError

PLAYS = ("argmax", "sample")
"""The likeliest legal action, or one drawn from the probabilities by the row's key."""


class Policy(TableAgent):
    """Plays what a network says, at the table that it was made for, which has the usual `config` if its game has one.

    `play` is one of `PLAYS`; `name` is what matches and errors call it. `AgentError` if the network was made for
    another layout of observations (with the versions concerned) or another number of actions.
    """

    def __init__(self, network: Network, metadata: Metadata, *, play: str = "argmax", name: str = "policy") -> None:
        self.name, self.network, self.play = name, network, play
        if metadata.game not in games.GAMES:
            known = ", ".join(games.GAMES)
            raise AgentError(f"agent {name!r} plays {metadata.game}, but the games of this version are {known}.")
        self.games = (metadata.game,)
        super().__init__(metadata.game, metadata.num_players, metadata.variant)
        table = games.GAMES[metadata.game].new(1, metadata.num_players, variant=metadata.variant)
        self.layout, self.num_actions = table.layout, table.num_actions
        self.config = getattr(table, "config", None)
        if play not in PLAYS:
            raise AgentError(f"agent {name!r}: play must be one of {', '.join(PLAYS)}, not {play!r}.")
        if metadata.observation not in games.GAMES[self.game].observations:
            raise AgentError(f"agent {name!r} wants the unknown observation {metadata.observation!r}.")
        self.observation = metadata.observation
        self.adviser, self.advised_by = self._adviser(metadata), metadata.adviser
        if metadata.layout != self.layout.fingerprint:
            raise AgentError(
                f"agent {name!r} was made by sushigo-env {metadata.env_version} for observations of layout "
                f"{metadata.layout}, but those of this version ({env_version()}) for {metadata.table} have layout "
                f"{self.layout.fingerprint}: use {metadata.env_version}, or train anew."
            )
        inputs = self.layout.size + (self.num_actions if self.adviser else 0)
        wanted, given = (inputs, self.num_actions), (network.num_inputs, network.num_actions)
        if given != wanted:
            raise AgentError(
                f"agent {name!r} takes {given[0]} bytes and chooses from {given[1]} actions, but {metadata.table} "
                f"need {wanted[0]} and {wanted[1]}."
            )

    def _adviser(self, metadata: Metadata) -> Agent | None:
        """Who advises the network, if anyone does."""
        if not metadata.adviser:
            return None
        try:
            check_adviser(metadata.adviser)
        except SettingError as error:
            raise AgentError(f"agent {self.name!r}: {error}") from error
        adviser = load(metadata.adviser, metadata.game, metadata.num_players, metadata.variant)
        if adviser.observation != self.observation:
            raise AgentError(
                f"agent {self.name!r} sees {self.observation!r}, but its adviser {metadata.adviser} takes "
                f"{adviser.observation!r}."
            )
        return adviser

    @staticmethod
    def from_file(path: Path | str, *, play: str = "argmax", name: str | None = None) -> Policy:
        """The policy in a file, called by its path if no `name` is given; `AgentError` says what is wrong with it."""
        network, metadata = read(path)
        return Policy(network, metadata, play=play, name=str(path) if name is None else name)

    def act(
        self, observation: NDArray[np.uint8], action_mask: NDArray[np.bool_], keys: NDArray[np.uint64]
    ) -> NDArray[np.int32]:
        """int32[N]: a legal action a row; keys decide nothing where `play` is `argmax`."""
        logits, _ = self._forward(observation, action_mask, keys)
        if self.play == "argmax":
            return sampling.argmax(logits, action_mask)
        return sampling.sample(logits, action_mask, keys)[0]

    def probabilities(self, observation: NDArray[np.uint8], action_mask: NDArray[np.bool_]) -> NDArray[np.float32]:
        """float32[N, A]: the chance of each action if `play` were `sample`; 0 where the mask forbids it."""
        keys = np.zeros(len(observation), np.uint64)
        return sampling.softmax(self._forward(observation, action_mask, keys)[0], action_mask)

    def value(self, observation: NDArray[np.uint8], action_mask: NDArray[np.bool_] | None = None) -> Floats:
        """float32[N]: what the network expects of the rest of the game, in the units of the reward it learned from.

        An adviser has to know what is legal: `AgentError` if there is one and no `action_mask`.
        """
        if action_mask is None:
            if self.adviser is not None:
                raise AgentError(f"agent {self.name!r} is advised by {self.advised_by}, who needs an action mask.")
            return self.network.forward(observation)[1]
        return self._forward(observation, action_mask, np.zeros(len(observation), np.uint64))[1]

    def _forward(
        self, observation: NDArray[np.uint8], action_mask: NDArray[np.bool_], keys: NDArray[np.uint64]
    ) -> tuple[Floats, Floats]:
        """Logits and values, by the adviser's advice too."""
        if self.adviser is not None:
            observation = advised(self.adviser, observation, action_mask, keys)
        return self.network.forward(observation)


def policy_file(game: str, num_players: int, variant: str, value: str, play: str = "argmax") -> Policy:
    """What a spec that ends in `.safetensors` makes: the policy in the file `value`, if it was made for this table.

    `AgentError` names both tables if not, and says what else is wrong with the file.
    """
    name = value if play == "argmax" else f"{value}:play={play}"
    network, metadata = read(value)
    made_for = metadata.game, metadata.num_players, metadata.variant
    if made_for != (game, num_players, variant):
        raise AgentError(
            f"agent {name!r} was trained for {metadata.game} with {metadata.table}; this table is {game} with "
            f"{num_players} players ({variant})."
        )
    return Policy(network, metadata, play=play, name=name)
