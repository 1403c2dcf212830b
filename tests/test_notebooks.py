"""The notebooks run, and what they tell is what they print."""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import need
from tests.write_docs import ROOT

FOLDER = ROOT / "notebooks"
NAMES = ("01_the_game", "02_an_agent_tested", "03_ppo_and_overfitting", "04_self_play_and_leagues")
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
CODE_LINES, PARAGRAPH_LINES = 20, 8
"""What a cell of code, and a paragraph of text, may have at most."""
PICTURE_BYTES = 100_000
NUMBER = re.compile(r"(?<![\w.])\d+(?:,\d{3})*(?:\.\d+)?(?![\w])")
NOT_TEXT = re.compile(r"```.*?```|`[^`]*`|\]\([^)]*\)|^#[^\n]*$|^ *\d+\. |[Nn]otebooks? \d(?: and \d)?", re.S | re.M)
"""Code, addresses, headings, numbers of questions and of notebooks: numbers there are no results."""
PLACES = re.compile(r"(?<![\w.])/(?:home|Users|root|tmp|usr|opt|mnt|var|work)/|\d\d:\d\d:\d\d")
"""Paths of a machine, and times of day."""

each_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
Cell = dict[str, Any]


def read(path: Path) -> dict[str, Any]:
    notebook: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return notebook


def cells(notebook: dict[str, Any], kind: str) -> list[Cell]:
    return [cell for cell in notebook["cells"] if cell["cell_type"] == kind]


def source(cell: Cell) -> str:
    return "".join(cell["source"])


def printed(cell: Cell) -> str:
    """What a cell printed, and the value of its last line if it was shown."""
    texts = [output.get("text") or output.get("data", {}).get("text/plain", "") for output in cell["outputs"]]
    kinds = [output["output_type"] for output in cell["outputs"]]
    return "".join("".join(text) for text, kind in zip(texts, kinds, strict=True) if kind != "display_data")


def pictures(notebook: dict[str, Any]) -> Iterator[bytes]:
    for cell in cells(notebook, "code"):
        for output in cell["outputs"]:
            if "image/png" in output.get("data", {}):
                yield base64.b64decode("".join(output["data"]["image/png"]))


def unprinted(notebook: dict[str, Any]) -> list[str]:
    """Numbers of the text that no cell prints."""
    shown = {number for cell in cells(notebook, "code") for number in NUMBER.findall(printed(cell))}
    told = "\n".join(NOT_TEXT.sub(" ", source(cell)) for cell in cells(notebook, "markdown"))
    return [number for number in NUMBER.findall(told) if number not in shown]


def run_short(path: Path) -> subprocess.CompletedProcess[str]:
    """Run the notebook at `path` on a small scale, and write what it shows into it."""
    need("nbmake", "ipykernel")
    if any(name in path.read_text(encoding="utf-8") for name in ("sushigo_train", "stable_baselines3")):
        need("torch", "stable_baselines3", "sb3_contrib")
    (path.parent / "pytest.ini").write_text("[pytest]\n")  # its own, not that of this project
    environment = {name: value for name, value in os.environ.items() if name not in ("MPLBACKEND", "PYTEST_ADDOPTS")}
    environment["SUSHIGO_SHORT"] = "1"
    command = [sys.executable, "-m", "pytest", "--nbmake", "--overwrite", "-p", "no:cacheprovider", path.name]
    return subprocess.run(command, cwd=path.parent, env=environment, capture_output=True, text=True, timeout=900)


def check_exact(kept: dict[str, Any], ran: dict[str, Any]) -> int:
    """Each cell tagged `exact` printed what is kept; gives how many there are."""
    exact = 0
    for before, after in zip(cells(kept, "code"), cells(ran, "code"), strict=True):
        if "exact" in before["metadata"].get("tags", []):
            exact += 1
            assert printed(after) == printed(before), f"cell {before['id']} printed something else"
    return exact


def broken(tmp_path: Path, cell: str, old: str, new: str) -> Path:
    """A copy of the first notebook that ends with `cell`, in which `old` is `new`, code and kept output alike."""
    notebook = read(FOLDER / f"{NAMES[0]}.ipynb")
    last = next(place for place, each in enumerate(notebook["cells"]) if each["id"] == cell)
    told = json.dumps(notebook["cells"][last])
    assert old in told
    notebook["cells"] = [*notebook["cells"][:last], json.loads(told.replace(old, new))]
    shutil.copy(FOLDER / "look.mplstyle", tmp_path)
    path = tmp_path / "broken.ipynb"
    path.write_text(json.dumps(notebook), encoding="utf-8")
    return path


def test_all_four_are_there():
    assert [path.stem for path in NOTEBOOKS] == list(NAMES)
    told = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert all(f"({name}.ipynb)" in told for name in NAMES)


@each_notebook
def test_it_runs_and_shows_what_is_kept(path: Path, tmp_path: Path):
    copy = Path(shutil.copytree(FOLDER, tmp_path / "notebooks")) / path.name
    done = run_short(copy)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-1000:]
    assert check_exact(read(path), read(copy)) > 0
    assert len(list(pictures(read(copy)))) == len(list(pictures(read(path))))


@each_notebook
def test_what_is_kept_is_whole(path: Path):
    code = cells(read(path), "code")
    assert [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1))
    for cell in code:
        assert "execution" not in cell["metadata"], f"{cell['id']} keeps times of day"
        for output in cell["outputs"]:
            assert output["output_type"] != "error", cell["id"]
            assert output.get("name") != "stderr", cell["id"]
        assert not PLACES.search(printed(cell)), cell["id"]
    sizes = [len(picture) for picture in pictures(read(path))]
    assert sizes
    assert max(sizes) <= PICTURE_BYTES


@each_notebook
def test_numbers_of_the_text_are_printed(path: Path):
    assert unprinted(read(path)) == []


@each_notebook
def test_it_begins_as_all_do(path: Path):
    notebook = read(path)
    first, title = cells(notebook, "code")[0], source(notebook["cells"][0])
    assert title.startswith(f"# {int(path.stem[:2])}. ")
    assert "You will learn" in title
    assert 'SHORT = "SUSHIGO_SHORT" in os.environ' in source(first)
    assert 'plt.style.use("look.mplstyle")' in source(first)
    assert "## Where next" in source(notebook["cells"][-1])
    assert notebook["metadata"]["kernelspec"]["name"] == "python3"


@each_notebook
def test_no_cell_is_a_wall(path: Path):
    notebook = read(path)
    for cell in cells(notebook, "code"):
        assert len(source(cell).splitlines()) <= CODE_LINES, cell["id"]
    for cell in cells(notebook, "markdown"):
        for paragraph in source(cell).split("\n\n"):
            is_list = re.match(r" *(?:[-|]|\d+\.) ?", paragraph)
            assert is_list or len(paragraph.splitlines()) <= PARAGRAPH_LINES, f"{cell['id']}: {paragraph}"


@each_notebook
def test_every_question_has_an_answer(path: Path):
    asked = [source(cell) for cell in cells(read(path), "markdown") if "### Questions" in source(cell)]
    assert len(asked) >= 3
    for text in asked:
        questions, _, answers = text.partition("### Questions")[2].partition("<details><summary>Answers</summary>")
        numbers = re.findall(r"^(\d)\. ", questions, re.M)
        assert 2 <= len(numbers) <= 4, text
        assert re.findall(r"^(\d)\. ", answers.partition("</details>")[0], re.M) == numbers, text


@pytest.mark.parametrize("path", [*NOTEBOOKS, FOLDER / "README.md"], ids=lambda path: path.stem)
def test_links_lead_somewhere(path: Path):
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        text = "\n".join(source(cell) for cell in cells(read(path), "markdown"))
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", text):
        known = Path(target).stem in NAMES  # whether they are there is tested above
        assert known or (FOLDER / target).is_file(), target


def test_a_broken_import_fails(tmp_path: Path):
    done = run_short(broken(tmp_path, "setup", "import sushi_go_v0", "import sushi_go_v9"))
    assert done.returncode != 0
    assert "cannot import name 'sushi_go_v9'" in done.stdout


def test_a_renamed_slice_fails(tmp_path: Path):
    done = run_short(broken(tmp_path, "fields", "own_hand", "own_cards"))
    assert done.returncode != 0
    assert "KeyError" in done.stdout
    assert "'own_cards'" in done.stdout


def test_a_wrong_figure_in_what_is_kept_fails(tmp_path: Path):
    path = broken(tmp_path, "layout", "134 bytes", "135 bytes")
    kept = read(path)
    done = run_short(path)
    assert done.returncode == 0, done.stdout[-4000:]
    with pytest.raises(AssertionError, match="cell layout printed something else"):
        check_exact(kept, read(path))


def test_a_wrong_figure_in_the_text_fails():
    notebook = read(FOLDER / f"{NAMES[0]}.ipynb")
    notebook["cells"][0]["source"].append("\nAn observation has 1,234 bytes, or 1234.5%.")
    assert unprinted(notebook) == ["1,234", "1234.5"]
