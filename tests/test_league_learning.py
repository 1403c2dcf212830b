"""What a league is for, on a game whose answer is known: rock, paper, scissors.

The learner is a stand-in for a real one: in each iteration its strategy moves half way to a smoothed best response to
those it met. Against itself alone it chases its own tail for ever; against its past as well it comes to rest near
the one strategy that nobody beats.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sushigo_train.league import SCRATCH, League, LeagueSettings

BEATS = np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])
START = np.array([0.6, 0.3, 0.1])
GAMES = 100


def towards_best_response(own: NDArray[np.float64], gains: NDArray[np.float64]) -> NDArray[np.float64]:
    response = np.exp(gains / 0.25)
    return 0.5 * own + 0.5 * response / response.sum()


def exploitability(strategy: NDArray[np.float64]) -> float:
    """What the best answer to a strategy gains a game: 0 for uniform, 1 for always the same."""
    return float((BEATS @ strategy).max())


def train(iterations: int = 400, **settings: Any) -> tuple[NDArray[np.float64], League]:
    """The main learner's exploitability after each iteration that it learned in, and the league."""
    league = League(LeagueSettings(anchors=(), snapshot_every=2, pool_size=20, **settings), num_players=2)
    strategies = dict.fromkeys(league.settings.roles, START)
    found = []
    for iteration in range(iterations):
        role = league.role_of(iteration)
        gains = np.zeros(3)
        for opponent, games in league.plan(role, GAMES, key=iteration):
            against = BEATS @ strategies[opponent]
            gains += games / GAMES * against
            league.report(role, opponent, games * (1 + strategies[role] @ against) / 2, games)
        strategies[role] = towards_best_response(strategies[role], gains)
        orders = league.after_iteration(role, 1, key=iteration)
        if orders.freeze:
            strategies[f"{role}-{iteration}"] = strategies[role]
            for gone in league.snapshot(role, f"{role}-{iteration}", iteration):
                del strategies[gone.name]
        if orders.restart:
            strategies[role] = START if orders.restart == SCRATCH else strategies[orders.restart]
            league.restarted(role, orders.restart)
        found.append(exploitability(strategies["main"]))
    return np.array(found), league


def test_against_itself_alone_it_goes_round_in_cycles():
    found, _ = train(self_play=1.0)
    assert found[-100:].min() > 0.15
    assert found[-100:].mean() > 0.25


@pytest.mark.parametrize("weighting", ["hard", "even", "uniform"])
def test_a_league_comes_to_rest_near_the_answer(weighting: str):
    found, _ = train(weighting=weighting)
    assert found[-100:].mean() < 0.06
    assert found[-100:].max() < 0.12


def test_exploiters_come_and_go_and_do_not_disturb_that():
    found, league = train(exploiters=1, exploiter_games=100, exploiter_patience=20)
    assert found[-100:].mean() < 0.06
    assert any(member.kind == "exploiter" for member in league.pool)


def test_the_matrix_knows_what_is_true():
    _, league = train()
    table = league.payoff.as_array()
    np.testing.assert_allclose(table + table.T, np.where(np.isnan(table), np.nan, 1), atol=1e-12)
    assert len(league.payoff.names) == 1 + 20
