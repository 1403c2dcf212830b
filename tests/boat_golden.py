"""Golden games of Sushi Boat as text: every draw and action by name, the table drawn at each turn's beginning.

`python -m tests.boat_golden` is the only writer of `tests/golden_boat/`; the diff of what it writes is the review. The
games are played from seeds when they are written, and replayed from their text alone when they are tested.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from sushigo_env import seeding
from sushigo_env.sushi_boat import plays, record
from sushigo_env.sushi_boat.cards import MENU_VARIANT
from sushigo_env.sushi_boat.game import SushiBoat
from sushigo_env.sushi_boat.state import START
from tests.boat_tools import new_game

FOLDER = Path(__file__).parent / "golden_boat"
CASES = {
    "two_standard": (2, "standard", 4, False),
    "two_menus": (2, "menus", 27, False),
    "three_standard": (3, "standard", 2, False),
    "three_hoarders": (3, "standard", 3, True),
    "four_menus": (4, "menus", 5, False),
    "five_standard": (5, "standard", 1, False),
}
"""Name -> players, variant, seed, whether they buy what they can and play no side dish."""


def played(players: int, variant: str, seed: int, hoard: bool) -> dict[str, Any]:
    """The record of a game of players who choose at random, but order only where nothing else can be done."""
    game = new_game(players, variant, seed=seed)
    step = 0
    while not game.done[0]:
        mask = game.legal_acting().copy()
        wanted = mask.copy()
        wanted[:, [plays.ORDER, plays.ORDER_MENU][: 1 + (variant == MENU_VARIANT)]] = False
        if hoard:
            wanted[:, plays.DISH : plays.DECLINE] = False
            wanted &= ~mask[:, [plays.BUY]] | (np.arange(game.num_actions) == plays.BUY)
        keys = seeding.decision_keys(game.seeds, 0, step)
        game.step_acting(seeding.uniform_actions(wanted if wanted.any() else mask, keys))
        step += 1
    return game.record()


def tell(made: dict[str, Any]) -> str:
    """The whole game as text."""
    lines = [f"{part}: {json.dumps(made[part])}" for part in ("game", "format", "players", "variant", "draws")]
    lines += _course(made)
    for seat, points in enumerate(made["result"]["points"]):
        lines.append(f"points of player_{seat}: {json.dumps(points)}")
    lines += [f"{part}: {json.dumps(made['result'][part])}" for part in ("yen", "totals", "winners")]
    return "\n".join(lines) + "\n"


def _course(made: dict[str, Any]) -> Iterator[str]:
    game = SushiBoat(1, made["players"], variant=made["variant"])
    game.reset(seeds=np.zeros(1, np.uint64), options={"chances": record.codes_of(made["draws"], made["players"])})
    began = -1
    for words in made["actions"]:
        if game.table.phase[0] == START and began != game.table.deck_left[0]:
            began = int(game.table.deck_left[0])
            yield from ("", game.render(), "")
        yield f"player_{game.to_act[0]}: {words}"
        game.step_acting(np.array([plays.index(words)]))
    yield from ("", game.render(), "")


def read(text: str) -> dict[str, Any]:
    """The record that a text tells, without its result."""
    parts = dict(re.findall(r"^(game|format|players|variant|draws): (.*)$", text, re.MULTILINE))
    actions = [words for _, words in re.findall(r"^player_(\d): (.*)$", text, re.MULTILINE)]
    return {**{part: json.loads(value) for part, value in parts.items()}, "actions": actions}


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for path in FOLDER.iterdir():
        path.unlink()
    for name, case in CASES.items():
        (FOLDER / f"{name}.txt").write_text(tell(played(*case)), encoding="utf-8")


if __name__ == "__main__":
    main()
