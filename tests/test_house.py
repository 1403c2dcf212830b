"""The walls of the house: imports run one way, and the door opens fast and light."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.write_docs import ROOT

ROOMS = {
    "sushigo_env": ROOT / "sushigo_env",
    "sushigo_agents": ROOT / "agents/sushigo_agents",
    "sushigo_train": ROOT / "train/sushigo_train",
    "sushigo_experiments": ROOT / "experiments/sushigo_experiments",
    "sushigo_app": ROOT / "app/sushigo_app",
}
"""In the order in which they may import: each only those before it."""


def imported(source: Path) -> set[str]:
    """Top-level names that `source` imports, at the top, inside functions, or for types alone."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.split(".")[0])
    return names


@pytest.mark.parametrize("room", ROOMS)
def test_imports_run_one_way(room: str):
    later = set(list(ROOMS)[list(ROOMS).index(room) + 1 :])
    sources = sorted(ROOMS[room].rglob("*.py"))
    assert sources
    assert {str(source): imported(source) & later for source in sources if imported(source) & later} == {}


def test_the_environments_name_no_agent_package():
    named = [source for source in ROOMS["sushigo_env"].rglob("*.py") if "sushigo_agents" in source.read_text("utf-8")]
    assert named == []


def test_importing_the_environments_loads_nothing_heavy():
    heavy = ["torch", "stable_baselines3", "matplotlib", "scipy", "typer", "rich"]
    code = f"import json, sys, sushigo_env; print(json.dumps([name for name in {heavy} if name in sys.modules]))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120)
    assert json.loads(done.stdout) == []


def test_only_seeding_draws_random_numbers():
    """One module owns all randomness of games."""
    rivals = {"random", "secrets"}
    for source in ROOMS["sushigo_env"].rglob("*.py"):
        if source.name != "seeding.py":
            assert not imported(source) & rivals, source
            assert "np.random" not in source.read_text("utf-8"), source
