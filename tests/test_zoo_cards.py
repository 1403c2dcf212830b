"""The zoo on the command line: lists, cards, and the strengths measured into them."""

from __future__ import annotations

import json
import os
import re
from dataclasses import replace
from pathlib import Path

import pytest
from sushigo_agents import zoo
from sushigo_agents.zoo import Regret, Strength
from sushigo_experiments import endgames, zoo_cards

from tests.cli_helpers import refusal, sushigo
from tests.conftest import need
from tests.policies import card, write_zoo
from tests.write_docs import ROOT

need("scipy")


@pytest.fixture
def animals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A zoo of small untrained networks in place of the shipped one."""
    folder = tmp_path / "zoo"
    folder.mkdir()
    write_zoo(folder, {"ppo": ("2p", "2p-dummy"), "self_play": ("2p", "3p")})
    monkeypatch.setattr(zoo, "FOLDER", folder)
    return folder


def test_a_measured_card_has_the_arenas_figures(animals: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zoo_cards, "CHUNK", 4)
    games: list[int] = []
    measured = zoo_cards.measure("self_play", 3, deals=10, threads=2, progress=games.append)
    assert zoo.card("self_play", 3) == measured
    assert measured.regret is None  # the endgames are for two
    assert [each.field for each in measured.strength] == ["random", "greedy", "rival"]
    assert sum(games) == 3 * 10 * 3
    arena = sushigo("arena", "zoo:self_play", "greedy", "--players", 3, "--deals", 10, "--json")
    row = json.loads(arena.stdout)["matches"][0]
    assert (row["agent"], row["field"]) == ("zoo:self_play", "greedy")
    told = measured.strength[1]
    assert (told.games, list(told.win_share_ci)) == (row["games"], pytest.approx(row["win_share_ci"]))
    for figure in ("win_share", "mean_score", "field_mean_score"):
        assert getattr(told, figure) == pytest.approx(row[figure]), figure


def test_a_card_of_another_game_is_measured_against_its_own(animals: Path) -> None:
    write_zoo(animals, {"boat": ("2p",), "raft": ("2p", "3p")}, "sushi_boat")
    measured = zoo_cards.measure("boat", 2, deals=3)
    assert [each.field for each in measured.strength] == ["random", "boat_greedy", "zoo:raft"]
    assert zoo_cards.fields("raft", 3, "standard") == ["random", "boat_greedy"]
    assert measured.strength[1].win_share < 0.5  # a network that never learned
    listed = json.loads(sushigo("zoo", "list", "--game", "sushi_boat", "--json").stdout)
    assert [(each["name"], each["game"]) for each in listed] == [("boat", "sushi_boat"), *[("raft", "sushi_boat")] * 2]


def test_the_rest_of_the_zoo_is_met_and_figures_are_kept_as_they_come(
    animals: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stale = Strength("zoo:gone", 1, 0.5, (0.0, 1.0), 1.0, 1.0)
    old = Strength("rival", 1, 0.5, (0.0, 1.0), 1.0, 1.0)
    path = zoo.path("ppo", 2, suffix=".json")
    replace(card("ppo", "2p"), strength=(stale, old)).write(path)
    play = zoo_cards._play

    def stopped(settings, *rest):  # type: ignore[no-untyped-def]  # a stand-in
        if settings.agents[1] == "rival":
            raise KeyboardInterrupt
        return play(settings, *rest)

    monkeypatch.setattr(zoo_cards, "_play", stopped)
    with pytest.raises(KeyboardInterrupt):
        zoo_cards.measure("ppo", 2, deals=3)
    assert [(each.field, each.games) for each in zoo.card("ppo", 2).strength] == [
        ("random", 6),
        ("greedy", 6),
        ("rival", 1),
    ]
    monkeypatch.setattr(zoo_cards, "_play", play)
    measured = zoo_cards.measure("ppo", 2, deals=3)
    assert [each.field for each in measured.strength] == ["random", "greedy", "rival", "zoo:self_play"]
    assert {each.games for each in measured.strength} == {6}
    found = endgames.measure("zoo:ppo")
    assert measured.regret is not None
    assert (measured.regret.mean, measured.regret.mean_ci) == (found.regret.mean, found.regret.interval)
    assert (measured.regret.positions, measured.regret.in_support) == (3000, found.in_support)
    assert "endgame regret  " in sushigo("zoo", "card", "ppo", "--players", 2).stdout


def test_ten_thousand_games_or_a_few_more() -> None:
    assert [zoo_cards.enough_deals(players) for players in (2, 3, 4, 5)] == [5000, 3334, 2500, 2000]


def test_a_folder_that_cannot_be_written_to(animals: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    said = refusal(sushigo("zoo", "measure", "ppo", "--players", 2, "--deals", 1))
    assert re.search(r"zoo's folder .* cannot be written to: measure in a checkout", said)


# the commands
def test_zoo_list(animals: Path) -> None:
    zoo_cards.measure("ppo", 2, deals=2)
    table = sushigo("zoo", "list").stdout
    assert re.search(r"zoo:ppo +2p-dummy +1,000,000", table)
    assert re.search(r"zoo:self_play", table)
    assert "greedy" in table
    assert json.loads(sushigo("zoo", "list", "--json").stdout) == [each.as_json() for each in zoo.cards()]


@pytest.mark.parametrize("width", [40, 80])
def test_a_narrow_screen_breaks_no_number_of_the_zoo(animals: Path, width: int) -> None:
    measured = zoo_cards.measure("self_play", 3, deals=2)
    lines = sushigo("zoo", "list", width=width).stdout.splitlines()
    assert sum(" 1,000,000 " in line for line in lines) == len(zoo.cards())
    (row,) = [line.split() for line in lines if " 3p " in line]
    assert row[3:] == [f"{100 * each.win_share:.1f}%" for each in measured.strength]
    page = sushigo("zoo", "card", "self_play", "--players", 3, width=width).stdout
    for each in measured.strength:
        low, high = (f"{100 * end:.1f}" for end in each.win_share_ci)
        assert re.search(rf"{each.field} +{100 * each.win_share:.1f}% +{low}-{high} ", page), page


def test_the_list_has_a_table_a_game(animals: Path) -> None:
    write_zoo(animals, {"boat": ("2p",)}, "sushi_boat")
    zoo_cards.measure("boat", 2, deals=2)
    zoo_cards.measure("self_play", 3, deals=2)
    go, boat = sushigo("zoo", "list").stdout.split("Sushi Boat")
    assert go.startswith("Sushi Go!")
    assert ("rival" in go, "boat" in go) == (True, False)
    assert ("rival" in boat, "boat_greedy" in boat, "zoo:boat" in boat) == (False, True, True)


def test_an_empty_zoo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zoo, "FOLDER", tmp_path)
    assert sushigo("zoo", "list").stdout == "The zoo is empty.\n"
    assert json.loads(sushigo("zoo", "list", "--json").stdout) == []
    assert "nobody yet" in refusal(sushigo("zoo", "card", "ppo"))


def test_zoo_measure_and_zoo_card(animals: Path) -> None:
    done = sushigo("zoo", "measure", "ppo", "--deals", 2, "--json")
    assert done.exit_code == 0, done.output
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert lines == [each.as_json() for each in zoo.cards("ppo")]
    assert [json.loads(line) for line in sushigo("zoo", "card", "ppo", "--json").stdout.splitlines()] == lines
    assert sushigo("zoo", "card", "zoo:ppo", "--json").stdout == sushigo("zoo", "card", "ppo", "--json").stdout
    dummy = sushigo("zoo", "card", "ppo", "--variant", "two_player_dummy", "--json")
    assert json.loads(dummy.stdout) == lines[1]
    page = sushigo("zoo", "card", "ppo", "--players", 2).stdout
    assert page.startswith("zoo:ppo, 2 players (standard)\n")
    assert "learning_rate=0.0003, epochs=2" in page
    assert re.search(r"greedy +\d+\.\d% +\d+\.\d-\d+\.\d", page)


@pytest.mark.parametrize(
    ("args", "why"),
    [
        (("card", "pppo"), "the zoo has no 'pppo'; did you mean 'ppo'?"),
        (("card", "ppo", "--players", 3), "zoo:ppo has no weights for the table 3p; it has some for 2p, 2p-dummy."),
        (("card", "ppo", "--players", 9), "num_players must be"),
        (
            ("card", "self_play", "--variant", "two_player_dummy"),
            "plays no variant 'two_player_dummy'; it plays standard.",
        ),
        (("measure", "self_play", "--players", 3, "--deals", 0), "deals must be at least 1"),
        (("measure", "self_play", "--players", 3, "--threads", 0), "threads must be 1 or more"),
    ],
)
def test_what_cannot_be_told(animals: Path, args: tuple[object, ...], why: str) -> None:
    assert why in refusal(sushigo("zoo", *args))


# the page
def test_the_table_of_the_zoo(animals: Path) -> None:
    assert zoo_cards.tables([], zoo_cards.table) == "Nobody lives here yet."
    strength = Strength("greedy", 10_000, 0.9, (0.89, 0.91), 40.5, 30.25)
    lines = zoo_cards.table([replace(card("ppo", "2p-dummy"), strength=(strength,))]).splitlines()
    assert lines[0] == "| agent | table | against `greedy` | decisions | hours | parameters |"
    assert lines[2].startswith("| `zoo:ppo` | 2p-dummy | 90.0% (89.0 to 91.0), 40.5 v 30.2 | 1 M | 0.0 | ")
    told = Regret(3000, 0.36, (0.328, 0.393), 0.86)
    lines = zoo_cards.table([replace(card("ppo", "2p"), strength=(strength,), regret=told)]).splitlines()
    assert " | 0.36 (0.33 to 0.39) points | " in lines[2]
    short = zoo_cards.short_table([replace(card("ppo", "2p"), strength=(strength,), regret=told)]).splitlines()
    assert short[0] == "| agent | table | `greedy` | endgame regret |"
    assert short[2] == "| `zoo:ppo` | 2p | 90.0% | 0.36 |"


def test_each_game_has_a_table_of_its_own() -> None:
    go, boat = card("ppo", "2p"), card("boat", "3p", "sushi_boat")
    one, other = (
        replace(each, strength=(Strength(field, 9, 0.5, (0.4, 0.6), 1, 2),))
        for each, field in ((go, "greedy"), (boat, "boat_greedy"))
    )
    lines = zoo_cards.tables([other, one], zoo_cards.short_table).splitlines()
    assert lines[0] == "Sushi Go!:"
    assert lines[2] == "| agent | table | `greedy` |"
    assert lines[6] == "Sushi Boat:"
    assert lines[8] == "| agent | table | `boat_greedy` |"
    assert lines[10] == "| `zoo:boat` | 3p | 50.0% |"
    assert zoo_cards.tables([one], zoo_cards.short_table).splitlines()[0] == "| agent | table | `greedy` |"


def test_the_code_of_the_agents_page_runs(animals: Path) -> None:
    page = (ROOT / "agents/README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert blocks
    for block in blocks:
        told: dict[str, object] = {}
        exec(compile(block, "agents/README.md", "exec"), told)
        assert told["mask"][0, told["action"][0]]  # type: ignore[index]  # arrays of the page
