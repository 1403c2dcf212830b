"""The golden games of Sushi Boat replayed by the plain reference: the tables drawn and the results are its own too."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from sushigo_env.sushi_boat import plays, record
from sushigo_env.sushi_boat.cards import MENUS
from sushigo_env.sushi_boat.chance import DRAWS
from tests.boat_facts import CARDS, DISHES, PLATES, STAFF_TILES, TUNNEL
from tests.boat_golden import CASES, FOLDER, read
from tests.boat_reference import Reference
from tests.boat_reference_scoring import dish_points, menu_points, run_points, set_points

CARD_NAMES = [f"{dish} {arrow}" for dish, arrow in CARDS]
ACTION = re.compile(r"^player_(\d): (.*)$")


class Replayed(Reference):
    """The reference, whose draws are those that a golden game names."""

    def __init__(self, golden: dict[str, Any]) -> None:
        names = [DRAWS[code] for code in record.codes_of(golden["draws"], golden["players"])]
        self.names = iter(names)
        self.left: list[str] = [*STAFF_TILES, *MENUS]  # what is dealt once: tiles, then menus
        super().__init__(golden["players"], golden["variant"] == "menus", self.choice_of_next)

    def choice_of_next(self, n: int) -> int:
        """Which of `n` the next name is, in the order that things lie in."""
        name = next(self.names)
        if name.startswith("player_"):
            return int(name.removeprefix("player_"))
        if name in PLATES:
            assert n == len(self.bag)
            return self.bag.index(PLATES.index(name))
        if name in CARD_NAMES:
            assert n == len(self.pool)
            return self.pool.index(CARD_NAMES.index(name))
        if name in ("Wasabi", "a side dish"):
            assert n == self.deck_left
            return 0 if name == "Wasabi" else n - 1
        at = self.left.index(name) - (len(self.left) - n if name in MENUS else 0)
        self.left.remove(name)
        return at


def several(names: list[str], order: tuple[str, ...]) -> str:
    """`2 Gyoza, Fugu`, in the order of the kinds; a dash for none."""
    counts = [(names.count(name), name) for name in order]
    return ", ".join(f"{count} {name}" if count > 1 else name for count, name in counts if count) or "-"


def drawn(game: Reference) -> Iterator[str]:
    """What the text tells of the table, line by line, as far as it is the same in every variant."""
    for left in range(TUNNEL[0], -1, -1):
        names = [(space, game.belt[space]) for space in (left, len(game.belt) - 1 - left)]
        yield " ".join(f"{space} {'-' if plate is None else PLATES[plate]}" for space, plate in names)
    left, wasabi, bag = game.deck_left, game.wasabi_left, len(game.bag)
    yield f"  cards left {left}, Wasabi cards to come {wasabi}, plates in the bag {bag}"
    yield f"  Trash: {several([PLATES[plate] for plate in game.trash], PLATES)}"
    yield f"  discard pile, top first: {', '.join(game.discard[::-1]) or '-'}"
    for seat, (player, points) in enumerate(zip(game.players, game.scores(), strict=True)):
        yield f"player_{seat}  points {points}, yen {player.yen}, cubes {player.cubes}"
        yield f"    hand:  {several(player.hand, DISHES)}"
        yield f"    eaten: {several(player.eaten, DISHES)}"
        yield f"    stack: {', '.join(PLATES[plate] for plate in player.stack) or '-'}"


def told(part: str) -> list[str]:
    """The same lines of a table in the text: spaces of the belt without what lies beside them."""
    plate = r"(\(?[a-z]+ [a-z]+\)?|-)"
    belt = re.compile(rf"^ +(\d+) {plate} +(\d+) {plate} +\S")
    wanted = ("  cards left", "  Trash:", "  discard pile", "player_", "    hand:", "    eaten:", "    stack:")
    lines = []
    for line in part.splitlines():
        if on_belt := belt.match(line):
            lines.append(re.sub(r"[()]", "", " ".join(on_belt.groups())))
        elif line.startswith(wanted):
            lines.append(line.removesuffix(", off the board"))
    return lines


def points_by_kind(game: Reference, seat: int) -> dict[str, int]:
    """What the points of a seat at the end are made of."""
    player = game.players[seat]
    points = {
        "runs": run_points(player.stack),
        "sets": set_points(player.stack, game.values),
        "dishes": dish_points([len(each.eaten) for each in game.players], game.values)[seat],
        "gyoza": player.eaten.count("Gyoza"),
        "cubes": player.cubes,
    }
    return points | ({"menus": menu_points(game.players, seat, game.values)} if game.with_menus else {})


@pytest.mark.parametrize("name", CASES)
def test_the_reference_comes_to_the_tables_and_the_result_of_the_text(name: str) -> None:
    text = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    game, tables = Replayed(read(text)), 0
    for part in text.split("\n\n"):
        if part.startswith("Sushi Boat:"):
            assert told(part) == list(drawn(game)), f"{name}, before turn {tables + 1}"
            tables += 1
        for seat, words in (found.groups() for line in part.splitlines() if (found := ACTION.match(line))):
            assert game.to_act == int(seat)
            game.step(plays.index(words))
    assert game.done
    assert next(game.names, None) is None
    assert tables == text.count(": reveal\n") + 1
    result = dict(re.findall(r"^(points of player_\d|yen|totals|winners): (.*)$", text, re.MULTILINE))
    for seat, player in enumerate(game.players):
        assert json.loads(result[f"points of player_{seat}"]) == points_by_kind(game, seat)
        assert json.loads(result["yen"])[seat] == player.yen
    standings = game.standings()
    assert json.loads(result["totals"]) == [points for points, _ in standings]
    assert json.loads(result["winners"]) == [s for s, standing in enumerate(standings) if standing == max(standings)]
