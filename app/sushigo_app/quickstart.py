"""`sushigo quickstart`: the main job in a minute."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sushigo_app.arena import print_summary
from sushigo_app.console import cores, folder, help_text, notes, print_json, progress_bar

HELP = help_text(
    """
    Play a tournament of all agents for 2 and for 4 players, in about a minute, and write the page that tells it.

    The first run also compiles the game and the agents, which takes most of the minute; later runs are spared that.
    """,
    "sushigo quickstart",
    "sushigo quickstart --out runs/first --json",
)
DEALS = {2: 500, 4: 250}
"""Seats at a table -> deals a match."""


def add_to(app: typer.Typer) -> None:
    """Add the command to the app."""
    app.command("quickstart", help=HELP)(quickstart)


def quickstart(
    out: Annotated[Path, typer.Option(metavar="DIR", parser=folder, help="Where the page and the figures go.")] = Path(
        "sushigo-quickstart"
    ),
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")] = False,
) -> None:
    """Play, print, write."""
    from sushigo_agents.registry import specs
    from sushigo_experiments.files import prepare_folder, write_json
    from sushigo_experiments.report import check_installed, write_report
    from sushigo_experiments.settings import Settings
    from sushigo_experiments.store import Store
    from sushigo_experiments.summary import summarise
    from sushigo_experiments.tournament import load_teams, play, total_games

    check_installed()
    prepare_folder(out)
    summaries = []
    for players, deals in DEALS.items():
        settings = Settings(tuple(specs("sushi_go", players)), players, deals)
        teams = load_teams(settings, cores())
        with Store(None, settings) as store, progress_bar(f"{players} players", total_games(settings)) as progress:
            play(settings, teams, store, progress)
            summaries.append(summarise(settings, store))
        if not json:
            print_summary(summaries[-1])
    for summary in summaries:
        write_json(out / f"results_{summary.settings.players}_players.json", summary.as_json())
    page = out / "report.html"
    write_report(page, summaries)
    if json:
        print_json({"tournaments": [summary.as_json() for summary in summaries]})
    notes().print(f"Page: {page.resolve()}", soft_wrap=True, highlight=False)
