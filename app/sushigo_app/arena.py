"""`sushigo arena`: agents against each other, with win rates."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console, Group
from rich.table import Table

from sushigo_app.console import Spec, folder, help_text, print_json, progress_bar, screen
from sushigo_app.options import Game
from sushigo_env import _threads, games

if TYPE_CHECKING:
    from sushigo_experiments.settings import Settings
    from sushigo_experiments.statistics import Estimate
    from sushigo_experiments.summary import Row, Summary

HELP = help_text(
    """
    Play agents against each other and report win rates.

    Each agent plays one seat against a field of each other agent, then all sit mixed. Every deal is played once in each
    rotation of the seats, so the luck of the deal cancels; 95% intervals are by deal.

    With [bold]--out[/bold] the games land in DIR/results.sqlite as they finish, and the figures in DIR/results.json and
    DIR/report.html. A stopped run goes on where it was when the same command is given again; more --deals add to it.
    """,
    "sushigo arena greedy random --players 4 --deals 1000",
    "sushigo arena greedy rival prefer:dumpling --players 2 --deals 5000 --seed 7 --out runs/duel",
    "sushigo arena greedy random --players 2 --variant two_player_dummy --json",
    "sushigo arena boat_greedy random --game sushi_boat --players 3 --variant menus",
)

VARIANTS = "standard, or two_player_dummy in Sushi Go!, menus in Sushi Boat."
NARROW = 72
"""Columns of a screen below which fields and intervals take a line of their own; the numbers of games are left out."""


def add_to(app: typer.Typer) -> None:
    """Add the command to the app."""
    app.command("arena", help=HELP)(arena)


def arena(
    agents: Annotated[list[str], typer.Argument(metavar="AGENT", help="Two or more agents, by spec.")],
    players: Annotated[int, typer.Option(help="Seats at a table, 2 to 5.")] = 4,
    deals: Annotated[int, typer.Option(help="Deals a match; each is played once a seat.")] = 1000,
    seed: Annotated[int, typer.Option(help="Deal d is the game of seed SEED + d.")] = 0,
    passing: Annotated[
        str, typer.Option(help="left, or alternate (right in round 2), where hands are passed; default left.")
    ] = "",
    variant: Annotated[str, typer.Option(help=VARIANTS)] = "standard",
    game: Game = games.DEFAULT,
    threads: Annotated[int | None, typer.Option(help="Threads; default one a core.", show_default=False)] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")] = False,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", parser=folder, help="Keep games, figures and a page here.")
    ] = None,
) -> None:
    """Play the tournament and print its figures."""
    from sushigo_experiments.settings import Settings

    settings = Settings(tuple(agents), players, deals, seed, passing, variant, game)
    summary = _play(settings, out, _threads.cores() if threads is None else threads)
    if json:
        print_json(summary.as_json())
    else:
        print_summary(summary)
    if out is not None:
        typer.echo(f"Page: {(out / 'report.html').resolve()}", err=True)


def _play(settings: Settings, out: Path | None, threads: int) -> Summary:
    """Play what is not yet in `out`, and write the figures and the page there."""
    from sushigo_experiments import report, statistics
    from sushigo_experiments.files import one_run_at_a_time, prepare_folder, write_json
    from sushigo_experiments.store import Store
    from sushigo_experiments.summary import summarise
    from sushigo_experiments.tournament import games_left, load_teams, play, total_games

    (statistics if out is None else report).check_installed()
    teams = load_teams(settings, threads)
    with ExitStack() as stack:
        if out is not None:
            prepare_folder(out)
            stack.enter_context(one_run_at_a_time(out))
        store = stack.enter_context(Store(None if out is None else out / "results.sqlite", settings))
        total, left = total_games(settings), games_left(settings, store)
        if left < total:
            typer.echo(f"{total - left:,} of {total:,} games are in {out} already.", err=True)
        with progress_bar("playing", left) as progress:
            play(settings, teams, store, progress)
        summary = summarise(settings, store)
        if out is not None:
            write_json(out / "results.json", summary.as_json())
            report.write_report(out / "report.html", [summary])
    return summary


def print_summary(summary: Summary) -> None:
    """Print every match as a row, and the mixed tables as a ranking."""
    from sushigo_experiments.words import table_of

    settings = summary.settings
    console = screen()
    fair = f"fair share of the wins {100 / settings.players:.1f}%"
    console.print(f"{table_of(settings)}, {settings.deals:,} deals a match, {fair}", style="bold", highlight=False)
    console.print(_table(summary, [row for row in summary.rows if not row.mixed], console))
    console.print("All mixed", style="bold")
    console.print(_table(summary, summary.ranking(), console))


def _table(summary: Summary, rows: list[Row], console: Console) -> Table:
    narrow = console.width < NARROW
    table = Table(box=SIMPLE_HEAD, padding=(0, 0 if narrow else 1, 0, 0), pad_edge=False, show_edge=False)
    for name in ("agent\nfield",) if narrow else ("agent", "field"):
        table.add_column(name)
    for name in ("win share", "score", "margin"):
        table.add_column(name, no_wrap=True)
    if not narrow:
        table.add_column("games", justify="right", no_wrap=True)
    for row in rows:
        who = [Spec(row.agent), Spec("mixed" if row.mixed else str(row.field), "dim")]
        share = _share(row.win_share, summary.settings.players)
        figures = [share, _points(row.score, console), _points(row.margin, console)]
        if narrow:
            table.add_row(Group(*who), *map("\n".join, figures))
        else:
            table.add_row(*who, *map(" ".join, figures), f"{row.games:,}")
    return table


def _share(estimate: Estimate, players: int) -> list[str]:
    """A win share and its interval, green or red where that lies beside a fair share."""
    from sushigo_experiments.words import against_fair

    style = {"above": "green", "below": "red", "": "default"}[against_fair(estimate, players)]
    words = [f"[{style}]{100 * estimate.mean:.1f}%[/]"]
    if estimate.low is not None and estimate.high is not None:
        words.append(f"[dim]{100 * estimate.low:.1f}-{100 * estimate.high:.1f}[/]")
    return words


def _points(estimate: Estimate, console: Console) -> list[str]:
    """Points, and half the width of their interval."""
    words = [f"{estimate.mean:.1f}"]
    if estimate.low is not None:
        plus_minus = "+/-" if console.options.ascii_only else "±"
        words.append(f"[dim]{plus_minus}{estimate.mean - estimate.low:.1f}[/]")
    return words
