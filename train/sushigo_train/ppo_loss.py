"""The loss of PPO, twice: as PyTorch writes it, and its gradient compiled, which is several times as fast.

A row's loss, with l the logits of its legal actions, p their softmax, a the action taken, A its advantage:

    ratio   = p[a] / (p[a] when it was played)
    policy  = -min(ratio * A, clip(ratio, 1 - c, 1 + c) * A)
    value   = (v - R) ** 2
    entropy = -sum p log p
    loss    = policy + value_weight * value - entropy_weight * entropy

and its gradient, with [a] for 1 at a and 0 elsewhere (the policy's part is 0 where the clipped side is the smaller):

    by l = -ratio * A * ([a] - p)  +  entropy_weight * p * (log p + entropy)
    by v = 2 * value_weight * (v - R)

Where a teacher, who would have played b, has the weight w, the policy's and the entropy's parts count 1 - w, and w of
-log p[b] is added, whose gradient by l is p - [b] (Schmitt et al., "Kickstarting Deep Reinforcement Learning", 2018).

Only a handful of the 96 actions are legal, so the compiled gradient looks at those alone, in one pass over each row.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from sushigo_agents.sampling import legal_of

from sushigo_env._jit import jit
from sushigo_env._memory import pointer

if TYPE_CHECKING:
    from sushigo_train.settings import Settings


@dataclass(frozen=True)
class LossTerms:
    """Sums over rows, for the log."""

    rows: float
    policy_loss: float
    value_loss: float
    entropy: float
    kl: float
    """From the policy that played to this one, estimated as ratio - 1 - log ratio (Schulman, 2020)."""
    clipped: float
    """Rows whose ratio is outside the clip range."""
    teacher_loss: float
    """-log p[b]; 0 without a teacher."""

    @staticmethod
    def none() -> LossTerms:
        """Of no rows."""
        return LossTerms(0, 0, 0, 0, 0, 0, 0)

    def __add__(self, other: LossTerms) -> LossTerms:
        return LossTerms(*(a + b for a, b in zip(astuple(self), astuple(other), strict=True)))

    def means(self) -> dict[str, float]:
        """Every term a row."""
        names = ("policy_loss", "value_loss", "entropy", "kl", "clipped", "teacher_loss")
        return {name: getattr(self, name) / max(self.rows, 1) for name in names}


def loss_terms(
    logits: torch.Tensor,
    values: torch.Tensor,
    action_mask: torch.Tensor,
    actions: torch.Tensor,
    log_probs: torch.Tensor,
    advantages: torch.Tensor,
    targets: torch.Tensor,
    taught: torch.Tensor,
    settings: Settings,
    entropy_weight: float,
    teacher_weight: float,
) -> tuple[torch.Tensor, torch.Tensor]:
    """The losses of N rows added up, and the sums of `LossTerms` after `rows`, float32[6]: in plain PyTorch.

    `logits` float32[N, A], `action_mask` bool[N, A], `actions` and `taught` (what the teacher would play) int64[N], all
    others float32[N].
    """
    legal = torch.log_softmax(logits.masked_fill(~action_mask, -torch.inf), 1)
    log_ratio = legal.gather(1, actions[:, None])[:, 0] - log_probs
    ratio = log_ratio.exp()
    clipped = ratio.clamp(1 - settings.clip, 1 + settings.clip)
    policy = -torch.min(ratio * advantages, clipped * advantages)
    value = (values - targets).square()
    entropy = -(legal.exp() * legal.masked_fill(~action_mask, 0)).sum(1)
    teacher = -legal.gather(1, taught[:, None])[:, 0] if teacher_weight else torch.zeros_like(policy)
    own = (1 - teacher_weight) * (policy - entropy_weight * entropy)
    loss = own + settings.value_weight * value + teacher_weight * teacher
    outside = ((ratio - 1).abs() > settings.clip).float()
    terms = (policy, value, entropy, ratio - 1 - log_ratio, outside, teacher)
    return loss.sum(), torch.stack([each.sum() for each in terms])


def loss_gradient(
    logits: torch.Tensor,
    values: torch.Tensor,
    action_mask: torch.Tensor,
    actions: torch.Tensor,
    log_probs: torch.Tensor,
    advantages: torch.Tensor,
    targets: torch.Tensor,
    taught: torch.Tensor,
    settings: Settings,
    entropy_weight: float,
    teacher_weight: float,
    rows: int,
) -> tuple[LossTerms, torch.Tensor, torch.Tensor]:
    """What the rows add to the mean loss of a minibatch of `rows`: the terms, and the gradient by logits and values.

    Arguments as `loss_terms`. On the CPU compiled, elsewhere by PyTorch.
    """
    told = (action_mask, actions, log_probs, advantages, targets, taught)
    logits, values = logits.detach(), values.detach()
    if logits.device.type != "cpu":
        logits.requires_grad_()
        values.requires_grad_()
        loss, sums = loss_terms(logits, values, *told, settings, entropy_weight, teacher_weight)
        by_logits, by_values = torch.autograd.grad(loss / rows, [logits, values])
        return LossTerms(len(values), *sums.tolist()), by_logits, by_values
    by_logits, by_values = torch.empty_like(logits), torch.empty_like(values)
    mask = action_mask.numpy().view(np.uint8).reshape(-1)
    arrays = [each.numpy() for each in (logits, values, *told[1:], by_logits, by_values)]
    weights = settings.value_weight, entropy_weight, teacher_weight
    found = _gradient(mask, *arrays, settings.clip, *weights, 1 / rows)
    return LossTerms(len(values), *found.tolist()), by_logits, by_values


@jit
def _gradient(  # type: ignore[no-untyped-def]  # compiled
    mask,
    logits,
    values,
    actions,
    log_probs,
    advantages,
    targets,
    taught,
    by_logits,
    by_values,
    clip,
    value_weight,
    entropy_weight,
    teacher_weight,
    scale,
):
    """Write the gradients; the six sums of `LossTerms`."""
    width = logits.shape[1]
    legal, logs, chances = np.empty(width + 1, np.int64), np.empty(width), np.empty(width)
    sums = np.zeros(6)
    for i in range(len(values)):
        count = legal_of(pointer(mask, i * width), width, legal)
        row, out = logits[i], by_logits[i]
        for j in range(width):
            out[j] = 0
        most = np.float64(row[legal[0]])
        for place in range(1, count):
            most = max(most, np.float64(row[legal[place]]))
        total = 0.0
        for place in range(count):
            chances[place] = np.exp(np.float64(row[legal[place]]) - most)
            total += chances[place]
        log_total, entropy, log_ratio = np.log(total), 0.0, 0.0
        for place in range(count):
            logs[place] = np.float64(row[legal[place]]) - most - log_total
            chances[place] /= total
            entropy -= chances[place] * logs[place]
            if legal[place] == actions[i]:
                log_ratio = logs[place] - np.float64(log_probs[i])
        ratio, advantage = np.exp(log_ratio), np.float64(advantages[i])
        error = np.float64(values[i]) - np.float64(targets[i])
        gained, bounded = ratio * advantage, min(max(ratio, 1 - clip), 1 + clip) * advantage
        push = gained if gained <= bounded else 0.0
        for place in range(count):
            by = push * chances[place] + entropy_weight * chances[place] * (logs[place] + entropy)
            if legal[place] == actions[i]:
                by -= push
            if teacher_weight:
                by = (1 - teacher_weight) * by + teacher_weight * chances[place]
                if legal[place] == taught[i]:
                    by -= teacher_weight
                    sums[5] -= logs[place]
            out[legal[place]] = by * scale
        by_values[i] = 2 * value_weight * error * scale
        sums[0] -= min(gained, bounded)
        sums[1] += error * error
        sums[2] += entropy
        sums[3] += ratio - 1 - log_ratio
        sums[4] += abs(ratio - 1) > clip
    return sums
