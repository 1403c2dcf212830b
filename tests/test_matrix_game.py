"""Matrix games: against the linear program solved by scipy, games solved by hand, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import linprog
from sushigo_agents.exact.matrix_game import solve_matrix

from sushigo_env.errors import SettingError

Payoff = NDArray[np.float64]


def value_by_linear_program(payoff: Payoff) -> float:
    """The most that the row player can be sure of: maximise v where every column pays at least v."""
    rows, columns = payoff.shape
    aim = np.append(np.zeros(rows), -1.0)
    result = linprog(
        aim,
        A_ub=np.column_stack([-payoff.T, np.ones(columns)]),
        b_ub=np.zeros(columns),
        A_eq=[[1.0] * rows + [0.0]],
        b_eq=[1.0],
        bounds=[(0, None)] * rows + [(None, None)],
    )
    return -float(result.fun)


def hold_equilibrium(payoff: Payoff, value: float, row: Payoff, column: Payoff) -> None:
    """Both strategies are chances, and neither player can get more against the other's."""
    near = 1e-10 * float(np.ptp(payoff)) + 1e-14 * float(np.abs(payoff).max())
    assert row.shape == payoff.shape[:1]
    assert column.shape == payoff.shape[1:]
    for strategy in (row, column):
        assert (strategy >= 0).all()
        assert strategy.sum() == pytest.approx(1, abs=1e-12)
    assert (row @ payoff).min() >= value - near
    assert (payoff @ column).max() <= value + near


def drawn(rng: Any, kind: str) -> Payoff:
    """A random matrix of up to 12 plays each."""
    rows, columns = rng.integers(1, 13, 2)
    if kind == "normal":
        return rng.normal(size=(rows, columns))
    if kind == "few numbers":  # many ties, so many pivots that do not move on
        return rng.integers(-1, 2, (rows, columns)).astype(np.float64)
    if kind == "nearly alike":
        return 40.0 + rng.integers(0, 3, (rows, columns)) * 1e-6
    if kind == "large and small":
        return rng.normal(size=(rows, columns)) * 10.0 ** rng.integers(-3, 6, (rows, columns))
    return rng.integers(-9, 10, (3, columns))[rng.integers(0, 3, rows)].astype(np.float64)  # rows again and again


@pytest.mark.parametrize("kind", ["normal", "few numbers", "nearly alike", "large and small", "repeated rows"])
def test_the_value_is_that_of_the_linear_program(kind: str) -> None:
    rng = np.random.default_rng(3)
    for _ in range(100):
        payoff = drawn(rng, kind)
        value, row, column = solve_matrix(payoff)
        hold_equilibrium(payoff, value, row, column)
        if kind not in ("nearly alike", "large and small"):  # where scipy's tolerance is the larger error
            assert value == pytest.approx(value_by_linear_program(payoff), abs=1e-8)


@pytest.mark.parametrize("size", [(80, 80), (80, 7), (3, 80)])
def test_large_games_too(size: tuple[int, int]) -> None:
    rng = np.random.default_rng(4)
    for payoff in (rng.normal(size=size), rng.integers(-4, 5, size).astype(np.float64)):
        value, row, column = solve_matrix(payoff)
        hold_equilibrium(payoff, value, row, column)
        assert value == pytest.approx(value_by_linear_program(payoff), abs=1e-8)


def test_games_solved_by_hand() -> None:
    """Rock, paper, scissors; a saddle point; 2 p - (1 - p) = -p + (1 - p) has p = 2/5 and the value 1/5; one play."""
    value, row, column = solve_matrix(np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]]))
    assert value == pytest.approx(0)
    np.testing.assert_allclose([row, column], 1 / 3)
    value, row, column = solve_matrix(np.array([[3.0, 1.0, 4.0], [2.0, 0.0, 9.0]]))
    assert (value, row.tolist(), column.tolist()) == (1.0, [1, 0], [0, 1, 0])
    value, row, column = solve_matrix(np.array([[2.0, -1.0], [-1.0, 1.0]]))
    assert value == pytest.approx(1 / 5)
    np.testing.assert_allclose([row, column], [[0.4, 0.6], [0.4, 0.6]])
    assert solve_matrix(np.array([[7.0]]))[0] == 7


def test_the_exchange_of_the_players_turns_the_value_round() -> None:
    rng = np.random.default_rng(5)
    for kind in ("normal", "few numbers") * 30:
        payoff = drawn(rng, kind)
        value, row, column = solve_matrix(-payoff.T)
        hold_equilibrium(payoff, -value, column, row)


@pytest.mark.parametrize("numbers", [2, 3])
def test_ties_without_end_do_not_make_it_pivot_in_a_circle(numbers: int) -> None:
    rng = np.random.default_rng(6)
    for _ in range(50):
        payoff = rng.integers(0, numbers, (40, 40))[:, rng.integers(0, 40, 60)].astype(np.float64)
        hold_equilibrium(payoff, *solve_matrix(payoff))


@pytest.mark.parametrize(
    ("payoff", "message"),
    [
        (np.zeros((0, 3)), r"shape \[M, N\], M and N at least 1, not float64 of shape \[0, 3\]"),
        (np.zeros(4), r"not float64 of shape \[4\]"),
        (np.array([[1.0, np.nan]]), r"numbers from -1e\+100 to 1e\+100 .* not float64 of shape \[1, 2\] with others"),
        (np.array([["a"]]), "must be numbers"),
        (np.array([[1e308, -1e308], [-1e308, 1e308]]), r"not float64 of shape \[2, 2\] with others"),
        ([[1.0, 2.0], [3.0]], r"payoff must be of shape \[M, N\]"),
    ],
)
def test_what_is_no_game_is_refused(payoff: Any, message: str) -> None:
    with pytest.raises(SettingError, match=message):
        solve_matrix(payoff)
