"""`sushigo endgames`: how much agents give away at the ends of rounds, where what is best is known."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.table import Table

from sushigo_app.console import Spec, help_text, print_json, print_table, progress_bar

HELP = help_text(
    """
    Measure agents at the ends of rounds of Sushi Go! for two, which are solved exactly.

    Regret is what an opponent who knows how the agent plays could take from it: points of margin, 0 for perfect play.
    In support is how often it lays what an equilibrium may lay.
    """,
    "sushigo endgames greedy",
    "sushigo endgames random greedy zoo:self_play search:iterations=1000 --json",
)


def add_to(app: typer.Typer) -> None:
    """Add the command to the app."""
    app.command("endgames", help=HELP)(endgames)


def endgames(
    agents: Annotated[list[str], typer.Argument(metavar="AGENT...", help="Specs of agents.", show_default=False)],
    positions: Annotated[
        int | None, typer.Option(help="The first so many positions; default all.", show_default=False)
    ] = None,
    seed: Annotated[int, typer.Option(help="What agents' draws come from.")] = 0,
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead, a line an agent.")] = False,
) -> None:
    """Ask every agent about every position."""
    from sushigo_experiments.endgames import load_all, measure, read

    load_all(agents)  # what is wrong with the last is better known before the first is measured
    count = len(read()) if positions is None else positions
    table = Table("agent", *COLUMNS, box=SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False)
    for column in table.columns[1:]:
        column.justify, column.no_wrap = "right", True
    for spec in agents:
        with progress_bar(spec, count) as progress:
            found = measure(spec, positions=positions, seed=seed, progress=progress)
        if json:
            print_json(found.as_json())
            continue
        low, high = (max(end, 0.0) for end in found.regret.interval or (0.0, 0.0))  # no regret is below 0
        regret = f"{found.regret.mean:.3f} ({low:.3f} to {high:.3f})"
        shares = (f"{share:.1%}" for share in (found.flawless, found.in_support))
        table.add_row(Spec(spec), regret, f"{found.spread:.2f}", *shares, f"{found.positions:,}")
    if not json:
        print_table(table)


COLUMNS = ("regret, points", "spread", "flawless", "in support", "positions")
