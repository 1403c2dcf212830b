"""Imports run one way through the five packages; importing `sushigo_env` is quick and loads nothing heavy."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FOLDERS = {
    "sushigo_env": ROOT / "sushigo_env",
    "sushigo_agents": ROOT / "agents" / "sushigo_agents",
    "sushigo_train": ROOT / "train" / "sushigo_train",
    "sushigo_experiments": ROOT / "experiments" / "sushigo_experiments",
    "sushigo_app": ROOT / "app" / "sushigo_app",
}
"""The packages, lowest first: each may import itself and those before it."""
GAMES = ("sushi_go", "sushi_boat")
"""The games' own packages, of which the adapters know nothing."""

IMPORT = """
import time, sys, json
import sushigo_env
from sushigo_env import sushi_go_v0
print(json.dumps({"seconds": time.process_time(), "modules": list(sys.modules)}))
"""
"""Seconds of processor time, the interpreter's own start included: what else the machine does counts little."""


def imported(source: str) -> set[str]:
    """The dotted names that a module's source imports, strings handed to `import_module` included."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports hide where they lead"
            names.add(node.module or "")
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call) and "import_module" in ast.dump(node.func):
            names.update(str(each.value) for each in node.args if isinstance(each, ast.Constant))
    return names


def modules(package: str) -> list[Path]:
    found = sorted(FOLDERS[package].rglob("*.py"))
    assert found, f"{package} has no modules"
    return found


@pytest.mark.parametrize("package", FOLDERS)
def test_imports_run_one_way(package: str) -> None:
    order = list(FOLDERS)
    above = set(order[order.index(package) + 1 :])
    for module in modules(package):
        roots = {name.split(".")[0] for name in imported(module.read_text(encoding="utf-8"))}
        assert not roots & above, f"{module} imports from above"
        assert "tests" not in roots, f"{module} imports the tests"


def test_the_finder_finds_every_kind_of_import() -> None:
    source = "import a.b\nfrom c import d\ndef f():\n    from e.f import g\n    importlib.import_module('h.i')\n"
    assert imported(source) == {"a.b", "c", "c.d", "e.f", "e.f.g", "h.i"}


def test_adapters_know_no_game() -> None:
    for module in sorted((FOLDERS["sushigo_env"] / "api").glob("*.py")):
        names = imported(module.read_text(encoding="utf-8"))
        assert not [name for name in names if name.startswith("sushigo_env.") and name.split(".")[1] in GAMES], module


def test_games_know_no_adapter() -> None:
    for game in GAMES:
        for module in sorted((FOLDERS["sushigo_env"] / game).glob("*.py")):
            names = imported(module.read_text(encoding="utf-8"))
            assert not [name for name in names if name.startswith("sushigo_env.api")], module


def test_games_know_no_other_game() -> None:
    for game in GAMES:
        others = {f"sushigo_env.{other}" for other in GAMES if other != game}
        for module in sorted((FOLDERS["sushigo_env"] / game).glob("*.py")):
            names = imported(module.read_text(encoding="utf-8"))
            assert not [name for name in names if ".".join(name.split(".")[:2]) in others], module


def test_importing_is_quick_and_light() -> None:
    best = min((fresh_import() for _ in range(3)), key=lambda told: float(str(told["seconds"])))
    loaded = {str(name).split(".")[0] for name in best["modules"]}
    assert not loaded & {"torch", "numba", "llvmlite", "matplotlib", "stable_baselines3", "sushigo_agents"}
    assert {"gymnasium", "pettingzoo"} <= loaded
    assert float(str(best["seconds"])) < 1.0


def fresh_import() -> dict[str, list[str] | float]:
    """Import the package in a new process: how long it took, and what is loaded then."""
    done = subprocess.run([sys.executable, "-c", IMPORT], capture_output=True, text=True, check=True, cwd=ROOT)
    told: dict[str, list[str] | float] = json.loads(done.stdout)
    return told


def test_making_an_environment_never_loads_torch() -> None:
    code = "import sys; from sushigo_env import sushi_go_v0; sushi_go_v0.env().reset(); print('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "False"
