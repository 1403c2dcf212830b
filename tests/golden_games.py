"""Golden games as text: told from a game's deals and plays, read back, and written by `make golden`.

`python -m tests.golden_games` is the only writer of `tests/golden/`; the diff of what it writes is the review.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

from sushigo_env import sushi_go_v0
from sushigo_env.sushi_go.plays import WAIT
from tests.golden_cases import CASES, GoldenGame, Laid
from tests.golden_tables import DUMMY_SEAT, EngineTable, GoldenTable, has_dummy

FOLDER = Path(__file__).parent / "golden"
GAME, VERSION = sushi_go_v0.NAME.rsplit("_", 1)


def path_of(name: str) -> Path:
    """The file of a case."""
    return FOLDER / f"{name}.txt"


def tell(golden: GoldenGame, table: GoldenTable) -> str:
    """The whole game as text, as it goes at `table`."""
    lines = list(_header(golden))
    for round_, turns in enumerate(golden.plays, start=1):
        for turn, laid in enumerate(turns, start=1):
            lines += ["", *_turn(golden, table, laid), f"plays {round_}.{turn}: {json.dumps(laid)}"]
        lines += ["", f"Round {round_} ends", *_points(golden, table, round_ - 1)]
    lines += ["", table.draw(), *_result(golden, table)]
    return "\n".join(lines) + "\n"


def read(text: str) -> GoldenGame:
    """The game that a text tells: its settings, deals and plays alone; all else follows from them."""
    facts = dict(re.findall(r"^(players|variant|passing|first controller): (.*)$", text, re.MULTILINE))
    deals: list[Laid] = [[], [], []]
    plays: list[list[Laid]] = [[], [], []]
    for kind, round_, data in re.findall(r"^(deal|plays) (\d)\.\d+: (.*)$", text, re.MULTILINE):
        (deals if kind == "deal" else plays)[int(round_) - 1].append(json.loads(data))
    return GoldenGame(
        title=text.split("\n", 1)[0],
        players=int(facts["players"]),
        variant=facts["variant"],
        passing=facts["passing"],
        first_controller=int(facts["first controller"]) if "first controller" in facts else None,
        deals=deals,
        plays=plays,
    )


def _header(golden: GoldenGame) -> Iterator[str]:
    yield golden.title
    yield ""
    yield f"game: {GAME}"
    yield f"version: {VERSION}"
    yield f"players: {golden.players}"
    yield f"variant: {golden.variant}"
    yield f"passing: {golden.passing}"
    if golden.first_controller is not None:
        yield f"first controller: {golden.first_controller}"
    for round_, hands in enumerate(golden.deals, start=1):
        for seat, hand in enumerate(hands):
            yield f"deal {round_}.{seat}: {json.dumps(hand)}"


def _turn(golden: GoldenGame, table: GoldenTable, laid: Laid) -> Iterator[str]:
    """The table before each step of a turn, and what is done there."""
    yield table.draw()
    actions = [table.action(seat, laid[seat]) for seat in range(golden.players)]
    for seat, action in enumerate(actions):
        yield f"{_name(golden, seat)} lays {table.describe(action)} ({len(table.legal(seat))} legal)"
    table.step(actions)
    if not has_dummy(golden):
        return
    yield table.draw()
    controller = table.controller()
    action = table.action(DUMMY_SEAT, laid[DUMMY_SEAT])
    yield f"dummy is given {table.describe(action)} ({len(table.legal(controller))} legal)"
    assert table.legal(1 - controller) == [WAIT]
    table.step([action if seat == controller else WAIT for seat in range(golden.players)])


def _points(golden: GoldenGame, table: GoldenTable, round_: int) -> Iterator[str]:
    for seat, points in enumerate(table.points(round_)):
        kinds = ", ".join(f"{kind} {count}" for kind, count in points.items())
        yield f"{_name(golden, seat)}: {kinds}; in all {sum(points.values())}"


def _result(golden: GoldenGame, table: GoldenTable) -> Iterator[str]:
    result = table.result()
    for seat, puddings in enumerate(result["puddings"]):
        points, total = result["pudding_points"][seat], result["totals"][seat]
        yield f"{_name(golden, seat)}: puddings {puddings} for {points}; total {total}"
    winners = " and ".join(_name(golden, seat) for seat in result["winners"])
    yield f"winner: {winners}"


def _name(golden: GoldenGame, seat: int) -> str:
    return "dummy" if has_dummy(golden) and seat == DUMMY_SEAT else f"player_{seat}"


def main() -> None:
    """Write every case's file anew, and remove files that are no case's."""
    FOLDER.mkdir(exist_ok=True)
    for path in {*FOLDER.glob("*")} - {path_of(name) for name in CASES}:
        path.unlink()
    for name, case in CASES.items():
        golden = case.game()
        path_of(name).write_text(tell(golden, EngineTable(golden)), encoding="utf-8")


if __name__ == "__main__":
    main()
