"""What search goes by, fitted: from games where the answer is known, and borne out by games of the zoo."""

from __future__ import annotations

import numpy as np
import pytest
from sushigo_agents.match import victory_shares
from sushigo_agents.policy import Policy
from sushigo_agents.registry import load
from sushigo_agents.search.fitted import table

from sushigo_env import seeding
from sushigo_env.errors import AgentError
from sushigo_env.sushi_go.game import SushiGo
from tests.conftest import need

need("torch")


def test_the_steepness_of_values_is_found_again() -> None:
    import torch
    from sushigo_train.fit_search import Games, fit_value

    draws = torch.Generator().manual_seed(3)
    values = torch.randn(3, 4000, 4, generator=draws)
    values[1:] = values[0]  # the same games, looked at three times
    winners = torch.distributions.Categorical(logits=2.5 * values[0]).sample()
    nothing = torch.zeros(0)
    games = Games(nothing, nothing, nothing, nothing, [], values, torch.nn.functional.one_hot(winners, 4).float())
    assert fit_value(games) == pytest.approx(2.5, abs=0.3)


def test_only_agents_with_a_network_can_be_fitted_to() -> None:
    from sushigo_train.fit_search import play

    with pytest.raises(AgentError, match="an agent with a network, not to 'greedy'"):
        play("greedy", 2, "standard", games=1)


@pytest.mark.parametrize("num_players", [2, 4])
def test_win_shares_by_values_are_borne_out(num_players: int) -> None:
    """Of the seats that are given a chance near p, a share near p wins: within 0.08, in bins of a few hundred."""
    agent, games = load("zoo:self_play", "sushi_go", num_players), 400
    assert isinstance(agent, Policy)
    game = SushiGo(games, num_players)
    game.reset(seeds=seeding.game_seeds(77, games))
    foretold = []
    for step in range(2 * game.hand_size):  # to the end of the second round
        seen, legal = game.observe().reshape(games * num_players, -1), game.legal().reshape(games * num_players, -1)
        value = agent.network.forward(seen)[1].reshape(games, num_players) * table(num_players).value
        shares = np.exp(value - value.max(axis=1, keepdims=True))
        foretold.append(shares / shares.sum(axis=1, keepdims=True))
        keys = seeding.decision_keys(np.repeat(game.seeds, num_players), np.tile(np.arange(num_players), games), step)
        game.step(agent.act(seen.copy(), legal.copy(), keys).reshape(games, num_players))
    while not game.done.all():
        seen, legal = game.observe().reshape(games * num_players, -1), game.legal().reshape(games * num_players, -1)
        game.step(agent.act(seen.copy(), legal.copy(), keys).reshape(games, num_players))
    told = foretold[-1].reshape(-1)
    won = victory_shares(game.standings).reshape(-1)
    for low, high in ((0.0, 0.3), (0.3, 0.7), (0.7, 1.0)):
        here = (told >= low) & (told < high)
        assert here.sum() > 50
        assert abs(told[here].mean() - won[here].mean()) < 0.08, (low, high)
