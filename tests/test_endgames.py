"""The measure of play at rounds' ends: its matrices are right, and known players rank as they should."""

from __future__ import annotations

import numpy as np
import pytest
from sushigo_agents.exact.endgame import Solver, solve
from sushigo_agents.exact.matrix_game import solve_matrix
from sushigo_experiments import endgames
from sushigo_experiments.endgames import Endgames, measure, read
from sushigo_experiments.endgames_build import payoffs

from sushigo_env.errors import AgentError, SettingError
from sushigo_env.sushi_go.game import SushiGo


def test_the_matrices_have_the_values_of_their_positions():
    given = read()
    game = SushiGo(len(given), 2)
    game.restore(given.states)
    for i, (plays, matrix) in enumerate(given.matrices()):
        if i % 100 == 0:
            found = solve(game.position(i))
            assert solve_matrix(matrix)[0] == pytest.approx(found.value, abs=1e-4)
            np.testing.assert_array_equal(plays, np.flatnonzero(game.legal()[i, 0]))
            _, anew = payoffs(given.states[i : i + 1], Solver())
            np.testing.assert_allclose(anew, matrix, atol=1e-4)


def test_there_are_a_few_thousand_of_several_lengths_and_rounds():
    given = read()
    game = SushiGo(len(given), 2)
    game.restore(given.states)
    assert len(given) >= 2000
    assert len(np.unique(game.table.turn)) >= 4
    assert len(np.unique(game.table.round)) == 3
    assert len(np.unique(given.states, axis=0)) == len(given)


class Scripted:
    """Plays a fixed row of each position's matrix, by rank of its worst case."""

    name, observation = "scripted", "memory"

    def __init__(self, given: Endgames, rank: int) -> None:
        game = SushiGo(len(given), 2)
        game.restore(given.states)
        self.actions = {
            seen.tobytes(): plays[np.argsort(matrix.min(axis=1))[rank]]
            for seen, (plays, matrix) in zip(game.observe()[:, 0], given.matrices(), strict=True)
        }

    def act(self, observation, action_mask, keys):
        return np.array([self.actions[seen.tobytes()] for seen in observation], np.int32)


def test_the_best_pure_play_regrets_little_and_the_worst_much():
    given = read()
    best, worst = (measure(Scripted(given, rank), positions=300) for rank in (-1, 0))
    expected = [max(solve_matrix(m)[0] - m.min(axis=1).max(), 0) for _, m in given.matrices()[:300]]
    assert best.regret.mean == pytest.approx(np.mean(expected), abs=1e-6)
    expected = [solve_matrix(m)[0] - m.min() for _, m in given.matrices()[:300]]
    assert worst.regret.mean == pytest.approx(np.mean(expected), abs=1e-6)


def test_players_rank_as_they_should():
    found = {spec: measure(spec, positions=400) for spec in ("random", "greedy", "exact")}
    assert found["random"].regret.mean > found["greedy"].regret.mean > found["exact"].regret.mean >= 0
    assert found["exact"].in_support > 0.999
    assert found["random"].in_support < found["greedy"].in_support < 1
    assert found["exact"].regret.mean < 0.3 * found["greedy"].regret.mean  # what is left is from drawing 64 times


def test_mistakes_are_said_in_a_sentence(tmp_path):
    with pytest.raises(SettingError, match="positions must be 1 or more, not 0"):
        measure("random", positions=0)
    with pytest.raises(AgentError, match="unknown agent 'grredy'"):
        measure("grredy")
    with pytest.raises(SettingError, match=r"the endgames .*none\.npz cannot be read"):
        read(tmp_path / "none.npz")
    (tmp_path / "cut.npz").write_bytes(endgames.FILE.read_bytes()[:5000])
    with pytest.raises(SettingError, match=r"the endgames .*cut\.npz cannot be read"):
        read(tmp_path / "cut.npz")
