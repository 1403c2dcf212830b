"""The network that the fast learner trains: one trunk, from which both the policy's logits and the value come."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from sushigo_train.inputs import Inputs, folded

Floats = NDArray[np.float32]


class PolicyNetwork(nn.Module):
    """D bytes in, A logits and a value out; `widths` are those of the trunk's layers, a ReLU after each.

    `inputs` make the bytes into what the first layer takes; they are fixed.
    Weights begin orthogonal (Saxe, McClelland, Ganguli, 2014), the policy's so small that it begins nearly uniform, as
    is the custom since Engstrom et al., "Implementation Matters in Deep RL" (2020). They come from `seed` alone.
    """

    def __init__(self, inputs: Inputs, num_actions: int, widths: Sequence[int], seed: int) -> None:
        super().__init__()
        self.mean: torch.Tensor
        self.scale: torch.Tensor
        self.register_buffer("mean", torch.tensor(inputs.mean))
        self.register_buffer("scale", torch.tensor(inputs.scale))
        self.trunk = nn.ModuleList(nn.Linear(before, after) for before, after in pairwise([len(inputs.mean), *widths]))
        self.policy = nn.Linear(widths[-1], num_actions)
        self.value = nn.Linear(widths[-1], 1)
        self.begin(seed)

    def begin(self, seed: int) -> None:
        """Start from scratch."""
        generator = torch.Generator().manual_seed(seed % 2**63)
        gains = [math.sqrt(2)] * len(self.trunk) + [0.01, 1.0]
        for layer, gain in zip([*self.trunk, self.policy, self.value], gains, strict=True):
            assert isinstance(layer, nn.Linear)
            weight = torch.empty(layer.weight.shape)  # made on the CPU, so that every device begins alike
            nn.init.orthogonal_(weight, gain, generator=generator)
            layer.weight.data.copy_(weight)
            nn.init.zeros_(layer.bias)

    def forward(self, observation: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits float[N, A] and value float[N] of `observation` uint8[N, D]."""
        hidden = observation.float().sub_(self.mean).mul_(self.scale)
        for layer in self.trunk:
            hidden = torch.relu_(layer(hidden))
        return self.policy(hidden), self.value(hidden)[:, 0]

    def arrays(self) -> dict[str, Floats]:
        """The weights as they are trained, by name (copies)."""
        return {name: tensor.detach().cpu().numpy().copy() for name, tensor in self.named_parameters()}

    def take(self, arrays: Mapping[str, Floats]) -> None:
        """Take the weights that `arrays` gave."""
        own = dict(self.named_parameters())
        with torch.no_grad():
            for name, parameter in own.items():
                parameter.copy_(torch.from_numpy(arrays[name]))

    def shipped(self) -> dict[str, Floats]:
        """The weights as `sushigo_agents.network` runs them: the first layer takes the bytes as they are."""
        return folded(self.arrays(), Inputs(self.mean.cpu().numpy(), self.scale.cpu().numpy()))
