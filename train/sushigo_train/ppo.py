"""A learner by proximal policy optimisation (Schulman et al., 2017): it plays by its network, and learns from games.

Where several threads work, each takes a share of the rows through the network, with PyTorch's own threads left at one:
that scales better than threads within each operation, most of which are too small to share.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from copy import deepcopy
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from sushigo_agents import sampling
from sushigo_agents.advice import advised
from torch.nn.utils import clip_grad_norm_

from sushigo_env import _threads
from sushigo_env.errors import SettingError
from sushigo_env.seeding import key_of, permutation
from sushigo_train.advantages import advantages as estimate
from sushigo_train.inputs import Inputs
from sushigo_train.network import Floats, PolicyNetwork
from sushigo_train.ppo_loss import LossTerms, loss_gradient
from sushigo_train.rollout import Rollout
from sushigo_train.settings import Settings
from sushigo_train.sharing import Anchor, shares

ADAM_EPSILON = 1e-5
"""Larger than PyTorch's own, as is the custom with PPO: gradients are small once the policy is nearly settled."""


class Rates(NamedTuple):
    """What the schedules say at one moment."""

    learning_rate: float
    entropy: float
    margin_weight: float
    teacher: float = 0.0
    """The teacher's weight in the loss."""


class Player:
    """A network that plays by drawing from its policy; an agent too, for those who meet it."""

    def __init__(self, name: str, settings: Settings, inputs: Inputs, num_actions: int, seed: int = 0) -> None:
        self.name, self.observation, self.device = name, settings.observation, device_of(settings.device)
        self.network = PolicyNetwork(inputs, num_actions, settings.widths, seed).to(self.device)
        self.bf16 = computes_in_bf16(settings.bf16, self.device)
        self.threads = 1 if self.device.type != "cpu" else settings.threads or _threads.cores()
        table = settings.game, settings.num_players, settings.variant
        self.adviser = Anchor(settings.adviser, table, self.threads) if settings.adviser else None

    def see(
        self, observation: NDArray[np.uint8], action_mask: NDArray[np.bool_], keys: NDArray[np.uint64]
    ) -> NDArray[np.uint8]:
        """uint8[N, K]: what the network takes: the observation, and behind it an adviser's advice if there is one."""
        return observation if self.adviser is None else advised(self.adviser, observation, action_mask, keys)

    def choose(
        self, inputs: NDArray[np.uint8], action_mask: NDArray[np.bool_], keys: NDArray[np.uint64]
    ) -> tuple[NDArray[np.int32], Floats, Floats]:
        """Actions int32[N], drawn by the keys, their log-probabilities and values float32[N]."""

        def play(first: int, last: int) -> tuple[NDArray[np.int32], Floats, Floats]:
            with torch.inference_mode(), self.autocast():
                logits, values = self.network(torch.from_numpy(inputs[first:last]).to(self.device))
            told = logits.float().cpu().numpy(), action_mask[first:last], keys[first:last]
            return *sampling.sample(*told), values.float().cpu().numpy()

        found = _threads.run(play, shares(len(keys), self.threads))
        actions, log_probs, values = (np.concatenate(part) for part in zip(*found, strict=True))
        return actions, log_probs, values

    def act(
        self, observation: NDArray[np.uint8], action_mask: NDArray[np.bool_], keys: NDArray[np.uint64]
    ) -> NDArray[np.int32]:
        """int32[N]: as `choose`, the actions alone."""
        return self.choose(self.see(observation, action_mask, keys), action_mask, keys)[0]

    def autocast(self) -> AbstractContextManager[object]:
        """Where the network runs: in bfloat16 if the settings say so, or else as it is."""
        return torch.autocast(self.device.type, torch.bfloat16) if self.bf16 else nullcontext()


class Learner(Player):
    """A player with an optimiser (Adam)."""

    def __init__(self, name: str, settings: Settings, inputs: Inputs, num_actions: int, seed: int = 0) -> None:
        super().__init__(name, settings, inputs, num_actions, seed)
        self.settings = settings
        self._copies = [self.network, *(_sharing(self.network) for _ in range(self.threads - 1))]
        self.forget()

    def forget(self) -> None:
        """Begin the optimiser anew, as when the weights have been replaced."""
        self.optimiser = torch.optim.Adam(
            self.network.parameters(), lr=self.settings.learning_rate, eps=ADAM_EPSILON, fused=True
        )

    def learn(
        self, rollout: Rollout, rates: Rates, key: int, taught: NDArray[np.int64] | None = None
    ) -> dict[str, float]:
        """Improve the policy by the games of `rollout`; `key` decides the minibatches. Returns figures for the log.

        `taught` int64[R] is what a teacher would play in each row, if there is one.
        """
        settings = self.settings
        found, returns = estimate(rollout.rewards, rollout.values, rollout.decided, settings.gamma, settings.lam)
        advantage, target = found[rollout.decided], returns[rollout.decided]
        advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
        played = (rollout.inputs, rollout.action_mask, rollout.actions, rollout.log_probs)
        told = (*played, advantage, target, rollout.actions if taught is None else taught)
        rows = [torch.from_numpy(each).to(self.device) for each in told]
        for group in self.optimiser.param_groups:
            group["lr"] = rates.learning_rate
        total, updates, gradient = LossTerms.none(), 0, 0.0
        count = len(advantage)
        for epoch in range(settings.epochs):
            order = torch.from_numpy(permutation(count, key_of(key, epoch))).to(self.device)
            for minibatch in order.chunk(max(1, round(count / settings.minibatch))):
                total += self._accumulate(rows, minibatch, rates)
                norm = clip_grad_norm_(self.network.parameters(), settings.max_gradient)
                self.optimiser.step()
                updates, gradient = updates + 1, gradient + float(norm)
        unexplained = float(np.var(target - rollout.values[rollout.decided]) / max(float(np.var(target)), 1e-12))
        return total.means() | {"gradient": gradient / updates, "explained_variance": 1 - unexplained}

    def _accumulate(self, rows: list[torch.Tensor], minibatch: torch.Tensor, rates: Rates) -> LossTerms:
        """Add up the gradient of a minibatch: a share for each thread, a microbatch at a time."""
        for copy in self._copies:
            copy.zero_grad(set_to_none=True)
        parts = shares(len(minibatch), self.threads)
        copies = dict(zip(parts, self._copies, strict=False))

        def pull(first: int, last: int) -> LossTerms:
            total, network = LossTerms.none(), copies[first, last]
            micro = -(-(last - first) // self.settings.microbatch)
            for part in minibatch[first:last].chunk(micro):
                inputs, mask, actions, log_probs, advantages, targets, taught = (each[part] for each in rows)
                with self.autocast():
                    logits, values = network(inputs)
                told = (logits.float(), values.float(), mask, actions, log_probs, advantages, targets, taught)
                weights = rates.entropy, rates.teacher
                terms, by_logits, by_values = loss_gradient(*told, self.settings, *weights, len(minibatch))
                torch.autograd.backward([logits, values], [by_logits.to(logits.dtype), by_values.to(values.dtype)])
                total += terms
            return total

        found = _threads.run(pull, parts)
        for copy in self._copies[1 : len(parts)]:
            for parameter, other in zip(self.network.parameters(), copy.parameters(), strict=True):
                assert parameter.grad is not None
                assert other.grad is not None
                parameter.grad += other.grad
        return sum(found, LossTerms.none())

    def arrays(self) -> dict[str, NDArray[np.float32]]:
        """Weights, and Adam's moments and counts: all that `take` needs to go on as if nothing had been."""
        found = {f"weights/{name}": array for name, array in self.network.arrays().items()}
        for name, parameter in self.network.named_parameters():
            for moment, value in self.optimiser.state.get(parameter, {}).items():
                found[f"{moment}/{name}"] = value.detach().cpu().numpy().copy()
        return found

    def take(self, arrays: Mapping[str, NDArray[np.float32]]) -> None:
        """Take what `arrays` gave."""
        self.network.take(_below("weights", arrays))
        self.forget()
        for name, parameter in self.network.named_parameters():
            moments = {m: arrays[f"{m}/{name}"] for m in ("step", "exp_avg", "exp_avg_sq") if f"{m}/{name}" in arrays}
            if moments:
                state = {moment: torch.from_numpy(value.copy()) for moment, value in moments.items()}
                self.optimiser.state[parameter] = {moment: value.to(self.device) for moment, value in state.items()}


def _sharing(network: PolicyNetwork) -> PolicyNetwork:
    """A network with the same weights, in the same memory, and a gradient of its own."""
    copy = deepcopy(network)
    for parameter, other in zip(network.parameters(), copy.parameters(), strict=True):
        other.data = parameter.data
    return copy


def device_of(setting: str) -> torch.device:
    """The device that a setting names; `auto` is a GPU if there is one. `SettingError` for a GPU that is none."""
    gpu = torch.cuda.is_available()
    if setting == "cuda" and not gpu:
        raise SettingError("device is cuda, but PyTorch finds no GPU it can use; say cpu, or auto.")
    name = ("cuda" if gpu else "cpu") if setting == "auto" else setting
    return torch.device(name)


def computes_in_bf16(setting: str, device: torch.device) -> bool:
    """Whether to use bfloat16; `auto` asks for hardware that computes in it, since all else is slower than float32."""
    if setting != "auto":
        return setting == "on"
    if device.type == "cuda":
        return bool(torch.cuda.is_bf16_supported(including_emulation=False))
    able = torch.cpu.get_capabilities()
    return any(bool(able.get(unit)) for unit in ("avx512_bf16", "amx_bf16"))


def _below(folder: str, arrays: Mapping[str, NDArray[np.float32]]) -> dict[str, NDArray[np.float32]]:
    return {name.removeprefix(f"{folder}/"): array for name, array in arrays.items() if name.startswith(f"{folder}/")}
