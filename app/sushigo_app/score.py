"""`sushigo score`: game records replayed and scored."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.box import SIMPLE_HEAD
from rich.table import Table

from sushigo_app.console import help_text, print_json, screen
from sushigo_env import games
from sushigo_env.errors import RecordError

HELP = help_text(
    """
    Replay game records and print a score sheet each.

    A record is a line of JSON. Every play is checked by the engine, and a result in the record must be what the plays
    come to. The first error stops it, with line, round, turn, seat and card.
    """,
    "sushigo score games.jsonl",
    "sushigo score games.jsonl --json",
)


def add_to(app: typer.Typer) -> None:
    """Add the command to the app."""
    app.command("score", help=HELP)(score)


def score(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Game records, one a line.", show_default=False)],
    json: Annotated[bool, typer.Option("--json", help="Print each result as a line of JSON instead.")] = False,
) -> None:
    """Replay every record of a file, each by the rules of the game it names."""
    from sushigo_experiments.files import record_lines

    console = screen()
    number = 0
    for number, line in record_lines(file):
        record = games.score_line(line, number)
        if json:
            print_json(record["result"])
        else:
            console.print(_headline(record, number), style="bold", soft_wrap=True, highlight=False)
            console.print(SHEETS.get(record["game"], plain_sheet)(record))
    if not number:
        raise RecordError(f"there are no records in {file}.")


def _headline(record: dict[str, Any], number: int) -> str:
    winners = " and ".join(_seat(seat, record) for seat in record["result"]["winners"])
    return f"Line {number}: {record['players']} players, {record['variant']}; won by {winners}"


def sushi_go_sheet(record: dict[str, Any]) -> Table:
    """A seat a column; each round's points by kind, puddings, the total."""
    from sushigo_env.sushi_go.cards import ROUNDS
    from sushigo_env.sushi_go.scoring import KINDS

    result = record["result"]
    seats = range(len(result["totals"]))
    table = _columns(record)
    for round_ in range(ROUNDS):
        points = result["rounds"][round_]
        for kind in KINDS:
            table.add_row(kind, *(str(points[seat][kind]) for seat in seats), style="dim")
        sums = (str(sum(points[seat].values())) for seat in seats)
        table.add_row(f"round {round_ + 1}", *sums, end_section=True)
    table.add_row("puddings kept", *map(str, result["puddings"]), style="dim")
    table.add_row("puddings", *map(str, result["pudding_points"]), end_section=True)
    table.add_row("total", *map(str, result["totals"]), style="bold")
    return table


def plain_sheet(record: dict[str, Any]) -> Table:
    """A seat a column; a row for each part of the result that has a figure or figures by kind a seat, totals last."""
    result = record["result"]
    seats = len(result["totals"])
    table = _columns(record)
    for part, values in result.items():
        if part == "totals" or not isinstance(values, list) or len(values) != seats:
            continue
        if all(isinstance(value, dict) for value in values):
            for kind in values[0]:
                table.add_row(_words(kind), *(str(value[kind]) for value in values), style="dim")
        elif all(type(value) is int for value in values) and part != "winners":
            table.add_row(_words(part), *map(str, values), style="dim")
    table.add_section()
    table.add_row("total", *map(str, result["totals"]), style="bold")
    return table


SHEETS = {"sushi_go": sushi_go_sheet}
"""Game -> what makes its score sheet, where the plain one will not do."""


def _columns(record: dict[str, Any]) -> Table:
    """A sheet without rows: a column a seat, and one for a dummy."""
    table = Table("player", box=SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    for seat in range(len(record["result"]["totals"])):
        table.add_column(str(seat) if seat < record["players"] else "dummy", justify="right", no_wrap=True)
    return table


def _words(name: str) -> str:
    return name.replace("_", " ")


def _seat(seat: int, record: dict[str, Any]) -> str:
    return f"player_{seat}" if seat < record["players"] else "dummy"
