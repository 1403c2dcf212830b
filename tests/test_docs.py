"""The docs are true: facts, tables and code of the pages against the code."""

from __future__ import annotations

import re
import tomllib
from itertools import chain
from pathlib import Path

import numpy as np
import pytest
from sushigo_agents.match import play_deals
from sushigo_agents.registry import load

from sushigo_env.seeding import game_seeds
from sushigo_env.sushi_go import cards, plays, scoring
from sushigo_env.sushi_go.game import SushiGo
from tests.conftest import need
from tests.docs_code import run_block
from tests.write_docs import ROOT, pages

RULES = (ROOT / "docs/rules.md").read_text(encoding="utf-8")
FLAT = " ".join(RULES.split())
LEARNING = ("torch", "stable_baselines3", "sb3_contrib")
"""Packages that a page's code may need and an installation may lack."""
LENGTHS = re.compile(r"\b((?:total_timesteps|decisions|evaluate_deals)=|episodes := )[\d_]+")
"""How long a training on a page lasts."""
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "agents").glob("*.md")])


def rows(heading: str) -> list[list[str]]:
    """The cells of the rows of the table in RULES whose first column is headed `heading`."""
    table = RULES.split(f"| {heading} |", 1)[1].split("\n\n", 1)[0]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[2:]]


def maki(*icons: int) -> list[int]:
    out = np.zeros(len(icons), np.int64)
    scoring.maki_points(np.array(icons), len(icons), out)
    return out.tolist()


def pudding(*counts: int) -> list[int]:
    out = np.zeros(len(counts), np.int64)
    scoring.pudding_points(np.array(counts), len(counts), out)
    return out.tolist()


@pytest.mark.parametrize("path", pages(), ids=lambda path: path.name)
def test_pages_made_from_the_code_are_up_to_date(path: Path):
    assert path.read_text(encoding="utf-8") == pages()[path], "run `make docs`"


def test_the_actions_table_names_cards_as_records_do():
    page = (ROOT / "docs/actions.md").read_text(encoding="utf-8")
    told = re.findall(r"^\| (\d+) \| ([^|]+) \| ([^|]*)\|$", page, re.MULTILINE)
    assert len(told) == plays.NUM_PLAYS + 1
    for action, words, names in told[:-1]:
        laid = re.findall(r"`(\w+)`", names)
        assert plays.index(laid) == int(action)
        assert words == plays.describe(int(action))
    assert told[-1] == (str(plays.WAIT), "wait", "")
    for call, shown in re.findall(r"^(plays\..*?)  # (.*)$", page, re.MULTILINE):
        assert repr(eval(call, {"plays": plays})) == shown


def test_the_deck_table_is_the_deck():
    told = [(label, name.strip("`"), int(copies)) for label, name, copies, _ in rows("type")]
    assert told == [(cards.label(name), name, cards.COPIES[i]) for i, name in enumerate(cards.CARDS)]
    assert f"The deck has {len(cards.DECK)} cards of {cards.K} types" in FLAT


def test_the_hand_sizes_are_the_hand_sizes():
    assert {int(players): int(size) for players, size in rows("players")} == cards.HAND_SIZE
    assert f"A game has {cards.ROUNDS} rounds" in FLAT
    assert f"Three hands of {cards.DUMMY_HAND_SIZE} are dealt" in FLAT
    assert f"a round has {cards.DUMMY_HAND_SIZE} turns" in FLAT


def test_the_points_in_the_deck_table():
    told = {name.strip("`"): text for _, name, _, text in rows("type")}
    assert told["tempura"] == f"{scoring.TEMPURA_POINTS} points for each set of {scoring.TEMPURA_SET}"
    assert told["sashimi"] == f"{scoring.SASHIMI_POINTS} points for each set of {scoring.SASHIMI_SET}"
    steps = [scoring.dumpling_points(count) for count in range(1, 6)]
    assert told["dumpling"] == f"{', '.join(map(str, steps))} points for 1, 2, 3, 4, 5 or more"
    assert scoring.dumpling_points(14) == steps[-1]
    for name in ("maki_1", "maki_2", "maki_3"):
        assert int(told[name].split()[0]) == scoring.MAKI_ICONS[cards.INDEX[name]]
    for card in cards.NIGIRI:
        bare = int(scoring.NIGIRI_POINTS[card])
        points = "point" if bare == 1 else "points"
        assert told[cards.CARDS[card]] == f"{bare} {points}, {bare * scoring.WASABI_FACTOR} on a wasabi"
    assert scoring.WASABI_FACTOR == 3, "the page says `triples`"


def test_the_maki_sentences():
    assert f"most icons {scoring.MOST_MAKI} points, second most {scoring.SECOND_MAKI}" in FLAT
    assert "two who share the 6 get 3 each, four get 1 each; two who share the 3 get 1 each, four get nothing" in FLAT
    assert maki(3, 3, 1) == [3, 3, 0], "a tie for most leaves no second place"
    assert maki(1, 1, 1, 1, 0) == [1, 1, 1, 1, 0]
    assert maki(5, 3, 3, 2) == [6, 1, 1, 0]
    assert maki(5, 1, 1, 1, 1) == [6, 0, 0, 0, 0]
    assert maki(2, 0, 0) == [6, 0, 0], "no icons, no place"


def test_the_pudding_sentences():
    assert f"Most puddings +{scoring.MOST_PUDDINGS}, fewest {scoring.FEWEST_PUDDINGS}" in FLAT
    assert "four who share the -6 lose 1 each" in FLAT
    assert pudding(2, 0, 0, 0, 0) == [6, -1, -1, -1, -1]
    assert pudding(2, 2, 2) == [0, 0, 0], "all the same, nothing"
    assert pudding(2, 1) == [6, 0], "two players lose nothing"
    assert pudding(2, 1, 0) == [6, 0, -6], "with the dummy, whoever of the three has fewest"


def test_settings_named_in_the_rules_exist():
    told = set(re.findall(r'`(passing|variant)="(\w+)"', RULES))
    assert told == {*(("passing", name) for name in cards.PASSINGS), ("variant", cards.DUMMY)}


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_links_lead_somewhere(path: Path):
    for target in re.findall(r"\]\(([^)]+)\)", path.read_text(encoding="utf-8")):
        target, _, anchor = target.replace("\n", "").partition("#")
        if "://" in target:
            continue
        page = path.parent / target if target else path
        assert page.exists(), f"{path.name} links to {target}"
        if anchor:
            headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
            assert anchor in [heading.lower().replace(" ", "-") for heading in headings]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_python_in_the_docs_runs(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    for block in re.findall(r"^```python\n(.*?)^```", path.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL):
        imported = re.findall(r"^(?:from|import) (\w+(?:\.\w+)?)", block, re.MULTILINE)
        need(*(package for package in LEARNING if package in {name.split(".")[0] for name in imported}))
        need(*(LEARNING if {"sushigo_train.self_play", "sushigo_train.sb3"} & set(imported) else ()))
        block = LENGTHS.sub(r"\g<1>2", block)  # trainings begin and end, but do not last
        assert run_block(block, path.name)


def test_the_agent_shown_to_contributors_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    page = (ROOT / "docs/add_an_agent.md").read_text(encoding="utf-8")
    block = re.search(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    shown, registered = re.search(r"arena my_module:(\w+)", page), re.search(r'"my_module:(\w+)"', page)
    assert block
    assert shown
    assert registered
    (tmp_path / "module_shown.py").write_text(block[1], encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    for name in (shown[1], registered[1]):
        lineup = [load(spec, "sushi_go", 2) for spec in (f"module_shown:{name}", "random")]
        result = play_deals(lineup, lambda games: SushiGo(games, 2), game_seeds(1, 3))
        assert (result.shares.sum(axis=2) == 1).all()


def test_the_speeds_in_the_readme_are_those_of_the_page():
    page = (ROOT / "docs/speed.md").read_text(encoding="utf-8")
    table = (
        (ROOT / "README.md")
        .read_text(encoding="utf-8")
        .split("| what | decisions a second |", 1)[1]
        .split("\n\n", 1)[0]
    )
    figures = re.findall(r"\d[\d,.]*(?: to \d[\d,.]*)?", "".join(line.split("|")[2] for line in table.splitlines()[2:]))
    assert len(figures) == 6
    assert [figure for figure in figures if f"| {figure} |" not in page] == []


def test_the_changelog_knows_the_version():
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    latest = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert latest is not None
    assert latest[1] == version


def test_make_targets_named_in_the_docs_exist():
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    told = {name for path in PAGES for name in re.findall(r"\bmake (\w+)\b *(?:#|`)", path.read_text())}
    assert told
    assert told <= targets


def test_constraints_pin_every_dependency():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    pinned = {line.split("==")[0] for line in (ROOT / "constraints.txt").read_text().splitlines() if "==" in line}
    wanted = [*project["dependencies"], *chain.from_iterable(project["optional-dependencies"].values())]
    names = {re.split(r"[\[<>=~]", requirement)[0] for requirement in wanted} - {project["name"]}
    assert names
    assert names <= pinned
