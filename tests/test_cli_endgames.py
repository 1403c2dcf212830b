"""`sushigo endgames` on the command line."""

from __future__ import annotations

import json

from tests.cli_helpers import refusal, sushigo


def test_agents_are_measured_and_told_in_a_table() -> None:
    result = sushigo("endgames", "random", "greedy", "--positions", 40)
    assert result.exit_code == 0, result.output
    assert "in support" in result.stdout
    assert [line.split()[0] for line in result.stdout.splitlines() if line.split() and line.split()[-1] == "40"] == [
        "random",
        "greedy",
    ]


def test_json_has_a_line_an_agent() -> None:
    result = sushigo("endgames", "random", "greedy", "--positions", 40, "--json")
    worse, better = (json.loads(line) for line in result.stdout.splitlines())
    assert worse["agent"] == "random"
    assert worse["positions"] == 40
    assert worse["regret_ci"][0] < worse["regret"] < worse["regret_ci"][1]
    assert worse["regret"] > better["regret"] > 0
    assert {"spread", "flawless", "in_support"} <= set(worse)


def test_mistakes_are_one_sentence() -> None:
    assert "unknown agent 'gredy'" in refusal(sushigo("endgames", "random", "gredy"))
    assert "positions must be 1 or more, not 0" in refusal(sushigo("endgames", "random", "--positions", 0))
    assert "seed must be" in refusal(sushigo("endgames", "greedy", "--positions", 5, "--seed", -1))
