"""The wheel: what it holds, and that it alone, in an empty environment, plays games."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from sushigo_agents import zoo

from tests.write_docs import ROOT

PACKAGES = {"sushigo_env", "sushigo_agents", "sushigo_train", "sushigo_experiments", "sushigo_app"}
PLAY = """
import json, sys
from sushigo_env import sushi_go_v0
env = sushi_go_v0.env(num_players=3)
env.reset(seed=7)
for agent in env.agent_iter():
    observation, reward, termination, truncation, info = env.last()
    env.step(None if termination or truncation else int(info["action_mask"].argmax()))
heavy = [name for name in ("torch", "matplotlib", "scipy") if name in sys.modules]
print(json.dumps({"result": env.unwrapped.record()["result"], "heavy": heavy, "from": sushi_go_v0.__file__}))
"""
MATCH = """
from sushigo_agents.match import play_deals
from sushigo_agents.registry import load
from sushigo_env.seeding import game_seeds
from sushigo_env.sushi_go.game import SushiGo
lineup = [load(name, "sushi_go", 2) for name in ("prefer:tempura", "random")]
print(play_deals(lineup, lambda games: SushiGo(games, 2), game_seeds(1, 50)).shares[..., 0].mean())
"""

ZOO = """
import json
from sushigo_agents import zoo
from sushigo_agents.match import play_deals
from sushigo_agents.registry import load
from sushigo_env import games
from sushigo_env.seeding import game_seeds
shares = {}
for card in zoo.cards():
    table = card.num_players, card.variant
    lineup = [load(name, card.game, *table) for name in (f"zoo:{card.name}", *["random"] * (table[0] - 1))]
    game = games.find(card.game)
    result = play_deals(lineup, lambda count: game.new(count, table[0], variant=table[1]), game_seeds(1, 50))
    shares[f"{card.name}-{zoo.table(*table)}"] = result.shares[..., 0].mean()
print(json.dumps(shares))
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", out, ROOT)
    return next(out.glob("*.whl"))


def run(*command: str | Path, cwd: Path | None = None) -> str:
    """What `command` prints, run without the paths of the environment that runs the tests."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "COV_"))}
    if cwd:
        clean["NUMBA_CACHE_DIR"] = str(cwd / "compiled")  # gone with the folder
    done = subprocess.run(list(map(str, command)), cwd=cwd, env=clean, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, f"{command}: {done.stdout[-2000:]}{done.stderr[-2000:]}"
    return done.stdout


def test_the_top_level_holds_the_five_packages_alone(wheel: Path):
    names = zipfile.ZipFile(wheel).namelist()
    top = {name.split("/")[0] for name in names}
    assert {name for name in top if not name.endswith(".dist-info")} == PACKAGES
    assert all(f"{package}/py.typed" in names for package in PACKAGES)
    assert sum(name.endswith(".dist-info") for name in top) == 1


def test_every_file_of_the_packages_travels(wheel: Path):
    rooms = ["sushigo_env", "agents/", "train/", "experiments/", "app/"]
    listed = [Path(name) for name in run("git", "ls-files", *rooms, cwd=ROOT).splitlines()]
    package = {path: next((part for part in path.parts[:2] if part in PACKAGES), None) for path in listed}
    wanted = {str(path)[str(path).index(name) :] for path, name in package.items() if name}
    assert wanted
    assert wanted <= set(zipfile.ZipFile(wheel).namelist())


def test_recipes_travel(wheel: Path):
    recipes = {f"sushigo_train/configs/{path.name}" for path in (ROOT / "train/configs").glob("*.toml")}
    assert recipes
    assert recipes <= set(zipfile.ZipFile(wheel).namelist())


def test_the_wheel_alone_in_an_empty_environment(wheel: Path, tmp_path: Path):
    """One test, since making the environment takes most of the time."""
    run(sys.executable, "-m", "venv", "--without-pip", tmp_path / "environment")
    programs = tmp_path / "environment/bin"
    install = (sys.executable, "-m", "pip", "--python", programs / "python", "install", "--quiet", "--no-compile")
    run(*install, "--constraint", ROOT / "constraints.txt", wheel)

    told = json.loads(run(programs / "python", "-c", PLAY, cwd=tmp_path))
    assert Path(told["from"]).is_relative_to(programs.parent)
    assert len(told["result"]["totals"]) == 3
    assert told["result"]["winners"]
    assert told["heavy"] == []

    assert float(run(programs / "python", "-c", MATCH, cwd=tmp_path)) > 0.8, "win share against random"

    shares = json.loads(run(programs / "python", "-c", ZOO, cwd=tmp_path))
    assert shares.keys() == {file.stem for file in zoo.FOLDER.glob("*.safetensors")}
    assert all(share > 0.8 for share in shares.values()), f"win shares against random: {shares}"

    assert "arena" in run(programs / "sushigo", "--help", cwd=tmp_path)
    assert "greedy" in run(programs / "sushigo", "agents", cwd=tmp_path)
    arena = [programs / "sushigo", "arena", "greedy", "random", "--deals", "2"]
    done = subprocess.run(arena, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode != 0
    assert "pip install 'sushigo-env[experiments]'" in done.stderr
    assert len(done.stderr.splitlines()) == 1
