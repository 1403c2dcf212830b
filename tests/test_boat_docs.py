"""The page of Sushi Boat is true: its tables and sentences against the code."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import fields

import numpy as np
import pytest
from sushigo_agents.boat.greedy import BoatGreedy

from sushigo_env.sushi_boat import plays, record
from sushigo_env.sushi_boat.cards import (
    COLOURS,
    DECK_SIZE,
    DEFAULT,
    DISHES,
    FIRST_TRASH,
    HAND_LIMIT,
    MAX_LARGE_PLACES,
    MAX_POINTS,
    MENUS,
    PLACES,
    PLATES,
    SPACES,
    STAFF,
    START_YEN,
    TILE_POSITIONS,
    TUNNEL,
    TYPES,
    VARIANTS,
    WASABI_CARDS,
    WHITE_PLATE,
    Config,
)
from sushigo_env.sushi_boat.dishes import EDAMAME_YEN, FUGU_YEN, ONIGIRI_YEN, TEMPURA_YEN
from sushigo_env.sushi_boat.observation import OBSERVATIONS
from sushigo_env.sushi_boat.state import EFFECTS, PHASES, TURN_PHASES
from tests.boat_tools import new_game, play
from tests.write_docs import ROOT

PAGE = (ROOT / "docs/sushi_boat.md").read_text(encoding="utf-8")
FLAT = " ".join(PAGE.split())


def rows(heading: str) -> list[list[str]]:
    """The cells of the rows of the table whose first column is headed `heading`."""
    table = PAGE.split(f"| {heading} |", 1)[1].split("\n\n", 1)[0]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[2:]]


def test_the_deck_table() -> None:
    told = [tuple(map(int, row)) for row in rows("players")]
    assert told == [(players, deck // players, deck) for players, deck in DECK_SIZE.items()]


def test_sentences_about_the_belt() -> None:
    assert f"A belt of {SPACES} spaces carries plates past {len(PLACES)} seats" in FLAT
    assert f"spaces {TUNNEL[0]} and {TUNNEL[1]} are a tunnel" in FLAT
    assert f"from space {SPACES - 1} a plate falls" in FLAT
    assert f"space k lies across from space {SPACES - 1} - k: 1 from {SPACES - 2}, 4 from {SPACES - 5}" in FLAT
    assert f"at most {('no', 'one', 'two', 'three', 'four')[MAX_LARGE_PLACES]} places may be '4+' places" in FLAT
    assert f"no points are above {MAX_POINTS}" in FLAT
    assert f"Everyone has {START_YEN} yen" in FLAT
    assert f"holds at most {HAND_LIMIT} side dishes" in FLAT


def listed(names: Iterable[str]) -> str:
    """Names as a sentence tells them."""
    *first, last = names
    return f"{', '.join(first)} and {last}"


def test_sentences_about_the_places() -> None:
    assert f"{listed(DEFAULT.large_places)} are the '4+' places" in FLAT
    assert f"{listed(DEFAULT.staff_places)} have a member of the staff" in FLAT
    arrows = [place for place, spaces in zip(PLACES, DEFAULT.reach, strict=True) if len(spaces) == 2]
    assert f"{listed(arrows)} are arrow places" in FLAT
    assert f"one number, such as {listed(PLACES[:3])}" in FLAT


def test_sentences_about_the_setup() -> None:
    coloured, dishes = sum(DEFAULT.plates[:WHITE_PLATE]), sum(DEFAULT.dishes)
    assert f"The {coloured} coloured plates are mixed" in FLAT
    assert f"{FIRST_TRASH} more plates go into the Trash; only then the {DEFAULT.plates[WHITE_PLATE]} whites" in FLAT
    assert f"Of the {dishes} side dishes" in FLAT
    assert f"with the {WASABI_CARDS} Wasabi cards" in FLAT
    removed = {players: dishes + WASABI_CARDS - deck for players, deck in DECK_SIZE.items()}
    assert removed == {2: 10, 3: 6, 4: 6, 5: 5}, "the page says `10 with 2 players, 6 with 3 or 4, 5 with 5`"
    spread = len(DEFAULT.staff_places)
    aside = len(TILE_POSITIONS) - spread
    assert f"The {len(TILE_POSITIONS)} staff tiles are shuffled: {spread} go to the places, {aside}" in FLAT


def test_the_length_of_a_game_is_that_of_the_agents_page() -> None:
    page = (ROOT / "docs/sushi_boat_agents.md").read_text(encoding="utf-8")
    table = page.split("| decisions a game |", 1)[1].split("\n\n", 1)[0].splitlines()[2:6]
    decisions = [line.split("|")[5].strip() for line in table]
    assert f"A game lasts {', '.join(decisions[:-1])} or {decisions[-1]} decisions" in FLAT


def test_the_menus_table() -> None:
    assert [(name, int(points)) for name, points, _ in rows("menu")] == [*zip(MENUS, DEFAULT.menu_points, strict=True)]
    whose = {name: whose for name, _, whose in rows("menu")}
    assert [name for name in whose if whose[name] == "the text's"] == list(MENUS[:5])
    known = [*MENUS[5:7], "at least 4 yellow and 4 blue"]
    assert [name for name in whose if whose[name] == "the text's, its points ours"] == known
    assert {whose[name] for name in MENUS[5:] if name not in known} == {"ours"}


def test_what_the_bytes_are_counted_by() -> None:
    counted = {
        "phase": PHASES,
        "purpose": EFFECTS,
        "after": TURN_PHASES,
        "colour": COLOURS,
        "type": TYPES,
        "dish": DISHES,
        "staff kind": STAFF,
        "place": PLACES,
        "tile position": TILE_POSITIONS,
    }
    assert rows("counted by") == [[f"{name} ({len(of)})", ", ".join(of)] for name, of in counted.items()]
    assert f"| the types | {', '.join(TYPES)}, in this order |" in FLAT
    assert f"0 is {PLATES[0]}, 23 {PLATES[23]}, 24 {PLATES[24]}" in FLAT
    assert f"of a plate kind ({len(PLATES)})" in FLAT
    seen = PAGE.split("## What a seat sees", 1)[1].split("## Actions", 1)[0]
    assert re.findall(r"^- `(\w+)`", seen, re.MULTILINE) == list(OBSERVATIONS)


def test_staff_and_side_dishes_are_all_there() -> None:
    assert [row[0] for row in rows("staff")] == list(STAFF)
    told = dict(rows("side dish"))
    assert list(told) == list(DISHES)
    assert told["Edamame"].endswith(f"; {EDAMAME_YEN} yen")
    assert told["Tempura"].endswith(f"; {TEMPURA_YEN} yen")
    assert told["Onigiri"].startswith(f"{ONIGIRI_YEN} yen")
    assert f"a match gives {FUGU_YEN} yen" in told["Fugu"]


def value(name: str) -> str:
    return {row[0].strip("`"): row[1] for row in rows("value")}[name]


def counted(numbers: tuple[int, ...]) -> str:
    return ", ".join(f"{dish} {count}" for dish, count in zip(DISHES, numbers, strict=True))


def test_every_reconstructed_value_is_told() -> None:
    assert [row[0].strip("`") for row in rows("value")] == [field.name for field in fields(Config)]
    assert all(row[2] for row in rows("value"))
    reach = zip(PLACES, DEFAULT.reach, strict=True)
    assert value("reach") == "; ".join(f"{place} {', '.join(map(str, spaces))}" for place, spaces in reach)
    assert value("large_places") == ", ".join(DEFAULT.large_places)
    assert value("staff_places") == ", ".join(DEFAULT.staff_places)
    assert value("dishes") == counted(DEFAULT.dishes)
    assert value("red_dishes") == counted(DEFAULT.red_dishes)
    assert value("set_points") == ", ".join(map(str, DEFAULT.set_points))
    for name in ("most_dishes", "second_dishes", "menu_plates"):
        assert value(name) == str(getattr(DEFAULT, name))
    assert set(DEFAULT.plates[:WHITE_PLATE]) == {2}
    assert value("plates") == f"2 of each of 6 types in each of 4 colours, {DEFAULT.plates[WHITE_PLATE]} whites"
    pairs = DEFAULT.menu_points[7:13]
    assert {*DEFAULT.menu_points[:7], *DEFAULT.menu_points[13:]} == {5}
    assert set(pairs) == {7}
    assert value("menu_points") == "5 each, 7 for two colours"


def test_the_actions_table() -> None:
    assert [(int(action), words) for action, words in rows("action")] == list(enumerate(plays.WORDS))


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_table_of_records(variant: str) -> None:
    game = new_game(2, variant, config=Config(most_dishes=7))
    play(game)
    made = game.record()
    assert [row[0].strip("`") for row in rows("part")] == list(made)
    told = {row[0].strip("`"): row[1] for row in rows("part")}
    assert told["format"].endswith(str(record.FORMAT))
    assert told["game"] == f'`"{made["game"]}"`'
    assert re.findall(r'"(\w+)"', told["variant"]) == list(VARIANTS)
    assert re.findall(r"`(\w+)`", told["result"]) == list(made["result"])


@pytest.mark.parametrize(("players", "fewest", "most"), [(2, 0, 0), (3, 10, 40), (4, 0, 10), (5, 3, 25)])
def test_how_seldom_the_bag_runs_empty(players: int, fewest: int, most: int) -> None:
    """The reason for 14 spaces: the text calls an empty bag possible, though unlikely."""
    games = 1000
    agent, game = BoatGreedy("sushi_boat", players, "standard"), new_game(players, seed=77, count=games)
    empty = np.zeros(games, bool)
    while not game.done.all():
        live = np.flatnonzero(~game.done)
        seats, actions = game.to_act[live], np.zeros(games, np.int32)
        seen, mask = game.observe()[live, seats], game.legal_acting()[live]
        actions[live] = agent.act(seen, mask, np.zeros(len(live), np.uint64))
        game.step_acting(actions)
        empty |= game.table.bag_size == 0
    assert fewest <= empty.sum() <= most
    assert (
        "in 2 games of 100 with 3 players, in about 1 of 100 with 5, in fewer with 4, in none of 3,000 with 2" in FLAT
    )
