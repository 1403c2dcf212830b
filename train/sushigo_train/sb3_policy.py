"""The network that Stable-Baselines3 trains here, in shapes that can be shipped and saved without pickles.

SB3's own policies keep two networks apart; here one trunk serves policy and value, behind inputs scaled to 0 to 1. Its
weights fit the format of `sushigo_agents.network`, with the scaling folded into the first layer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from stable_baselines3.common.policies import BasePolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn

from sushigo_train.inputs import Inputs, folded

MOMENTS = ("step", "exp_avg", "exp_avg_sq")
"""What Adam keeps for each parameter."""


class Trunk(BaseFeaturesExtractor):
    """Linear layers of `widths`, a ReLU after each, over observations (a flat `Box`) that `inputs` makes even.

    For `policy_kwargs`, together with `net_arch=[]`: policy and value are then one linear layer each. Without `inputs`
    observations are divided by their largest values, from which a network learns far more slowly.
    """

    def __init__(
        self, observation_space: Any, widths: Sequence[int] = (256, 256), inputs: Inputs | None = None
    ) -> None:
        super().__init__(observation_space, widths[-1])
        if inputs is None:
            largest = np.maximum(observation_space.high, 1).astype(np.float32)
            inputs = Inputs(np.zeros_like(largest), 1 / largest)
        self.mean: torch.Tensor
        self.scale: torch.Tensor
        self.register_buffer("mean", torch.as_tensor(inputs.mean))
        self.register_buffer("scale", torch.as_tensor(inputs.scale))
        sizes = [observation_space.shape[0], *widths]
        layers = ((nn.Linear(before, after), nn.ReLU()) for before, after in pairwise(sizes))
        self.layers = nn.Sequential(*(module for layer in layers for module in layer))

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """float32[N, D] -> float32[N, H]."""
        features: torch.Tensor = self.layers((observations - self.mean) * self.scale)
        return features


def policy_tensors(model: MaskablePPO) -> dict[str, NDArray[np.float32]]:
    """The weights of `model`, whose features come from a `Trunk`, as `sushigo_agents.network.Network` takes them.

    The network then takes observations as the bytes they are.
    """
    trunk: Any = model.policy.features_extractor
    linear = [module for module in trunk.layers if isinstance(module, nn.Linear)]
    named: dict[str, Any] = {f"trunk.{index}": layer for index, layer in enumerate(linear)}
    named |= {"policy": model.policy.action_net, "value": model.policy.value_net}
    tensors = {}
    for name, layer in named.items():
        tensors[f"{name}.weight"] = _array(layer.weight)
        tensors[f"{name}.bias"] = _array(layer.bias)
    return folded(tensors, Inputs(_array(trunk.mean), _array(trunk.scale)))


def to_arrays(policy: BasePolicy) -> dict[str, NDArray[Any]]:
    """Every parameter of `policy`, and what its optimiser (Adam) keeps for each, by name."""
    arrays = {}
    for name, parameter in policy.named_parameters():
        arrays[f"weights.{name}"] = _array(parameter)
        kept = policy.optimizer.state[parameter]
        arrays |= {f"{moment}.{name}": _array(kept[moment]) for moment in MOMENTS if moment in kept}
    return arrays


def from_arrays(policy: BasePolicy, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Put back into `policy`, made with the same settings, what `to_arrays` gave."""
    with torch.no_grad():
        for name, parameter in policy.named_parameters():
            parameter.copy_(torch.from_numpy(arrays[f"weights.{name}"]))
            kept = {moment: arrays[f"{moment}.{name}"] for moment in MOMENTS if f"{moment}.{name}" in arrays}
            if kept:
                policy.optimizer.state[parameter] = {key: torch.from_numpy(array) for key, array in kept.items()}


def _array(tensor: torch.Tensor) -> NDArray[Any]:
    array: NDArray[Any] = tensor.detach().cpu().numpy().copy()
    return array
