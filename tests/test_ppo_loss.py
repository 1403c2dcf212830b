"""The compiled gradient of PPO's loss against PyTorch's own."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.conftest import need

need("torch")

import torch  # noqa: E402
from sushigo_train.ppo_loss import LossTerms, loss_gradient, loss_terms  # noqa: E402
from sushigo_train.settings import Settings  # noqa: E402

ROWS, ACTIONS = 500, 96


def rows(seed: int = 0) -> tuple[torch.Tensor, ...]:
    """Logits, values and what goes with them: all that a minibatch holds, the policy moved since it played."""
    draw = torch.Generator().manual_seed(seed)
    logits = 3 * torch.randn(ROWS, ACTIONS, generator=draw)
    mask = torch.rand(ROWS, ACTIONS, generator=draw) < 0.08
    actions = torch.randint(ACTIONS, (ROWS,), generator=draw)
    mask[torch.arange(ROWS), actions] = True
    old = logits + 0.4 * torch.randn(ROWS, ACTIONS, generator=draw)
    log_probs = torch.log_softmax(old.masked_fill(~mask, -torch.inf), 1)[torch.arange(ROWS), actions]
    values, advantages, targets = torch.randn(3, ROWS, generator=draw)
    taught = torch.where(torch.rand(ROWS, generator=draw) < 0.5, actions, mask.float().argmax(1))
    return logits, values, mask, actions, log_probs, advantages, targets, taught


@pytest.mark.parametrize(("entropy_weight", "teacher_weight"), [(0.0, 0.0), (0.1, 0.0), (0.1, 0.3), (0.1, 1.0)])
def test_gradient_is_that_of_the_loss(entropy_weight: float, teacher_weight: float):
    settings = replace(Settings(), clip=0.1, value_weight=0.7)
    logits, values, *told = rows()
    terms, by_logits, by_values = loss_gradient(
        logits, values, *told, settings, entropy_weight, teacher_weight, 2 * ROWS
    )
    logits.requires_grad_()
    values.requires_grad_()
    loss, sums = loss_terms(logits, values, *told, settings, entropy_weight, teacher_weight)
    wanted = torch.autograd.grad(loss / (2 * ROWS), [logits, values])
    torch.testing.assert_close(by_logits, wanted[0], rtol=1e-4, atol=1e-8)
    torch.testing.assert_close(by_values, wanted[1], rtol=1e-5, atol=1e-8)
    found = [terms.policy_loss, terms.value_loss, terms.entropy, terms.kl, terms.clipped, terms.teacher_loss]
    torch.testing.assert_close(torch.tensor(found), sums, rtol=1e-4, atol=1e-3)
    assert terms.rows == ROWS
    assert 0 < terms.clipped < ROWS  # both sides of the clip range are tried


def test_illegal_actions_get_no_gradient():
    logits, values, mask, *told = rows()
    _, by_logits, _ = loss_gradient(logits, values, mask, *told, Settings(), 0.1, 0.0, ROWS)
    assert not by_logits[~mask].any()
    assert (by_logits[mask] != 0).float().mean() > 0.5


def test_a_teacher_of_full_weight_is_all_that_the_policy_hears():
    logits, values, mask, actions, log_probs, advantages, targets, taught = rows()
    other = -3 * advantages
    found = [
        loss_gradient(logits, values, mask, actions, log_probs, each, targets, taught, Settings(), 0.1, 1.0, ROWS)[1]
        for each in (advantages, other)
    ]
    torch.testing.assert_close(found[0], found[1], rtol=0, atol=0)
    chances = torch.softmax(logits.masked_fill(~mask, -torch.inf), 1)
    wanted = (chances - torch.nn.functional.one_hot(taught, ACTIONS)) / ROWS
    torch.testing.assert_close(found[0], wanted, rtol=1e-4, atol=1e-8)


def test_terms_add_up_to_means():
    found = LossTerms(1, 2, 3, 4, 5, 6, 7) + LossTerms(1, 0, 0, 0, 0, 0, 1)
    means = {"policy_loss": 1, "value_loss": 1.5, "entropy": 2, "kl": 2.5, "clipped": 3, "teacher_loss": 4}
    assert found.means() == means
