"""`sushigo score`: game records replayed and scored."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.box import SIMPLE_HEAD
from rich.table import Table

from sushigo_app.console import help_text, print_json, screen
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
    """Replay every record of a file."""
    from sushigo_experiments.files import record_lines

    from sushigo_env.sushi_go.record import score_line

    console = screen()
    number = 0
    for number, line in record_lines(file):
        record = score_line(line, number)
        if json:
            print_json(record["result"])
        else:
            console.print(_headline(record, number), style="bold", soft_wrap=True, highlight=False)
            console.print(_sheet(record))
    if not number:
        raise RecordError(f"there are no records in {file}.")


def _headline(record: dict[str, Any], number: int) -> str:
    winners = " and ".join(_seat(seat, record) for seat in record["result"]["winners"])
    return f"Line {number}: {record['players']} players, {record['variant']}; won by {winners}"


def _sheet(record: dict[str, Any]) -> Table:
    """A seat a column; each round's points by kind, puddings, the total."""
    from sushigo_env.sushi_go.cards import ROUNDS
    from sushigo_env.sushi_go.scoring import KINDS

    result = record["result"]
    seats = range(len(result["totals"]))
    table = Table("player", box=SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    for seat in seats:
        table.add_column(str(seat) if seat < record["players"] else "dummy", justify="right", no_wrap=True)
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


def _seat(seat: int, record: dict[str, Any]) -> str:
    return f"player_{seat}" if seat < record["players"] else "dummy"
